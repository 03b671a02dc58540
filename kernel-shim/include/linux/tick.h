/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tick and the next timer of this CPU: what the snapshot says. */
#pragma once

#include <linux/cpuidle.h>

/* A number of the machine model here, no constant: it may differ between two simulations. */
#define TICK_NSEC ((long)shim_this->tick_ns)
#define HZ (NSEC_PER_SEC / TICK_NSEC)

#define tick_nohz_enabled true

/* Time to the next timer with the tick left out, delta_next: with it. */
static inline ktime_t tick_nohz_get_sleep_length(ktime_t *delta_next)
{
	const struct idle_snapshot *snapshot = shim_this->snapshot;

	shim_this->timer_read = true;
	*delta_next = snapshot->delta_tick_ns;
	return snapshot->sleep_length_ns;
}

static inline bool tick_nohz_tick_stopped(void)
{
	return shim_this->snapshot->tick_stopped;
}

/* Tells it once, as the kernel does. */
static inline bool tick_nohz_idle_got_tick(void)
{
	bool got_tick = shim_this->got_tick;

	shim_this->got_tick = false;
	return got_tick;
}
