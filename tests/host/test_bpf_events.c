// SPDX-License-Identifier: GPL-2.0-or-later
/* From made-up records of BPF programs to the event stream. No kernel is asked. */
#include "host/bpf_events.h"
#include "host/tracefs_source.h"

#include "base/units.h"

#include "../cmocka_all.h"

#include <stdio.h>
#include <string.h>

enum { CPUS = 2, LONG = sizeof(struct bpf_record) };

struct stream {
	struct bpf_spool spools[CPUS];
	struct bpf_spool *by_cpu[CPUS];
	uint64_t lost_at_end[CPUS];
	struct bpf_events_input input;
	struct bpf_events *events;
};

static void stream_init(struct stream *s)
{
	memset(s, 0, sizeof(*s));
	for (int cpu = 0; cpu < CPUS; cpu++) {
		bpf_spool_init(&s->spools[cpu], "/tmp");
		s->by_cpu[cpu] = &s->spools[cpu];
	}
	s->input = (struct bpf_events_input){
		.nr_cpus = CPUS, .spools = s->by_cpu, .lost_at_end = s->lost_at_end, .hz = 250
	};
}

static void put(struct stream *s, int cpu, struct bpf_record r, size_t size)
{
	struct error err;

	if (size == LONG)
		r.flags |= RECORD_LONG;
	if (bpf_spool_append(&s->spools[cpu], &r, size, &err))
		fail_msg("%s", err.text);
}

static void open_stream(struct stream *s)
{
	struct error err;

	if (bpf_events_new(&s->input, &s->events, &err))
		fail_msg("%s", err.text);
}

static struct event next(struct stream *s, const char *what)
{
	struct event ev;
	struct error err;

	if (bpf_events_next(s->events, &ev, &err) != 1)
		fail_msg("%s: no event", what);
	return ev;
}

static void end_stream(struct stream *s)
{
	struct event ev;
	struct error err;

	assert_int_equal(bpf_events_next(s->events, &ev, &err), 0);
	assert_int_equal(bpf_events_next(s->events, &ev, &err), 0);
	assert_int_equal(bpf_events_progress(s->events), 1000);
	bpf_events_free(s->events);
	for (int cpu = 0; cpu < CPUS; cpu++)
		bpf_spool_release(&s->spools[cpu]);
}

static void fields(void **state)
{
	struct event ev;
	struct stream s;

	stream_init(&s);
	put(&s, 1,
		(struct bpf_record){ .time_ns = 10,
			.kind = EV_SWITCH,
			.pid = 5,
			.pid2 = 7,
			.prio = 100,
			.value = 1,
			.flags = RECORD_IOWAIT,
			.comm = "seven" },
		LONG);
	put(&s, 1,
		(struct bpf_record){
			.time_ns = 20, .kind = EV_CPU_IDLE, .value = UINT32_MAX, .target_cpu = 1 },
		BPF_RECORD_SHORT);
	put(&s, 1,
		(struct bpf_record){
			.time_ns = 30, .kind = EV_TIMER_START, .object = 0xabc, .ns = 5 },
		LONG);
	put(&s, 1,
		(struct bpf_record){
			.time_ns = 40, .kind = EV_TIMER_START, .object = 0xabc, .ns = -3ull },
		LONG);
	put(&s, 1,
		(struct bpf_record){ .time_ns = 50,
			.kind = EV_BLOCK_ISSUE,
			.object = 77,
			.ns = 4096,
			.value = 0xfe00000 },
		LONG);
	open_stream(&s);

	ev = next(&s, "switch");
	assert_int_equal(ev.kind, EV_SWITCH);
	assert_int_equal(ev.time_ns, 10);
	assert_int_equal(ev.cpu, 1);
	assert_int_equal(ev.pid, 5);
	assert_int_equal(ev.pid2, 7);
	assert_int_equal(ev.prio, 100);
	assert_int_equal(ev.value, TASK_SLEEPS);
	assert_int_equal(ev.iowait, IOWAIT_YES);
	assert_string_equal(ev.comm, "seven");
	assert_int_equal(ev.object, 0);

	ev = next(&s, "idle");
	assert_int_equal(ev.kind, EV_CPU_IDLE);
	assert_int_equal(ev.value, UINT32_MAX);
	assert_string_equal(ev.comm, "");
	assert_int_equal(ev.iowait, IOWAIT_NOT_TOLD);

	ev = next(&s, "timer");
	assert_int_equal(ev.object, 0xabc);
	/* Five jiffies: the wheel runs it in the one behind, never early. */
	assert_int_equal(ev.ns, 24 * NSEC_PER_MSEC);
	assert_int_equal(next(&s, "late timer").ns, 4 * NSEC_PER_MSEC);

	ev = next(&s, "block");
	assert_int_equal(ev.value, 0xfe00000);
	assert_int_equal(ev.object, 77);
	assert_int_equal(ev.ns, 4096);
	assert_string_equal(bpf_events_info(s.events)->format, "bpf");
	assert_int_equal(bpf_events_info(s.events)->first_ns, 10);
	assert_int_equal(bpf_events_info(s.events)->last_ns, 50);
	end_stream(&s);
}

