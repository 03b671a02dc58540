/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs on several threads: a list of jobs, or a plan, which is one workload on one machine under
 * several policies. What a job gives does not depend on the thread that does it, nor on the others.
 */
#pragma once

#include "corepace/result.h"
#include "machine/machine.h"
#include "policy/registry.h"
#include "sim/sim.h"

#include <signal.h>

enum { POLICIES_MAX = 64, ITERATIONS_MAX = 10000, JOBS_MAX = 1024 };

/* One run. */
struct run_job {
	const struct machine *machine;
	const char *workload; /* specification: each thread opens its own */
	const struct policy *policy;
	enum sim_scaling scaling;
	bool ends_coincide; /* the one run stands for both ends of frequency scaling */
	uint64_t seed;
	int iteration;
};

struct run_list {
	const struct run_job *jobs;
	int nr;
	int threads;
	bool check;    /* watch the simulator's invariants */
	bool progress; /* on stderr */
	/* Set from outside, by a signal: no further job begins, those that run are done. NULL: no.
	 */
	const volatile sig_atomic_t *stop;
	/*
	 * Called when a job is through, by several threads at once. rc 0: the result is the
	 * callee's, to keep or to release. Else err says why the run failed. What it returns is
	 * how the job ended; a negative errno ends them all, as soon as those that run are done.
	 */
	int (*done)(void *ctx, int job, int rc, struct run_result *r, struct error *err);
	void *ctx;
};

/* On failure the error is that of the first job, in the list's order, that failed. */
int run_list(const struct run_list *list, struct error *err);

struct run_plan {
	const struct machine *machine;
	struct machine *const *machines; /* by iteration; NULL: the one in all of them */
	const char *workload;
	const struct policy *policies;
	int nr_policies;
	enum sim_scaling scalings[2];
	int nr_scalings;
	bool ends_coincide;
	int iterations;
	uint64_t seed; /* of iteration 0; iteration i has seed + i */
	int threads;
	bool check;
	bool progress;
};

/* Which ends of frequency scaling of a recording's run time to run. */
enum scaling_choice { SCALING_BOTH, SCALING_ALL, SCALING_NONE };

/* "both", "all", "none"; -EINVAL for anything else. */
int scaling_choice_parse(const char *text, enum scaling_choice *ret);

/*
 * The ends to run of a workload on a machine: how many, 1 or 2. ret_coincide: see struct run_job.
 */
int choose_scalings(const struct machine *m, bool recorded, enum scaling_choice choice,
	enum sim_scaling ret[2], bool *ret_coincide);

/*
 * Fills what the plan says of scaling, from its machine and workload. Opens the workload, so that
 * what is wrong with it is said once.
 */
int run_plan_scalings(struct run_plan *plan, enum scaling_choice choice, struct error *err);

int run_plan_size(const struct run_plan *plan);

/* The plan's jobs (run_plan_size) in the order end of scaling, policy, iteration. */
void run_plan_jobs(const struct run_plan *plan, struct run_job *ret);

/*
 * Fills results (run_plan_size of them, zeroed), in the order of the plan's jobs. On failure the
 * error is that of the first run, in that order, that failed.
 */
int run_jobs(const struct run_plan *plan, struct run_result *results, struct error *err);
