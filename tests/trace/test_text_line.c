// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of ftrace text: what stands before an event's own text, in every layout. */
#include "../cmocka_all.h"

#include "base/units.h"
#include "trace/text.h"

#include <string.h>

static const struct {
	const char *line;
	enum line_kind kind;
	int pid, cpu;
	uint64_t ns;
	const char *flags, *name, *rest;
} rows[] = {
	/* the kernel's, with and without flags and thread group */
	{ "          <idle>-0       [001] dNh2.  1535.077027: cpu_idle: state=1 cpu_id=0",
		LINE_EVENT, 0, 1, 1535077027000, "dNh2.", "cpu_idle", "state=1 cpu_id=0" },
	{ "            bash-1977  [000] 17284.993652: sys_close: x", LINE_EVENT, 1977, 0,
		17284993652000, NULL, "sys_close", "x" },
	{ "            bash-8733    ( 8733) [003] ....  12.000001: a: b", LINE_EVENT, 8733, 3,
		12000001000, "....", "a", "b" },
	{ "           <...>-21      (-------) [1023] ..s1.  0.5: a: b", LINE_EVENT, 21, 1023,
		500000000, "..s1.", "a", "b" },
	/* what names of tasks may hold */
	{ "  my-own - task-12 [000]  1.000000001: a: b", LINE_EVENT, 12, 0, 1000000001, NULL, "a",
		"b" },
	{ "  a [001] 2.5: x-34 [002]  1.0: a: b", LINE_EVENT, 34, 2, 1000000000, NULL, "a", "b" },
	{ "  kworker/0:1-ev-7 [000] d..2.  3.25: a: b: c", LINE_EVENT, 7, 0, 3250000000, "d..2.",
		"a", "b: c" },
	{ " --12-3 [004] 1.0: a: b", LINE_EVENT, 3, 4, 1000000000, NULL, "a", "b" },
	{ " a: b-5-6 [004] 1.0: a:", LINE_EVENT, 6, 4, 1000000000, NULL, "a", "" },
	/* report -l, and the kernel's latency format */
	{ "  <idle>-0       1dNh1.  1535.077027: reschedule_entry:     vector=253", LINE_EVENT, 0,
		1, 1535077027000, "dNh1.", "reschedule_entry", "vector=253" },
	{ "rcu_pree-15     12d..1.  1.5: timer_start: x", LINE_EVENT, 15, 12, 1500000000, "d..1.",
		"timer_start", "x" },
	{ "    bash-1234      0d..2.   12us!: sched_switch: x", LINE_EVENT, 1234, 0, 12000, "d..2.",
		"sched_switch", "x" },
	{ "    bash-1234      0d..2.   7us : sched_switch: x", LINE_EVENT, 1234, 0, 7000, "d..2.",
		"sched_switch", "x" },
	/* report with several buffers or files */
	{ "   buf:  <idle>-0     [001]  1.5: a: b", LINE_EVENT, 0, 1, 1500000000, NULL, "a", "b" },
	/* not events */
	{ " bash-12 [001] d..2.  1.5: schedule <-do_nanosleep", LINE_OTHER, 12, 1, 1500000000,
		"d..2.", "", NULL },
	{ "CPU:1 [LOST 123 EVENTS]", LINE_LOST, 0, 1, 0, NULL, "", NULL },
	{ "CPU:13 [LOST EVENTS]", LINE_LOST, 0, 13, 0, NULL, "", NULL },
	{ "CPU:2 [7 EVENTS DROPPED]", LINE_LOST, 0, 2, 0, NULL, "", NULL },
	{ "# tracer: nop", LINE_HEADER, 0, 0, 0, NULL, "", NULL },
	{ "", LINE_HEADER, 0, 0, 0, NULL, "", NULL },
	{ "cpus=2", LINE_HEADER, 0, 0, 0, NULL, "", NULL },
	{ "CPU 1 is empty", LINE_HEADER, 0, 0, 0, NULL, "", NULL },
	{ "##### CPU 2 buffer started ####", LINE_HEADER, 0, 0, 0, NULL, "", NULL },
	{ " => do_syscall_64", LINE_HEADER, 0, 0, 0, NULL, "", NULL },
	{ " bash-12 [001] d..2.  12345678: cpu_idle: state=1", LINE_NO_UNIT, 12, 1, 12345678,
		"d..2.", "", NULL },
	{ "root:x:0:0:root:/root:/bin/bash", LINE_BAD, 0, 0, 0, NULL, "", NULL },
	{ " bash-12 [1024] 1.5: a: b", LINE_BAD, 0, 0, 0, NULL, "", NULL },
	{ " bash-99999999999 [000] 1.5: a: b", LINE_BAD, 0, 0, 0, NULL, "", NULL },
	{ " bash-12 [000] 99999999999999999999.5: a: b", LINE_BAD, 0, 0, 0, NULL, "", NULL },
	{ " bash-12 [000", LINE_BAD, 0, 0, 0, NULL, "", NULL },
	{ "-", LINE_BAD, 0, 0, 0, NULL, "", NULL },
};

