// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Placement of a waking task as the fair scheduler of 6.1 does it, in two steps.
 *
 * First the target: the CPU of the waker or the one the task ran on last. If the waker's CPU is
 * idle (the wake-up came from an interrupt) and shares the cache, an idle previous CPU still wins.
 * A waker about to sleep and alone on its CPU gives it up. Then an idle previous CPU; then the less
 * loaded of the two, with a small bias to stay. Load is counted in runnable tasks here.
 *
 * Then, with select_idle_sibling, an idle CPU near the target: the target itself, the previous CPU
 * if it shares the cache, a core all of whose threads idle (smt_aware), any idle CPU of the cache
 * domain, searched upwards from the target and round; else the target, idle or not.
 */
#include "policy/sched/sched.h"

/* The kernel's imbalance of a cache domain, 117 %, halved: what favours the previous CPU. */
enum { STAY_PERCENT = 108 };

static bool has(const struct cpu_set_bits *set, int cpu)
{
	return set->word[cpu / 64] >> (cpu % 64) & 1;
}

static bool idle_and_allowed(const struct placement *p, int cpu)
{
	return has(p->idle, cpu) && has(p->allowed, cpu);
}

/* The first CPU of a and b in the cache domain llc (-1: any), from start upwards and round. */
static int find_wrapping(
	const struct placement *p, const struct cpu_set_bits *set, int llc, int start)
{
	int words = (p->nr_cpus + 63) / 64;
	int first = start / 64;

	for (int i = 0; i <= words; i++) {
		int w = (first + i) % words;
		uint64_t bits = set->word[w] & p->allowed->word[w];

		if (i == 0)
			bits &= ~0ULL << (start % 64);
		if (i == words)
			bits &= ~(~0ULL << (start % 64));
		for (; bits; bits &= bits - 1) {
			int cpu = w * 64 + __builtin_ctzll(bits);

			if (llc < 0 || p->llc[cpu] == llc)
				return cpu;
		}
	}
	return -1;
}

static int less_loaded(const struct placement *p)
{
	int64_t here = p->nr_running[p->waker_cpu];
	int64_t there = p->nr_running[p->prev_cpu];

	if (p->sync && here > 0)
		here--;
	here = (here + 1) * 100;
	there = there * STAY_PERCENT + (p->sync ? 1 : 0);
	return here < there ? p->waker_cpu : p->prev_cpu;
}

static int wake_affine_target(const struct placement *p)
{
	int prev = p->prev_cpu, waker = p->waker_cpu;

	if (!has(p->allowed, waker) || waker == prev)
		return prev;
	if (has(p->idle, waker) && p->llc[waker] == p->llc[prev])
		return has(p->idle, prev) ? prev : waker;
	if (p->sync && p->nr_running[waker] == 1)
		return waker;
	if (has(p->idle, prev))
		return prev;
	return less_loaded(p);
}

static int idle_near(const struct sched_policy *policy, const struct placement *p, int target)
{
	int llc = p->llc[target];
	int start = (target + 1) % p->nr_cpus;
	int cpu;

	if (idle_and_allowed(p, target))
		return target;
	if (p->llc[p->prev_cpu] == llc && idle_and_allowed(p, p->prev_cpu))
		return p->prev_cpu;
	if (policy->smt_aware) {
		cpu = find_wrapping(p, p->idle_core, llc, start);
		if (cpu >= 0)
			return cpu;
	}
	cpu = find_wrapping(p, p->idle, llc, start);
	return cpu >= 0 ? cpu : target;
}

static int fair_select_cpu(const struct sched_policy *policy, const struct placement *p)
{
	int target = wake_affine_target(p);
	int cpu;

	if (policy->select_idle_sibling)
		target = idle_near(policy, p, target);
	if (has(p->allowed, target))
		return target;
	/* The previous CPU went offline or out of the task's affinity: anywhere that idles. */
	cpu = find_wrapping(p, p->idle, -1, 0);
	return cpu >= 0 ? cpu : find_wrapping(p, p->allowed, -1, 0);
}

const struct sched_policy sched_fair = {
	.name = "fair",
	.summary = "the fair scheduler's wake-up placement and periodic balancing",
	.select_idle_sibling = true,
	.smt_aware = true,
	.balance = true,
	.select_cpu = fair_select_cpu,
};

static int recorded_select_cpu(const struct sched_policy *policy, const struct placement *p)
{
	if (p->recorded_cpu >= 0 && p->recorded_cpu < p->nr_cpus &&
		has(p->allowed, p->recorded_cpu))
		return p->recorded_cpu;
	return fair_select_cpu(policy, p);
}

const struct sched_policy sched_recorded = {
	.name = "recorded",
	.summary =
		"every task where it ran when recorded, whatever its scheduler was; no balancing",
	.select_idle_sibling = true,
	.smt_aware = true,
	.as_recorded = true,
	.select_cpu = recorded_select_cpu,
};
