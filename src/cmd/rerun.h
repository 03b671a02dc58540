/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run that was done, done again for its event log. */
#pragma once

#include "base/error.h"
#include "base/timeline.h"
#include "corepace/result.h"

#include <stdbool.h>

/* Enough of a result to do the run again, and to tell whether it is the same. */
struct rerun {
	char machine[512], workload[512], policy[512], scaling[8];
	uint64_t seed;
	int iteration;
	uint64_t elapsed_ns, operations, package_uj, events;
	uint64_t simulated_ns; /* less than elapsed_ns where only a part was simulated */
	bool plugins;	       /* run those that the policy names */
};

struct rerun rerun_of(const struct run_result *r);

/*
 * Results may be a stranger's: code that they name, plug-ins, runs only when that is asked for
 * (-EPERM).
 *
 * Runs it and tells the sink what happens between from_ns and to_ns. -ESTALE: it no longer gives
 * what it gave, the code or a file has changed.
 */
int rerun(const struct rerun *run, const struct timeline_sink *sink, int64_t from_ns, int64_t to_ns,
	struct error *err);
