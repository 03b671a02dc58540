// SPDX-License-Identifier: GPL-2.0-or-later
/* What stands behind an event's name, as kernels and trace-cmd print it. */
#include "../cmocka_all.h"

#include "base/units.h"
#include "trace/text.h"

#include <string.h>

static const struct {
	const char *name, *text;
	bool good;
	struct event want;
	uint64_t aux;
} rows[] = {
	{ "sched_switch",
		"prev_comm=a ==> b prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=x "
		"next_pid=9 next_pid=77 next_prio=98",
		true,
		{ .kind = EV_SWITCH, .pid2 = 77, .prio = 98, .value = 1, .comm = "x next_pid=9" } },
	{ "sched_switch",
		"prev_comm=a prev_pid=1 prev_prio=120 prev_state=R+ ==> next_comm=swapper/0 "
		"next_pid=0 next_prio=120",
		true,
		{ .kind = EV_SWITCH, .prio = 120, .value = TASK_PREEMPTED, .comm = "swapper/0" } },
	{ "sched_switch",
		"prev_comm=a prev_pid=1 prev_prio=120 prev_state=D|K ==> next_comm=b next_pid=2 "
		"next_prio=1",
		true, { .kind = EV_SWITCH, .pid2 = 2, .prio = 1, .value = 2, .comm = "b" } },
	{ "sched_switch",
		"prev_comm=a prev_pid=1 prev_prio=120 prev_state=I ==> next_comm=b next_pid=2 "
		"next_prio=1",
		true, { .kind = EV_SWITCH, .pid2 = 2, .prio = 1, .value = 0x80, .comm = "b" } },
	{ "sched_switch",
		"prev_comm=a prev_pid=1 prev_prio=120 prev_state=2 next_comm=b next_pid=2 "
		"next_prio=1",
		true, { .kind = EV_SWITCH, .pid2 = 2, .prio = 1, .value = 2, .comm = "b" } },
	{ "sched_switch", "a:1 [120] D ==> b:c [d]:22 [98]", true,
		{ .kind = EV_SWITCH, .pid2 = 22, .prio = 98, .value = 2, .comm = "b:c [d]" } },
	{ "sched_switch", "a:1 [120] W ==> b:22 [98]", true,
		{ .kind = EV_SWITCH, .pid2 = 22, .prio = 98, .value = 0x80, .comm = "b" } },
	{ "sched_switch", "a:1 [120] R ==> b:22 [-1]", true,
		{ .kind = EV_SWITCH, .pid2 = 22, .prio = -1, .comm = "b" } },
	{ "sched_switch", "prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b",
		false },
	{ "sched_switch", "nothing of the kind", false },
	{ "sched_waking", "comm=a pid=4 b pid=5 prio=120 target_cpu=001", true,
		{ .kind = EV_WAKING,
			.pid2 = 5,
			.prio = 120,
			.target_cpu = 1,
			.comm = "a pid=4 b" } },
	{ "sched_waking", "comm=a pid=5 prio=120 success=1 target_cpu=010", true,
		{ .kind = EV_WAKING, .pid2 = 5, .prio = 120, .target_cpu = 10, .comm = "a" } },
	{ "sched_wakeup_new", "python3:16445 [120] CPU:001", true,
		{ .kind = EV_WAKEUP_NEW,
			.pid2 = 16445,
			.prio = 120,
			.target_cpu = 1,
			.comm = "python3" } },
	{ "sched_wakeup_new", "a:b:16445 [120] success=1 CPU:001", true,
		{ .kind = EV_WAKEUP_NEW,
			.pid2 = 16445,
			.prio = 120,
			.target_cpu = 1,
			.comm = "a:b" } },
	{ "sched_waking", "comm=a pid=5", false },
	{ "sched_process_fork", "comm=sh pid=1 child_comm=my child child_pid=99", true,
		{ .kind = EV_FORK, .pid2 = 99, .comm = "my child" } },
	{ "sched_process_exec", "filename=/usr/bin/a-very-long-name-of-a-program pid=5 old_pid=4",
		true, { .kind = EV_EXEC, .pid2 = 5, .comm = "a-very-long-nam" } },
	{ "sched_process_exit", "comm=a pid=5 prio=120 group_dead=true", true,
		{ .kind = EV_EXIT, .pid2 = 5, .prio = 120, .comm = "a" } },
	{ "sched_migrate_task", "comm=a pid=5 prio=120 orig_cpu=1 dest_cpu=3", true,
		{ .kind = EV_MIGRATE, .pid2 = 5, .prio = 120, .target_cpu = 3, .comm = "a" } },
	{ "irq_handler_entry", "irq=36 name=virtio1-req.0", true,
		{ .kind = EV_IRQ_ENTRY, .value = 36 } },
	{ "irq_handler_exit", "irq=36 ret=handled", true, { .kind = EV_IRQ_EXIT, .value = 36 } },
	{ "softirq_entry", "vec=4 [action=BLOCK]", true, { .kind = EV_SOFTIRQ_ENTRY, .value = 4 } },
	{ "softirq_exit", "vec=x", false },
	{ "local_timer_entry", "vector=236", true,
		{ .kind = EV_VECTOR_ENTRY, .value = VEC_LOCAL_TIMER } },
	{ "call_function_single_exit", "vector=251", true,
		{ .kind = EV_VECTOR_EXIT, .value = VEC_CALL_FUNCTION_SINGLE } },
	{ "thermal_apic_entry", "vector=250", true,
		{ .kind = EV_VECTOR_ENTRY, .value = VEC_OTHER } },
	{ "hrtimer_start",
		"hrtimer=0000000049f6fdbc function=tick_nohz_handler expires=1535060000000 "
		"softexpires=1 mode=REL|PINNED|HARD was_armed=0",
		true,
		{ .kind = EV_HRTIMER_START,
			.object = 0x49f6fdbc,
			.ns = 1535060000000,
			.value = 11 } },
	{ "hrtimer_start", "hrtimer=0xffff888627c1c6f8 function=0xff expires=7 softexpires=7", true,
		{ .kind = EV_HRTIMER_START, .object = 0xffff888627c1c6f8, .ns = 7 } },
	{ "hrtimer_expire_entry", "hrtimer=0xff function=x now=8", true,
		{ .kind = EV_HRTIMER_EXPIRE, .object = 0xff, .ns = 8 } },
	{ "hrtimer_cancel", "hrtimer=0xff", true, { .kind = EV_HRTIMER_CANCEL, .object = 0xff } },
	{ "hrtimer_cancel", "hrtimer=", false },
	{ "timer_start",
		"timer=00000000eeefb1ad function=f expires=4295276012 [timeout=1] bucket_expiry=1 "
		"cpu=2 idx=5 flags=P|D",
		true,
		{ .kind = EV_TIMER_START,
			.object = 0xeeefb1ad,
			.ns = 4295276012,
			.value = 5 << 22 | 0x80000 | 2 },
		4295276011 },
	{ "timer_start",
		"timer=0xff function=0x1 expires=4295276012 bucket_expiry=1 now=0x10004b5eb "
		"flags=1",
		true, { .kind = EV_TIMER_START, .object = 0xff, .ns = 4295276012, .value = 1 },
		0x10004b5eb },
	{ "timer_expire_entry", "timer=0xff function=f now=4295276010 baseclk=1", true,
		{ .kind = EV_TIMER_EXPIRE, .object = 0xff }, 4295276010 },
	{ "timer_cancel", "timer=0xff", true, { .kind = EV_TIMER_CANCEL, .object = 0xff } },
	{ "block_rq_issue", "254,3 RM 4096 () 2160056 + 8 0x2,0,4 [dd 1 (2) 3]", true,
		{ .kind = EV_BLOCK_ISSUE, .value = 254 << 20 | 3, .object = 2160056, .ns = 4096 } },
	{ "block_rq_issue", "8,0 FF 0 (a b) 18446744073709551615 + 0 [kworker]", true,
		{ .kind = EV_BLOCK_ISSUE, .value = 8 << 20, .object = UINT64_MAX } },
	{ "block_rq_complete", "254,0 WS () 5 + 8 be,0,4 [0]", true,
		{ .kind = EV_BLOCK_COMPLETE, .value = 254 << 20, .object = 5 } },
	{ "block_rq_complete", "dev=266338304 sector=5 nr_sector=8 error=0", true,
		{ .kind = EV_BLOCK_COMPLETE, .value = 254 << 20, .object = 5 } },
	{ "block_rq_issue", "dev=266338304 sector=5 nr_sector=8 bytes=4096", true,
		{ .kind = EV_BLOCK_ISSUE, .value = 254 << 20, .object = 5, .ns = 4096 } },
	{ "block_rq_complete", "254 WS () 5", false },
	{ "block_rq_complete", "254,0 WS (", false },
	{ "cpu_idle", "state=4294967295 cpu_id=3", true,
		{ .kind = EV_CPU_IDLE, .value = UINT32_MAX, .target_cpu = 3 } },
	{ "cpu_frequency", "state=2400000 cpu_id=3", true,
		{ .kind = EV_CPU_FREQUENCY, .value = 2400000, .target_cpu = 3 } },
	{ "tick_stop", "success=1 dependency=NONE", true, { .kind = EV_TICK_STOP, .value = 1 } },
	{ "tick_stop", "success=yes msg= ", true, { .kind = EV_TICK_STOP, .value = 1 } },
	{ "tick_stop", "success=no msg=sched", true, { .kind = EV_TICK_STOP } },
	{ "cpuhp_enter", "cpu: 0003 target: 235 step: 200 (f)", true,
		{ .kind = EV_CPU_ONLINE, .target_cpu = 3, .value = 235 }, 200 },
	{ "cpuhp_enter", "cpu=3 target=0 idx=200 fun=0x1", true,
		{ .kind = EV_CPU_ONLINE, .target_cpu = 3 }, 200 },
	{ "tracing_mark_write", "a marker=12 of some length", true,
		{ .kind = EV_MARKER,
			.comm = "a marker=12 of ",
			.value = 12,
			.text = "a marker=12 of some length" } },
	{ "print", "0xffffffff814aa001: marker: 1", true,
		{ .kind = EV_MARKER, .comm = "marker: 1", .text = "marker: 1" } },
	{ "print", "tracing_mark_write: marker", true,
		{ .kind = EV_MARKER, .comm = "marker", .text = "marker" } },
	{ "print", "ip=0xffffffff814aa001 buf=marker", true,
		{ .kind = EV_MARKER, .comm = "marker", .text = "marker" } },
};

