// SPDX-License-Identifier: GPL-2.0-or-later
#include "published/rows.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define NAMES "table,better,stat,value,run_machine,run_workload,run_policy,run_metric,fit\n"
#define ROW "T1,lower,amean,2,m,w,p,latency_ms,1\n"

static int parse(const char *text, struct published *ret, struct error *err)
{
	FILE *f = fmemopen((void *)text, strlen(text), "r");
	int rc;

	assert_non_null(f);
	rc = published_parse("in.csv", f, ret, err);
	fclose(f);
	return rc;
}

static const struct {
	const char *name, *text, *message;
} bad[] = {
	{ "nothing", "\n", "in.csv:2: expected a line of column names and rows" },
	{ "no rows", NAMES, "in.csv:2: expected a line of column names and rows" },
	{ "no column value", "table,better,stat\nT1,lower,amean\n",
		"in.csv:1: expected a column 'value'" },
	{ "column twice", "table,table\nT1,T1\n",
		"in.csv:1: column names: found 'table', expected each name once" },
	{ "column without name", "table,,stat\nT1,a,b\n",
		"in.csv:1: column names: found '', expected a name" },
	{ "too few fields", NAMES ROW "T1,lower\n",
		"in.csv:3: stat: found 'the end of the line', expected as many fields" },
	{ "too many fields", NAMES "T1,lower,amean,2,m,w,p,x,1,9\n",
		"in.csv:2: fit: found ',9', expected the end of the line" },
	{ "open quote", NAMES "T1,lower,amean,2,m,\"w,p,x,1\n",
		"in.csv:2: run_workload: found 'w,p,x,1', expected a closing quote" },
	{ "after a quote", NAMES "T1,lower,amean,2,m,\"w\"x,p,x,1\n",
		"in.csv:2: run_workload: found 'x,p,x,1', expected a comma after the quote" },
	{ "no number", NAMES "T1,lower,amean,two,m,w,p,x,1\n",
		"in.csv:2: value: found 'two', expected a finite decimal number" },
	{ "infinite", NAMES "T1,lower,amean,inf,m,w,p,x,1\n",
		"in.csv:2: value: found 'inf', expected a finite decimal number" },
	{ "hexadecimal", NAMES "T1,lower,amean,0x10,m,w,p,x,1\n",
		"in.csv:2: value: found '0x10', expected a finite decimal number" },
	{ "no value", NAMES "T1,lower,amean,,m,w,p,x,1\n",
		"in.csv:2: value: found '', expected a finite decimal number" },
	{ "better", NAMES "T1,up,amean,2,m,w,p,x,1\n",
		"in.csv:2: better: found 'up', expected lower, higher or nothing" },
	{ "fit", NAMES "T1,lower,amean,2,m,w,p,x,yes\n",
		"in.csv:2: fit: found 'yes', expected 0 or 1" },
	{ "no table", NAMES ",lower,amean,2,m,w,p,x,1\n",
		"in.csv:2: table: found '', expected a name" },
	{ "no statistic", NAMES "T1,lower,,2,m,w,p,x,1\n",
		"in.csv:2: stat: found '', expected a statistic's name" },
	{ "loses everything", NAMES "T2,higher,mean,-100,m,w,p,improvement_pct,0\n",
		"in.csv:2: value: found '-100', expected more than -100 %" },
	{ "control character",
		NAMES "T1,lower,am\x1b"
		      "ean,2,m,w,p,x,1\n",
		"in.csv:2: line: found 'a control character', expected printable text" },
	{ "no UTF-8",
		NAMES "T1,lower,am\xff"
		      "ean,2,m,w,p,x,1\n",
		"in.csv:2: line: found 'bytes that are no UTF-8', expected UTF-8 text" },
};

static void test_bad(void **state)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct published p = { 0 };
		struct error err = { "" };

		print_message("%s\n", bad[i].name);
		assert_int_equal(parse(bad[i].text, &p, &err), -EINVAL);
		if (strncmp(err.text, bad[i].message, strlen(bad[i].message)))
			fail_msg("'%s', expected '%s'", err.text, bad[i].message);
		assert_null(strchr(err.text, '\n'));
		assert_null(p.rows);
	}
}

