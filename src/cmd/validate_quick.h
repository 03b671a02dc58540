/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of the published rows that is quick to predict, chosen by rule and not by result. */
#pragma once

#include "published/rows.h"

enum {
	/* Of each table and program (the name of a workload): so many workloads from the first. */
	QUICK_WORKLOADS = 2,
	/* Of each of them so many configurations. */
	QUICK_CONFIGURATIONS = 4,
};

/* Keeps those rows, and none about the spread of runs. */
int quick_choose(struct published *p, struct error *err);
