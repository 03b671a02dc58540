// SPDX-License-Identifier: GPL-2.0-or-later
/* What stands beside the ops: tasks, frequency, truth, metrics; and the builder's own tables. */
#include "../cmocka_all.h"
#include "build_script.h"

#include <errno.h>
#include <string.h>

static const struct workload_task *task_of(const struct script_result *r, int pid)
{
	for (int i = 0; i < r->nr_tasks; i++)
		if (r->tasks[i].pid == pid)
			return &r->tasks[i];
	fail_msg("no task %d", pid);
	return NULL;
}

/* Each is switched in on CPU 1 from a sleeping task 9, once. */
static const struct {
	const char *name;
	bool kernel;
	int bound;
	enum task_class sched_class;
} tasks[] = {
	{ "kworker/1:1H", true, 1, TASK_NORMAL },
	{ "kworker/u8:3", true, -1, TASK_NORMAL },
	{ "kworker/1", true, 1, TASK_NORMAL },
	{ "kworker/0:1", true, -1, TASK_NORMAL }, /* says 0, ran on 1 */
	{ "ksoftirqd/1", true, 1, TASK_NORMAL },
	{ "migration/1", true, 1, TASK_NORMAL },
	{ "jbd2/vda-8", true, -1, TASK_NORMAL },
	{ "rcu_preempt", true, -1, TASK_NORMAL },
	{ "rtkit", false, -1, TASK_RT },
	{ "sqlite3", false, -1, TASK_NORMAL },
	{ "a/1", false, -1, TASK_NORMAL },
};

static void test_tasks(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(tasks); i++) {
		const struct workload_task *t;
		struct script_result r;
		char text[256];

		print_message("%s\n", tasks[i].name);
		snprintf(text, sizeof(text),
			"name 11 %s\n1000 1 9 switch 11 S\n1100 1 11 switch 0 S\n", tasks[i].name);
		assert_int_equal(script_run(text, NULL, &r), 0);
		t = task_of(&r, 11);
		assert_string_equal(t->name, tasks[i].name);
		assert_int_equal(t->kernel, tasks[i].kernel);
		assert_int_equal(t->allowed[0], tasks[i].bound < 0 ? 0 : 1 << tasks[i].bound);
		assert_int_equal(t->sched_class, tasks[i].sched_class);
		assert_true(t->starts);
		assert_int_equal(t->first_cpu, 1);
		assert_int_equal(t->start_ns, 0);
		script_release(&r);
	}
}

static void test_forked(void **state)
{
	static const char events[] = "name 12 make\n"
				     "1000 0 2 fork 11\n"
				     "1000 1 10 fork 12\n"
				     "1010 1 10 switch 12 S\n"
				     "1020 1 12 exec cc1\n"
				     "1030 0 2 switch 11 S\n"
				     "1040 0 11 fork 13\n"
				     "1050 0 11 switch 13 S\n"
				     "1060 0 13 exec modprobe\n"
				     "1070 0 13 migrate 12 0\n"
				     "1080 0 13 switch 0 S\n";
	struct script_result r;

	assert_int_equal(script_run(events, NULL, &r), 0);
	assert_true(task_of(&r, 2)->kernel); /* kthreadd */
	assert_true(task_of(&r, 11)->kernel);
	assert_false(task_of(&r, 10)->kernel);
	assert_false(task_of(&r, 12)->kernel);
	assert_string_equal(task_of(&r, 12)->name, "cc1");
	assert_false(task_of(&r, 13)->kernel); /* a worker's helper */
	assert_false(task_of(&r, 12)->starts);
	assert_true(task_of(&r, 10)->starts);
	assert_int_equal(r.nr_channels, r.nr_tasks);
	script_release(&r);
}

/* Woken before the recording, a task first shows when it is switched in. */
static void test_start(void **state)
{
	struct script_result r;

	assert_int_equal(script_run("1000 0 10 mark x\n1500 0 10 switch 11 R\n", NULL, &r), 0);
	assert_int_equal(task_of(&r, 10)->start_ns, 0);
	script_release(&r);
	assert_int_equal(script_run("1000 0 10 mark x\n1500 0 10 switch 11 R\n"
				    "1600 0 11 switch 10 R\n",
				 NULL, &r),
		0);
	assert_int_equal(task_of(&r, 11)->start_ns, 500);
	script_release(&r);
}

