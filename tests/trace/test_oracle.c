// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A real recording, in every container, read by libtracecmd and libtraceevent: each event's time,
 * CPU, task, flags and needed fields must be the same as ours.
 */
#include "../cmocka_all.h"
#include "records.h"

#include "base/units.h"

#include <stdio.h>
#include <string.h>
#include <trace-cmd.h>

enum {
	MEMBER_NONE,
	MEMBER_PID2,
	MEMBER_PRIO,
	MEMBER_TARGET,
	MEMBER_VALUE,
	MEMBER_OBJECT,
	MEMBER_NS
};

static const struct oracle_type {
	const char *name;
	enum event_kind kind;
	struct {
		const char *field;
		int member;
	} fields[4];
	const char *comm;
} types[] = {
	{ "sched_switch", EV_SWITCH,
		{ { "next_pid", MEMBER_PID2 }, { "next_prio", MEMBER_PRIO },
			{ "prev_state", MEMBER_VALUE } },
		"next_comm" },
	{ "sched_waking", EV_WAKING,
		{ { "pid", MEMBER_PID2 }, { "prio", MEMBER_PRIO },
			{ "target_cpu", MEMBER_TARGET } },
		"comm" },
	{ "sched_wakeup_new", EV_WAKEUP_NEW,
		{ { "pid", MEMBER_PID2 }, { "prio", MEMBER_PRIO },
			{ "target_cpu", MEMBER_TARGET } },
		"comm" },
	{ "sched_process_fork", EV_FORK, { { "child_pid", MEMBER_PID2 } }, "child_comm" },
	{ "sched_process_exec", EV_EXEC, { { "pid", MEMBER_PID2 } }, NULL },
	{ "sched_process_exit", EV_EXIT, { { "pid", MEMBER_PID2 } }, "comm" },
	{ "sched_migrate_task", EV_MIGRATE,
		{ { "pid", MEMBER_PID2 }, { "dest_cpu", MEMBER_TARGET } }, "comm" },
	{ "irq_handler_entry", EV_IRQ_ENTRY, { { "irq", MEMBER_VALUE } }, NULL },
	{ "irq_handler_exit", EV_IRQ_EXIT, { { "irq", MEMBER_VALUE } }, NULL },
	{ "softirq_entry", EV_SOFTIRQ_ENTRY, { { "vec", MEMBER_VALUE } }, NULL },
	{ "softirq_exit", EV_SOFTIRQ_EXIT, { { "vec", MEMBER_VALUE } }, NULL },
	{ "local_timer_entry", EV_VECTOR_ENTRY, { { NULL, 0 } }, NULL },
	{ "local_timer_exit", EV_VECTOR_EXIT, { { NULL, 0 } }, NULL },
	{ "reschedule_entry", EV_VECTOR_ENTRY, { { NULL, 0 } }, NULL },
	{ "reschedule_exit", EV_VECTOR_EXIT, { { NULL, 0 } }, NULL },
	{ "call_function_single_entry", EV_VECTOR_ENTRY, { { NULL, 0 } }, NULL },
	{ "call_function_single_exit", EV_VECTOR_EXIT, { { NULL, 0 } }, NULL },
	{ "call_function_entry", EV_VECTOR_ENTRY, { { NULL, 0 } }, NULL },
	{ "call_function_exit", EV_VECTOR_EXIT, { { NULL, 0 } }, NULL },
	{ "irq_work_entry", EV_VECTOR_ENTRY, { { NULL, 0 } }, NULL },
	{ "irq_work_exit", EV_VECTOR_EXIT, { { NULL, 0 } }, NULL },
	{ "hrtimer_start", EV_HRTIMER_START,
		{ { "hrtimer", MEMBER_OBJECT }, { "expires", MEMBER_NS },
			{ "mode", MEMBER_VALUE } },
		NULL },
	{ "hrtimer_cancel", EV_HRTIMER_CANCEL, { { "hrtimer", MEMBER_OBJECT } }, NULL },
	{ "hrtimer_expire_entry", EV_HRTIMER_EXPIRE,
		{ { "hrtimer", MEMBER_OBJECT }, { "now", MEMBER_NS } }, NULL },
	{ "timer_start", EV_TIMER_START, { { "timer", MEMBER_OBJECT } }, NULL },
	{ "timer_cancel", EV_TIMER_CANCEL, { { "timer", MEMBER_OBJECT } }, NULL },
	{ "timer_expire_entry", EV_TIMER_EXPIRE, { { "timer", MEMBER_OBJECT } }, NULL },
	{ "tick_stop", EV_TICK_STOP, { { "success", MEMBER_VALUE } }, NULL },
	{ "block_rq_issue", EV_BLOCK_ISSUE,
		{ { "dev", MEMBER_VALUE }, { "sector", MEMBER_OBJECT }, { "bytes", MEMBER_NS } },
		NULL },
	{ "block_rq_complete", EV_BLOCK_COMPLETE,
		{ { "dev", MEMBER_VALUE }, { "sector", MEMBER_OBJECT } }, NULL },
	{ "cpu_idle", EV_CPU_IDLE, { { "state", MEMBER_VALUE }, { "cpu_id", MEMBER_TARGET } },
		NULL },
	{ "cpu_frequency", EV_CPU_FREQUENCY,
		{ { "state", MEMBER_VALUE }, { "cpu_id", MEMBER_TARGET } }, NULL },
	{ "print", EV_MARKER, { { NULL, 0 } }, NULL },
};

