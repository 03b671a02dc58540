/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "report/samples.h"
#include "store/store.h"

/* Called for each run, with the name of its configuration. As stored_each_fn. */
typedef int (*stored_named_fn)(void *ctx, const struct stored_run *run, struct run_result *result,
	const char *name, struct error *err);

/*
 * For every run that the filter lets through, in the query's order. -ENOENT: there is none. A
 * configuration is named by the policy, and by whatever else tells runs apart that have the same
 * specification: code, files. Of several machines with several policies each is to be a group of
 * its own, and ret_by_machine is set before the first call; else the machine is in the name.
 */
int stored_named(const char *path, const struct store_filter *filter, stored_named_fn each,
	void *ctx, bool *ret_by_machine, struct error *err);

/* Adds the runs of a store that the filter lets through, named and grouped like that. */
int compare_store(struct samples *samples, const char *path, const struct store_filter *filter,
	struct error *err);
