// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The power models against package power that was read off the machines. Each row prints its
 * error. A tolerance is the model's true error rounded up to a tenth of a watt, so that a change
 * of a model shows; it is no claim of accuracy: the models were derived from these very readings
 * (machines/NAME.yaml says how), and where a reading has a band, as with POLL on the i7-2600K, 48.3
 * to 52 W by temperature, the model sits inside it. The power of a running thread depends on what
 * it runs: the model of the EPYC host is that of its compute kernel, and the rows of other kernels
 * show how far off that is (matmul draws 2.7 times as much).
 */
#include "machine/machine.h"
#include "../cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = -1 };

struct row {
	const char *name;
	const char *machine;
	const char *rest; /* state of the idle threads */
	int cores;	  /* of the package; ALL: the machine's */
	int busy;	  /* cores with running threads */
	int threads;	  /* running on each of those */
	uint32_t khz;
	int packages; /* readings of a pair count both */
	double watts;
	double tolerance;
};

static const struct row rows[] = {
	/* i7-2600K, RAPL package. */
	{ "idle, all states (snb-015)", "i7-2600k", "C6", ALL, 0, 0, 1600000, 1, 3.68, 0.1 },
	{ "idle, deepest C3 (snb-020)", "i7-2600k", "C3", ALL, 0, 0, 1600000, 1, 5.05, 0.1 },
	{ "idle, deepest C3, other run (snb-002)", "i7-2600k", "C3", ALL, 0, 0, 1600000, 1, 4.9,
		0.2 },
	{ "idle, deepest C1E (snb-003)", "i7-2600k", "C1E", ALL, 0, 0, 1600000, 1, 8.7, 0.1 },
	{ "idle, only C1, 1600 MHz (snb-008)", "i7-2600k", "C1", ALL, 0, 0, 1600000, 1, 8.7, 0.1 },
	{ "idle, only C1, P-state 16 (snb-006)", "i7-2600k", "C1", ALL, 0, 0, 1600000, 1, 8.8,
		0.2 },
	{ "idle, only C1, 1900 MHz (snb-009)", "i7-2600k", "C1", ALL, 0, 0, 1900000, 1, 10.0, 0.1 },
	{ "idle, only C1, 2300 MHz (snb-010)", "i7-2600k", "C1", ALL, 0, 0, 2300000, 1, 12.0, 0.1 },
	{ "idle, only C1, 2700 MHz (snb-011)", "i7-2600k", "C1", ALL, 0, 0, 2700000, 1, 14.4, 0.1 },
	{ "idle, only C1, 3000 MHz", "i7-2600k", "C1", ALL, 0, 0, 3000000, 1, 17.3, 0.1 },
	{ "idle, only C1, 3500 MHz (snb-013)", "i7-2600k", "C1", ALL, 0, 0, 3500000, 1, 21.0, 0.1 },
	{ "idle, only C1, P-state 38", "i7-2600k", "C1", ALL, 0, 0, 3500000, 1, 21.9, 1.0 },
	{ "idle, only POLL, 3500 MHz, 45 C (snb-018)", "i7-2600k", "POLL", ALL, 0, 0, 3500000, 1,
		48.27, 0.6 },
	{ "idle, only POLL, 3500 MHz, 55 C (snb-019)", "i7-2600k", "POLL", ALL, 0, 0, 3500000, 1,
		49.77, 1.0 },
	{ "idle, only POLL, owner's expectation (snb-005)", "i7-2600k", "POLL", ALL, 0, 0, 3500000,
		1, 52.0, 3.3 },
	{ "one CPU 100 %, 3800 MHz, rest C6", "i7-2600k", "C6", ALL, 1, 1, 3800000, 1, 22.2, 0.9 },
	{ "one CPU 100 %, 3800 MHz, rest C6, 54 C (snb-023)", "i7-2600k", "C6", ALL, 1, 1, 3800000,
		1, 23.87, 0.8 },
	{ "all CPUs 100 %, 3500 MHz, 80 C", "i7-2600k", "C6", ALL, 4, 2, 3500000, 1, 64.3, 0.1 },

	/* haswell-8cpu: no reading of this part; XTU showed whole watts on an i7-4770K. */
	{ "i7-4770K idle, C6 and C7 on (2 W shown)", "haswell-8cpu", "C7s", ALL, 0, 0, 800000, 1,
		2.0, 0.1 },
	{ "i7-4770K idle, C6 and C7 off (5 W shown)", "haswell-8cpu", "C3", ALL, 0, 0, 800000, 1,
		5.0, 0.1 },
	{ "all CPUs 100 %, 3800 MHz: TDP, no reading", "haswell-8cpu", "C7s", ALL, 4, 2, 3800000, 1,
		84.0, 0.1 },

	/*
	 * xeon-e3-1240v5: benchmark averages of it (RAPL package), of which only the read-only
	 * database keeps all CPUs busy; the rest are other client parts of the same core.
	 */
	{ "pgbench read-only, schedutil (46.49 W)", "xeon-e3-1240v5", "C6", ALL, 4, 2, 3700000, 1,
		46.49, 0.2 },
	{ "pgbench read-only, HWP (46.68 W)", "xeon-e3-1240v5", "C6", ALL, 4, 2, 3700000, 1, 46.68,
		0.2 },
	{ "i5-10600K idle, 6 cores (cml-003)", "xeon-e3-1240v5", "C10", 6, 0, 0, 800000, 1, 1.4,
		0.2 },
	{ "i5-10600K idle, only state 1 (cml-002)", "xeon-e3-1240v5", "C1E", 6, 0, 0, 800000, 1,
		2.6, 0.3 },
	{ "i5-9600K idle", "xeon-e3-1240v5", "C10", 6, 0, 0, 800000, 1, 1.9, 0.4 },
	{ "i5-9600K, 6 cores 100 %, heat load, 3700 MHz (cfl-001)", "skylake-gpu-desktop", "C6", 6,
		6, 1, 3700000, 1, 72.7, 20.0 },
	{ "i5-10600K idle, 6 cores (cml-003)", "skylake-gpu-desktop", "C10", 6, 0, 0, 800000, 1,
		1.4, 0.2 },

	/* skylake-104cpu: no reading of it; a pair with 16 cores each of the same kind. */
	{ "2 x Gold 6130 idle", "skylake-104cpu", "C6", 16, 0, 0, 1000000, 2, 21.0, 0.1 },

	/* The host of epyc-guest: 2 x EPYC 7502, 32 cores a socket, RAPL of both. */
	{ "pair, all C2", "epyc-guest", "haltpoll idle", 32, 0, 0, 1500000, 2, 77.1, 0.01 },
	{ "pair, all POLL, 2500 MHz (zen2r-008)", "epyc-guest", "POLL", 32, 0, 0, 2500000, 2,
		143.16, 0.1 },
	{ "pair, compute on 4 cores, 2500 MHz, rest C2", "epyc-guest", "haltpoll idle", 32, 2, 1,
		2500000, 2, 117.04, 0.1 },
	{ "pair, compute on 48 cores, 2500 MHz, rest C2", "epyc-guest", "haltpoll idle", 32, 24, 1,
		2500000, 2, 171.56, 0.1 },
	{ "pair, compute on 8 cores, 1500 MHz, rest C2", "epyc-guest", "haltpoll idle", 32, 4, 1,
		1500000, 2, 115.82, 0.1 },
	{ "pair, compute on 48 cores, 2200 MHz, rest C2", "epyc-guest", "haltpoll idle", 32, 24, 1,
		2200000, 2, 155.6, 0.1 },
	{ "pair, compute on all 128 threads, 2500 MHz", "epyc-guest", "haltpoll idle", 32, 32, 2,
		2500000, 2, 259.95, 0.2 },
	{ "pair, addpd on 4 cores, 1500 MHz, rest C2", "epyc-guest", "haltpoll idle", 32, 2, 1,
		1500000, 2, 113.78, 0.1 },
	{ "pair, addpd on 64 cores, 2500 MHz", "epyc-guest", "haltpoll idle", 32, 32, 1, 2500000, 2,
		178.64, 12.7 },
	{ "pair, busywait on 48 cores, 2500 MHz, rest C2", "epyc-guest", "haltpoll idle", 32, 24, 1,
		2500000, 2, 157.1, 14.4 },
	{ "pair, memory_read on 8 cores, 2500 MHz, rest C2", "epyc-guest", "haltpoll idle", 32, 4,
		1, 2500000, 2, 134.15, 12.3 },
	{ "pair, matmul on 48 cores, 2500 MHz, rest C2", "epyc-guest", "haltpoll idle", 32, 24, 1,
		2500000, 2, 264.71, 93.3 },
};

