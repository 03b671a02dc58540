/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a sequence on which two governors differ as short and as plain as it gets. */
#pragma once

#include "play.h"

/*
 * Drops events while the governors still differ (delta debugging: Zeller, Hildebrandt, "Simplifying
 * and isolating failure-inducing input", 2002), then replaces what is left of special inputs by
 * plain ones. events is changed in place; nr: as many as play up to the difference. Returns how
 * many are left.
 */
int shrink(struct pair *pair, struct diff_event *events, int nr);
