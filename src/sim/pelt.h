/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Per-entity load tracking as the kernel's scheduler does it: a geometric series over periods of
 * 1024 us (of 1024 ns each), halved in 32 periods, in integers. Pure functions of the time given;
 * what time means (scaled by frequency and capacity or not) is the caller's.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct pelt {
	uint64_t last_ns; /* of the caller's clock, a multiple of 1024 */
	uint32_t contrib; /* of the period that is not full yet, 0..1023 */
	uint64_t util_sum;
	uint32_t util_avg; /* of 1024 */
};

/*
 * Takes the series up to now_ns; running: whether the entity ran since the last call. True when a
 * period ended, that is when util_avg is new.
 */
bool pelt_update(struct pelt *p, uint64_t now_ns, bool running);

/* The value a sum must have for an average: for attaching and detaching entities. */
uint64_t pelt_sum_of(const struct pelt *p, uint32_t util_avg);

/* value after n periods of nothing. */
uint64_t pelt_decay(uint64_t value, uint64_t n);