static const struct oracle_type *type_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (!strcmp(types[i].name, name))
			return &types[i];
	return NULL;
}

static uint64_t member(const struct event *ev, int which)
{
	switch (which) {
	case MEMBER_PID2:
		return (uint64_t)(int64_t)ev->pid2;
	case MEMBER_PRIO:
		return (uint64_t)(int64_t)ev->prio;
	case MEMBER_TARGET:
		return (uint64_t)(int64_t)ev->target_cpu;
	case MEMBER_VALUE:
		return ev->value;
	case MEMBER_OBJECT:
		return ev->object;
	default:
		return ev->ns;
	}
}

static void check_event(const char *file, struct tep_handle *tep, struct tep_event *te,
	const struct oracle_type *type, struct tep_record *rec, const struct event *ev)
{
	int flags = tep_data_flags(tep, rec);
	uint32_t context = (flags & TRACE_FLAG_HARDIRQ ? CTX_HARDIRQ : 0) |
			   (flags & TRACE_FLAG_SOFTIRQ ? CTX_SOFTIRQ : 0);
	int len;

	if (ev->time_ns != rec->ts || ev->kind != type->kind || ev->pid != tep_data_pid(tep, rec) ||
		ev->context != context)
		fail_msg("%s: %llu %s: ours is kind %d at %lu, pid %d, context %u", file, rec->ts,
			te->name, ev->kind, (unsigned long)ev->time_ns, ev->pid, ev->context);
	for (int i = 0; i < 4 && type->fields[i].field; i++) {
		unsigned long long want;

		if (tep_get_field_val(NULL, te, type->fields[i].field, rec, &want, 0))
			fail_msg("%s: %s has no %s", file, te->name, type->fields[i].field);
		if (want != member(ev, type->fields[i].member))
			fail_msg("%s: %llu %s: %s is %llx, ours %lx", file, rec->ts, te->name,
				type->fields[i].field, want,
				(unsigned long)member(ev, type->fields[i].member));
	}
	if (type->comm) {
		const char *comm = tep_get_field_raw(NULL, te, type->comm, rec, &len, 0);

		assert_non_null(comm);
		if (strncmp(comm, ev->comm, 15))
			fail_msg("%s: %llu %s: %s '%s', ours '%s'", file, rec->ts, te->name,
				type->comm, comm, ev->comm);
	}
}

/* One CPU's records in turn against ours of that CPU. Returns how many were compared. */
static size_t check_cpu(
	const char *file, struct tracecmd_input *in, int cpu, const struct events *e)
{
	struct tep_handle *tep = tracecmd_get_tep(in);
	struct tep_record *rec;
	size_t at = 0, compared = 0;

	while ((rec = tracecmd_read_data(in, cpu))) {
		struct tep_event *te = tep_find_event_by_record(tep, rec);
		const struct oracle_type *type = te ? type_of(te->name) : NULL;

		if (type) {
			while (at < e->n && e->list[at].cpu != cpu)
				at++;
			if (at == e->n)
				fail_msg("%s: CPU %d: ours ends before %llu", file, cpu, rec->ts);
			check_event(file, tep, te, type, rec, &e->list[at++]);
			compared++;
		}
		tracecmd_free_record(rec);
	}
	return compared;
}

static void check_file(const char *file, size_t least)
{
	struct tracecmd_input *in;
	struct events e;
	size_t compared = 0;
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", DATA_DIR, file);
	events_of_file(path, &e);
	if (e.rc < 0)
		fail_msg("%s", e.err.text);
	in = tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS);
	assert_non_null(in);
	for (int cpu = 0; cpu < e.info.nr_cpus; cpu++)
		compared += check_cpu(file, in, cpu, &e);
	if (compared != e.n || compared < least)
		fail_msg("%s: %zu events of ours, %zu of libtracecmd", file, e.n, compared);
	for (size_t i = 1; i < e.n; i++)
		if (e.list[i].time_ns < e.list[i - 1].time_ns ||
			(e.list[i].time_ns == e.list[i - 1].time_ns &&
				e.list[i].cpu < e.list[i - 1].cpu))
			fail_msg("%s: event %zu is out of order", file, i);
	tracecmd_close(in);
	events_release(&e);
}

static void test_v6(void **state)
{
	check_file("v6.dat", 3000);
}

static void test_v7(void **state)
{
	check_file("v7.dat", 3000);
}

static void test_v7_zstd(void **state)
{
	check_file("v7-zstd.dat", 3000);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_v6),
		cmocka_unit_test(test_v7),
		cmocka_unit_test(test_v7_zstd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
