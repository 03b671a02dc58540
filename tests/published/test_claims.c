// SPDX-License-Identifier: GPL-2.0-or-later
#include "published/claims.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define NAMES "table,machine,workload,baseline,candidate,verdict,size_pct,note\n"

static int parse(const char *text, struct claims *ret, struct error *err)
{
	FILE *f = fmemopen((void *)text, strlen(text), "r");
	int rc;

	assert_non_null(f);
	rc = claims_parse("in.csv", f, ret, err);
	fclose(f);
	return rc;
}

static const struct {
	const char *row, *message;
} bad[] = {
	{ "T,m,w,hwp,hwp+boost,good,,", "in.csv:2: verdict: found 'good', expected win, neutral" },
	{ "T,m,w,hwp,hwp+boost,win,much,", "in.csv:2: size_pct: found 'much', expected a finite" },
	{ "T,m,,hwp,hwp+boost,win,1,", "in.csv:2: workload: found '', expected a name" },
	{ "T,m,w,hwp,,win,1,", "in.csv:2: candidate: found '', expected a name" },
};

static void test_bad(void **state)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char text[512];
		struct claims c = { 0 };
		struct error err = { "" };

		print_message("%s\n", bad[i].row);
		snprintf(text, sizeof(text), NAMES "%s\n", bad[i].row);
		assert_int_equal(parse(text, &c, &err), -EINVAL);
		if (strncmp(err.text, bad[i].message, strlen(bad[i].message)))
			fail_msg("'%s', expected '%s'", err.text, bad[i].message);
	}
}

static const struct {
	const char *name, *workload, *metric;
} words[] = {
	{ "dbench4-ext4", "dbench4:clients=4,fs=ext4", "latency_ms" },
	{ "dbench4-xfs", "dbench4:clients=4,fs=xfs", "latency_ms" },
	{ "dbench4-", "", "" },
	{ "dbench4", "", "" },
	{ "hackbench-process-sockets", "hackbench:mode=process,ipc=socket,groups=7", "elapsed_s" },
	{ "pipe-test", "pipe-test", "usecs_per_loop" },
	{ "pipe-tests", "", "" },
	{ "sockperf-under-load-udp", "sockperf:mode=under-load,protocol=udp", "latency_us" },
	{ "something-else", "", "" },
};

static void test_words(void **state)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char text[512];
		struct claims c;
		struct error err;

		print_message("%s\n", words[i].name);
		snprintf(
			text, sizeof(text), NAMES "T,m,%s,hwp,hwp+magic,loss,-3,\n", words[i].name);
		assert_int_equal(parse(text, &c, &err), 0);
		assert_int_equal(c.nr, 1);
		assert_string_equal(c.claims[0].run_workload, words[i].workload);
		assert_string_equal(c.claims[0].run_metric, words[i].metric);
		assert_string_equal(
			c.claims[0].run_baseline, "powersave-hwp:idle=menu@4.16,tick=stop-first");
		assert_string_equal(c.claims[0].run_candidate, "");
		assert_int_equal(c.claims[0].verdict, CLAIMED_LOSS);
		assert_true(c.claims[0].size_pct == -3);
		claims_release(&c);
	}
}

static const struct {
	const char *name;
	double base[3], candidate[3];
	int n, better;
	enum claimed verdict;
	double percent;
} verdicts[] = {
	{ "one run, inside 2 %", { 100 }, { 101.9 }, 1, 1, CLAIMED_NEUTRAL, 1.9 },
	{ "one run, beyond", { 100 }, { 102.1 }, 1, 1, CLAIMED_WIN, 2.1 },
	{ "one run, lower is better", { 100 }, { 103 }, 1, -1, CLAIMED_LOSS, -3 },
	/* Deviations 1 and 2: the band is 4 %. */
	{ "inside the spread", { 99, 100, 101 }, { 94.5, 96.5, 98.5 }, 3, -1, CLAIMED_NEUTRAL,
		3.5 },
	{ "beyond the spread", { 99, 100, 101 }, { 93.5, 95.5, 97.5 }, 3, -1, CLAIMED_WIN, 4.5 },
	{ "hardly a spread", { 100, 100, 100 }, { 99.6, 99.6, 99.6 }, 3, -1, CLAIMED_NEUTRAL, 0.4 },
	{ "small, and beyond it", { 100, 100, 100 }, { 99.4, 99.4, 99.4 }, 3, -1, CLAIMED_WIN,
		0.6 },
	{ "neither is better", { 100 }, { 120 }, 1, 0, CLAIMED_NEUTRAL, NAN },
};

static void test_verdicts(void **state)
{
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
		double base[3], candidate[3], percent;

		memcpy(base, verdicts[i].base, sizeof(base));
		memcpy(candidate, verdicts[i].candidate, sizeof(candidate));
		print_message("%s\n", verdicts[i].name);
		assert_int_equal(
			claim_verdict(base, candidate, verdicts[i].n, verdicts[i].better, &percent),
			verdicts[i].verdict);
		assert_true(isnan(verdicts[i].percent)
				    ? isnan(percent)
				    : fabs(percent - verdicts[i].percent) < 1e-9);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_verdicts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