static double package_watts(const struct machine *m, const struct row *row, int state)
{
	int cores = row->cores == ALL ? m->nr_cores / m->nr_packages : row->cores;
	bool awake = row->busy || m->idle_real[state].keeps_uncore;
	uint64_t uw = machine_uncore_uw(m, awake, row->khz);

	for (int i = 0; i < cores; i++) {
		int threads[2] = { state, state };

		for (int j = 0; j < row->threads && i < row->busy; j++)
			threads[j] = THREAD_RUNS;
		uw += machine_core_uw(m, threads, 2, row->khz);
	}
	return uw * 1e-6;
}

static int state_index(const struct machine *m, const char *name)
{
	for (int i = 0; i < m->idle.nr_states; i++)
		if (!strcmp(m->idle.states[i].name, name))
			return i;
	fail_msg("no state %s on %s", name, m->name);
	return -1;
}

static void test_readings(void **state)
{
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *row = &rows[i];
		struct machine *m;
		struct error err;
		double watts;

		if (machine_load(row->machine, MACHINES_DIR, &m, &err))
			fail_msg("%s", err.text);
		watts = row->packages * package_watts(m, row, state_index(m, row->rest));
		printf("%-14s %-58s %7.2f W, model %7.2f W, error %+6.2f W (%+5.1f %%)\n",
			row->machine, row->name, row->watts, watts, watts - row->watts,
			100 * (watts / row->watts - 1));
		if (fabs(watts - row->watts) > row->tolerance) {
			printf("FAILED: '%s': tolerance %.2f W\n", row->name, row->tolerance);
			failed++;
		}
		machine_free(m);
	}
	assert_int_equal(failed, 0);
}

