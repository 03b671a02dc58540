// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/rng.h"

#include <math.h>

uint64_t rng_next(struct rng *rng)
{
	uint64_t z = (rng->state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

void rng_init(struct rng *rng, uint64_t seed, uint64_t stream)
{
	rng->state = seed;
	rng->state = rng_next(rng) ^ stream;
	rng->state = rng_next(rng);
}

uint64_t rng_below(struct rng *rng, uint64_t bound)
{
	return (uint64_t)(((unsigned __int128)rng_next(rng) * bound) >> 64);
}

uint64_t rng_exponential(struct rng *rng, uint64_t mean)
{
	/* 53 random bits in (0, 1]: the logarithm is finite. */
	double u = (double)((rng_next(rng) >> 11) + 1) * 0x1.0p-53;

	return (uint64_t)llround(-log(u) * (double)mean);
}
