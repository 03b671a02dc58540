// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/comparison.h"
#include "fixture.h"

#include "../cmocka_all.h"

#include <math.h>

enum { RUNS_MAX = 6 };

struct bench {
	int nr;
	struct run_result runs[RUNS_MAX];
	struct samples samples;
	struct comparisons c;
};

static void compare(struct bench *b)
{
	struct error err;

	assert_int_equal(samples_add_results(&b->samples, b->runs, b->nr, NULL, &err), 0);
	assert_int_equal(compare_samples(&b->samples, &b->c, &err), 0);
}

static void release(struct bench *b)
{
	comparisons_release(&b->c);
	samples_release(&b->samples);
	for (int i = 0; i < b->nr; i++)
		result_release(&b->runs[i]);
}

static const struct comparison *find(const struct bench *b, const char *scaling, const char *metric)
{
	for (int i = 0; i < b->c.nr; i++)
		if (!strcmp(b->c.list[i].metric->name, metric) &&
			!strcmp(b->c.list[i].group->scaling, scaling))
			return &b->c.list[i];
	fail_msg("no comparison of %s", metric);
	return NULL;
}

static void test_percent_and_figures(void **state)
{
	struct bench b = { 3, { make_result("menu", 4, 4000000), make_result("menu", 6, 4000000),
				      make_result("poll", 4, 8000000) } };
	const struct comparison *c;

	compare(&b);
	c = find(&b, "known", "usecs_per_loop");
	assert_int_equal(c->group->nr_configs, 2);
	assert_true(c->configs[0].s.n == 2 && c->configs[0].s.amean == 5);
	assert_true(c->configs[0].percent == 0 && c->configs[1].percent == 20);
	assert_true(isnan(c->configs[1].welch_p) && !c->configs[1].significant);
	assert_int_equal(c->configs[1].verdict, VERDICT_GIVEN);

	c = find(&b, "known", "package_j");
	assert_true(c->configs[1].percent == -100);
	c = find(&b, "known", "wake_p99_us");
	assert_true(c->configs[1].s.amean == 4.5);
	c = find(&b, "known", "C1_pct");
	assert_true(c->configs[1].s.amean == 45 && isnan(c->configs[1].percent));
	c = find(&b, "known", "avg_mhz");
	assert_true(c->configs[1].s.amean == 2950);
	release(&b);
}

static void test_energy_of_unequal_work_has_no_percent(void **state)
{
	struct bench b = { 2,
		{ make_result("menu", 4, 4000000), make_result("poll", 4, 8000000) } };
	static const char *const without[] = { "package_j", "package_w" };

	b.runs[1].operations = 1500;
	result_derive(&b.runs[1]);
	compare(&b);
	for (int i = 0; i < 2; i++) {
		const struct comparison *c = find(&b, "known", without[i]);

		assert_int_equal(c->configs[1].verdict, VERDICT_UNEQUAL_WORK);
		assert_true(isnan(c->configs[1].percent));
	}
	assert_true(find(&b, "known", "ops_per_j")->configs[1].percent == -25);
	release(&b);
}

static void test_last_operation_may_be_cut_off(void **state)
{
	struct bench b = { 2,
		{ make_result("menu", 4, 4000000), make_result("poll", 4, 8000000) } };

	b.runs[0].operations = 100000;
	b.runs[1].operations = 100001;
	compare(&b);
	assert_int_equal(find(&b, "known", "package_j")->configs[1].verdict, VERDICT_GIVEN);
	release(&b);
}

static void test_no_verdict_inside_the_band(void **state)
{
	struct bench b = { 3, { make_result("menu", 4, 4000000), make_result("a", 4, 4800000),
				      make_result("b", 4, 5200000) } };
	const struct comparison *c;

	compare(&b); /* the band is 25 % */
	c = find(&b, "known", "package_j");
	assert_int_equal(c->configs[1].verdict, VERDICT_INSIDE_BAND);
	assert_int_equal(c->configs[2].verdict, VERDICT_GIVEN);
	/* The workload's own metrics do not depend on power. */
	assert_int_equal(find(&b, "known", "usecs_per_loop")->configs[1].verdict, VERDICT_GIVEN);
	release(&b);
}

