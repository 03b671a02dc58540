// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/bisect.h"

#include <errno.h>
#include <string.h>

struct search {
	const struct bisect_range *range;
	struct bisect_result *result;
	int bad; /* the oldest one known to be bad */
	bool skipped[BISECT_COMMITS_MAX];
	bool reached[BISECT_COMMITS_MAX];
};

/* Sets reached for a commit and its ancestors. Returns how many of them are suspects. */
static int reach(struct search *s, int commit)
{
	int suspects = 0;

	memset(s->reached, 0, sizeof(s->reached));
	s->reached[commit] = true;
	for (int i = commit; i >= 0; i--) {
		const struct bisect_commit *c = &s->range->commits[i];

		if (!s->reached[i])
			continue;
		suspects += s->result->suspects[i];
		for (int k = 0; k < c->nr_parents; k++)
			s->reached[c->parents[k]] = true;
	}
	return suspects;
}

/* Only those that reach() reached remain suspects, or only the others. */
static void keep(struct search *s, bool reached)
{
	struct bisect_result *r = s->result;

	r->nr_suspects = 0;
	for (int i = 0; i < s->range->nr; i++) {
		r->suspects[i] = r->suspects[i] && s->reached[i] == reached;
		r->nr_suspects += r->suspects[i];
	}
}

/*
 * The suspect whose answer clears most in the worse case, the older one of equals; -1: there is
 * none left to test. ret_left: how many suspects may remain, without the one that is bad then.
 */
static int choose(struct search *s, int *ret_left)
{
	int best = -1, best_cleared = 0, nr = s->result->nr_suspects;

	for (int i = 0; i < s->range->nr; i++) {
		int below, cleared;

		if (!s->result->suspects[i] || s->skipped[i] || i == s->bad)
			continue;
		below = reach(s, i);
		cleared = below < nr - below ? below : nr - below;
		if (cleared > best_cleared) {
			best = i;
			best_cleared = cleared;
		}
	}
	*ret_left = nr - best_cleared - 1;
	return best;
}

/* Tests that so many suspects may still need when each halves them. */
static int steps_for(int left)
{
	int steps = 0;

	while (left > 0) {
		left /= 2;
		steps++;
	}
	return steps;
}

static int test_one(struct search *s, const struct bisect_ops *ops, int commit, struct error *err)
{
	int mark = ops->test(ops->ctx, commit, err);

	if (mark < 0)
		return mark;
	if (mark == BISECT_SKIP) {
		s->skipped[commit] = true;
		return 0;
	}
	reach(s, commit);
	keep(s, mark == BISECT_BAD);
	if (mark == BISECT_BAD)
		s->bad = commit;
	return 0;
}

int bisect_search(const struct bisect_range *range, const struct bisect_ops *ops,
	struct bisect_result *ret, struct error *err)
{
	struct search s = { .range = range, .result = ret, .bad = range->nr - 1 };
	int commit, left, rc;

	if (range->nr < 1)
		return error_set(err, EINVAL, "no commit to search");
	if (range->nr > BISECT_COMMITS_MAX)
		return error_set(err, E2BIG, "%d commits, expected at most %d", range->nr,
			BISECT_COMMITS_MAX);
	memset(ret->suspects, true, sizeof(ret->suspects));
	reach(&s, s.bad);
	keep(&s, true);
	while ((commit = choose(&s, &left)) >= 0) {
		if (ops->step)
			ops->step(ops->ctx, commit, left, steps_for(left));
		rc = test_one(&s, ops, commit, err);
		if (rc)
			return rc;
	}
	ret->first_bad = ret->nr_suspects == 1 ? s.bad : -1;
	return 0;
}
