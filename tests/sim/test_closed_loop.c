// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The loop is closed: on CPUs twice as fast a recorded sqlite3 computes in half the time, its
 * disk takes what it took, and the elapsed time is what these two say.
 */
#include "../cmocka_all.h"

#include "sim/sim.h"

#include <stdlib.h>

static struct run_result replay(const char *machine)
{
	struct sim_options options = { .seed = 1, .check = true };
	struct error err = { "" };
	struct workload *w = NULL;
	struct machine *m = NULL;
	struct run_result r;
	struct policy p;

	policy_defaults(&p);
	if (machine_load(machine, MACHINES, &m, &err) ||
		workload_open(RECORDED "/sqlite.cpw", &w, &err) ||
		sim_run(m, w, &p, &options, &r, &err))
		fail_msg("%s: %s", machine, err.text);
	workload_free(w);
	machine_free(m);
	return r;
}

/* What tasks computed, on all CPUs. */
static double run_ns(const struct run_result *r)
{
	double sum = 0;

	for (int i = 0; i < r->nr_cpus; i++)
		sum += (double)(r->cpus[i].user_ns + r->cpus[i].system_ns);
	return sum;
}

static void assert_near(const char *what, double got, double want, double share)
{
	if (got < want * (1 - share) || got > want * (1 + share))
		fail_msg("%s: %.0f, expected %.0f within %.0f %%", what, got, want, 100 * share);
}

static void test_twice_as_fast(void **state)
{
	struct run_result once = replay("epyc-guest:cpuidle=none");
	struct run_result twice = replay("epyc-guest:cpuidle=none,speed=2000");
	/* Hardly any compute time is left: what remains is the disk and the wake-ups. */
	struct run_result disk = replay("epyc-guest:cpuidle=none,speed=100000");
	double compute = (double)once.elapsed_ns - (double)disk.elapsed_ns;

	assert_near("compute time", run_ns(&twice), run_ns(&once) / 2, 0.05);
	assert_int_equal(twice.counters.io_requests, once.counters.io_requests);
	assert_near("elapsed time", (double)twice.elapsed_ns, (double)disk.elapsed_ns + compute / 2,
		0.05);
	assert_true(compute > 0.2 * (double)once.elapsed_ns);
	result_release(&once);
	result_release(&twice);
	result_release(&disk);
}

static void test_more_cpus(void **state)
{
	struct run_result two = replay("epyc-guest:cpuidle=none");
	struct run_result four = replay("epyc-guest:cpuidle=none,cpus=4");

	assert_int_equal(four.nr_cpus, 4);
	assert_int_equal(four.operations, two.operations);
	assert_near("elapsed time", (double)four.elapsed_ns, (double)two.elapsed_ns, 0.10);
	result_release(&two);
	result_release(&four);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_twice_as_fast),
		cmocka_unit_test(test_more_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
