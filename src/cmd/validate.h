/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Published rows and claims with what the simulator says to them. Order of calls: validation_plan,
 * once rows and claims are read; validation_run; then the reports; validation_release.
 */
#pragma once

#include "cmd/measure.h"
#include "published/claims.h"
#include "published/judge.h"

enum { SPREAD_ITERATIONS = 5, REASON_MAX = 400 };

struct row_runs {
	int config, base_config; /* of the measure; -1: none */
	char *base_policy;	 /* of a row that is a ratio already */
	char reason[REASON_MAX]; /* why there is no figure; "" when there is */
};

struct claim_runs {
	int base, candidate; /* configurations; -1: none */
	char reason[REASON_MAX];
	bool failed;
	enum claimed verdict;
	double percent; /* positive is better */
};

struct validation {
	struct published published; /* nr 0: none */
	struct claims claims;	    /* likewise */
	bool drawn;		    /* on plausible machines: means only, no spreads */
	uint64_t draw;
	char **machines; /* their specifications */
	int nr_machines;
	struct measure measure;
	int configurations, runs, present; /* in the store before */
	struct row_runs *rows;
	double *figures;
	struct judgement *judgements;
	double *scratch; /* room for a number per row */
	struct claim_runs *claim_runs;
};

/* iterations: of configurations of whose runs no spread is asked. */
int validation_plan(struct validation *v, int iterations, struct error *err);
int validation_run(struct validation *v, struct measure_options *options, struct error *err);
void validation_release(struct validation *v);

/* Of all predicted rows, or of another kind. table may be NULL. */
struct tally validation_tally(const struct validation *v, enum row_kind kind, const char *table);

struct claim_tally {
	int rows, failed_rows, right, neutral_rows, neutral_right;
};

struct claim_tally claims_tally(const struct validation *v);

/* On stdout. */
int validation_print(const struct validation *v, struct error *err);
int validation_print_json(const struct validation *v, struct error *err);
