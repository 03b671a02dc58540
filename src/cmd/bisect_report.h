/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What bisect says: in text a log as `git bisect` writes it, which `git bisect replay` takes, line
 * by line as it happens; or one JSON document at the end.
 */
#pragma once

#include "cmd/bisect_trial.h"

#include <jansson.h>

struct bisect_report {
	bool json;
	const char *path, *metric;
	double worse_by;
	json_t *root, *tested;
};

int report_open(struct bisect_report *r, struct error *err);

/* commit NULL: the file in the work tree. */
void report_tested(struct bisect_report *r, const struct git_commit *commit,
	const struct trial_outcome *outcome);
void report_step(struct bisect_report *r, const struct git_commit *commit, int left, int steps);

/* The end of the search: the first bad commit, or the suspects among which it is. */
void report_first_bad(
	struct bisect_report *r, const struct git_log *log, const struct bisect_result *result);

/* What "first bad" means, and the commits that change what the plug-in does not contain. */
void report_outside(struct bisect_report *r, int nr_searched, const char *const *paths,
	const struct git_log *outside);

/* Prints the document, if it is one. */
int report_close(struct bisect_report *r, struct error *err);

/* "usecs_per_loop 4.3 us, 29.0 % worse", of each end of scaling; or why it was skipped. */
void outcome_text(const struct trial_outcome *outcome, const char *metric, char *buf, size_t size);
