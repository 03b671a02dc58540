/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the scheduler and cpufreq. */
#pragma once

#include <linux/percpu.h>

#define SCHED_CPUFREQ_IOWAIT (1U << 0)

/* Where the glue keeps what a CPU's hook is: first in the CPU's part of the state. */
extern SHIM_HIDDEN SHIM_PERCPU_SECTION struct update_util_data *shim_hook;

static inline void cpufreq_add_update_util_hook(int cpu, struct update_util_data *data,
	void (*func)(struct update_util_data *data, u64 time, unsigned int flags))
{
	data->func = func;
	per_cpu(shim_hook, cpu) = data;
}

static inline void cpufreq_remove_update_util_hook(int cpu)
{
	per_cpu(shim_hook, cpu) = NULL;
}

struct cpufreq_policy;

/* The simulator knows which CPUs may ask, by the driver too. */
static inline bool cpufreq_this_cpu_can_update(struct cpufreq_policy *policy)
{
	return !shim_policy->foreign;
}

/* A quarter more than is used. */
static inline unsigned long map_util_perf(unsigned long util)
{
	return util + util / 4;
}

static inline unsigned long map_util_freq(
	unsigned long util, unsigned long freq, unsigned long capacity)
{
	return util * freq / capacity;
}
