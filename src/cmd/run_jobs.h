/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of one workload on one machine under several policies, on several threads. Results stand in
 * the order end of scaling, policy, iteration, whatever thread did them.
 */
#pragma once

#include "corepace/result.h"
#include "machine/machine.h"
#include "policy/registry.h"
#include "sim/sim.h"

enum { POLICIES_MAX = 64, ITERATIONS_MAX = 10000, JOBS_MAX = 1024 };

struct run_plan {
	const struct machine *machine;
	const char *workload; /* specification: each thread opens its own */
	const struct policy *policies;
	int nr_policies;
	enum sim_scaling scalings[2];
	int nr_scalings;
	bool ends_coincide; /* the one run stands for both ends of frequency scaling */
	int iterations;
	uint64_t seed; /* of iteration 0; iteration i has seed + i */
	int threads;
	bool check;    /* watch the simulator's invariants */
	bool progress; /* on stderr */
};

/* Which ends of frequency scaling of a recording's run time to run. */
enum scaling_choice { SCALING_BOTH, SCALING_ALL, SCALING_NONE };

/*
 * Fills what the plan says of scaling, from its machine and workload. Opens the workload, so that
 * what is wrong with it is said once.
 */
int run_plan_scalings(struct run_plan *plan, enum scaling_choice choice, struct error *err);

int run_plan_size(const struct run_plan *plan);

/*
 * Fills results (run_plan_size of them, zeroed). On failure the error is that of the first run, in
 * the results' order, that failed.
 */
int run_jobs(const struct run_plan *plan, struct run_result *results, struct error *err);