static void task_states(void **state)
{
	static const struct {
		const char *name;
		uint64_t raw;
		uint8_t flags;
		uint64_t value;
	} rows[] = {
		{ "running", 0, 0, TASK_RUNNABLE },
		{ "preempted", 0, RECORD_PREEMPTED, TASK_PREEMPTED },
		{ "preempted on its way to sleep", 1, RECORD_PREEMPTED, TASK_PREEMPTED },
		{ "sleeping", 1, 0, TASK_SLEEPS },
		{ "disk", 2, 0, TASK_SLEEPS_DISK },
		{ "killable", 0x102, 0, TASK_SLEEPS_DISK },
		{ "idle worker", 0x402, 0, TASK_SLEEPS_IDLE },
		{ "freezable", 0x2001, 0, TASK_SLEEPS },
		{ "frozen", 0x8000, 0, TASK_SLEEPS_DISK },
		{ "lock of real-time kernels", 0x1000, 0, TASK_SLEEPS_DISK },
		{ "stopped", 4, 0, TASK_STOPPED },
		{ "traced", 8, 0, TASK_TRACED },
		{ "dead", 0x80 | 0x10, 0, TASK_DEAD },
		{ "zombie", 0x80 | 0x20, 0, TASK_ZOMBIE },
		{ "parked", 0x40, 0, TASK_PARKED },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct stream s;
		struct event ev;

		stream_init(&s);
		put(&s, 0,
			(struct bpf_record){ .time_ns = 1,
				.kind = EV_SWITCH,
				.value = rows[i].raw,
				.flags = rows[i].flags },
			LONG);
		open_stream(&s);
		ev = next(&s, rows[i].name);
		if (ev.value != rows[i].value || ev.iowait != IOWAIT_NO)
			fail_msg("%s: %#llx", rows[i].name, (unsigned long long)ev.value);
		end_stream(&s);
	}
}

/* The events of an interrupt belong to it; a lost exit does not stick. */
static void contexts(void **state)
{
	static const struct {
		const char *name;
		uint8_t kind;
		uint32_t context;
		uint16_t lost;
	} rows[] = {
		{ "exit without entry", EV_VECTOR_EXIT, 0, 0 },
		{ "task", EV_WAKING, 0, 0 },
		{ "entry", EV_VECTOR_ENTRY, CTX_HARDIRQ, 0 },
		{ "nested entry", EV_IRQ_ENTRY, CTX_HARDIRQ, 0 },
		{ "nested exit", EV_IRQ_EXIT, CTX_HARDIRQ, 0 },
		{ "inside", EV_WAKING, CTX_HARDIRQ, 0 },
		{ "exit", EV_VECTOR_EXIT, CTX_HARDIRQ, 0 },
		{ "soft entry", EV_SOFTIRQ_ENTRY, CTX_SOFTIRQ, 0 },
		{ "inside soft", EV_TIMER_EXPIRE, CTX_SOFTIRQ, 0 },
		{ "hard in soft", EV_VECTOR_ENTRY, CTX_SOFTIRQ | CTX_HARDIRQ, 0 },
		{ "hard exit in soft", EV_VECTOR_EXIT, CTX_SOFTIRQ | CTX_HARDIRQ, 0 },
		{ "soft exit", EV_SOFTIRQ_EXIT, CTX_SOFTIRQ, 0 },
		{ "task again", EV_HRTIMER_START, 0, 0 },
		{ "entry without exit", EV_VECTOR_ENTRY, CTX_HARDIRQ, 0 },
		{ "switch", EV_SWITCH, 0, 0 },
		{ "entry before losses", EV_VECTOR_ENTRY, CTX_HARDIRQ, 0 },
		{ "after losses", EV_WAKING, 0, 5 },
	};
	struct stream s;

	stream_init(&s);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		put(&s, 0,
			(struct bpf_record){
				.time_ns = i + 1, .kind = rows[i].kind, .lost = rows[i].lost },
			LONG);
	open_stream(&s);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct event ev = next(&s, rows[i].name);

		if (rows[i].lost) {
			assert_int_equal(ev.kind, EV_LOST);
			assert_int_equal(ev.value, rows[i].lost);
			ev = next(&s, rows[i].name);
		}
		if (ev.kind != rows[i].kind || ev.context != rows[i].context)
			fail_msg("%s: kind %d context %u", rows[i].name, ev.kind, ev.context);
	}
	assert_int_equal(bpf_events_info(s.events)->lost_events, 5);
	end_stream(&s);
}

