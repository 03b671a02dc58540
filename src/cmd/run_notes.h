/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the laboratory must say by itself about a simulated run. */
#pragma once

#include "corepace/result.h"
#include "machine/machine.h"
#include "workload/workload.h"

/* Adds the notes, and sets how far the energy may be off. */
void run_notes(struct run_result *r, const struct machine *m, const struct workload *w);

/*
 * How far the package energy may be off, as a share: the plausible ranges of the power model,
 * weighted with the energy that each part of it had in this run.
 */
double energy_band(const struct run_result *r, const struct machine *m);
