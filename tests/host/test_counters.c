// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's counters before and after, on made-up machines. */
#include "host/counters.h"

#include "base/units.h"

#include "../cmocka_all.h"
#include "tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct state_row {
	int cpu, state;
	const char *name, *usage, *time_us, *disable;
};

static void put_state(struct tree *t, const struct state_row *row)
{
	static const char *const files[] = { "name", "usage", "time", "disable", "latency",
		"residency" };
	const char *values[] = { row->name, row->usage, row->time_us, row->disable, "3", "20" };
	char path[128];

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpuidle/state%d/%s",
			row->cpu, row->state, files[i]);
		if (values[i])
			tree_put(t, path, values[i]);
	}
}

/* CPU 1 is offline, CPU 2 has one state more than CPU 0. */
static void before_and_after(void **state)
{
	static const struct state_row before_rows[] = {
		{ 0, 0, "POLL", "10", "100", "0" },
		{ 0, 1, "C1", "1000", "5000", "0" },
		{ 2, 0, "POLL", "1", "7", "0" },
		{ 2, 1, "C1", "2000", "6000", "1" },
		{ 2, 2, "C6", "5", "50000", "0" },
	};
	static const struct state_row after_rows[] = {
		{ 0, 0, "POLL", "12", "150", "0" },
		{ 0, 1, "C1", "1100", "7000", "0" },
		{ 2, 1, "C1", "2011", "6500", "1" },
	};
	struct workload_truth truth = { 0 };
	struct workload_env env = { .settings = "a=b\n" };
	struct host_counters before, after;
	struct error err;
	struct tree t;

	tree_make(&t);
	tree_put(&t, "/proc/stat",
		"cpu  1 1 1 1 1 1 1 1 0 0\n"
		"cpu0 10 0 20 1000 50 0 0 0 0 0\ncpu2 10 0 20 500 0 0 0 0 0 0\nintr 5\n");
	for (size_t i = 0; i < ARRAY_LEN(before_rows); i++)
		put_state(&t, &before_rows[i]);
	assert_int_equal(host_counters_read(t.root, &before, &err), 0);
	tree_put(&t, "/proc/stat",
		"cpu0 10 0 20 1060 70 0 0 0 0 0\ncpu2 10 0 20 500 0 0 0 0 0 0\nintr 5\n");
	for (size_t i = 0; i < ARRAY_LEN(after_rows); i++)
		put_state(&t, &after_rows[i]);
	assert_int_equal(host_counters_read(t.root, &after, &err), 0);
	assert_int_equal(after.nr_cpus, 3);
	assert_int_equal(after.nr_states, 3);

	before.time_ns = 1000;
	after.time_ns = 1000 + NSEC_PER_SEC;
	host_counters_difference(&before, &after, &truth);
	assert_int_equal(truth.elapsed_ns, NSEC_PER_SEC);
	assert_int_equal(truth.nr_cpus, 3);
	/* 60 idle and 20 I/O wait hundredths of a second of one second. */
	assert_int_equal(truth.busy_ns[0], 200 * NSEC_PER_MSEC);
	assert_int_equal(truth.busy_ns[1], 0);
	assert_int_equal(truth.busy_ns[2], NSEC_PER_SEC);
	assert_int_equal(truth.nr_states, 3);
	assert_int_equal(truth.state_usage[0], 2);
	assert_int_equal(truth.state_usage[1], 111);
	assert_int_equal(truth.state_usage[2], 0);
	assert_int_equal(truth.state_time_ns[1], 2500 * NSEC_PER_USEC);
	assert_string_equal(truth.state_name[2], "C6");

	host_counters_settings(&after, &env);
	assert_string_equal(env.settings, "a=b\nidle.state0=POLL 3 20\n"
					  "idle.state1=C1 3 20 disabled\n"
					  "idle.state2=C6 3 20\n");
	tree_remove(&t);
}

static void bad_input(void **state)
{
	static const struct {
		const char *name, *stat;
		int code;
	} rows[] = {
		{ "no file", NULL, -ENOENT },
		{ "empty", "", -EINVAL },
		{ "no CPU", "cpu 1 2 3 4 5\nintr 1\n", -EINVAL },
		{ "cut off", "cpu0 1 2 3\n", -EINVAL },
		{ "number out of range", "cpu5000000 1 2 3 4 5\n", -EINVAL },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct host_counters c;
		struct error err = { "" };
		struct tree t;
		int code;

		tree_make(&t);
		if (rows[i].stat)
			tree_put(&t, "/proc/stat", rows[i].stat);
		code = host_counters_read(t.root, &c, &err);
		if (code != rows[i].code || !strstr(err.text, "/proc/stat"))
			fail_msg("%s: %d '%s'", rows[i].name, code, err.text);
		tree_remove(&t);
	}
}

static void no_idle_driver(void **state)
{
	struct host_counters c;
	struct error err;
	struct tree t;

	tree_make(&t);
	tree_put(&t, "/proc/stat", "cpu0 1 2 3 4 5 6\n");
	assert_int_equal(host_counters_read(t.root, &c, &err), 0);
	assert_int_equal(c.nr_states, 0);
	tree_remove(&t);
}

/* More CPUs than the truth has room for: the rest is left out, nothing is overwritten. */
static void many_cpus(void **state)
{
	struct workload_truth truth = { 0 };
	struct host_counters before, after;
	char text[8192] = "";
	struct error err;
	struct tree t;
	size_t len = 0;

	tree_make(&t);
	for (int cpu = 0; cpu < 200; cpu++)
		len += snprintf(text + len, sizeof(text) - len, "cpu%d 0 0 0 7 0 0\n", cpu);
	tree_put(&t, "/proc/stat", text);
	assert_int_equal(host_counters_read(t.root, &before, &err), 0);
	after = before;
	assert_int_equal(after.nr_cpus, 200);
	after.time_ns = before.time_ns + 5;
	host_counters_difference(&before, &after, &truth);
	assert_int_equal(truth.nr_cpus, ARRAY_LEN(truth.busy_ns));
	assert_int_equal(truth.busy_ns[ARRAY_LEN(truth.busy_ns) - 1], 5);
	tree_remove(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(before_and_after),
		cmocka_unit_test(bad_input),
		cmocka_unit_test(no_idle_driver),
		cmocka_unit_test(many_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
