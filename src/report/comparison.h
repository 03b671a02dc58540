/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparisons: for each group and metric, each configuration beside the first one, and whether a
 * verdict may be given. Order of calls: compare_samples, then print, to JSON or compared_worse in
 * any order, comparisons_release. The samples must live as long.
 */
#pragma once

#include "report/json.h"
#include "report/samples.h"
#include "stats/summary.h"

#include <math.h>

enum verdict {
	VERDICT_GIVEN,
	VERDICT_NO_SAMPLES,
	VERDICT_UNEQUAL_WORK,  /* energy of different amounts of work: no percentage at all */
	VERDICT_INSIDE_BAND,   /* the difference is inside what the power model may be off */
	VERDICT_ENDS_DISAGREE, /* better if all run time scales with frequency, worse if none does
				*/
};

struct compared {
	struct summary s;
	double percent; /* positive is better; NaN: none */
	double gmean_ratio;
	/* The rest: only when neither it nor the baseline is simulated, else NaN and false. */
	bool measured;
	double welch_p;
	bool significant; /* MMTests' marker */
	double ratio_low, ratio_high;
	double needed; /* samples of each that show a difference of options.detect_percent */
	enum verdict verdict;
};

struct comparison {
	const struct sample_group *group;
	const struct sample_metric *metric;
	struct compared *configs; /* group->nr_configs */
};

/* By how much a configuration is faster or slower than the baseline over all metrics of its work.
 */
struct group_ratio {
	int metrics;
	double gmean; /* of new / base; NaN when there is none */
};

struct comparisons {
	const struct samples *samples;
	double detect_percent;
	int nr;
	struct comparison *list; /* by group, in the order of its metrics */
};

enum { DETECT_PERCENT = 2 };

int compare_samples(const struct samples *samples, struct comparisons *ret, struct error *err);
/* The same, for another difference than DETECT_PERCENT. */
int compare_samples_detecting(
	const struct samples *samples, double percent, struct comparisons *ret, struct error *err);
void comparisons_release(struct comparisons *c);

/* The document of `compare --json`. metric: only this one, or NULL. */
json_t *comparisons_to_json(const struct comparisons *c, const char *metric);

/* How many metrics of how many configurations are worse than the baseline by more than percent. */
int compared_worse(const struct comparisons *c, const char *metric, double percent);

/*
 * Tables like MMTests', one per group, and the notes. all_rows: also minimum, maximum and best
 * fractions, as MMTests shows measured samples.
 */
int comparisons_print(const struct comparisons *c, const char *metric, bool all_rows, FILE *out,
	struct error *err);

/*
 * Geometric mean of the ratios of a configuration's means to the baseline's, over the metrics of
 * the work (not energy and CPUs) for which higher (better = 1) or lower (-1) is better.
 */
struct group_ratio comparisons_gmean(
	const struct comparisons *c, const struct sample_group *group, int config, int better);

/* One row per metric and configuration: mean, change and what tells how sure it is. */
int comparisons_print_plain(
	const struct comparisons *c, const char *metric, FILE *out, struct error *err);

/* In words, for legends and JSON; NULL for VERDICT_GIVEN. */
const char *verdict_name(enum verdict verdict);

/* As it is printed with two digits: what rounds to nothing has no sign. */
static inline double percent_shown(double percent)
{
	return fabs(percent) < 0.005 ? 0 : percent;
}
