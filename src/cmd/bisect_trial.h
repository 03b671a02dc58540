/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one revision of a governor's source is worth: built as a plug-in, run, compared with the
 * good revision. Each run is in a process of its own: a plug-in that crashes costs that revision
 * only.
 *
 * Order of calls: trial_open, trial_baseline, then trial_test as often as wanted, trial_free.
 */
#pragma once

#include "cmd/bisect.h"
#include "cmd/run_jobs.h"
#include "host/git.h"

struct trial_plan {
	const struct git *git;
	const char *folder; /* a temporary one, empty */
	const char *path;   /* of the source, in the tree */
	const char *machine, *workload, *policy, *metric;
	double worse_by; /* per cent more than this is bad */
	int iterations, threads;
	uint64_t seed;
};

struct trial_outcome {
	enum bisect_mark mark;
	int nr_ends; /* of frequency scaling that were run; 0: it did not run */
	struct {
		char scaling[8];
		double value, percent; /* mean; better than the good revision, NaN for itself */
	} ends[2];
	char unit[16];
	char why[512]; /* of a skip: one line */
};

struct trial;

int trial_open(const struct trial_plan *plan, struct trial **ret, struct error *err);
struct trial *trial_free(struct trial *t);

/* Measures the good revision. Here it is an error when it does not build or run. */
int trial_baseline(struct trial *t, const char *id, struct trial_outcome *ret, struct error *err);

/* id: of a commit; NULL: the file in the work tree. Fails only for what another one would not fix.
 */
int trial_test(struct trial *t, const char *id, struct trial_outcome *ret, struct error *err);