/* Times over CPUs, equal times in CPU order, markers among them, a clock that goes back held. */
static void merged(void **state)
{
	static const struct {
		int cpu;
		uint64_t time_ns, expected_ns;
	} rows[] = { { 0, 10, 10 }, { 1, 10, 10 }, { 1, 11, 11 }, { 0, 15, 15 }, { 0, 12, 15 },
		{ 1, 15, 15 }, { 1, 99, 99 } };
	struct bpf_marker markers[] = {
		{ .time_ns = 5, .cpu = 1, .pid = 3, .text = (char *)"corepace:start pid=42" },
		{ .time_ns = 15, .cpu = 0, .pid = 3, .text = (char *)"corepace:end" },
	};
	struct stream s;
	struct event ev;

	stream_init(&s);
	s.input.markers = markers;
	s.input.nr_markers = ARRAY_LEN(markers);
	s.lost_at_end[0] = 7;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		put(&s, rows[i].cpu,
			(struct bpf_record){
				.time_ns = rows[i].time_ns, .kind = EV_SOFTIRQ_ENTRY, .value = i },
			BPF_RECORD_SHORT);
	open_stream(&s);

	ev = next(&s, "start");
	assert_int_equal(ev.kind, EV_MARKER);
	assert_string_equal(ev.comm, "corepace:start ");
	assert_string_equal(ev.text, "corepace:start pid=42");
	assert_int_equal(ev.value, 42);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (i == 5) { /* all of CPU 0 first: the losses at its end have its last time */
			ev = next(&s, "losses");
			assert_int_equal(ev.kind, EV_LOST);
			assert_int_equal(ev.value, 7);
		}
		if (i == 6)
			assert_string_equal(next(&s, "end").text, "corepace:end");
		ev = next(&s, "row");
		if (ev.value != i || ev.cpu != rows[i].cpu || ev.time_ns != rows[i].expected_ns)
			fail_msg("row %zu: value %llu at %llu", i, (unsigned long long)ev.value,
				(unsigned long long)ev.time_ns);
	}
	end_stream(&s);
}

/* More than the memory of a spool: the rest comes back from the file, all of it, in order. */
static void large(void **state)
{
	enum { RECORDS = 200000 };
	struct stream s;

	stream_init(&s);
	for (uint64_t i = 0; i < RECORDS; i++)
		put(&s, i % CPUS,
			(struct bpf_record){
				.time_ns = i + 1, .kind = EV_HRTIMER_START, .object = i },
			i % 3 ? LONG : BPF_RECORD_SHORT);
	assert_true(s.spools[0].fd >= 0);
	open_stream(&s);
	for (uint64_t i = 0; i < RECORDS; i++) {
		struct event ev = next(&s, "record");

		if (ev.time_ns != i + 1 || ev.object != (i % 3 ? i : 0))
			fail_msg("record %llu: %llu", (unsigned long long)i,
				(unsigned long long)ev.time_ns);
	}
	end_stream(&s);
}

static void unknown_kind(void **state)
{
	struct error err = { "" };
	struct stream s;

	stream_init(&s);
	put(&s, 1, (struct bpf_record){ .time_ns = 1, .kind = 200 }, BPF_RECORD_SHORT);
	assert_true(bpf_events_new(&s.input, &s.events, &err) < 0);
	assert_string_equal(err.text, "a BPF record of CPU 1 has kind 200");
	for (int cpu = 0; cpu < CPUS; cpu++)
		bpf_spool_release(&s.spools[cpu]);
}

/* What an overrun buffer is told to have been too small by. */
static void enough(void **state)
{
	static const struct {
		uint64_t kb, kept, lost, enough;
	} rows[] = {
		{ 128, 5417, 275474, 9216 }, /* 51.9 times as many events, and a quarter */
		{ 1024, 150000, 131000, 3072 },
		{ 1024, 1000, 1, 2048 },
		{ 64, 0, 9, 1024 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(enough_kb(rows[i].kb, rows[i].kept, rows[i].lost), rows[i].enough);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields),
		cmocka_unit_test(task_states),
		cmocka_unit_test(contexts),
		cmocka_unit_test(merged),
		cmocka_unit_test(large),
		cmocka_unit_test(unknown_kind),
		cmocka_unit_test(enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
