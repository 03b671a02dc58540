// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The firmware's mailbox under load: the checker of its owner, firmware that fails, and the
 * collapse of a machine with 120 CPUs, in the order of the published tables. Builds are scaled down
 * to a second or two, so that figures are rough: what is asserted is order and factors.
 */
#include "../cmocka_all.h"

#include "machine/preset.h"
#include "sim/internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define SELECT "pcc-ondemand:force-dynamic=1,tick=select-first"
#define STOP "pcc-ondemand:force-dynamic=1,tick=stop-first"

static struct machine *load(const char *online)
{
	struct machine *m;
	struct error err;
	char spec[128];

	snprintf(spec, sizeof(spec), "dl580-gen8:online=%s", online);
	if (machine_load(spec, MACHINES, &m, &err))
		fail_msg("%s", err.text);
	return m;
}

static int run_on(struct machine *m, const char *workload, const char *policy,
	struct run_result *ret, struct error *err)
{
	struct sim_options options = { .seed = 1 };
	struct workload *w;
	struct policy p;
	int r = policy_load(policy, POLICIES, NULL, &p, err);

	if (!r)
		r = workload_open(workload, &w, err);
	if (r)
		return r;
	r = sim_run(m, w, &p, &options, ret, err);
	workload_free(w);
	return r;
}

static struct run_result run(const char *online, const char *workload, const char *policy)
{
	struct machine *m = load(online);
	struct run_result result;
	struct error err;

	if (run_on(m, workload, policy, &result, &err))
		fail_msg("%s %s %s: %s", online, workload, policy, err.text);
	machine_free(m);
	return result;
}

static double elapsed(const char *online, const char *workload, const char *policy)
{
	struct run_result r = run(online, workload, policy);
	double seconds = (double)r.elapsed_ns / NSEC_PER_SEC;

	printf("%s %s %s: %.3f s\n", online, workload, policy, seconds);
	result_release(&r);
	return seconds;
}

/* Shares of one CPU's or all CPUs' time. */
struct shares {
	double system, user, system_least; /* the last of the CPU that has the least */
};

static struct shares shares_of(struct run_result *r, int cpus)
{
	struct shares all = { .system_least = 1 };
	double ns = (double)r->elapsed_ns;

	for (int i = 0; i < r->nr_cpus; i++) {
		double system = (double)r->cpus[i].system_ns / ns;

		all.system += system / cpus;
		all.user += (double)r->cpus[i].user_ns / ns / cpus;
		if (system < all.system_least)
			all.system_least = system;
	}
	result_release(r);
	return all;
}

static double system_share(struct run_result *r, int cpus)
{
	return shares_of(r, cpus).system;
}

static void test_idle_machine(void **state)
{
	static const char workload[] = "idle:seconds=1,background=100";
	struct run_result r;
	struct shares shares;
	double background;

	r = run("N0123/120", workload, SELECT);
	assert_true(r.counters.mailbox_calls > 1000);
	assert_true(r.counters.mailbox_waits > r.counters.mailbox_calls / 2);
	shares = shares_of(&r, 120);
	printf("idle, ondemand: %.1f %% system time, at least %.1f %%; user %.2f %%\n",
		100 * shares.system, 100 * shares.system_least, 100 * shares.user);
	assert_true(shares.system > 0.4);
	r = run("N0123/120", workload, "pcc-ondemand:governor=performance");
	background = system_share(&r, 120);
	assert_true(background < 0.02);
	/*
	 * Kernel workers are the busiest tasks, on each CPU: what else the kernel runs there runs
	 * under the performance governor too, and what is left of a CPU is its own worker's.
	 */
	assert_true(shares.system_least > 0.4);
	assert_true(background < shares.system_least / 10);
	assert_true(shares.user < shares.system_least / 10);
	r = run("N0123/120", workload, "powersave-pstate:idle=menu@4.17");
	assert_int_equal(r.counters.mailbox_calls, 0);
	assert_true(system_share(&r, 120) < 0.02);
	/* Refused, so that the performance governor runs. */
	r = run("N0123/120", workload, "pcc-ondemand");
	assert_int_equal(r.nr_notes, 2);
	assert_string_equal(r.notes[1],
		"Can't use ondemand governor as dynamic switching is disallowed. Fallback to "
		"performance governor");
	assert_true(system_share(&r, 120) < 0.02);
}