/* Columns in any order, some of them unknown or left out; quotes; carriage returns. */
static void test_columns(void **state)
{
	struct published p;
	struct error err;

	assert_int_equal(
		parse("run_metric,other,value,stat,better,table,run_policy,run_workload,"
		      "run_machine\r\n\r\n"
		      "idle_s:total,x,-1.5e3,BHmean-95,,T15,\"p:a=1,b=2\",\"say \"\"w\"\"\",m\r\n",
			&p, &err),
		0);
	assert_int_equal(p.nr, 1);
	assert_int_equal(p.rows[0].line, 3);
	assert_string_equal(p.rows[0].table, "T15");
	assert_string_equal(p.rows[0].run_policy, "p:a=1,b=2");
	assert_string_equal(p.rows[0].run_workload, "say \"w\"");
	assert_string_equal(p.rows[0].note, "");
	assert_true(p.rows[0].value == -1500);
	assert_int_equal(p.rows[0].better, 0);
	assert_false(p.rows[0].fit);
	assert_int_equal(p.rows[0].kind, STAT_BEST);
	published_release(&p);
}

/* A group is table, workload, metric and stat; machines and policies differ within it. */
static void test_groups(void **state)
{
	static const char text[] = "table,better,stat,value,run_machine,run_workload,run_policy,"
				   "run_metric,fit,policy\n"
				   "T1,lower,amean,10,m,w,a,x,1,a\n"
				   "T1,lower,amean,11,n,w,b,x,0,b\n"
				   "T1,lower,stddev,1,m,w,a,x,0,a\n"
				   "T1,lower,stddev,2,n,w,b,x,0,b\n"
				   "T2,lower,amean,12,m,w,c,x,0,c\n"
				   "T1,lower,amean,13,m,v,a,x,0,a\n"
				   "T1,lower,amean,14,m,w,d,x,0,d\n"
				   "T1,higher,mean,50,m,w,d,improvement_pct,0,d\n";
	static const int base[] = { 0, 0, 2, 2, 4, 5, 0, -1 };
	static const double stddev[] = { 1, 2, 1, 2, NAN, NAN, NAN, NAN };
	struct published p;
	struct error err;

	assert_int_equal(parse(text, &p, &err), 0);
	assert_int_equal(p.nr, 8);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(p.rows[i].base, base[i]);
		assert_true(
			isnan(stddev[i]) ? isnan(p.rows[i].stddev) : p.rows[i].stddev == stddev[i]);
		assert_int_equal(p.rows[i].is_ratio, i == 7);
	}
	published_release(&p);
}

static const struct {
	const char *stat;
	double figure, of_one;
} figures[] = {
	{ "amean", 5.25, 6 },
	{ "sum", 5.25, 6 },
	{ "hmean", 4.571428571428571, 6 },
	{ "stddev", 2.217355782608345, NAN },
	{ "coeffvar", 42.235348240158956, NAN },
	{ "min", 3, NAN },
	{ "max", 8, NAN },
	{ "bhmean-50", 6.857142857142858, NAN }, /* 8 and 6 */
	{ "bhmean-99", 5.538461538461538, NAN }, /* 8, 6 and 4 */
	{ "bhmean-42", NAN, NAN },
	{ "median", NAN, NAN },
};

static void test_figures(void **state)
{
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		double values[] = { 6, 3, 8, 4 }, one[] = { 6 }, figure;
		struct published p;
		struct error err;
		char text[512];

		snprintf(text, sizeof(text), NAMES "T,higher,%s,1,m,w,p,x,0\n", figures[i].stat);
		print_message("%s\n", figures[i].stat);
		assert_int_equal(parse(text, &p, &err), 0);
		figure = published_figure(&p.rows[0], values, 4);
		if (isnan(figures[i].figure))
			assert_true(isnan(figure));
		else
			assert_true(fabs(figure - figures[i].figure) < 1e-12);
		figure = published_figure(&p.rows[0], one, 1);
		assert_true(isnan(figures[i].of_one) ? isnan(figure) : figure == figures[i].of_one);
		published_release(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
