/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Published verdicts without figures: the candidate wins, loses, or is neutral against the
 * baseline. The file has a line of column names; needed are table, machine, workload, baseline,
 * candidate and verdict, known are also size_pct and note. Workloads and policies stand there in
 * the authors' words; one table here says what is run for each.
 *
 * Order of calls: claims_read or claims_parse; then read; claims_release.
 */
#pragma once

#include "published/file.h"

#include <stdbool.h>
#include <stddef.h>

enum claimed { CLAIMED_LOSS = -1, CLAIMED_NEUTRAL, CLAIMED_WIN };

struct claim {
	unsigned long line;
	const char *table, *machine, *workload, *baseline, *candidate, *note;
	enum claimed verdict;
	double size_pct; /* NaN: not said */
	/* What to run; run_workload is "" when there is no such workload here. */
	char run_workload[128];
	const char *run_baseline, *run_candidate; /* "" when not known */
	const char *run_metric;
};

struct claims {
	int nr;
	struct claim *claims; /* texts live in file */
	struct published_file file;
};

int claims_read(const char *path, struct claims *ret, struct error *err);
int claims_parse(const char *path, FILE *f, struct claims *ret, struct error *err);
void claims_release(struct claims *c);

const char *claimed_name(enum claimed v); /* win, neutral, loss */

/*
 * Our verdict from n values of the metric under each policy (sorted by this). Neutral: the means
 * differ by no more than twice the larger standard deviation, or by no more than half a per cent,
 * for the published sizes are whole per cents; with one value each, by no more than 2 %.
 * ret_percent: positive is better; NaN, then neutral, when there is none.
 */
enum claimed claim_verdict(double *base, double *candidate, int n, int better, double *ret_percent);
