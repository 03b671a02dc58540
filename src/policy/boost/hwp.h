/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dynamic boost of the HWP minimum, as intel_pstate of 4.18 and later does it: pure, on cached
 * registers. docs/BOOST.md tells the algorithm, its control and its relatives.
 *
 * Levels of the minimum, from the limits min and max of the request and the guaranteed performance
 * P1: (min + P1) / 2, P1, max, one per call. What the kernel does at the edges is kept: with max
 * below P1 the minimum may be written above max; with min above P1 the level is raised without a
 * write; at the top the update time is not refreshed.
 *
 * Source: kernel 6.1's behaviour, row by row (tests/vectors, hwp-boost).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { HWP_BOOST_HOLD_NS = 3000000, HWP_BOOST_WINDOW_TICKS = 2 };
enum { HWP_BOOST_IO = 1 }; /* flag: a task woke from I/O wait */

/* Fields of the request and capabilities registers. */
static inline uint32_t hwp_min(uint64_t request)
{
	return (uint32_t)(request & 0xff);
}

static inline uint32_t hwp_max(uint64_t request)
{
	return (uint32_t)(request >> 8 & 0xff);
}

static inline uint32_t hwp_guaranteed(uint64_t capabilities)
{
	return (uint32_t)(capabilities >> 8 & 0xff);
}

static inline uint64_t hwp_with_min(uint64_t request, uint32_t min)
{
	return (request & ~0xffULL) | (min & 0xff);
}

/* What the kernel keeps per CPU. */
struct hwp_boost {
	uint64_t sample_ns;	 /* last update on the CPU itself */
	uint64_t last_update_ns; /* last raise, or update without I/O */
	uint64_t last_io_ns;	 /* last update with I/O */
	uint32_t min;		 /* boosted minimum, 0: none */
	uint32_t flags;		 /* gathered since the last update on the CPU itself */
};

/* The registers as the driver caches them, and the two times, in ns. */
struct hwp_boost_input {
	uint64_t request, capabilities;
	uint64_t now_ns, hold_ns, window_ns;
};

/* One level up. True: ret_request is to be written. */
bool hwp_boost_up(struct hwp_boost *b, const struct hwp_boost_input *in, uint64_t *ret_request);

/* Without I/O: ends the boost when it has been held long enough. */
bool hwp_boost_down(struct hwp_boost *b, const struct hwp_boost_input *in, uint64_t *ret_request);

/*
 * One call of the utilisation hook; here: it runs on the CPU itself, the only place where gathered
 * flags are acted on. Only HWP_BOOST_IO counts; the others are forgotten with it.
 */
bool hwp_boost_update(struct hwp_boost *b, const struct hwp_boost_input *in, uint32_t flags,
	bool here, uint64_t *ret_request);
