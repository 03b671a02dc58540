// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/rng.h"

#include "../cmocka_all.h"

/* The first numbers of splitmix64 from state 1234567, as published with the algorithm's code. */
static void test_is_splitmix64(void **state)
{
	struct rng rng = { 1234567 };

	assert_true(rng_next(&rng) == 6457827717110365317ULL);
	assert_true(rng_next(&rng) == 3203168211198807973ULL);
	assert_true(rng_next(&rng) == 9817491932198370423ULL);
}

static void test_streams_are_reproducible_and_differ(void **state)
{
	struct rng a, b, c, d;

	rng_init(&a, 1, 0);
	rng_init(&b, 1, 0);
	rng_init(&c, 1, 1);
	rng_init(&d, 2, 0);
	for (int i = 0; i < 100; i++) {
		uint64_t x = rng_next(&a);

		assert_true(x == rng_next(&b));
		assert_true(x != rng_next(&c));
		assert_true(x != rng_next(&d));
	}
}

static void test_below_is_uniform(void **state)
{
	enum { BOUND = 7, DRAWS = 70000 };
	int count[BOUND] = { 0 };
	struct rng rng;

	rng_init(&rng, 3, 0);
	for (int i = 0; i < DRAWS; i++) {
		uint64_t x = rng_below(&rng, BOUND);

		assert_true(x < BOUND);
		count[x]++;
	}
	/* Five standard deviations: sqrt(70000 * 1/7 * 6/7) is 93. */
	for (int i = 0; i < BOUND; i++)
		assert_in_range(count[i], 10000 - 465, 10000 + 465);
	assert_true(rng_below(&rng, 1) == 0);
}

static void test_exponential_has_its_mean(void **state)
{
	enum { DRAWS = 100000, MEAN = 50000 };
	uint64_t sum = 0, below_mean = 0;
	struct rng rng;

	rng_init(&rng, 4, 0);
	for (int i = 0; i < DRAWS; i++) {
		uint64_t x = rng_exponential(&rng, MEAN);

		sum += x;
		below_mean += x < MEAN;
	}
	assert_in_range(sum / DRAWS, MEAN * 98 / 100, MEAN * 102 / 100);
	/* 1 - 1/e of them. */
	assert_in_range(below_mean, 62212, 64212);
	assert_true(rng_exponential(&rng, 0) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_is_splitmix64),
		cmocka_unit_test(test_streams_are_reproducible_and_differ),
		cmocka_unit_test(test_below_is_uniform),
		cmocka_unit_test(test_exponential_has_its_mean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