static void test_curve(void **state)
{
	static const struct curve c = { 3, { 1000, 2000, 4000 }, { 10, 20, 10 } };

	assert_int_equal(curve_mw(&c, 0), 10);
	assert_int_equal(curve_mw(&c, 1000), 10);
	assert_int_equal(curve_mw(&c, 1500), 15);
	assert_int_equal(curve_mw(&c, 2000), 20);
	assert_int_equal(curve_mw(&c, 3000), 15);
	assert_int_equal(curve_mw(&c, 4000), 10);
	assert_int_equal(curve_mw(&c, UINT32_MAX), 10);
}

static void test_core(void **state)
{
	struct machine *m;
	struct error err;
	uint64_t c1, c6, poll, one, two;

	assert_int_equal(machine_load("i7-2600k", MACHINES_DIR, &m, &err), 0);
	c6 = machine_core_uw(m, (int[]){ 4, 4 }, 2, 3500000);
	c1 = machine_core_uw(m, (int[]){ 1, 1 }, 2, 3500000);
	poll = machine_core_uw(m, (int[]){ 0, 0 }, 2, 3500000);
	one = machine_core_uw(m, (int[]){ THREAD_RUNS, 4 }, 2, 3500000);
	two = machine_core_uw(m, (int[]){ THREAD_RUNS, THREAD_RUNS }, 2, 3500000);
	assert_true(c6 < c1 && c1 < poll && poll < one && one < two);
	/* The shallower thread decides; an offline one does not count. */
	assert_int_equal(machine_core_uw(m, (int[]){ 1, 4 }, 2, 3500000), c1);
	assert_int_equal(machine_core_uw(m, (int[]){ 4, 1 }, 2, 3500000), c1);
	assert_int_equal(machine_core_uw(m, (int[]){ 1, THREAD_OFFLINE }, 2, 3500000), c1);
	assert_int_equal(machine_core_uw(m, (int[]){ THREAD_RUNS, 0 }, 2, 3500000), one);
	assert_int_equal(
		machine_core_uw(m, (int[]){ THREAD_OFFLINE, THREAD_OFFLINE }, 2, 3500000), c6);
	machine_free(m);
}

static void test_turbo(void **state)
{
	static const uint32_t khz[] = { 3800000, 3800000, 3700000, 3600000, 3500000, 3500000 };
	struct machine *m;
	struct error err;

	assert_int_equal(machine_load("i7-2600k", MACHINES_DIR, &m, &err), 0);
	for (int i = 0; i < (int)ARRAY_LEN(khz); i++)
		assert_int_equal(machine_turbo_khz(m, i), khz[i]);
	machine_free(m);
	assert_int_equal(machine_load("i7-2600k:khz=2000000", MACHINES_DIR, &m, &err), 0);
	assert_int_equal(machine_turbo_khz(m, 1), 2000000);
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_readings),
		cmocka_unit_test(test_curve),
		cmocka_unit_test(test_core),
		cmocka_unit_test(test_turbo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
