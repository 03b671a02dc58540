/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Published rows: figures that others measured, with what to run to predict them. The file has a
 * line of column names; needed are table, better, stat, value, run_machine, run_workload,
 * run_policy and run_metric, known are also machine, workload, metric, unit, param, policy, note
 * and fit.
 *
 * Rows of one table with the same run_workload, run_metric and stat form a group; its first row is
 * the baseline, and what is judged is each other row's ratio to it. A row of the metric
 * improvement_pct is such a ratio already (100 % = twice the rate, or half the time).
 *
 * Order of calls: published_read or published_parse; then read; published_release.
 */
#pragma once

#include "published/file.h"

#include <stdbool.h>

/* What is made of the runs' values. */
enum published_stat {
	STAT_MEAN,  /* amean, mean, avg, sum (of one run) */
	STAT_HMEAN, /* of rates */
	STAT_BEST,  /* bhmean-P, bamean-P: the mean of the best P % */
	STAT_STDDEV,
	STAT_COEFFVAR,
	STAT_MIN,
	STAT_MAX,
	STAT_UNKNOWN, /* a row that cannot be run */
};

struct published_row {
	unsigned long line;
	/* As the authors name it. */
	const char *table, *machine, *workload, *metric, *unit, *param, *policy, *stat, *note;
	int better; /* -1 lower, 1 higher, 0 neither */
	double value;
	/* What to run: specifications, and the metric of its result. */
	const char *run_machine, *run_workload, *run_policy, *run_metric;
	bool fit; /* parameters may be fitted on it */
	/* From the other rows: */
	enum published_stat kind;
	int percent;   /* of STAT_BEST: index in best_fractions */
	bool is_ratio; /* improvement_pct */
	int base;      /* the baseline's index: its own for a baseline, -1 for a ratio */
	double stddev; /* published for the same figure; NaN: none is */
};

struct published {
	int nr;
	struct published_row *rows; /* texts live in file */
	struct published_file file;
};

int published_read(const char *path, struct published *ret, struct error *err);
int published_parse(const char *path, FILE *f, struct published *ret, struct error *err);
void published_release(struct published *p);

/*
 * Drops all rows but those that are wanted, asked with all of them there, and their baselines; what
 * rows have from others, their deviations too, they keep.
 */
int published_keep(struct published *p,
	bool (*wanted)(const struct published *p, int row, const void *ctx), const void *ctx,
	struct error *err);

/*
 * A row's figure from the values that its metric had in n runs with different seeds (sorted by
 * this). NaN when there are too few for it.
 */
double published_figure(const struct published_row *row, double *values, int n);

/* Is it the first row of its table? */
bool published_opens_table(const struct published *p, int row);

/* Does the row's figure need several runs: is it about their spread? */
bool published_spread(const struct published_row *row);
