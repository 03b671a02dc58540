// SPDX-License-Identifier: GPL-2.0-or-later
/* Judgements of a few rows, figures and sums worked out by hand. */
#include "published/judge.h"

#include "../cmocka_all.h"

#include <math.h>
#include <string.h>

#define NAMES "table,better,stat,value,run_machine,run_workload,run_policy,run_metric,fit,policy\n"

static const struct {
	const char *row;
	double ours; /* figure */
	struct judgement want;
} rows[] = {
	/* Published 100 to 80 with deviations of 4 and 6: the limit is 12 of 100. */
	{ "T1,lower,amean,100,m,w,a,x,0,a", 50, { ROW_BASELINE } },
	{ "T1,lower,amean,80,m,w,b,x,0,b", 45,
		{ ROW_PREDICTED, .judged = true, .published_ratio = 0.8, .ratio = 0.9,
			.limit = 0.12, .direction = -1, .right = true, .error = 0.117783,
			.null_error = 0.223144 } },
	{ "T1,lower,stddev,4,m,w,a,x,0,a", 2, { ROW_BASELINE } },
	{ "T1,lower,stddev,6,m,w,b,x,0,b", 3,
		{ ROW_STDDEV, .judged = true, .published_ratio = 1.5, .ratio = 1.5, .limit = 0.02,
			.direction = 1, .right = true, .error = 0, .null_error = 0.405465 } },
	/* A deviation is only known of the baseline: the limit is 8 of 100. */
	{ "T1,lower,amean,110,m,w,c,x,0,c", 55.9,
		{ ROW_PREDICTED, .judged = true, .published_ratio = 1.1, .ratio = 1.118,
			.limit = 0.08, .direction = 1, .right = true, .error = 0.016231,
			.null_error = 0.095310 } },
	{ "T1,lower,amean,105,m,w,c,x,1,d", 55,
		{ ROW_FITTED, .judged = true, .published_ratio = 1.05, .ratio = 1.1, .limit = 0.08,
			.direction = 0, .right = false, .error = 0.046520,
			.null_error = 0.048790 } },
	/* Without deviations: 2 %. */
	{ "T2,higher,hmean,10,m,w,a,y,0,a", 100, { ROW_BASELINE } },
	{ "T2,higher,hmean,10.1,m,w,b,y,0,b", 98.5,
		{ ROW_PREDICTED, .judged = true, .published_ratio = 1.01, .ratio = 0.985,
			.limit = 0.02, .direction = 0, .right = true, .error = 0.025064,
			.null_error = 0.009950 } },
	{ "T2,higher,hmean,10.3,m,w,c,y,0,c", 99,
		{ ROW_PREDICTED, .judged = true, .published_ratio = 1.03, .ratio = 0.99,
			.limit = 0.02, .direction = 1, .right = false, .error = 0.039609,
			.null_error = 0.029559 } },
	{ "T2,higher,hmean,20,m,w,d,y,0,d", NAN,
		{ ROW_PREDICTED, .judged = true, .failed = true, .published_ratio = 2, .ratio = NAN,
			.limit = 0.02, .direction = 1, .right = false, .error = 1.386294,
			.null_error = 0.693147 } },
	{ "T2,higher,hmean,10.1,m,w,e,y,0,e", 0,
		{ ROW_PREDICTED, .judged = true, .failed = true, .published_ratio = 1.01,
			.ratio = NAN, .limit = 0.02, .direction = 0, .right = false, .error = 0.1,
			.null_error = 0.009950 } },
	/* Ratios already. */
	{ "T2,higher,mean,50,m,v,a,improvement_pct,0,a", 100,
		{ ROW_PREDICTED, .judged = true, .published_ratio = 1.5, .ratio = 2, .limit = 0.02,
			.direction = 1, .right = true, .error = 0.287682,
			.null_error = 0.405465 } },
	/* Nothing by nothing, and what is told apart. */
	{ "T15,,sum,0,m,w,a,idle_s:1,0,a", 0, { ROW_BASELINE } },
	{ "T15,,sum,5,m,w,b,idle_s:1,0,b", 1, { ROW_RESIDENCY } },
	{ "T3,higher,max,8,m,w,a,y,0,a", 4, { ROW_BASELINE } },
	{ "T3,higher,max,4,m,w,b,y,1,b", 4,
		{ ROW_EXTREME, .judged = true, .published_ratio = 0.5, .ratio = 1, .limit = 0.02,
			.direction = -1, .right = false, .error = 0.693147,
			.null_error = 0.693147 } },
};