static void test_no_verdict_when_the_ends_disagree(void **state)
{
	struct bench b = { 6, { make_result("menu", 4, 1), make_result("a", 3, 1),
				      make_result("b", 5, 1), make_result("menu", 4, 1),
				      make_result("a", 4.4, 1), make_result("b", 6, 1) } };
	const struct comparison *all, *none;

	for (int i = 0; i < 6; i++)
		strcpy(b.runs[i].scaling, i < 3 ? "all" : "none");
	compare(&b);
	all = find(&b, "all", "usecs_per_loop");
	none = find(&b, "none", "usecs_per_loop");
	assert_true(all->configs[1].percent == 25);
	assert_int_equal(all->configs[1].verdict, VERDICT_ENDS_DISAGREE);
	assert_int_equal(none->configs[1].verdict, VERDICT_ENDS_DISAGREE);
	assert_int_equal(all->configs[2].verdict, VERDICT_GIVEN);
	/* What has no verdict is not held against anybody: b alone is worse, at both ends. */
	assert_int_equal(compared_worse(&b.c, "usecs_per_loop", 5), 2);
	release(&b);
}

/* Nearly nothing at one end does not take the other end's verdict away. */
static void test_ends_agree_when_one_says_nothing(void **state)
{
	struct bench b = { 4, { make_result("menu", 4, 1), make_result("a", 3, 1),
				      make_result("menu", 4, 1), make_result("a", 4.002, 1) } };

	for (int i = 0; i < 4; i++)
		strcpy(b.runs[i].scaling, i < 2 ? "all" : "none");
	compare(&b);
	assert_int_equal(find(&b, "all", "usecs_per_loop")->configs[1].verdict, VERDICT_GIVEN);
	assert_int_equal(find(&b, "none", "usecs_per_loop")->configs[1].verdict, VERDICT_GIVEN);
	release(&b);
}

static void test_worse_counts_beyond_the_limit(void **state)
{
	struct bench b = { 3, { make_result("menu", 4, 4000000), make_result("a", 4.2, 4000000),
				      make_result("b", 8, 4000000) } };

	compare(&b);
	assert_int_equal(compared_worse(&b.c, "usecs_per_loop", 10), 1);
	assert_int_equal(compared_worse(&b.c, "usecs_per_loop", 4), 2);
	assert_int_equal(compared_worse(&b.c, "usecs_per_loop", 100), 0);
	assert_int_equal(compared_worse(&b.c, "no such", 0), 0);
	release(&b);
}

static void test_names_tell_runs_apart(void **state)
{
	struct run_result runs[] = { make_result("menu", 4, 1), make_result("menu", 4, 1) };
	const char *const files[] = { "a.json", "b.json" };
	struct samples samples = { 0 };
	struct error err;

	assert_int_equal(samples_add_results(&samples, runs, 2, files, &err), 0);
	assert_int_equal(samples.groups[0].nr_configs, 2);
	assert_string_equal(samples.groups[0].configs[1].name, "b.json menu");
	assert_string_equal(samples.groups[0].machine, "m4");
	samples_release(&samples);

	strcpy(runs[1].machine, "m8");
	assert_int_equal(samples_add_results(&samples, runs, 2, files, &err), 0);
	assert_string_equal(samples.groups[0].configs[0].name, "m4 menu");
	assert_string_equal(samples.groups[0].configs[1].name, "m8 menu");
	assert_string_equal(samples.groups[0].machine, "");
	samples_release(&samples);
	result_release(&runs[0]);
	result_release(&runs[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_percent_and_figures),
		cmocka_unit_test(test_energy_of_unequal_work_has_no_percent),
		cmocka_unit_test(test_last_operation_may_be_cut_off),
		cmocka_unit_test(test_no_verdict_inside_the_band),
		cmocka_unit_test(test_no_verdict_when_the_ends_disagree),
		cmocka_unit_test(test_ends_agree_when_one_says_nothing),
		cmocka_unit_test(test_worse_counts_beyond_the_limit),
		cmocka_unit_test(test_names_tell_runs_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
