// SPDX-License-Identifier: GPL-2.0-or-later
/* A part of the work stands for the whole: results of a small scale are those of scale=1. */
#include "../cmocka_all.h"

#include "machine/machine.h"
#include "machine/preset.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

static struct run_result run(const char *machine, const char *workload, const char *policy)
{
	struct sim_options options = { .seed = 1 };
	struct machine *m;
	struct workload *w;
	struct run_result r;
	struct policy p;
	struct error err;

	if (machine_load(machine, MACHINES, &m, &err) ||
		policy_load(policy, POLICIES, NULL, &p, &err) ||
		workload_open(workload, &w, &err) || sim_run(m, w, &p, &options, &r, &err))
		fail_msg("%s: %s", workload, err.text);
	workload_free(w);
	machine_free(m);
	return r;
}

static double metric(const struct run_result *r, const char *name)
{
	for (int i = 0; i < r->nr_metrics; i++)
		if (!strcmp(r->metrics[i].name, name))
			return r->metrics[i].value;
	fail_msg("%s: no metric %s", r->workload, name);
	return NAN;
}

#define MENU_46 "performance-pstate:idle=menu@4.6,tick=stop-first"
#define HWP "powersave-hwp:idle=menu@4.16,tick=stop-first"
#define POWERSAVE_46 "powersave-pstate:idle=menu@4.6,tick=stop-first"

struct row {
	const char *machine, *workload, *scale, *policy, *metrics[4];
};

static const struct row rows[] = {
	{ "i7-2600k", "pipe-test:loops=800000", "0.25", MENU_46,
		{ "usecs_per_loop", "package_w", "package_j", "idle_s:4" } },
	{ "i7-2600k", "pipe-test:seconds=2", "0.1", MENU_46,
		{ "usecs_per_loop", "package_w", "package_j", "idle_s:total" } },
	{ "i7-2600k", "busy:tasks=3,bursts=20000", "0.02", MENU_46,
		{ "bursts_per_s", "elapsed_s", "package_j", "idle_s:4" } },
	{ "i7-2600k", "periodic:periods=5000,tasks=3", "0.02", "performance",
		{ "elapsed_s", "package_j", "ops_per_j", "idle_s:4" } },
	{ "xeon-e3-1240v5", "nas-omp:kernel=bt.C", "0.02", HWP,
		{ "elapsed_s", "package_w", "package_j", "ops_per_j" } },
	{ "xeon-e3-1240v5", "nas-mpi:kernel=mg.C", "0.1", HWP,
		{ "elapsed_s", "package_w", "package_j", "ops_per_j" } },
	{ "xeon-e3-1240v5", "gitsource:processes=8000", "0.2", HWP,
		{ "elapsed_s", "user_s", "system_s", "package_j" } },
	{ "xeon-e3-1240v5", "x264:frames=1500", "0.2", HWP,
		{ "frames_per_s", "elapsed_s", "package_j" } },
	{ "xeon-e3-1240v5", "sqlite-insert:transactions=10000", "0.1", HWP,
		{ "tx_per_s", "package_w", "package_j", "idle_s:total" } },
	{ "xeon-e3-1240v5", "dbench4:seconds=15", "0.1", HWP,
		{ "latency_ms", "package_w", "package_j" } },
	{ "xeon-e3-1240v5", "pgbench-rw:threads=4,seconds=4", "0.1", HWP,
		{ "tx_per_s", "package_w", "latency_ms" } },
	{ "xeon-e3-1240v5", "hackbench:groups=3,loops=800", "0.25", HWP,
		{ "elapsed_s", "package_w", "package_j" } },
	{ "xeon-e3-1240v5", "tbench:clients=2,seconds=1", "0.1", HWP,
		{ "mb_per_s", "package_w", "package_j" } },
	{ NULL },
};

