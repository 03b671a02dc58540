// SPDX-License-Identifier: GPL-2.0-or-later
/* Boosts in the simulator: when their hook is there, and that a user's limit wins. */
#include "hwp_driver.h"

#include "sim/internal.h"

/* I/O in short turns on CPU 0: 200 us of device, some work at the lowest frequency. */
static const struct op io[] = { { OP_IO, .flags = OP_IOWAIT, .ns = 200000 },
	{ OP_RUN, .cycles = 50000 } };

static const struct {
	const char *governor, *boost;
	bool raises;
} rows[] = {
	{ "powersave", "none", false },
	{ "powersave", "hwp-dynamic", true },
	{ "performance", "hwp-dynamic", false },
	{ "powersave", "iowait", true },
	{ "powersave", "migrate", true },
	{ "powersave", "idle-placement", true },
};

static void test_policies(void **state)
{
	struct machine *m = hwp_machine("skylake-1-socket");
	uint64_t slow = 0;
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct ops_workload *o = ops_new(0);
		struct run_result r;
		struct policy p;

		hwp_policy(&p, rows[i].governor, rows[i].boost);
		ops_add(o, io, 2, 500)->allowed[0] = 1;
		r = run_checked(m, o, &p);
		slow = i ? slow : r.elapsed_ns;
		if (rows[i].raises != (r.counters.boosts > 0) ||
			(rows[i].raises && r.elapsed_ns * 10 > slow * 9)) {
			print_error("%s, %s: %llu raises, %llu ns against %llu\n", rows[i].governor,
				rows[i].boost, (unsigned long long)r.counters.boosts,
				(unsigned long long)r.elapsed_ns, (unsigned long long)slow);
			failed++;
		}
		result_release(&r);
		free(o);
	}
	machine_free(m);
	assert_int_equal(failed, 0);
}

/* A task that does not wait for I/O, alone: neither rule has anything to raise for. */
static void test_no_io(void **state)
{
	static const struct op ops[] = { { OP_SLEEP_FOR, .ns = 200000 },
		{ OP_RUN, .cycles = 50000 } };
	static const char *const names[] = { "hwp-dynamic", "iowait", "migrate" };
	struct machine *m = hwp_machine("skylake-1-socket");

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct ops_workload *o = ops_new(0);
		struct run_result r;
		struct policy p;

		hwp_policy(&p, "powersave", names[i]);
		ops_add(o, ops, 2, 500)->allowed[0] = 1;
		r = run_checked(m, o, &p);
		assert_int_equal(r.counters.boosts, 0);
		result_release(&r);
		free(o);
	}
	machine_free(m);
}

/* ---- the switch and the limits, in the middle of a run --------------------------------- */

enum { SCRIPT_TURNS = 100 };

static struct {
	int turn, failed;
	uint64_t boosts_off;
} script;

static void want(const char *what, bool good)
{
	if (good)
		return;
	print_error("turn %d: %s\n", script.turn, what);
	script.failed++;
}

static void check_turn(struct sim *s)
{
	struct sim_cpu *c = &s->cpus[0];
	uint32_t min = hwp_test.hw ? (uint32_t)(c->hwp_request & 0xff) : 0;

	switch (script.turn) {
	case 20:
		want("boosted to the maximum", min == 39);
		want("the driver's request is as it was", (c->hwp_cached & 0xff) == 8);
		boost_switch(s, false);
		want("off: the request is written back", (c->hwp_request & 0xff) == 8);
		want("the hook is gone", !c->boost_hooked);
		script.boosts_off = s->counters.boosts;
		break;
	case 40:
		want("no raise while it is off", s->counters.boosts == script.boosts_off);
		script.boosts_off = s->counters.boosts;
		boost_switch(s, true);
		want("the hook is there", c->boost_hooked);
		break;
	case 60:
		want("boosted again", s->counters.boosts > script.boosts_off);
		hwp_test.min = 8;
		hwp_test.max = 12;
		want("applied", !driver_apply(c->freq));
		want("the user's limit is in force",
			c->hwp_request == c->hwp_cached && (c->hwp_request & 0xffff) == 0x0c08);
		break;
	case 61:
	case 80:
		want("no raise above the user's limit: the level is there already", min == 8);
		break;
	default:
		break;
	}
}

static int script_next(struct workload *w, int task, struct op *ret, struct error *err)
{
	static int at;

	if (!at)
		check_turn(hwp_test.hw->ctx);
	*ret = io[at];
	/* What is left of the boost ends on a tick without I/O, or the kernel would think it in
	 * force for ever. */
	if (at && script.turn == 50)
		ret->cycles = 10000000;
	at = !at;
	script.turn += at;
	return script.turn <= SCRIPT_TURNS;
}

static void test_switch(void **state)
{
	struct machine *m = hwp_machine("skylake-1-socket");
	struct ops_workload *o = ops_new(0);
	struct run_result r;
	struct policy p;

	hwp_policy(&p, "powersave", "hwp-dynamic");
	ops_add(o, io, 2, 1)->allowed[0] = 1;
	o->w.next = script_next;
	r = run_checked(m, o, &p);
	assert_int_equal(script.turn, SCRIPT_TURNS + 1);
	assert_int_equal(script.failed, 0);
	result_release(&r);
	free(o);
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_policies),
		cmocka_unit_test(test_no_io),
		cmocka_unit_test(test_switch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
