/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Seeded generator (splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", 2014). One per stream, passed explicitly: same seed, same numbers, whatever the
 * other streams draw.
 */
#pragma once

#include <stdint.h>

struct rng {
	uint64_t state;
};

/* A stream of its own for each (seed, stream) pair. */
void rng_init(struct rng *rng, uint64_t seed, uint64_t stream);

uint64_t rng_next(struct rng *rng);

/* Uniform in 0..bound-1; bound > 0. */
uint64_t rng_below(struct rng *rng, uint64_t bound);

/* Exponentially distributed with the given mean, rounded to an integer. */
uint64_t rng_exponential(struct rng *rng, uint64_t mean);
