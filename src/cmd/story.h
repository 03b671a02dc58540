/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The three conflicts that this laboratory is for, each as a small table: what a policy brings and
 * what it costs, with joules and operations per joule.
 */
#pragma once

#include "cmd/measure.h"

/*
 * Runs what the tables show and prints them on stdout. names: boost, collapse, poll; nr 0: all.
 * iterations: of each configuration.
 */
int stories_tell(char *const *names, int nr, struct measure_options *options, int iterations,
	bool json, struct error *err);
