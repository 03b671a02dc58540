// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/units.h"

#include "../cmocka_all.h"

static const struct {
	uint64_t cycles, khz, ns;
} rows[] = {
	{ 0, 1000000, 0 }, { 1, 1000000, 1 }, { 3400, 3400000, 1000 },
	{ 1, 3400000, 1 }, /* a started nanosecond counts */
	{ 3401, 3400000, 1001 },
	{ UINT64_MAX / 2000000, 1, UINT64_MAX / 2000000 * 1000000 }, /* no overflow between */
};

static void test_cycles_to_ns_rounds_up(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		print_message("%llu cycles\n", (unsigned long long)rows[i].cycles);
		assert_true(cycles_to_ns(rows[i].cycles, rows[i].khz) == rows[i].ns);
	}
}

/* What fits into the time that cycles take is at least those cycles. */
static void test_work_is_never_lost(void **state)
{
	for (uint64_t khz = 800000; khz < 4000000; khz += 12345)
		for (uint64_t cycles = 1; cycles < 100000000; cycles = cycles * 3 + 1)
			assert_true(ns_to_cycles(cycles_to_ns(cycles, khz), khz) >= cycles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cycles_to_ns_rounds_up),
		cmocka_unit_test(test_work_is_never_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
