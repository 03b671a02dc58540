/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs of a store with their results read. */
#pragma once

#include "corepace/result.h"
#include "store/store.h"

/*
 * Called for each run; both are valid during the call. The result is released afterwards, unless
 * the callback moves it away and zeroes it. Anything but 0 ends the reading and is returned.
 */
typedef int (*stored_each_fn)(
	void *ctx, const struct stored_run *run, struct run_result *result, struct error *err);

/* For every run that the filter (NULL: all) lets through, in the query's order. */
int stored_each(struct store *s, const struct store_filter *filter, stored_each_fn each, void *ctx,
	struct error *err);
