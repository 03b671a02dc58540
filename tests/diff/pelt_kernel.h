/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Enough of the scheduler for the kernel's own pelt.c to compile, unmodified, into a shared object
 * (kernel-pelt), and for pelt_diff.c to call it. Our own declarations.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef int64_t s64;

#define CONFIG_SMP 1

#define SCHED_CAPACITY_SHIFT 10
#define UTIL_AVG_UNCHANGED 0x80000000
#define UTIL_EST false

struct util_est {
	unsigned int enqueued, ewma;
};

struct sched_avg {
	u64 last_update_time, load_sum, runnable_sum;
	u32 util_sum, period_contrib;
	unsigned long load_avg, runnable_avg, util_avg;
	struct util_est util_est;
};

struct load_weight {
	unsigned long weight;
};

struct sched_entity {
	struct load_weight load;
	unsigned int on_rq;
	struct sched_avg avg;
};

struct cfs_rq {
	struct load_weight load;
	unsigned int h_nr_running;
	struct sched_entity *curr;
	struct sched_avg avg;
};

struct rq {
	struct cfs_rq cfs;
	struct sched_avg avg_rt, avg_dl;
	void *curr;
	u64 clock_pelt, lost_idle_time, clock_idle, clock_pelt_idle;
};

#ifdef PELT_KERNEL_FILE

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define __always_inline inline __attribute__((always_inline))
#define __maybe_unused __attribute__((unused))
#define WRITE_ONCE(x, value) ((x) = (value))
#define max_t(type, a, b) ((type)(a) > (type)(b) ? (type)(a) : (type)(b))
#define sched_feat(feature) (feature)
#define lockdep_assert_rq_held(rq) ((void)(rq))
#define assert_clock_updated(rq) ((void)(rq))
#define smp_wmb() ((void)0)
#define u64_u32_store(variable, value) ((variable) = (value))
#define is_idle_task(task) (!(task))
#define rq_clock(rq) ((rq)->clock_idle)
#define rq_clock_task(rq) ((rq)->clock_idle)
#define rq_of(cfs_rq) ((struct rq *)(cfs_rq))
#define cpu_of(rq) ((void)(rq), 0)
#define cap_scale(value, scale) ((value) * (scale) >> SCHED_CAPACITY_SHIFT)
#define arch_scale_cpu_capacity(cpu) ((void)(cpu), 1024)
#define arch_scale_freq_capacity(cpu) ((void)(cpu), 1024)
#define scale_load_down(weight) ((weight) >> 10)
#define se_weight(se) scale_load_down((se)->load.weight)
#define se_runnable(se) (!!(se)->on_rq)
#define trace_pelt_se_tp(se) ((void)(se))
#define trace_pelt_cfs_tp(cfs_rq) ((void)(cfs_rq))
#define trace_pelt_rt_tp(rq) ((void)(rq))
#define trace_pelt_dl_tp(rq) ((void)(rq))

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

static inline u64 mul_u64_u32_shr(u64 a, u32 factor, unsigned int shift)
{
	return (u64)(((unsigned __int128)a * factor) >> shift);
}

#include "pelt.h"

#endif
