/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Configurations (a machine, a workload and a policy by their specifications) that are each run
 * once per iteration, and the metrics of their runs. What is wrong with one of them, in its
 * specifications or in a run, is kept with it; the others go on. Plug-ins are refused: the
 * specifications come from files that may be a stranger's.
 *
 * Order of calls: measure_add as often as wanted; measure_run, once; measure_value and
 * measure_values; measure_release.
 */
#pragma once

#include "cmd/run_jobs.h"

enum { MEASURE_CONFIGS_MAX = 20000 };

struct measure_config {
	/* Point to what the caller keeps. */
	const char *machine, *workload, *policy;
	int iterations;
	/* After measure_run: */
	struct error failure;	    /* "" when all its runs are done */
	struct run_result *results; /* one per iteration, without what single CPUs did; or NULL */
};

struct measure {
	int nr;
	struct measure_config *configs;
	/* Implementation: what configs name, each loaded once. */
	struct measure_names *names;
};

/* Adds it unless it is there, and sees to that many iterations. Returns its index or -errno. */
int measure_add(struct measure *m, const char *machine, const char *workload, const char *policy,
	int iterations, struct error *err);

struct measure_options {
	const char *verb; /* for messages */
	const char *db;	  /* a store: runs that are there are not done again; NULL: none */
	uint64_t seed;	  /* of iteration 0; iteration i has seed + i */
	int threads;
	bool check;			   /* watch the simulator's invariants */
	bool progress;			   /* on stderr */
	const volatile sig_atomic_t *stop; /* see struct run_list */
	/* Out: */
	int runs, present; /* how many, and how many were in the store */
};

/*
 * Does all runs. -EINTR: stop was set; with a store the next call goes on. Otherwise fails only for
 * reasons that lie in no configuration (memory, the store).
 */
int measure_run(struct measure *m, struct measure_options *options, struct error *err);

/* The metric of one run. -ENOENT names what there is. */
int measure_value(const struct run_result *r, const char *metric, double *ret, struct error *err);

/* Of all iterations of a configuration; ret has room for them. Fails with its failure. */
int measure_values(
	const struct measure_config *config, const char *metric, double *ret, struct error *err);

void measure_release(struct measure *m);
