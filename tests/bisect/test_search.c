// SPDX-License-Identifier: GPL-2.0-or-later
/* The search: in histories in a line, with merges, with commits that cannot be tested. */
#include "cmd/bisect.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { COMMITS = 128 };

/* One letter a commit, oldest first: g good, b bad, s cannot be tested. */
struct line_row {
	const char *name, *commits;
	int first_bad;	      /* -1: hidden */
	const char *suspects; /* those that remain, by 's' or 'b'; NULL: the first bad one */
	int most_tests;
};

static const struct line_row lines[] = {
	{ "one commit", "b", 0, NULL, 0 },
	{ "two, the first", "bb", 0, NULL, 1 },
	{ "two, the last", "gb", 1, NULL, 1 },
	{ "seven, the first", "bbbbbbb", 0, NULL, 3 },
	{ "seven, in the middle", "ggggbbb", 4, NULL, 3 },
	{ "seven, the last", "ggggggb", 6, NULL, 3 },
	{ "skips at the old end", "ssgbbb", 3, NULL, 5 },
	{ "skips at the old end hide it", "ssbbbb", -1, "ssb...", 5 },
	{ "skips at the new end hide it", "ggggssb", -1, "....ssb", 6 },
	{ "skips at the new end do not matter", "gbbssb", 1, NULL, 5 },
	{ "all skipped", "sssssb", -1, "sssssb", 5 },
	{ "a skip between good and bad", "gggsbbb", -1, "...sb..", 5 },
	{ "a skip among the good", "gsggbbb", 4, NULL, 5 },
	{ "every second one", "sgsgsbsb", -1, "....sb..", 8 },
};

struct asked {
	const char *commits;
	int tests, steps;
	int seen[COMMITS];
};

static int answer(void *ctx, int commit, struct error *err)
{
	struct asked *a = ctx;

	a->tests++;
	assert_int_equal(a->seen[commit]++, 0);
	assert_int_equal(a->steps, a->tests);
	return a->commits[commit] == 'g'   ? BISECT_GOOD
	       : a->commits[commit] == 'b' ? BISECT_BAD
	       : a->commits[commit] == 's' ? BISECT_SKIP
					   : error_set(err, EIO, "told so");
}

static void count_step(void *ctx, int commit, int left, int steps)
{
	struct asked *a = ctx;

	a->steps++;
	assert_true(left >= 0 && steps >= 0 && (steps > 0) == (left > 0));
}

/* Each commit's parent is the one before it. */
static void make_line(struct bisect_commit *commits, int *parents, int nr)
{
	for (int i = 0; i < nr; i++) {
		parents[i] = i - 1;
		commits[i] = (struct bisect_commit){ .nr_parents = i > 0, .parents = &parents[i] };
	}
}

static void test_lines(void **state)
{
	static struct bisect_result result;
	struct bisect_commit commits[COMMITS];
	int parents[COMMITS], failed = 0;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const struct line_row *row = &lines[i];
		struct asked asked = { .commits = row->commits };
		struct bisect_range range = { (int)strlen(row->commits), commits };
		struct bisect_ops ops = { answer, count_step, &asked };
		struct error err = { "" };
		bool same = true;

		make_line(commits, parents, range.nr);
		assert_int_equal(bisect_search(&range, &ops, &result, &err), 0);
		for (int k = 0; k < range.nr; k++)
			same &= result.suspects[k] ==
				(row->suspects ? row->suspects[k] != '.' : k == row->first_bad);
		if (same && result.first_bad == row->first_bad && asked.tests <= row->most_tests)
			continue;
		print_error("%s: first bad %d, %d suspects, %d tests\n", row->name,
			result.first_bad, result.nr_suspects, asked.tests);
		failed++;
	}
	assert_int_equal(failed, 0);
}

/* No more tests than halving takes, wherever the first bad one is. */
static void test_every_place(void **state)
{
	static struct bisect_result result;
	struct bisect_commit commits[COMMITS];
	int parents[COMMITS];
	char text[COMMITS + 1] = "";

	make_line(commits, parents, COMMITS);
	for (int first = 0; first < COMMITS; first++) {
		struct asked asked = { .commits = text };
		struct bisect_range range = { COMMITS, commits };
		struct bisect_ops ops = { answer, count_step, &asked };

		memset(text, 'g', COMMITS);
		memset(text + first, 'b', (size_t)(COMMITS - first));
		assert_int_equal(bisect_search(&range, &ops, &result, NULL), 0);
		assert_int_equal(result.first_bad, first);
		assert_true(asked.tests <= 7);
	}
}

/*
 * 0 - 1 - 2 - 5 - 6   A side branch 3 - 4 leaves after 0 and is merged by 5. Whether a commit is
 *  \         /        bad is whether the culprit is among its ancestors or itself: a search that
 *   3 --- 4 -         took the list for a line would go wrong at 3.
 */
static const int side_parents[] = { 0, 1, 0, 3, 2, 4, 5 };
static const struct bisect_commit side[] = { { 0, NULL }, { 1, &side_parents[0] },
	{ 1, &side_parents[1] }, { 1, &side_parents[2] }, { 1, &side_parents[3] },
	{ 2, &side_parents[4] }, { 1, &side_parents[6] } };
static const char *const side_ancestors[] = { "0", "01", "012", "03", "034", "012345", "0123456" };

static void test_merge(void **state)
{
	static struct bisect_result result;
	int nr = sizeof(side) / sizeof(side[0]);

	for (int culprit = 0; culprit < nr; culprit++) {
		char text[8] = "";
		struct asked asked = { .commits = text };
		struct bisect_range range = { nr, side };
		struct bisect_ops ops = { answer, count_step, &asked };

		for (int i = 0; i < nr; i++)
			text[i] = strchr(side_ancestors[i], '0' + culprit) ? 'b' : 'g';
		assert_int_equal(bisect_search(&range, &ops, &result, NULL), 0);
		if (result.first_bad != culprit)
			fail_msg("culprit %d: found %d", culprit, result.first_bad);
		assert_true(asked.tests <= 4);
	}
}

/* A commit beside the history of the bad one is no suspect, and is not tested. */
static void test_beside(void **state)
{
	static struct bisect_result result;
	static const int zero;
	const struct bisect_commit commits[] = { { 0, NULL }, { 1, &zero }, { 1, &zero } };
	struct asked asked = { .commits = "gxb" };
	struct bisect_range range = { 3, commits };
	struct bisect_ops ops = { answer, count_step, &asked };

	assert_int_equal(bisect_search(&range, &ops, &result, NULL), 0);
	assert_int_equal(result.first_bad, 2);
	assert_int_equal(asked.seen[1], 0);
}

static void test_errors(void **state)
{
	static struct bisect_result result;
	static struct bisect_commit many[BISECT_COMMITS_MAX + 1];
	struct bisect_range range = { 0, many };
	struct asked asked = { .commits = "xxx" };
	struct bisect_ops ops = { answer, count_step, &asked };
	struct error err = { "" };
	int parents[COMMITS];

	assert_int_equal(bisect_search(&range, &ops, &result, &err), -EINVAL);
	range.nr = BISECT_COMMITS_MAX + 1;
	assert_int_equal(bisect_search(&range, &ops, &result, &err), -E2BIG);
	make_line(many, parents, 3);
	range.nr = 3;
	assert_int_equal(bisect_search(&range, &ops, &result, &err), -EIO);
	assert_string_equal(err.text, "told so");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_every_place),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_beside),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
