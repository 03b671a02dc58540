// SPDX-License-Identifier: GPL-2.0-or-later
/* Shares and quantiles of conclusions over plausible machines, counted by hand. */
#include "stats/plausible.h"
#include "../cmocka_all.h"

#include <math.h>
#include <string.h>

static void test_conclusions(void **state)
{
	static const struct {
		double ratio;
		int better;
		enum conclusion want;
	} rows[] = {
		{ 1, -1, CONCLUSION_SAME },
		{ 1.0199, 1, CONCLUSION_SAME },
		{ 0.9801, 1, CONCLUSION_SAME },
		{ 1.021, 1, CONCLUSION_BETTER },
		{ 1.021, -1, CONCLUSION_WORSE },
		{ 0.979, -1, CONCLUSION_BETTER },
		{ 0.979, 1, CONCLUSION_WORSE },
		{ INFINITY, -1, CONCLUSION_WORSE },
		{ 0, -1, CONCLUSION_BETTER },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (plausible_conclude(rows[i].ratio, rows[i].better) != rows[i].want)
			fail_msg("ratio %g, better %d", rows[i].ratio, rows[i].better);
	assert_true(plausible_ratio(0, 0) == 1);
	assert_true(plausible_ratio(4, 2) == 0.5);
	assert_true(isinf(plausible_ratio(0, 2)));
}

static void test_summary(void **state)
{
	double ratios[] = { 1.5, 0.8, 1.01, 0.7, 0.6, 0.75, 0.65, 0.9, 0.85, 0.95, 0.5 };
	struct plausible p;

	plausible_summarize(ratios, 11, -1, &p);
	assert_int_equal(p.n, 11);
	assert_int_equal(p.count[CONCLUSION_BETTER], 9);
	assert_int_equal(p.count[CONCLUSION_WORSE], 1);
	assert_int_equal(p.count[CONCLUSION_SAME], 1);
	assert_int_equal(p.conclusion, CONCLUSION_BETTER);
	assert_true(fabs(p.share - 9.0 / 11) < 1e-12);
	assert_true(p.median == 0.8);
	assert_true(fabs(p.p5 - 0.55) < 1e-12);	  /* half way from the first to the second */
	assert_true(fabs(p.p95 - 1.255) < 1e-12); /* likewise of the last two */
}

static void test_edges(void **state)
{
	double one[] = { 2 }, unbounded[] = { 1, INFINITY, INFINITY };
	struct plausible p;

	plausible_summarize(one, 1, 1, &p);
	assert_true(p.median == 2 && p.p5 == 2 && p.p95 == 2 && p.share == 1);
	plausible_summarize(unbounded, 3, -1, &p);
	assert_true(isinf(p.median) && isinf(p.p95) && p.conclusion == CONCLUSION_WORSE);
	plausible_summarize(NULL, 0, 1, &p);
	assert_true(p.n == 0 && isnan(p.median));
	assert_string_equal(conclusion_name(CONCLUSION_SAME), "no difference");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conclusions),
		cmocka_unit_test(test_summary),
		cmocka_unit_test(test_edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