/* Of the slow tests: minutes of simulated time. */
static const struct row slow_rows[] = {
	{ "i7-2600k", "pipe-test:loops=20000000", "0.02", POWERSAVE_46,
		{ "usecs_per_loop", "package_j", "idle_s:1", "idle_s:4" } },
	{ "i7-2600k", "pipe-test:seconds=100", "0.02", POWERSAVE_46,
		{ "usecs_per_loop", "package_w", "package_j", "idle_s:total" } },
	{ "i7-2600k", "kernel-compile-noop:times=9", "0.02", POWERSAVE_46,
		{ "package_w", "package_j", "user_s", "system_s" } },
	{ "xeon-e3-1240v5", "hackbench:groups=7", "0.02", HWP,
		{ "elapsed_s", "package_w", "package_j" } },
	{ "skylake-104cpu", "specpower:level_seconds=40", "0.02", HWP,
		{ "ops_per_w", "ops_per_s", "package_j" } },
	{ NULL },
};

static void test_agree(void **state)
{
	int failed = 0;

	for (const struct row *row = *state; row->machine; row++) {
		struct run_result whole, part;
		char spec[256];

		snprintf(spec, sizeof(spec), "%s,scale=1", row->workload);
		whole = run(row->machine, spec, row->policy);
		snprintf(spec, sizeof(spec), "%s,scale=%s", row->workload, row->scale);
		part = run(row->machine, spec, row->policy);
		assert_true(part.counters.events < whole.counters.events / 2);
		for (int m = 0; m < 4 && row->metrics[m]; m++) {
			double a = metric(&whole, row->metrics[m]);
			double b = metric(&part, row->metrics[m]);

			if (fabs(b / a - 1) < 0.03)
				continue;
			print_error("%s: %s %g, of the whole %g: %.1f %% off\n", spec,
				row->metrics[m], b, a, 100 * (b / a - 1));
			failed++;
		}
		result_release(&whole);
		result_release(&part);
	}
	assert_int_equal(failed, 0);
}

static void check_sums(const struct run_result *r)
{
	uint64_t busy = 0, idle = 0;

	for (int i = 0; i < r->nr_cpus; i++)
		busy += r->cpus[i].busy_ns;
	for (int i = 0; i < r->nr_idle; i++)
		idle += r->idle[i].time_ns;
	if (fabs((double)(busy + idle) / ((double)r->elapsed_ns * r->nr_cpus) - 1) > 0.03)
		fail_msg("%s: busy %llu, idle %llu, elapsed %llu", r->workload,
			(unsigned long long)busy, (unsigned long long)idle,
			(unsigned long long)r->elapsed_ns);
	assert_true(r->cores_uj <= r->package_uj);
}

/* What is scaled back keeps adding up, and the result says that it was. */
static void test_sums(void **state)
{
	struct run_result r =
		run("i7-2600k", "pipe-test:loops=100000,scale=0.01", "performance-pstate");

	assert_true(r.scale == 0.01);
	assert_int_equal(r.operations, 100000);
	check_sums(&r);
	assert_int_equal(strncmp(r.notes[0], "simulated 1 % of the work;", 26), 0);
	result_release(&r);
}

/* With a warm-up, which is in none of the sums: the share is what is left after it. */
static void test_warm_up(void **state)
{
	struct run_result work =
		run("i7-2600k", "pipe-test:loops=1000000,scale=0.2", "performance-pstate");
	struct run_result time =
		run("i7-2600k", "pipe-test:seconds=4,scale=0.1", "powersave-pstate:idle=menu@4.6");

	assert_true(work.scale > 0.05 && work.scale < 0.15);
	assert_true(fabs((double)work.operations / 1e6 - 1) < 1e-5);
	assert_non_null(strstr(work.notes[0], "after 0.3 s of warm-up"));
	check_sums(&work);
	assert_true(time.scale == 0.1);
	assert_true(time.elapsed_ns == 4000000000);
	check_sums(&time);
	/* The frequency has risen before: that of no lower P-state counts for much. */
	for (int i = 0; i < time.nr_freqs; i++)
		assert_true(time.freqs[i].khz >= 3500000 || time.freqs[i].time_ns < 20000000);
	result_release(&work);
	result_release(&time);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(test_agree, (void *)(argc > 1 ? slow_rows : rows)),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_warm_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
