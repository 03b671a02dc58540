/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Figures that can be read off a real machine, worked out from its model, so that the two can be
 * laid side by side. A figure is written like a specification:
 *
 *   power:idle=STATE[,busy=N][,threads=N][,khz=N][,cores=N][,packages=N][,only=N]   W
 *       of so many packages (1) with so many cores each (the machine's); in each of them, or in
 *       the first only= packages, busy cores (0) run so many threads (1); all else is in STATE
 *   turbo:cores=N                 MHz with so many active cores in the package
 *   wake:state=STATE[,package=1]  us from the wake-up's arrival to the first instruction; with
 *                                 package=1 the whole package sleeps as deeply
 *   transition:percent=N          us from a request to the new frequency, of so many per cent of
 *                                 requests at most
 *   wrap:mw=N                     s until the energy counter comes round at that power
 */
#pragma once

#include "machine/machine.h"

/* 0; -EINVAL with a text that names the figure and what was expected. unit: of a static text. */
int machine_figure(const struct machine *m, const char *text, double *ret, const char **unit,
	struct error *err);
