// SPDX-License-Identifier: GPL-2.0-or-later
/* Minima that are known: inside, at a bound, of one number; ends and failures. */
#include "stats/simplex.h"
#include "../cmocka_all.h"

#include <errno.h>
#include <math.h>

struct bowl {
	int nr;
	double at[SIMPLEX_MAX];
	int fail_at; /* call that fails; 0: none */
	int calls;
};

static int bowl(void *ctx, const double *at, double *ret)
{
	struct bowl *b = ctx;

	*ret = 0;
	if (++b->calls == b->fail_at)
		return -EINTR;
	for (int i = 0; i < b->nr; i++) {
		assert_true(at[i] >= 0 && at[i] <= 1);
		*ret += (i + 1) * (at[i] - b->at[i]) * (at[i] - b->at[i]);
	}
	return 0;
}

static void test_minima(void **state)
{
	static const struct bowl bowls[] = {
		{ 1, { 0.3 } },
		{ 2, { 0.7, 0.2 } },
		{ 3, { 0.1, 0.9, 0.5 } },
		{ 2, { 1.5, 0.4 } }, /* at the upper bound of the first */
		{ 1, { -1 } },
	};

	for (size_t k = 0; k < sizeof(bowls) / sizeof(bowls[0]); k++) {
		struct bowl b = bowls[k];
		struct simplex s = { .nr = b.nr,
			.at = { 0.5, 0.5, 0.5 },
			.step = 0.1,
			.tolerance = 1e-4,
			.calls_max = 500 };

		assert_int_equal(simplex_minimize(&s, bowl, &b), 0);
		assert_true(s.converged);
		assert_int_equal(s.calls, b.calls);
		for (int i = 0; i < b.nr; i++)
			if (fabs(s.at[i] - fmin(fmax(b.at[i], 0), 1)) > 2e-3)
				fail_msg("bowl %zu: %g, expected %g", k, s.at[i], b.at[i]);
	}
}

static void test_ends(void **state)
{
	struct bowl b = { 2, { 0.7, 0.2 } };
	struct simplex s = {
		.nr = 2, .at = { 0.5, 0.5 }, .step = 0.1, .tolerance = 1e-9, .calls_max = 12
	};

	assert_int_equal(simplex_minimize(&s, bowl, &b), 0);
	assert_int_equal(s.calls, 12);
	assert_false(s.converged);
	assert_true(s.value < 0.13); /* better than the start */
	b = (struct bowl){ 2, { 0.7, 0.2 }, .fail_at = 8 };
	s.calls_max = 100;
	s.at[0] = s.at[1] = 0.5;
	assert_int_equal(simplex_minimize(&s, bowl, &b), -EINTR);
	assert_int_equal(b.calls, 8);
	assert_int_equal(s.calls, 7);
	assert_true(s.value < INFINITY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_minima),
		cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