static const struct {
	const char *name, *events;
	uint64_t option_khz, env_khz;
	const char *env_source;
	int rc;
	const char *ops;
	uint64_t khz;
	const char *source;
} frequencies[] = {
	{ "given by hand stands", "1000 0 10 freq 0 2000000\n2000 0 10 switch 0 S\n", 3000000, 0,
		"", 0, "10: run 3000\n", 3000000, "--khz" },
	{ "events come before what the recorder knew",
		"1000 0 10 freq 0 2000000\n2000 0 10 freq 0 1000000\n3000 0 10 switch 0 S\n", 0,
		3000000, "tsc", 0, "10: run 3000\n", 1500000, "cpu_frequency" },
	{ "of another CPU, until its own is told",
		"1000 0 0 freq 0 2000000\n1000 1 10 mark x\n2000 1 10 switch 0 S\n", 0, 0, "", 0,
		"10: run 2000\n", 2000000, "cpu_frequency" },
	{ "the recorder's", "1000 0 10 mark x\n2000 0 10 switch 0 S\n", 0, 2500000, "tsc", 0,
		"10: run 2500\n", 2500000, "tsc" },
	{ "by a marker",
		"1000 0 10 mark corepace:khz=2500000\n1000 0 10 mark corepace:khz_source=tsc\n"
		"1000 0 10 mark corepace:start\n2000 0 10 switch 0 S\n",
		0, 0, "", 0, "10: run 2500\n", 2500000, "tsc" },
	{ "parts of cycles are not lost",
		"1000 0 10 mark x\n1001 0 10 fork 11\n1002 0 10 fork 12\n1003 0 10 fork 13\n"
		"1004 0 10 switch 0 S\n",
		1500000, 0, "", 0,
		"10: run 1, fork 11, run 2, fork 12, run 1, fork 13, run 2\n11\n12\n13\n", 1500000,
		"--khz" },
	{ "not told", "1000 0 10 mark x\n2000 0 10 switch 0 S\n", 0, 0, "", -ENODATA, NULL, 0, "" },
	{ "told too late", "1000 0 10 mark x\n2000 0 10 freq 0 1000000\n2500 0 10 switch 0 S\n", 0,
		0, "", -ENODATA, NULL, 0, "" },
};

static void test_frequency(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(frequencies); i++) {
		struct build_options options = { .khz = frequencies[i].option_khz };
		struct script_result r;

		print_message("%s\n", frequencies[i].name);
		options.env.khz = frequencies[i].env_khz;
		strcpy(options.env.khz_source, frequencies[i].env_source);
		assert_int_equal(
			script_run(frequencies[i].events, &options, &r), frequencies[i].rc);
		if (frequencies[i].rc) {
			assert_non_null(strstr(r.err.text, "frequency"));
			continue;
		}
		assert_string_equal(r.ops, frequencies[i].ops);
		assert_int_equal(r.env.khz, frequencies[i].khz);
		assert_string_equal(r.env.khz_source, frequencies[i].source);
		script_release(&r);
	}
}

static void test_truth(void **state)
{
	static const char events[] = "500 0 10 switch 0 S\n"
				     "600 0 0 switch 10 R\n"
				     "1000 0 10 mark corepace:start pid=10\n"
				     "1100 0 10/h timer+\n"
				     "1130 0 10/h timer-\n"
				     "1200 0 10 switch 0 S\n"
				     "1210 0 0 idle 1\n"
				     "1300 0 0/h irq+\n"
				     "1320 0 0/h waking 10 0\n"
				     "1350 0 0/h irq-\n"
				     "1360 0 0 idle -1\n"
				     "1400 0 0 switch 10 R\n"
				     "1450 0 10 switch 0 S\n"
				     "1460 0 0 idle 1\n"
				     "2000 1 9 mark corepace:end\n"
				     "2000 1 9 mark corepace:busy=0 12345\n";
	struct script_result r;

	assert_int_equal(script_run(events, NULL, &r), 0);
	assert_int_equal(r.truth.elapsed_ns, 1000);
	assert_int_equal(r.truth.nr_cpus, 2);
	assert_int_equal(r.truth.busy_ns[0], 200 + 50 + 50);
	assert_int_equal(r.truth.irq_ns[0], 30 + 50);
	assert_int_equal(r.truth.idle_entries[0], 2);
	assert_int_equal(r.truth.switches, 3);
	assert_int_equal(r.truth.waits[OP_EXTERNAL], 1);
	assert_int_equal(r.truth.own_waits, 1);
	assert_int_equal(r.truth.own_waits_outside, 1);
	assert_int_equal(r.nr_metrics, 1);
	assert_string_equal(r.op_name, "");
	script_release(&r);
}

