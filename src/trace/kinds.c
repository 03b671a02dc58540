// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/kinds.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

#define VECTOR(name, vector)                                                                       \
	{ "irq_vectors", name "_entry", EV_VECTOR_ENTRY, .value = vector },                        \
	{                                                                                          \
		"irq_vectors", name "_exit", EV_VECTOR_EXIT, .value = vector                       \
	}

static const struct event_type types[] = {
	{ "sched", "sched_switch", EV_SWITCH, TEXT_NAME, 0,
		{ { "next_pid", SLOT_PID2 }, { "prev_state", SLOT_VALUE },
			{ "next_prio", SLOT_PRIO }, { "next_comm", SLOT_COMM } } },
	{ "sched", "sched_waking", EV_WAKING, TEXT_NAME, 0,
		{ { "pid", SLOT_PID2 }, { "prio", SLOT_PRIO }, { "target_cpu", SLOT_TARGET },
			{ "comm", SLOT_COMM } } },
	{ "sched", "sched_wakeup_new", EV_WAKEUP_NEW, TEXT_NAME, 0,
		{ { "pid", SLOT_PID2 }, { "prio", SLOT_PRIO }, { "target_cpu", SLOT_TARGET },
			{ "comm", SLOT_COMM } } },
	{ "sched", "sched_process_fork", EV_FORK, TEXT_NAME, 0,
		{ { "child_pid", SLOT_PID2 }, { "child_comm", SLOT_COMM } } },
	{ "sched", "sched_process_exec", EV_EXEC, TEXT_PATH, 0,
		{ { "pid", SLOT_PID2 }, { "filename", SLOT_COMM } } },
	{ "sched", "sched_process_exit", EV_EXIT, TEXT_NAME, 0,
		{ { "pid", SLOT_PID2 }, { "prio", SLOT_PRIO }, { "comm", SLOT_COMM } } },
	{ "sched", "sched_migrate_task", EV_MIGRATE, TEXT_NAME, 0,
		{ { "pid", SLOT_PID2 }, { "prio", SLOT_PRIO }, { "dest_cpu", SLOT_TARGET },
			{ "comm", SLOT_COMM } } },
	{ "irq", "irq_handler_entry", EV_IRQ_ENTRY, TEXT_NAME, 0, { { "irq", SLOT_VALUE } } },
	{ "irq", "irq_handler_exit", EV_IRQ_EXIT, TEXT_NAME, 0, { { "irq", SLOT_VALUE } } },
	{ "irq", "softirq_entry", EV_SOFTIRQ_ENTRY, TEXT_NAME, 0, { { "vec", SLOT_VALUE } } },
	{ "irq", "softirq_exit", EV_SOFTIRQ_EXIT, TEXT_NAME, 0, { { "vec", SLOT_VALUE } } },
	VECTOR("local_timer", VEC_LOCAL_TIMER),
	VECTOR("reschedule", VEC_RESCHEDULE),
	VECTOR("call_function", VEC_CALL_FUNCTION),
	VECTOR("call_function_single", VEC_CALL_FUNCTION_SINGLE),
	VECTOR("irq_work", VEC_IRQ_WORK),
	VECTOR("x86_platform_ipi", VEC_OTHER),
	VECTOR("thermal_apic", VEC_OTHER),
	VECTOR("threshold_apic", VEC_OTHER),
	VECTOR("deferred_error_apic", VEC_OTHER),
	VECTOR("error_apic", VEC_OTHER),
	VECTOR("spurious_apic", VEC_OTHER),
	{ "timer", "hrtimer_start", EV_HRTIMER_START, TEXT_NAME, 0,
		{ { "hrtimer", SLOT_OBJECT }, { "expires", SLOT_NS },
			{ "mode", SLOT_VALUE, true } } },
	{ "timer", "hrtimer_cancel", EV_HRTIMER_CANCEL, TEXT_NAME, 0,
		{ { "hrtimer", SLOT_OBJECT } } },
	{ "timer", "hrtimer_expire_entry", EV_HRTIMER_EXPIRE, TEXT_NAME, 0,
		{ { "hrtimer", SLOT_OBJECT }, { "now", SLOT_NS } } },
	{ "timer", "timer_start", EV_TIMER_START, TEXT_NAME, 0,
		{ { "timer", SLOT_OBJECT }, { "expires", SLOT_NS }, { "now", SLOT_AUX },
			{ "flags", SLOT_VALUE, true } } },
	{ "timer", "timer_cancel", EV_TIMER_CANCEL, TEXT_NAME, 0, { { "timer", SLOT_OBJECT } } },
	{ "timer", "timer_expire_entry", EV_TIMER_EXPIRE, TEXT_NAME, 0,
		{ { "timer", SLOT_OBJECT }, { "now", SLOT_AUX, true } } },
	{ "timer", "tick_stop", EV_TICK_STOP, TEXT_NAME, 0, { { "success", SLOT_VALUE } } },
	{ "block", "block_rq_issue", EV_BLOCK_ISSUE, TEXT_NAME, 0,
		{ { "dev", SLOT_VALUE }, { "sector", SLOT_OBJECT }, { "bytes", SLOT_NS, true } } },
	{ "block", "block_rq_complete", EV_BLOCK_COMPLETE, TEXT_NAME, 0,
		{ { "dev", SLOT_VALUE }, { "sector", SLOT_OBJECT } } },
	{ "power", "cpu_idle", EV_CPU_IDLE, TEXT_NAME, 0,
		{ { "state", SLOT_VALUE }, { "cpu_id", SLOT_TARGET } } },
	{ "power", "cpu_frequency", EV_CPU_FREQUENCY, TEXT_NAME, 0,
		{ { "state", SLOT_VALUE }, { "cpu_id", SLOT_TARGET } } },
	{ "cpuhp", "cpuhp_enter", EV_CPU_ONLINE, TEXT_NAME, 0,
		{ { "cpu", SLOT_TARGET }, { "target", SLOT_VALUE }, { "idx", SLOT_AUX } } },
	{ "ftrace", "print", EV_MARKER, TEXT_MARKER, 0, { { "buf", SLOT_COMM } } },
};

const struct event_type *event_type_find(const char *system, const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if ((!system || !strcmp(types[i].system, system)) && !strcmp(types[i].name, name))
			return &types[i];
	return NULL;
}

void event_basename(char comm[16], const char *path)
{
	const char *slash = strrchr(path, '/');

	memset(comm, 0, 16);
	path = slash ? slash + 1 : path;
	memcpy(comm, path, strnlen(path, 15));
}

void event_marker(struct event *ev, const char *text)
{
	const char *number = strchr(text, '=');
	size_t len = strlen(text);

	ev->text = text;
	memset(ev->comm, 0, sizeof(ev->comm));
	memcpy(ev->comm, text, len < 15 ? len : 15);
	ev->value = number ? strtoull(number + 1, NULL, 10) : 0;
}
