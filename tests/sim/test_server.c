// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A boost for I/O wait on a server that its power limit holds back: threads that wait for storage
 * get power that is missing where the requests are served. Without the limit they
 * are out of the way sooner, and it gains.
 */
#include "../cmocka_all.h"

#include "machine/machine.h"
#include "machine/preset.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

static struct run_result run(const char *machine, const char *boost)
{
	struct sim_options options = { .seed = 1, .check = false };
	struct machine *m;
	struct workload *w;
	struct run_result r;
	struct policy p;
	struct error err;
	char policy[128];

	snprintf(policy, sizeof(policy), "powersave-hwp:boost=%s", boost);
	if (machine_load(machine, MACHINES, &m, &err) ||
		policy_load(policy, POLICIES, NULL, &p, &err) ||
		workload_open("server-tdp:seconds=1", &w, &err) ||
		sim_run(m, w, &p, &options, &r, &err))
		fail_msg("%s, %s: %s", machine, boost, err.text);
	workload_free(w);
	machine_free(m);
	return r;
}

/* Of running cores. */
static double mean_khz(const struct run_result *r)
{
	double cycles = 0, ns = 0;

	for (int i = 0; i < r->nr_freqs; i++) {
		cycles += (double)r->freqs[i].khz * (double)r->freqs[i].time_ns;
		ns += (double)r->freqs[i].time_ns;
	}
	return cycles / ns;
}

static bool was_limited(const struct run_result *r)
{
	for (int i = 0; i < r->nr_notes; i++)
		if (strstr(r->notes[i], "was at its power limit"))
			return true;
	return false;
}

static double rate(const struct run_result *r)
{
	return (double)r->operations / (double)r->elapsed_ns;
}

static double per_joule(const struct run_result *r)
{
	return (double)r->operations / (double)r->package_uj;
}

static void test_limited(void **state)
{
	/* PL2 is PL1, so that a second is enough. */
	static const char machine[] = "skylake-104cpu:pl1_mw=165000,pl2_mw=165000";
	struct run_result none = run(machine, "none"), boost = run(machine, "hwp-dynamic");
	double requests = rate(&boost) / rate(&none) - 1;
	double joules = per_joule(&boost) / per_joule(&none) - 1;

	print_message("at the limit: %.1f %% requests, %.1f %% per joule, %llu boosts\n",
		100 * requests, 100 * joules, (unsigned long long)boost.counters.boosts);
	assert_true(was_limited(&none) && was_limited(&boost));
	assert_true(boost.counters.boosts > 10 && !none.counters.boosts);
	assert_true(requests < -0.015 && joules < -0.015);
	/* What the one class takes more the other one has less of. */
	assert_true(fabs((double)boost.package_uj / (double)none.package_uj - 1) < 0.02);
	result_release(&none);
	result_release(&boost);
}

static void test_no_limit(void **state)
{
	static const char machine[] = "skylake-104cpu:pl1_mw=900000,pl2_mw=900000";
	struct run_result none = run(machine, "none"), boost = run(machine, "hwp-dynamic");

	print_message("without a limit: %.1f %% requests, %.0f and %.0f MHz\n",
		100 * (rate(&boost) / rate(&none) - 1), mean_khz(&none) / 1e3,
		mean_khz(&boost) / 1e3);
	assert_true(!was_limited(&none) && !was_limited(&boost));
	assert_true(rate(&boost) > rate(&none));
	assert_true(boost.package_uj > none.package_uj);
	assert_true(mean_khz(&boost) > mean_khz(&none));
	result_release(&none);
	result_release(&boost);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limited),
		cmocka_unit_test(test_no_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