/* A damaged time of an event makes no recording of years. */
static void test_too_long(void **state)
{
	static const char events[] = "1000 0 10 switch 0 S\n"
				     "40000000000000000 0 0 switch 10 R\n";
	struct script_result r;

	assert_int_equal(script_run(events, NULL, &r), -ENODATA);
	assert_string_equal(
		r.err.text, "its events are 463 days apart, expected a recording of at most 366");
}

/* One task of the command runs on and gives way, another one does little: the first may spin. */
static void test_runs_on(void **state)
{
	static const char events[] = "1000 0 10 mark corepace:start pid=10\n"
				     "1010 0 10 fork 11\n"
				     "200000000 0 10 switch 11 R\n"
				     "200001000 0 11 switch 10 S\n"
				     "400000000 0 10 switch 0 S\n"
				     "400001000 1 9 mark corepace:end\n";
	struct script_result r;

	assert_int_equal(script_run(events, NULL, &r), 0);
	assert_int_equal(r.truth.own_run_on, 1);
	script_release(&r);
}

/* Who carries the operations: who of the command ends last, or who ran most. */
static void test_operations(void **state)
{
	static const char last[] = "1000 0 10 mark corepace:start pid=11\n"
				   "1000 0 10 fork 11\n"
				   "1010 0 10 switch 11 S\n"
				   "1020 0 11 fork 12\n"
				   "1030 0 11 switch 12 Z\n"
				   "1040 0 12 switch 13 Z\n"
				   "1050 0 13 switch 0 Z\n";
	struct build_options options = { .khz = 1000000, .operations = 5 };
	struct script_result r;

	assert_int_equal(script_run(last, &options, &r), 0);
	assert_string_equal(r.ops, "10: fork 11, run 10\n"
				   "11: run 10, fork 12, run 10, exit\n"
				   "12: run 10, count 5, exit\n"
				   "13: run 10, exit\n");
	assert_int_equal(r.nr_metrics, 2);
	assert_int_equal(r.truth.operations, 5);
	script_release(&r);
	assert_int_equal(script_run("name 11 kworker/u8:1\n"
				    "1000 0 10 switch 11 S\n"
				    "2000 0 11 switch 12 S\n"
				    "2500 0 12 switch 13 S\n"
				    "2600 0 13 switch 0 S\n",
				 &options, &r),
		0);
	assert_string_equal(r.ops, "11: run 1000\n12: run 500, count 5\n13: run 100\n");
	script_release(&r);
}

static void test_nothing(void **state)
{
	struct script_result r;

	assert_int_equal(script_run("", NULL, &r), -ENODATA);
	assert_int_equal(script_run("1000 0 0 idle 1\n1100 0 0 idle -1\n", NULL, &r), -ENODATA);
	assert_non_null(strstr(r.err.text, "expected sched_switch"));
}

static void test_map(void **state)
{
	struct map m = { 0 };
	enum { KEYS = 20000 };

	assert_true(map_get(&m, 0) == MAP_NONE);
	map_remove(&m, 0);
	/* Addresses of objects: far apart, with the same low bits. */
	for (uint64_t i = 0; i < KEYS; i++)
		assert_int_equal(map_set(&m, 0xffff888000000000 + i * 4096, (uint32_t)i), 0);
	for (uint64_t i = 0; i < KEYS; i += 3)
		map_remove(&m, 0xffff888000000000 + i * 4096);
	for (uint64_t i = 0; i < KEYS; i++)
		assert_true(map_get(&m, 0xffff888000000000 + i * 4096) ==
			    (i % 3 ? (uint32_t)i : MAP_NONE));
	assert_int_equal(m.used, KEYS - (KEYS + 2) / 3);
	map_release(&m);
}

static void test_median(void **state)
{
	struct median m = { 0 };

	assert_int_equal(median_get(&m), 0);
	for (int i = 0; i < 101; i++)
		median_add(&m, (uint64_t)(i * 37 % 101) * 100);
	assert_in_range(median_get(&m), 5000 - MEDIAN_STEP_NS, 5000 + MEDIAN_STEP_NS);
	for (int i = 0; i < 1000; i++)
		median_add(&m, 300);
	assert_in_range(median_get(&m), 300 - MEDIAN_STEP_NS, 300 + MEDIAN_STEP_NS);
	for (int i = 0; i < 5000; i++)
		median_add(&m, (uint64_t)1 << 40); /* longer than can be told */
	assert_true(median_get(&m) > 60000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_forked),
		cmocka_unit_test(test_start),
		cmocka_unit_test(test_frequency),
		cmocka_unit_test(test_truth),
		cmocka_unit_test(test_runs_on),
		cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_operations),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_median),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
