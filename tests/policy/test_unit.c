// SPDX-License-Identifier: GPL-2.0-or-later
/* One CPU under the idle part of a policy: fixed governors, tunables, the round of an idle period.
 */
#include "policy/idle/idle.h"

#include "base/units.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct idle_driver hsw = {
	.nr_states = 4,
	.tick_ns = 4000000,
	.states = { { "POLL", 0, 0, true }, { "C1", 2000, 2000, false },
		{ "C3", 33000, 100000, false }, { "C6", 133000, 400000, false } },
};

static const struct idle_driver arm = {
	.nr_states = 2,
	.tick_ns = 4000000,
	.states = { { "WFI", 1000, 1000, false }, { "OFF", 60000, 250000, false } },
};

static const struct idle_snapshot far_timer = {
	.sleep_length_ns = 100000000,
	.delta_tick_ns = 3000000,
	.latency_req_ns = LATENCY_NO_LIMIT_NS,
};

static int start(struct idle_unit *unit, struct policy *policy, const struct idle_driver *driver,
	const char *const *keys, struct error *err)
{
	policy_defaults(policy);
	for (; *keys; keys += 2)
		assert_int_equal(policy_set(policy, keys[0], keys[1], err), 0);
	return idle_unit_init(unit, policy, driver, calloc(1, policy->idle->state_size + 1), err);
}

static const struct {
	const char *idle;
	const struct idle_driver *driver;
	uint32_t disabled;
	int64_t latency_ns;
	int state; /* -1: the governor refuses the machine */
	bool stop_tick;
} fixed[] = {
	{ "poll", &hsw, 0, LATENCY_NO_LIMIT_NS, 0, false },
	{ "poll", &arm, 0, LATENCY_NO_LIMIT_NS, -1, false },
	{ "deepest", &hsw, 0, LATENCY_NO_LIMIT_NS, 3, true },
	{ "deepest", &hsw, 8, LATENCY_NO_LIMIT_NS, 2, true },
	{ "deepest", &hsw, 0, 33000, 2, true },
	{ "deepest", &hsw, 0, 32999, 1, true },
	{ "deepest", &hsw, 0, 0, 0, false },
	{ "deepest", &hsw, 14, LATENCY_NO_LIMIT_NS, 0, false },
	{ "state:1", &hsw, 0, LATENCY_NO_LIMIT_NS, 1, true },
	{ "state:c3", &hsw, 0, LATENCY_NO_LIMIT_NS, 2, true },
	{ "state:3", &hsw, 8, LATENCY_NO_LIMIT_NS, 2, true },
	{ "state:1", &hsw, 2, LATENCY_NO_LIMIT_NS, 0, false },
	{ "state:0", &arm, 0, LATENCY_NO_LIMIT_NS, 0, true },
	{ "state:4", &hsw, 0, LATENCY_NO_LIMIT_NS, -1, false },
	{ "state:C7", &hsw, 0, LATENCY_NO_LIMIT_NS, -1, false },
	{ "state", &hsw, 0, LATENCY_NO_LIMIT_NS, -1, false },
	{ "deepest:1", &hsw, 0, LATENCY_NO_LIMIT_NS, -1, false },
	{ "menu@6.1:1", &hsw, 0, LATENCY_NO_LIMIT_NS, -1, false },
	{ "null", &hsw, 0, LATENCY_NO_LIMIT_NS, 0, true },
};

static void test_fixed(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(fixed); i++) {
		const char *const keys[] = { "idle", fixed[i].idle, NULL };
		struct idle_snapshot s = far_timer;
		struct idle_choice choice = { .state = 99 };
		struct error err = { "" };
		struct idle_unit unit;
		struct policy policy;
		int r = start(&unit, &policy, fixed[i].driver, keys, &err);

		print_message("%s on %s, disabled %x, limit %lld\n", fixed[i].idle,
			fixed[i].driver->states[1].name, fixed[i].disabled,
			(long long)fixed[i].latency_ns);
		if (fixed[i].state < 0) {
			assert_int_equal(r, -EINVAL);
			assert_non_null(strstr(err.text, "does not fit this machine"));
			assert_non_null(strstr(err.text, fixed[i].driver->states[1].name));
		} else {
			assert_int_equal(r, 0);
			s.disable_mask = fixed[i].disabled;
			s.latency_req_ns = fixed[i].latency_ns;
			idle_unit_select(&unit, &s, &choice);
			assert_int_equal(choice.state, fixed[i].state);
			assert_int_equal(choice.stop_tick, fixed[i].stop_tick);
			assert_false(choice.timer_read);
		}
		free(unit.cpu.state);
	}
}