enum { NR = sizeof(rows) / sizeof(rows[0]) };

static void read_rows(struct published *p)
{
	char text[8192] = NAMES;
	struct error err;
	FILE *f;

	for (int i = 0; i < NR; i++) {
		strcat(text, rows[i].row);
		strcat(text, "\n");
	}
	f = fmemopen(text, strlen(text), "r");
	assert_non_null(f);
	assert_int_equal(published_parse("in.csv", f, p, &err), 0);
	fclose(f);
	assert_int_equal(p->nr, NR);
}

static bool near(double a, double b)
{
	return isnan(a) ? isnan(b) : fabs(a - b) < 1e-6;
}

static void test_rows(void **state)
{
	struct judgement j[NR];
	double figures[NR];
	struct published p;

	read_rows(&p);
	for (int i = 0; i < NR; i++)
		figures[i] = rows[i].ours;
	judge(&p, figures, j);
	for (int i = 0; i < NR; i++) {
		const struct judgement *want = &rows[i].want;

		print_message("%s\n", rows[i].row);
		assert_int_equal(j[i].kind, want->kind);
		assert_int_equal(j[i].judged, want->judged);
		assert_int_equal(j[i].failed, want->failed);
		if (!want->judged)
			continue;
		assert_true(near(j[i].published_ratio, want->published_ratio));
		assert_true(near(j[i].ratio, want->ratio));
		assert_true(near(j[i].limit, want->limit));
		assert_int_equal(j[i].direction, want->direction);
		assert_int_equal(j[i].right, want->right);
		assert_true(near(j[i].error, want->error));
		assert_true(near(j[i].null_error, want->null_error));
	}
	published_release(&p);
}

static void test_tallies(void **state)
{
	struct judgement j[NR];
	double figures[NR], scratch[NR];
	struct published p;
	struct tally t;

	read_rows(&p);
	for (int i = 0; i < NR; i++)
		figures[i] = rows[i].ours;
	judge(&p, figures, j);
	tally_rows(&p, j, ROW_PREDICTED, NULL, scratch, &t);
	assert_int_equal(t.rows, 7);
	assert_int_equal(t.failed_rows, 2);
	assert_int_equal(t.direction_rows, 5);
	assert_int_equal(t.direction_right, 3);
	assert_int_equal(t.neutral_rows, 2);
	assert_int_equal(t.neutral_right, 1);
	/* 0.016231 0.025064 0.039609 0.1 0.117783 0.287682 1.386294 */
	assert_true(near(t.mean_error, 1.972663 / 7));
	assert_true(near(t.median_error, 0.1));
	assert_true(near(t.p90_error, 1.386294));
	/* 0.223144 0.095310 0.009950 0.029559 0.693147 0.009950 0.405465 */
	assert_true(fabs(t.null_mean_error - 1.466525 / 7) < 1e-6);
	tally_rows(&p, j, ROW_PREDICTED, "T1", scratch, &t);
	assert_int_equal(t.rows, 2);
	assert_true(near(t.median_error, (0.117783 + 0.016231) / 2));
	tally_rows(&p, j, ROW_RESIDENCY, NULL, scratch, &t);
	assert_int_equal(t.rows, 0);
	assert_true(isnan(t.mean_error));
	published_release(&p);
}

static bool in_list(const struct published *p, int row, const void *keep)
{
	return ((const bool *)keep)[row];
}

/* Baselines stay with what is kept of their groups, and deviations are not forgotten. */
static void test_keep(void **state)
{
	bool keep[NR] = { false };
	struct published p;
	struct error err;

	read_rows(&p);
	keep[1] = keep[11] = true;
	assert_int_equal(published_keep(&p, in_list, keep, &err), 0);
	assert_int_equal(p.nr, 3);
	assert_int_equal(p.rows[0].line, 2);
	assert_int_equal(p.rows[1].base, 0);
	assert_int_equal(p.rows[2].base, -1);
	assert_true(p.rows[1].stddev == 6);
	published_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_tallies),
		cmocka_unit_test(test_keep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
