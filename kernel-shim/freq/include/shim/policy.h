/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One frequency policy as kernel code sees it, and how that code gets at it.
 *
 * As with idle governors (../../include/shim/cpu.h of the shim) the policy is a thread-local
 * pointer that the glue sets on each call. The governor's memory comes from an arena in the state,
 * variables per CPU are copies of a linker section, one for each CPU of the policy; CPUs are
 * numbered from 0 within the policy. Nothing that differs between policies is at a fixed address.
 */
#pragma once

#include <corepace/policy.h>
#include <shim/types.h>

enum { SHIM_ARENA = 4096, SHIM_PSTATES_MAX = 1024 };

struct shim_policy {
	const struct freq_snapshot *snapshot; /* of this call */
	struct freq_actions *actions;	      /* likewise; NULL: none are expected */
	intptr_t percpu_offset;		      /* from a variable to that of CPU 0 */
	size_t percpu_stride;
	unsigned int cpu; /* that runs this call */
	bool foreign;	  /* and is none of the policy's */
	bool own_thread;  /* the governor has made one */
	struct cpufreq_policy policy;
	struct irq_work *irq_work; /* queued */
	struct work_struct *work;
	struct kthread_work *thread_work;
	const struct kobj_type *tunables;
	struct gov_attr_set *attr_set;
	unsigned int setspeed; /* for a governor that takes one, once it has started */
	size_t arena_used;
	char arena[SHIM_ARENA] __attribute__((aligned(16)));
	struct cpufreq_frequency_table table[SHIM_PSTATES_MAX];
};

#define SHIM_HIDDEN __attribute__((visibility("hidden")))

extern SHIM_HIDDEN __thread struct shim_policy *shim_policy
	__attribute__((tls_model("initial-exec")));

static inline const struct cpu_load *shim_load(unsigned int cpu)
{
	return &shim_policy->snapshot->cpus[cpu];
}

static inline void shim_act(enum freq_action_kind kind, u64 value, unsigned int relation)
{
	struct freq_actions *actions = shim_policy->actions;

	if (!actions || actions->nr == FREQ_ACTIONS_MAX)
		return;
	actions->list[actions->nr].kind = kind;
	actions->list[actions->nr].relation = relation;
	actions->list[actions->nr].value = value;
	actions->nr++;
}
