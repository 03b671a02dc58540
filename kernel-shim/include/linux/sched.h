/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What governors ask the scheduler, and its clock. */
#pragma once

#include <linux/cpuidle.h>

static inline int smp_processor_id(void)
{
	return shim_this->device.cpu;
}

static inline unsigned int nr_iowait_cpu(int cpu)
{
	return shim_this->snapshot->nr_iowait;
}

static inline unsigned long sched_cpu_util(int cpu)
{
	return shim_this->snapshot->cpu_util;
}

/* Of 1024: simulated CPUs differ in frequency, never in capacity. */
static inline unsigned long arch_scale_cpu_capacity(int cpu)
{
	return 1024;
}

static inline u64 local_clock(void)
{
	return shim_this->snapshot->now_ns;
}

static inline ktime_t ktime_get(void)
{
	return shim_this->snapshot->now_ns;
}
