/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two doubling rules for tasks that wake from I/O wait: an eighth of capacity at the first
 * wake-up, twice as much at each further one, half as much at each update without one. Both start
 * again after more than a tick without an update.
 *
 * schedutil: doubles at most once between two updates of the frequency, halves only there, and ends
 * below an eighth.
 * intel_pstate (active, without HWP): doubles and halves at each call of the hook.
 *
 * Source: behaviour of kernel 6.1's cpufreq_schedutil.c and intel_pstate.c.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { IOWAIT_FULL = 1024, IOWAIT_MIN = IOWAIT_FULL / 8 };

struct iowait_boost {
	int64_t last_ns;
	uint32_t boost; /* of IOWAIT_FULL */
	bool pending;	/* schedutil: a request since the last update */
};

/* schedutil: a call of the hook; then, when the frequency is computed, the floor on utilisation. */
void iowait_schedutil(struct iowait_boost *b, int64_t now_ns, int64_t tick_ns, bool io);
uint32_t iowait_schedutil_apply(struct iowait_boost *b, int64_t now_ns, int64_t tick_ns);

/* intel_pstate: a call of the hook; the floor on the busy share is b->boost. */
void iowait_intel_pstate(struct iowait_boost *b, int64_t now_ns, int64_t tick_ns, bool io);
