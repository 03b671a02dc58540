// SPDX-License-Identifier: GPL-2.0-or-later
#include "score/score.h"
#include "base/units.h"
#include "../cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Three states; the last one's target residency is far above its exit latency. */
static const struct idle_driver driver = {
	.nr_states = 3,
	.states = { { "POLL", 0, 0, true }, { "C1", 2000, 4000, false },
		{ "C2", 100000, 400000, false } },
	.tick_ns = 4000000,
};

static const struct idle_record known = {
	.sleep_length_ns = 1000000,
	.delta_tick_ns = 1000000,
	.picked = -1,
	.tick_stopped = 0,
};

static struct score *new_score(
	const char *const *names, int nr, const struct machine *machine, struct policy *policies)
{
	struct score_options options = { .driver = &driver, .machine = machine };
	struct score *s;
	struct error err;

	for (int i = 0; i < nr; i++) {
		const struct idle_governor *governor;
		const char *arg;

		assert_int_equal(idle_governor_find(names[i], &governor, &arg, &err), 0);
		policy_defaults(&policies[i]);
		policy_set_idle(&policies[i], governor, arg);
	}
	assert_int_equal(score_new(&options, policies, nr, &s, &err), 0);
	return s;
}

static void give(struct score *s, int64_t residency_ns, int picked)
{
	struct idle_record rec = known;
	struct error err;

	rec.residency_ns = (uint64_t)residency_ns;
	rec.picked = (int8_t)picked;
	assert_int_equal(score_record(s, &rec, &err), 0);
}

static void test_verdicts(void **ctx)
{
	enum { RIGHT, ABOVE, BELOW };
	static const struct {
		const char *name, *governor;
		int state;
		int64_t ns;
		int want, oracle;
	} rows[] = {
		{ "polls too briefly for C1", "poll", 0, 3999, RIGHT, 0 },
		{ "polls as long as C1 wants", "poll", 0, 4000, BELOW, 1 },
		{ "C1 a little too short", "state:1", 1, 3999, ABOVE, 0 },
		{ "C1 just long enough", "state:1", 1, 4000, RIGHT, 1 },
		{ "C2 would fit but for the exit latency", "state:1", 1, 401999, RIGHT, 2 },
		{ "C2 fits", "state:1", 1, 402000, BELOW, 2 },
		{ "C2 too short", "deepest", 2, 399999, ABOVE, 1 },
		{ "nothing is deeper than the deepest", "deepest", 2, 1LL << 40, RIGHT, 2 },
	};

	(void)ctx;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct policy policy;
		struct score *s = new_score(&rows[i].governor, 1, NULL, &policy);
		struct score_result r[2];
		struct score_summary sum;
		const struct score_state *c = &r[0].states[rows[i].state];

		give(s, rows[i].ns, -1);
		score_results(s, r, &sum);
		if (c->chosen != 1 || c->right != (rows[i].want == RIGHT) ||
			c->above != (rows[i].want == ABOVE) ||
			c->below != (rows[i].want == BELOW) ||
			r[1].states[rows[i].oracle].chosen != 1)
			fail_msg("%s", rows[i].name);
		assert_true(isnan(r[0].energy_uj) && isnan(r[0].gain));
		assert_int_equal(sum.compared, 0);
		assert_int_equal(sum.commonest_state, -1);
		score_free(s);
	}
}

static void test_agreement(void **ctx)
{
	static const char *const names[] = { "state:1", "deepest" };
	static const int picked[] = { 1, 1, 2, 0, 1, -1, 7 };
	struct policy policies[2];
	struct score *s = new_score(names, 2, NULL, policies);
	struct score_result r[3];
	struct score_summary sum;

	(void)ctx;
	for (size_t i = 0; i < ARRAY_LEN(picked); i++)
		give(s, 5000, picked[i]);
	score_results(s, r, &sum);
	assert_int_equal(sum.rows, 7);
	assert_int_equal(sum.compared, 5);
	assert_int_equal(sum.commonest_state, 1);
	assert_int_equal(sum.commonest, 3);
	assert_int_equal(r[0].compared, 5);
	assert_int_equal(r[0].equal, 3);
	assert_int_equal(r[0].states[1].picked, 3);
	assert_int_equal(r[0].states[1].equal, 3);
	assert_int_equal(r[0].states[2].picked, 1);
	assert_int_equal(r[0].states[2].equal, 0);
	assert_int_equal(r[1].equal, 1);
	assert_true(fabs(r[1].wake_ns - 100000) < 1e-6);
	score_free(s);
}

/* Where a state's target residency is, it costs as much as the one before; so the oracle is best.
 */
