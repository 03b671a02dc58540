/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inputs of `compare`: [NAME=]PATH, each of a kind that its contents tell. */
#pragma once

#include "report/samples.h"

/*
 * Reads all of them, in order. Texts are cut up. Samples without a workload go to that of the
 * simulated runs, if these all have the same one.
 */
int compare_inputs(char **texts, int nr, struct samples *samples, struct error *err);