static void test_lines(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct text_line line;
		enum line_kind kind = text_parse(rows[i].line, &line);

		if (kind != rows[i].kind)
			fail_msg("'%s': kind %d, expected %d", rows[i].line, kind, rows[i].kind);
		if (kind == LINE_HEADER || kind == LINE_BAD)
			continue;
		if (line.cpu != rows[i].cpu)
			fail_msg("'%s': cpu %d", rows[i].line, line.cpu);
		if (kind == LINE_LOST)
			continue;
		if (line.pid != rows[i].pid || line.ns != rows[i].ns ||
			strcmp(line.name, rows[i].name))
			fail_msg("'%s': pid %d, time %lu, name '%s'", rows[i].line, line.pid,
				(unsigned long)line.ns, line.name);
		if (rows[i].flags ? line.nr_flags != strlen(rows[i].flags) ||
					    strncmp(line.flags, rows[i].flags, line.nr_flags)
				  : line.flags != NULL)
			fail_msg("'%s': flags", rows[i].line);
		if (kind == LINE_EVENT && strcmp(line.rest, rows[i].rest))
			fail_msg("'%s': rest '%s'", rows[i].line, line.rest);
	}
}

static void test_lost_counts(void **state)
{
	struct text_line line;

	text_parse("CPU:1 [LOST 123 EVENTS]", &line);
	assert_int_equal(line.lost, 123);
	text_parse("CPU:13 [LOST EVENTS]", &line);
	assert_int_equal(line.lost, 0);
	text_parse("CPU:2 [7 EVENTS DROPPED]", &line);
	assert_int_equal(line.lost, 7);
}

static void test_headers(void **state)
{
	uint64_t overwritten = 5;
	int cpus = 3;

	text_header("# entries-in-buffer/entries-written: 44145/45675   #P:2", &overwritten, &cpus);
	assert_int_equal(overwritten, 1530);
	assert_int_equal(cpus, 2);
	text_header("# entries-in-buffer/entries-written: /   #P:x", &overwritten, &cpus);
	text_header("# nothing", &overwritten, &cpus);
	assert_int_equal(overwritten, 1530);
	assert_int_equal(cpus, 2);
	text_header("cpus=64", &overwritten, &cpus);
	assert_int_equal(cpus, 64);
}

static void test_contexts(void **state)
{
	static const struct {
		char flag;
		uint32_t context;
	} contexts[] = { { '.', 0 }, { 'h', CTX_HARDIRQ }, { 's', CTX_SOFTIRQ },
		{ 'H', CTX_HARDIRQ | CTX_SOFTIRQ }, { 'z', CTX_NMI },
		{ 'Z', CTX_NMI | CTX_HARDIRQ } };
	char flags[] = "d....";
	struct text_line line = { .flags = flags, .nr_flags = 5 };

	for (size_t i = 0; i < ARRAY_LEN(contexts); i++) {
		flags[2] = contexts[i].flag;
		assert_int_equal(text_context(&line, 2), contexts[i].context);
		assert_int_equal(text_context(&line, 3), 0);
		assert_int_equal(text_context(&line, 5), 0);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_lost_counts),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_contexts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
