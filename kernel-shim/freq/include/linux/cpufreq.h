/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cpufreq core as governors use it. Requests become actions; the P-states are those of the
 * simulated driver.
 */
#pragma once

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sysfs.h>
#include <linux/tick.h>

#define THIS_MODULE NULL

/* In the glue: makes the governor the plug-in's own. */
int cpufreq_register_governor(struct cpufreq_governor *governor) SHIM_HIDDEN;

#define cpufreq_governor_init(governor)                                                            \
	static int governor##_init(void)                                                           \
	{                                                                                          \
		return cpufreq_register_governor(&governor);                                       \
	}                                                                                          \
	core_initcall(governor##_init)
#define cpufreq_governor_exit(governor) _Static_assert(1, "")

/* Each policy has tunables of its own here; all get the same values. */
static inline bool have_governor_per_policy(void)
{
	return true;
}

#define get_governor_parent_kobj(policy) (&(policy)->kobj)

static inline bool policy_is_shared(struct cpufreq_policy *policy)
{
	return policy->cpus->nr > 1;
}

static inline struct cpufreq_policy *cpufreq_cpu_get_raw(unsigned int cpu)
{
	return &shim_policy->policy;
}

static inline unsigned int cpufreq_policy_transition_delay_us(struct cpufreq_policy *policy)
{
	return policy->transition_delay_us;
}

static inline bool cpufreq_driver_test_flags(u16 flags)
{
	return shim_policy->snapshot->driver.need_update_limits &&
	       (flags & CPUFREQ_NEED_UPDATE_LIMITS);
}

static inline bool cpufreq_driver_has_adjust_perf(void)
{
	return shim_policy->snapshot->driver.adjust_perf;
}

static inline void cpufreq_enable_fast_switch(struct cpufreq_policy *policy)
{
	policy->fast_switch_enabled = policy->fast_switch_possible;
}

static inline void cpufreq_disable_fast_switch(struct cpufreq_policy *policy)
{
	policy->fast_switch_enabled = false;
}

/* Idle time in us; I/O wait is a part of it unless it counts as busy. */
static inline u64 get_cpu_idle_time(unsigned int cpu, u64 *wall, int io_busy)
{
	u64 idle = get_cpu_idle_time_us((int)cpu, wall);

	return io_busy ? idle : idle + get_cpu_iowait_time_us((int)cpu, NULL);
}

/* In the glue. Indices into the policy's table, which ascends. */
int cpufreq_frequency_table_target(struct cpufreq_policy *policy, unsigned int target,
	unsigned int min, unsigned int max, unsigned int relation) SHIM_HIDDEN;

static inline int cpufreq_table_find_index_l(
	struct cpufreq_policy *policy, unsigned int target, bool efficient)
{
	return cpufreq_frequency_table_target(
		policy, target, policy->min, policy->max, CPUFREQ_RELATION_L);
}

static inline int cpufreq_table_find_index_h(
	struct cpufreq_policy *policy, unsigned int target, bool efficient)
{
	return cpufreq_frequency_table_target(
		policy, target, policy->min, policy->max, CPUFREQ_RELATION_H);
}

static inline unsigned int cpufreq_driver_resolve_freq(
	struct cpufreq_policy *policy, unsigned int target)
{
	unsigned int low = min(policy->min, policy->max);

	target = clamp(target, low, policy->max);
	if (!policy->freq_table)
		return target;
	return policy
		->freq_table[cpufreq_frequency_table_target(
			policy, target, low, policy->max, CPUFREQ_RELATION_L)]
		.frequency;
}

/* The core brings the request to a P-state, which a governor may read back at once. */
static inline int __cpufreq_driver_target(
	struct cpufreq_policy *policy, unsigned int target, unsigned int relation)
{
	shim_act(FREQ_TARGET, target, relation);
	policy->cur = clamp(target, policy->min, policy->max);
	if (policy->freq_table)
		policy->cur = policy->freq_table[cpufreq_frequency_table_target(policy, target,
							 policy->min, policy->max, relation)]
				      .frequency;
	return 0;
}

static inline unsigned int cpufreq_driver_fast_switch(
	struct cpufreq_policy *policy, unsigned int target)
{
	shim_act(FREQ_FAST_SWITCH, target, 0);
	return target;
}

static inline void cpufreq_driver_adjust_perf(
	unsigned int cpu, unsigned long min_perf, unsigned long target_perf, unsigned long capacity)
{
	shim_act(FREQ_ADJUST_PERF, (u64)min_perf << 32 | (u32)target_perf, 0);
}

static inline void cpufreq_policy_apply_limits(struct cpufreq_policy *policy)
{
	if (policy->max < policy->cur)
		__cpufreq_driver_target(policy, policy->max, CPUFREQ_RELATION_H);
	else if (policy->min > policy->cur)
		__cpufreq_driver_target(policy, policy->min, CPUFREQ_RELATION_L);
}
