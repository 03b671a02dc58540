/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of the published rows that is quick to predict, chosen by rule and not by result. */
#pragma once

#include "published/rows.h"

enum {
	/* Of each table and program (the name of a workload): so many workloads from the first. */
	QUICK_WORKLOADS = 2,
	/* Of each of them so many configurations. */
	QUICK_CONFIGURATIONS = 4,
	/* Long workloads do this part of what they do by default. */
	QUICK_PART = 8,
};

/*
 * Keeps those rows, without those about the spread of runs, with workloads cut down. ret_texts: the
 * new specifications, *ret_nr of them, to be freed after the rows.
 */
int quick_choose(struct published *p, char ***ret_texts, int *ret_nr, struct error *err);
