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
	double welch_p;	  /* NaN for simulated samples */
	bool significant; /* MMTests' marker; false for simulated samples */
	enum verdict verdict;
};

struct comparison {
	const struct sample_group *group;
	const struct sample_metric *metric;
	struct compared *configs; /* group->nr_configs */
};

struct comparisons {
	const struct samples *samples;
	int nr;
	struct comparison *list; /* by group, in the order of its metrics */
};

int compare_samples(const struct samples *samples, struct comparisons *ret, struct error *err);
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

/* In words, for legends and JSON; NULL for VERDICT_GIVEN. */
const char *verdict_name(enum verdict verdict);
