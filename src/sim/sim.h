/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulator: one workload on one machine under one policy. Discrete events in integer
 * nanoseconds, ties by sequence number: the same seed gives the same bytes.
 */
#pragma once

#include "base/error.h"
#include "base/timeline.h"
#include "corepace/result.h"
#include "machine/machine.h"
#include "policy/registry.h"
#include "workload/workload.h"

enum sim_scaling {
	SCALE_ALL,  /* all recorded run time scales with frequency */
	SCALE_NONE, /* none of it does */
};

struct sim_options {
	uint64_t seed;
	int iteration;
	enum sim_scaling scaling;  /* for recorded run time */
	uint64_t max_ns;	   /* stop at this simulated time; 0: a day */
	bool check;		   /* watch the invariants (sim/check.h) */
	struct timeline *timeline; /* hears what each CPU does; NULL: nobody */
};

/*
 * Runs to the end of the workload. The workload is rewound first. 0, or a negative errno with a
 * text (a deadlocked workload is -EDEADLK and names the waiting tasks).
 */
int sim_run(const struct machine *m, struct workload *w, const struct policy *p,
	const struct sim_options *options, struct run_result *ret, struct error *err);
