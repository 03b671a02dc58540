// SPDX-License-Identifier: GPL-2.0-or-later
/* The parts of the power model; its figures beside measured ones: tests/machine/figures. */
#include "machine/figure.h"
#include "machine/machine.h"
#include "../cmocka_all.h"

#include <stdlib.h>
#include <string.h>

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

static void test_figures(void **state)
{
	static const struct {
		const char *text, *unit;
		double value;
	} rows[] = {
		{ "power:idle=C6", "W", 9.6 + 18 * 0.05 },
		{ "power:idle=C6,cores=16,packages=2", "W", 20.8 },
		{ "power:idle=C1E,cores=1", "W", 29 + 0.6 },
		{ "power:idle=C6,cores=1,packages=2,only=1,busy=1,threads=2,khz=3000000", "W",
			2 * 49 + 4.8 + 0.05 },
		{ "turbo:cores=5", "MHz", 3700 },
		{ "wake:state=C6", "us", 46 },
		{ "wake:state=C6,package=1", "us", 66 },
		{ "transition:percent=95", "us", 20 + 0.95 * 500 },
		{ "wrap:mw=100000", "s", 61035 * 4294967296e-6 / 100000 },
	};
	static const char *const wrong[][2] = {
		{ "heat:khz=1", "figure 'heat', expected power, turbo, wake, transition or wrap" },
		{ "power:khz=1", "idle: '', expected an idle state of skylake-2-socket" },
		{ "power:idle=C9", "idle: 'C9', expected an idle state" },
		{ "power:idle=C6,busy=99", "busy: '99', expected a number from 0 to 18" },
		{ "wake:state=C6,khz=1", "key 'khz', expected one of state package" },
		{ "transition:percent=101", "percent: '101', expected a number from 0 to 100" },
	};
	struct machine *m;
	struct error err;
	const char *unit;
	double value;

	assert_int_equal(machine_load("skylake-2-socket", MACHINES_DIR, &m, &err), 0);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(machine_figure(m, rows[i].text, &value, &unit, &err), 0);
		assert_string_equal(unit, rows[i].unit);
		if (value < rows[i].value * 0.999 || value > rows[i].value * 1.001)
			fail_msg("%s: %f, want %f", rows[i].text, value, rows[i].value);
	}
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		assert_true(machine_figure(m, wrong[i][0], &value, &unit, &err) < 0);
		if (!strstr(err.text, wrong[i][1]))
			fail_msg("'%s'", err.text);
	}
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_curve),
		cmocka_unit_test(test_core),
		cmocka_unit_test(test_turbo),
		cmocka_unit_test(test_figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
