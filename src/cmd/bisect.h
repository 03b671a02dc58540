/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Binary search for the first bad commit in a history that may branch and merge. Pure: what a
 * commit is worth is asked of a callback, what happens is told to another. One call, bisect_search.
 *
 * A commit that is good clears all its ancestors; one that is bad clears all that are no ancestors
 * of it. What remains are the suspects. Commits that cannot be tested are skipped; they stay
 * suspects until another commit clears them.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>

enum { BISECT_COMMITS_MAX = 4096 }; /* a step looks at all pairs */

enum bisect_mark { BISECT_UNTESTED, BISECT_GOOD, BISECT_BAD, BISECT_SKIP };

struct bisect_commit {
	int nr_parents;	    /* those in the range; the others are good */
	const int *parents; /* each comes before its children */
};

struct bisect_range {
	int nr;
	const struct bisect_commit *commits; /* the last one is known to be bad */
};

struct bisect_ops {
	/* BISECT_GOOD, BISECT_BAD or BISECT_SKIP; a negative errno ends the search. */
	int (*test)(void *ctx, int commit, struct error *err);
	/*
	 * Before each test: so many suspects remain to be tested after it, at most, and so many
	 * more tests, about. May be NULL.
	 */
	void (*step)(void *ctx, int commit, int left, int steps);
	void *ctx;
};

struct bisect_result {
	int first_bad; /* -1: skipped commits hide it */
	int nr_suspects;
	bool suspects[BISECT_COMMITS_MAX]; /* one when it was found */
};

/* -EINVAL for an empty range, -E2BIG for one of more than BISECT_COMMITS_MAX, or test's errors. */
int bisect_search(const struct bisect_range *range, const struct bisect_ops *ops,
	struct bisect_result *ret, struct error *err);
