/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runs of a sweep with all that they name loaded, so that what is wrong with any of it is said
 * before the first run. Order of calls: sweep_plan_make, then read, sweep_plan_release.
 */
#pragma once

#include "cmd/archive.h"
#include "cmd/sweep_spec.h"

/* Part index of count equal parts; 1 of 1: all. */
struct sweep_shard {
	int index, count;
};

struct sweep_plan {
	struct archive_list list; /* each run once, with its place in the whole sweep as rank */
	int whole;		  /* how many runs the whole sweep has */
	/* Implementation. */
	int nr_machines, nr_workloads, nr_policies;
	struct sweep_machine *machines;
	struct sweep_workload *workloads;
	struct sweep_policy *policies;
	struct run_job *jobs;
	struct run_key *keys;
	int64_t *ranks;
};

/* The specification must outlive the plan. */
int sweep_plan_make(const struct sweep_spec *spec, struct sweep_shard shard, struct sweep_plan *ret,
	struct error *err);
/* Keeps the files of all machines and presets in the store. */
int sweep_plan_keep_files(const struct sweep_plan *plan, const struct sweep_spec *spec,
	struct archive *a, struct error *err);

void sweep_plan_release(struct sweep_plan *plan);
