/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a file gets that includes nothing itself, because the kernel compiles it as a part of the
 * scheduler: schedutil. A run queue is the load of that CPU.
 */
#pragma once

#include <linux/cpufreq.h>
#include <linux/irq_work.h>
#include <linux/kernel_stat.h>
#include <linux/kthread.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched/cpufreq.h>
#include <linux/slab.h>
#include <linux/tick.h>

#define SCHED_CAPACITY_SHIFT 10
#define SCHED_CAPACITY_SCALE (1L << SCHED_CAPACITY_SHIFT)

struct rq {
	struct cpu_load load;
};

enum cpu_util_type { FREQUENCY_UTIL, ENERGY_UTIL };

static inline struct rq *cpu_rq(int cpu)
{
	return (struct rq *)shim_load((unsigned int)cpu);
}

static inline unsigned long cpu_bw_dl(struct rq *rq)
{
	return rq->load.dl_bw;
}

static inline unsigned long cpu_util_cfs(int cpu)
{
	return shim_load((unsigned int)cpu)->util;
}

/* The snapshot's utilisation holds everything already: other classes, interrupts, limits. */
static inline unsigned long effective_cpu_util(
	int cpu, unsigned long util_cfs, enum cpu_util_type type, struct task_struct *task)
{
	return util_cfs;
}

static inline unsigned long uclamp_rq_util_with(
	struct rq *rq, unsigned long util, struct task_struct *task)
{
	return util;
}

static inline bool uclamp_rq_is_capped(struct rq *rq)
{
	return rq->load.util_capped;
}

static inline unsigned long arch_scale_cpu_capacity(int cpu)
{
	return shim_load((unsigned int)cpu)->capacity;
}

static inline bool arch_scale_freq_invariant(void)
{
	return shim_policy->snapshot->invariant;
}
