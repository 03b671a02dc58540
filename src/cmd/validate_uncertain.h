/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Published rows judged on many plausible machines: which of the model's answers hang on what
 * nobody has measured. Order of calls: validate_drawn, then the reports, drawn_release.
 */
#pragma once

#include "cmd/validate.h"
#include "stats/plausible.h"

/* On so large a share of the machines a row is firmly right, on the rest at most firmly wrong. */
#define DRAWN_FIRM 0.9

struct drawn_row {
	double *ratios; /* one per machine that gave one; sorted */
	int right;	/* of them */
	struct plausible p;
};

struct drawn {
	const struct validation *plain; /* with the machines as their files say */
	uint64_t first;			/* draw */
	int machines;
	struct drawn_row *rows; /* as the published ones */
	int runs, present;
};

/*
 * v: planned and run. Runs its rows on machines plausible ones each, draws seed, seed + 1, ... of
 * the options; rows about spreads, and claims, are left out. -EINTR as measure_run.
 */
int validate_drawn(struct drawn *d, const struct validation *v, struct measure_options *options,
	int machines, struct error *err);
void drawn_release(struct drawn *d);

/* On stdout. */
int drawn_print(const struct drawn *d, struct error *err);
int drawn_print_json(const struct drawn *d, struct error *err);
