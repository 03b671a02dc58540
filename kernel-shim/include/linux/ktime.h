/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time in signed nanoseconds, and its units. The constants are long, as in the kernel. */
#pragma once

#include <linux/math64.h>

#define MSEC_PER_SEC 1000L
#define USEC_PER_MSEC 1000L
#define USEC_PER_SEC 1000000L
#define NSEC_PER_USEC 1000L
#define NSEC_PER_MSEC 1000000L
#define NSEC_PER_SEC 1000000000L

typedef s64 ktime_t;

#define KTIME_MAX S64_MAX

static inline s64 ktime_to_ns(ktime_t time)
{
	return time;
}

static inline s64 ktime_to_us(ktime_t time)
{
	return time / NSEC_PER_USEC;
}

static inline ktime_t ns_to_ktime(u64 ns)
{
	return (ktime_t)ns;
}

#define ktime_add(a, b) ((a) + (b))
#define ktime_sub(a, b) ((a) - (b))
#define ktime_before(a, b) ((a) < (b))
#define ktime_after(a, b) ((a) > (b))