static void test_events(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct event_type *type = text_type(rows[i].name);
		const struct event *want = &rows[i].want;
		struct event ev = { 0 };
		uint64_t aux;

		assert_non_null(type);
		if (text_event(type, rows[i].text, &ev, &aux) != rows[i].good)
			fail_msg("%s: %s: taken for %s", rows[i].name, rows[i].text,
				rows[i].good ? "bad" : "good");
		if (!rows[i].good)
			continue;
		if (ev.kind != want->kind || ev.pid2 != want->pid2 || ev.prio != want->prio ||
			ev.target_cpu != want->target_cpu || ev.value != want->value ||
			ev.object != want->object || ev.ns != want->ns || aux != rows[i].aux ||
			strcmp(ev.comm, want->comm) ||
			strcmp(ev.text ? ev.text : "", want->text ? want->text : ""))
			fail_msg("%s: %s: kind %d pid2 %d prio %d target %d value %lx object %lx "
				 "ns %lu comm '%s' aux %lu",
				rows[i].name, rows[i].text, ev.kind, ev.pid2, ev.prio,
				ev.target_cpu, (unsigned long)ev.value, (unsigned long)ev.object,
				(unsigned long)ev.ns, ev.comm, (unsigned long)aux);
	}
}

static void test_unknown(void **state)
{
	assert_null(text_type("sched_stat_runtime"));
	assert_null(text_type(""));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
