/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the frequency asked for to one that the driver has. */
#pragma once

#include "corepace/policy.h"

/*
 * khz within min_khz..max_khz, then, if the driver has a table, the P-state that the relation asks
 * for; the nearest one if there is none on that side. So the result may lie outside limits that are
 * no P-states themselves. At equal distance FREQ_CLOSEST takes the lower one. As
 * cpufreq_driver_resolve_freq does it, whose relation is FREQ_AT_LEAST.
 */
uint32_t freq_resolve(const struct driver_info *driver, uint32_t khz, uint32_t min_khz,
	uint32_t max_khz, unsigned relation);