static void test_cpu_sets(void **state)
{
	static const char workload[] = "kernbench:node=0,jobs=2";
	double n0_15 = elapsed("N0/15", workload, SELECT);
	double n01_30 = elapsed("N01/30", workload, SELECT);
	double n0_30 = elapsed("N0/30", workload, SELECT);
	double n01_60 = elapsed("N01/60", workload, SELECT);
	double n0123_120 = elapsed("N0123/120", workload, SELECT);

	/* T5, two jobs: 625, 725, 792, 1537, 3510 s; the first and the last are fitted. */
	assert_true(n0_15 < n01_30);
	assert_true(n01_30 < n0_30);
	assert_true(n0_30 < n01_60);
	assert_true(n01_60 < n0123_120);
	assert_true(n01_30 / n0_15 > 1.16 / 1.3 && n01_30 / n0_15 < 1.16 * 1.3);
	assert_true(n0_30 / n0_15 > 1.27 / 1.3 && n0_30 / n0_15 < 1.27 * 1.3);
	assert_true(n01_60 / n0_15 > 2.46 / 2 && n01_60 / n0_15 < 2.46 * 2);
}

static void test_siblings(void **state)
{
	static const char workload[] = "kernbench:node=0,jobs=8,scale=0.005";
	double n0123_60 = elapsed("N0123/60", workload, SELECT);
	double n0123_90 = elapsed("N0123/90", workload, SELECT);
	double n01_60 = elapsed("N01/60", workload, SELECT);
	double n0123_120 = elapsed("N0123/120", workload, SELECT);

	/* T6: 9030, 10678, 25465, 60908 s. */
	assert_true(n0123_60 < n0123_90);
	assert_true(n0123_90 < n01_60);
	assert_true(n01_60 < n0123_120);
}

static void test_fewer_requests(void **state)
{
	static const char *const workloads[] = { "kernbench:node=0,jobs=2",
		"kernbench:node=0,jobs=8", "kernbench:node=0,jobs=16", "kernbench:node=0,jobs=30" };

	for (size_t i = 0; i < ARRAY_LEN(workloads); i++) {
		const char *w = workloads[i];
		double best = elapsed("N0123/120", w, "powersave-pstate:idle=menu@4.17");
		double loss = elapsed("N0123/120", w, STOP) - best;

		assert_true(loss > 0.3 * best);
		assert_true(elapsed("N0123/120", w, STOP ",freqtable=4") - best < loss / 2);
		assert_true(elapsed("N0123/120", w, STOP ",deadband=1") - best < loss / 2);
	}
}

static void test_bad_firmware(void **state)
{
	struct machine *m = load("N0/15");
	struct run_result r;
	struct error err;

	m->firmware.behaviour = MAILBOX_ERROR;
	assert_int_equal(
		run_on(m, "idle:seconds=1", "pcc-ondemand:force-dynamic=1", &r, &err), -EIO);
	m->firmware.behaviour = MAILBOX_NEVER;
	assert_int_equal(
		run_on(m, "idle:seconds=1", "pcc-ondemand:force-dynamic=1", &r, &err), -EIO);
	assert_non_null(strstr(err.text, "driver pcc-cpufreq does not run on CPU 0"));
	machine_free(m);
}

/* Whoever rings without the lock is found. */
static int ring_unlocked(struct driver_unit *u, int64_t *now_ns, struct driver_offer *ret)
{
	u->hw->port_write(u->hw->ctx, now_ns, u->cpus[0], 0xb2, 8, 1);
	ret->range = (struct freq_limits){ 1200000, 2800000 };
	return 0;
}

static int ask_nothing(struct driver_unit *u, int64_t *now_ns, uint32_t khz,
	enum freq_relation relation, const struct freq_limits *limits, uint32_t *ret_khz)
{
	*ret_khz = khz;
	return 0;
}

static void test_owner(void **state)
{
	static const struct driver intruder = {
		.name = "intruder", .init = ring_unlocked, .target = ask_nothing
	};
	struct sim_options options = { .seed = 1, .check = true };
	struct machine *m = load("N0/15");
	struct workload *w;
	struct run_result r;
	struct policy p;
	struct error err;

	assert_int_equal(policy_load("performance", POLICIES, NULL, &p, &err), 0);
	p.driver = &intruder;
	assert_int_equal(workload_open("idle:seconds=1", &w, &err), 0);
	assert_int_equal(sim_run(m, w, &p, &options, &r, &err), -EPROTO);
	assert_non_null(strstr(err.text, "mailbox"));
	workload_free(w);
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_idle_machine),
		cmocka_unit_test(test_cpu_sets),
		cmocka_unit_test(test_siblings),
		cmocka_unit_test(test_fewer_requests),
		cmocka_unit_test(test_bad_firmware),
		cmocka_unit_test(test_owner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