static void test_energy(void **ctx)
{
	static const char *const names[] = { "poll", "state:1", "deepest" };
	struct machine m = { .idle = driver, .core_active = { 1, { 1000 }, { 9000 } } };
	static const uint32_t mw[] = { 8000, 3000, 500 };
	struct policy policies[3];
	struct score_result r[4];
	struct score_summary sum;
	struct score *s;

	(void)ctx;
	for (int i = 0; i < 3; i++)
		m.idle_real[i].core_power = (struct curve){ 1, { 1000 }, { mw[i] } };
	s = new_score(names, 3, &m, policies);
	give(s, 4000, 1);
	score_results(s, r, &sum);
	assert_true(fabs(r[0].energy_uj - 32) < 1e-9);
	assert_true(fabs(r[1].energy_uj - r[0].energy_uj) < 1e-9);
	score_free(s);

	s = new_score(names, 3, &m, policies);
	give(s, 400000, 1);
	score_results(s, r, &sum);
	/* 3 W for 400 us and the way into C1: what it saves in 4 us. */
	assert_true(fabs(r[1].energy_uj - 1220) < 1e-9);
	assert_true(fabs(r[2].energy_uj - r[1].energy_uj) < 1e-9);
	assert_true(isnan(r[2].gain)); /* nothing better than what was picked */
	score_free(s);

	s = new_score(names, 3, &m, policies);
	for (int64_t ns = 1000; ns < 3000000; ns += ns / 3)
		give(s, ns, 1);
	score_results(s, r, &sum);
	for (int i = 0; i < 3; i++)
		assert_true(r[3].energy_uj < r[i].energy_uj);
	assert_true(fabs(r[3].gain - 1) < 1e-9);
	assert_int_equal(sum.baseline_state, 1);
	assert_true(fabs(r[1].gain) < 1e-9);
	assert_true(r[0].gain < 0);
	score_free(s);
}

static void test_rebuilt(void **ctx)
{
	static const char *const names[] = { "menu@6.1" };
	static const struct {
		const char *name;
		struct idle_record rec;
	} rows[] = {
		{ "no sleep length", { .sleep_length_ns = INT64_MIN, .delta_tick_ns = 5 } },
		{ "no tick", { .sleep_length_ns = 5, .delta_tick_ns = INT64_MIN } },
		{ "tick state", { .sleep_length_ns = 5, .delta_tick_ns = 5, .tick_stopped = 2 } },
		{ "inferred", { .sleep_length_ns = 5, .delta_tick_ns = 5, .inferred = 1 } },
	};
	struct policy policy;
	struct score_result r[2];
	struct score_summary sum;
	struct error err;

	(void)ctx;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct score *s = new_score(names, 1, NULL, &policy);

		give(s, 1000, 0);
		score_results(s, r, &sum);
		assert_int_equal(sum.rebuilt, 0);
		assert_int_equal(score_record(s, &rows[i].rec, &err), 0);
		score_results(s, r, &sum);
		if (sum.rebuilt != 1 || sum.rows != 2 ||
			sum.no_sleep_length + sum.no_delta_tick + sum.no_tick_stopped +
					sum.inferred !=
				1)
			fail_msg("%s", rows[i].name);
		score_free(s);
	}
}

/* Each CPU has a governor of its own: what one learns does not change the other's picks. */
static void test_cpus(void **ctx)
{
	static const char *const names[] = { "menu@6.1" };
	struct policy policy;
	struct score *s = new_score(names, 1, NULL, &policy);
	struct idle_record rec = known;
	struct score_result r[2];
	struct score_summary sum;
	struct error err;

	(void)ctx;
	rec.sleep_length_ns = rec.delta_tick_ns = 3000000;
	for (int i = 0; i < 200; i++) {
		rec.cpu = 0;
		rec.residency_ns = 10000;
		assert_int_equal(score_record(s, &rec, &err), 0);
		rec.cpu = 1;
		rec.residency_ns = 2900000;
		assert_int_equal(score_record(s, &rec, &err), 0);
	}
	score_results(s, r, &sum);
	assert_true(r[0].states[1].chosen > 180 && r[0].states[2].chosen > 180);
	rec.cpu = CPUS_MAX;
	assert_int_equal(score_record(s, &rec, &err), -EINVAL);
	score_free(s);
}

static void test_states(void **ctx)
{
	static const struct {
		const char *name, *settings;
		int hz, want, nr;
		uint32_t disabled;
	} rows[] = {
		{ "two among others", "a=b\nidle.state0=POLL 0 0\nc=d\nidle.state1=C1 2 4\n", 250,
			0, 2 },
		{ "none", "a=b\n", 250, -ENOENT, 0 },
		{ "no tick rate", "idle.state0=POLL 0 0\n", 0, -ENOENT, 0 },
		{ "a gap", "idle.state1=C1 2 4\n", 250, -EINVAL, 0 },
		{ "a number too few", "idle.state0=POLL 0\n", 250, -EINVAL, 0 },
		{ "a number too many", "idle.state0=POLL 0 0 0\n", 250, -EINVAL, 0 },
		{ "another word", "idle.state0=POLL 0 0 disable\n", 250, -EINVAL, 0 },
		{ "one disabled",
			"idle.state0=POLL 0 0\nidle.state1=C1 2 4 disabled\nidle.state2=C6 3 5\n",
			250, 0, 3, 1 << 1 },
	};

	(void)ctx;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct workload_env env = { .hz = rows[i].hz };
		struct idle_driver got = { .nr_states = -1 };
		uint32_t disabled = 0;
		struct error err;

		snprintf(env.settings, sizeof(env.settings), "%s", rows[i].settings);
		if (score_recorded_states(&env, &got, &disabled, &err) != rows[i].want ||
			got.nr_states != (rows[i].want ? -1 : rows[i].nr) ||
			disabled != rows[i].disabled)
			fail_msg("%s", rows[i].name);
		if (rows[i].want)
			continue;
		assert_int_equal(got.tick_ns, 4000000);
		assert_true(got.states[0].polling && !got.states[1].polling);
		assert_int_equal(got.states[1].exit_latency_ns, 2000);
		assert_int_equal(got.states[1].target_residency_ns, 4000);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_agreement),
		cmocka_unit_test(test_energy),
		cmocka_unit_test(test_rebuilt),
		cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_states),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