static int select_state(struct idle_unit *unit)
{
	struct idle_choice choice;

	idle_unit_select(unit, &far_timer, &choice);
	return choice.state;
}

static void poll_once(struct idle_unit *unit, bool timed_out)
{
	struct idle_outcome outcome = { .entered = 0 };

	idle_unit_outcome(unit, &outcome, 5000, timed_out);
}

/* Three of the last eight polls timed out: C1, until five polls later only two of eight are left.
 */
static void test_3of8_round(void **state)
{
	const char *const keys[] = { "idle", "poll", "poll-limit", "3of8", NULL };
	struct idle_outcome halted = { .entered = 1 };
	struct idle_unit unit;
	struct policy policy;

	assert_int_equal(start(&unit, &policy, &hsw, keys, NULL), 0);
	assert_int_equal(idle_unit_poll_limit_ns(&unit, 0), 4000);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(select_state(&unit), 0);
		poll_once(&unit, true);
	}
	assert_int_equal(select_state(&unit), 1);
	/* Halts say nothing about polls. */
	for (int i = 0; i < 20; i++)
		idle_unit_outcome(&unit, &halted, 5000, false);
	assert_int_equal(select_state(&unit), 1);
	for (int i = 0; i < 5; i++)
		poll_once(&unit, false);
	assert_int_equal(select_state(&unit), 1);
	poll_once(&unit, false);
	assert_int_equal(select_state(&unit), 0);
	free(unit.cpu.state);
}

/* guest_halt_poll_ns=0: haltpoll never polls. By default a short halt makes it poll. */
static void test_haltpoll_tunable(void **state)
{
	const char *const plain[] = { "idle", "haltpoll", NULL };
	const char *const never[] = { "idle", "haltpoll", "guest_halt_poll_ns", "0", NULL };
	const char *const wrong[] = { "idle", "haltpoll", "guest_halt_poll_shrink", "x", NULL };
	const struct idle_outcome halted = { .entered = 1 };
	struct idle_unit unit;
	struct policy policy;
	struct error err;

	assert_int_equal(start(&unit, &policy, &hsw, plain, NULL), 0);
	assert_int_equal(select_state(&unit), 1);
	idle_unit_outcome(&unit, &halted, 30000, false);
	assert_int_equal(select_state(&unit), 0);
	assert_int_equal(idle_unit_poll_limit_ns(&unit, 0), 50000);
	free(unit.cpu.state);

	assert_int_equal(start(&unit, &policy, &hsw, never, NULL), 0);
	idle_unit_outcome(&unit, &halted, 30000, false);
	assert_int_equal(select_state(&unit), 1);
	free(unit.cpu.state);

	assert_int_equal(start(&unit, &policy, &hsw, wrong, &err), -EINVAL);
	assert_non_null(strstr(err.text, "guest_halt_poll_shrink: bad value 'x'"));
	free(unit.cpu.state);
}

/* A rejected entry is not reported to the governor, but leaves a residency of 0. */
static void test_rejected(void **state)
{
	const char *const keys[] = { "idle", "menu@6.1", NULL };
	const struct idle_outcome rejected = { .entered = -1 };
	const struct idle_outcome entered = { .entered = 3 };
	struct idle_unit unit;
	struct policy policy;

	assert_int_equal(start(&unit, &policy, &hsw, keys, NULL), 0);
	/* Nothing was learned yet: the intervals are zeroes. */
	assert_int_equal(select_state(&unit), 0);
	idle_unit_outcome(&unit, &entered, 700000, false);
	assert_int_equal(unit.cpu.device.last_state, 3);
	assert_int_equal(unit.cpu.device.last_residency_ns, 700000);
	idle_unit_outcome(&unit, &rejected, 123, false);
	assert_int_equal(unit.cpu.device.last_state, 3);
	assert_int_equal(unit.cpu.device.last_residency_ns, 0);
	free(unit.cpu.state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_3of8_round),
		cmocka_unit_test(test_haltpoll_tunable),
		cmocka_unit_test(test_rejected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
