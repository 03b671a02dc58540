/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Units: nanoseconds, kilohertz, microwatts, microjoules; cycles are kHz * ms. */
#pragma once

#include <stdint.h>

enum { NSEC_PER_USEC = 1000, NSEC_PER_MSEC = 1000000, NSEC_PER_SEC = 1000000000 };
enum { CPUS_MAX = 1024 };

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

static inline int64_t min_i64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t max_i64(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Time that cycles take at khz, rounded up: work is never finished early. */
static inline uint64_t cycles_to_ns(uint64_t cycles, uint64_t khz)
{
	/* Nearly always that is enough, and 128 bits would be divided by a function. */
	if (cycles < UINT64_MAX / 2000000 && khz < UINT64_MAX / 2)
		return (cycles * 1000000 + khz - 1) / khz;
	return (uint64_t)(((unsigned __int128)cycles * 1000000 + khz - 1) / khz);
}

/* Whole cycles that ns hold at khz. */
static inline uint64_t ns_to_cycles(uint64_t ns, uint64_t khz)
{
	uint64_t product;

	if (!__builtin_mul_overflow(ns, khz, &product))
		return product / 1000000;
	return (uint64_t)((unsigned __int128)ns * khz / 1000000);
}
