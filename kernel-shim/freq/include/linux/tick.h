/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tick, and how often idle loops tried to stop it. */
#pragma once

#include <linux/cpu.h>

/* A number of the machine model here, no constant: it may differ between two simulations. */
#define TICK_NSEC ((long)shim_policy->snapshot->tick_ns)
#define HZ (NSEC_PER_SEC / TICK_NSEC)

static inline unsigned long tick_nohz_get_idle_calls_cpu(int cpu)
{
	return shim_load((unsigned int)cpu)->idle_calls;
}

/* Whole microseconds, idle without I/O wait; wall may be NULL. */
static inline u64 get_cpu_idle_time_us(int cpu, u64 *wall)
{
	const struct cpu_load *load = shim_load((unsigned int)cpu);

	if (wall)
		*wall = load->wall_ns / NSEC_PER_USEC;
	return load->idle_ns / NSEC_PER_USEC;
}

static inline u64 get_cpu_iowait_time_us(int cpu, u64 *wall)
{
	const struct cpu_load *load = shim_load((unsigned int)cpu);

	if (wall)
		*wall = load->wall_ns / NSEC_PER_USEC;
	return load->iowait_ns / NSEC_PER_USEC;
}
