/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The median of short distances in time, kept up as they come: a histogram whose middle bucket
 * moves by at most a few steps with each value. A zeroed one is empty.
 */
#pragma once

#include <stdint.h>

enum { MEDIAN_STEP_NS = 128, MEDIAN_BUCKETS = 1536 }; /* 196 us; what is longer counts as that */

struct median {
	uint64_t count, below; /* below: values in the buckets before the middle one */
	uint32_t middle;
	uint32_t bucket[MEDIAN_BUCKETS];
};

void median_add(struct median *m, uint64_t ns);

/* 0 when there is no value. */
uint64_t median_get(const struct median *m);
