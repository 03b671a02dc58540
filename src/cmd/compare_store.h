/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "report/samples.h"
#include "store/store.h"

/*
 * Adds the runs of a store that the filter lets through. A configuration is named by the policy,
 * and by whatever else tells runs apart that have the same specification: machine, code, files.
 */
int compare_store(struct samples *samples, const char *path, const struct store_filter *filter,
	struct error *err);
