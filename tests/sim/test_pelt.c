// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Load tracking against values that come from its definition in extended precision, not from its
 * integers; and what attaching and detaching keep. (tests/diff compares it with the kernel's file.)
 */
#include "../cmocka_all.h"

#include "base/rng.h"
#include "base/units.h"
#include "sim/pelt.h"

#include <math.h>

static const struct pelt_add runs = { 1, 1, true }, waits = { 1, 1, false }, sleeps;

static long double y(long double n)
{
	return powl(0.5L, n / 32);
}

/* Decay rounds down at most twice, and its factors are 32 bits. */
static void test_decay(void **state)
{
	for (uint64_t n = 0; n <= 64 * 32; n++) {
		const uint64_t values[] = { 1024, PELT_SUM_MAX, 48887808, 1ULL << 50 };

		for (size_t i = 0; i < ARRAY_LEN(values); i++) {
			long double exact = (long double)values[i] * y(n), got;

			got = (long double)pelt_decay(values[i], n);
			assert_true(got <= exact + 1e-9L);
			assert_true(got > exact - 2 - exact / 1e9L);
		}
	}
	assert_int_equal(pelt_decay(UINT64_MAX, 32 * 63 + 1), 0);
}

/* 1024 periods of 1 and their limit: what PELT_SUM_MAX is, by integer steps as documented. */
static void test_sum_max(void **state)
{
	uint64_t sum = 0;

	for (int n = 0; n < 1024; n++)
		sum = PELT_PERIOD + pelt_decay(sum, 1);
	assert_in_range(PELT_SUM_MAX, sum - 1, sum + 1);
	assert_true(fabsl(PELT_PERIOD / (1 - y(1)) - PELT_SUM_MAX) < 50);
}

/* util of something that runs from time 0, then sleeps: 1024 * (1 - y^n), then that * y^m. */
static void test_ramp(void **state)
{
	static const int ms[] = { 2, 8, 16, 32, 64, 100, 345 };

	for (size_t i = 0; i < ARRAY_LEN(ms); i++) {
		uint64_t ns = (uint64_t)ms[i] * 1024 * 1024;
		struct pelt p = { 0 };
		long double up = 1024 * (1 - y(ms[i]));

		assert_true(pelt_update(&p, ns, &runs, 1024));
		assert_true(fabsl(p.util_avg - up) <= 2);
		assert_int_equal(p.runnable_avg, p.util_avg);
		assert_true(fabsl(p.load_avg - up) <= 2);
		assert_true(pelt_update(&p, 2 * ns, &sleeps, 1024));
		assert_true(fabsl(p.util_avg - up * y(ms[i])) <= 2);
	}
}

/* In many small steps the same as in one, but for what each step's rounding loses. */
static void test_steps(void **state)
{
	struct pelt one = { 0 }, many = { 0 };
	struct rng rng;
	uint64_t ns = 0;

	rng_init(&rng, 1, 0);
	while (ns < 200000000) {
		ns += rng_below(&rng, 300000);
		pelt_update(&many, ns, &runs, 1024);
	}
	pelt_update(&one, ns, &runs, 1024);
	assert_int_equal(one.last_ns, many.last_ns);
	assert_int_equal(one.contrib, many.contrib);
	assert_in_range(many.util_avg + 1, one.util_avg, one.util_avg + 2);
}

/* A task that waits is load and runnable, but not utilisation. */
static void test_waits(void **state)
{
	struct pelt p = { 0 };

	pelt_update(&p, 400000000, &waits, 2048);
	assert_int_equal(p.util_avg, 0);
	assert_in_range(p.runnable_avg, 1020, 1024);
	assert_in_range(p.load_avg, 2040, 2048);
}

/* Tasks of a CPU add up to it, in whatever order they come and go; nothing is left behind. */
static void test_attach(void **state)
{
	enum { TASKS = 8 };
	struct pelt tasks[TASKS] = { 0 }, cpu = { 0 };
	bool attached[TASKS] = { false };
	struct rng rng;
	uint64_t ns = 1;

	rng_init(&rng, 7, 0);
	for (int n = 0; n < 100000; n++) {
		int i = (int)rng_below(&rng, TASKS);
		uint64_t sum = 0, util_sum = 0;

		ns += rng_below(&rng, 3000000);
		pelt_update(&cpu, ns, &sleeps, 1);
		for (int k = 0; k < TASKS; k++)
			if (attached[k])
				pelt_update(&tasks[k], ns, &sleeps, 1024);
		if (attached[i]) {
			pelt_detach(&cpu, &tasks[i], 1024);
		} else {
			tasks[i].util_avg = (uint32_t)rng_below(&rng, 200);
			tasks[i].runnable_avg = tasks[i].load_avg = tasks[i].util_avg;
			pelt_attach(&cpu, &tasks[i], 1024);
		}
		attached[i] = !attached[i];
		for (int k = 0; k < TASKS; k++) {
			sum += attached[k] ? tasks[k].util_avg : 0;
			util_sum += attached[k] ? tasks[k].util_sum : 0;
		}
		assert_true(cpu.util_avg + TASKS >= sum && cpu.util_avg <= sum + TASKS + 1);
		assert_true(cpu.util_sum >= cpu.util_avg * (PELT_SUM_MAX - PELT_PERIOD));
		if (!sum)
			assert_in_range(cpu.util_avg, 0, TASKS);
	}
}

static void test_time_back(void **state)
{
	struct pelt p = { .last_ns = 5000000, .util_sum = 1000, .util_avg = 7 };

	assert_false(pelt_update(&p, 4000000, &runs, 1024));
	assert_int_equal(p.last_ns, 4000000);
	assert_int_equal(p.util_sum, 1000);
	assert_int_equal(p.util_avg, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decay),
		cmocka_unit_test(test_sum_max),
		cmocka_unit_test(test_ramp),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_attach),
		cmocka_unit_test(test_time_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
