/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of a policy's CPUs. */
#pragma once

#include <shim/policy.h>

#define for_each_cpu(cpu, mask) for ((cpu) = 0; (cpu) < (mask)->nr; (cpu)++)

/* Other policies than the one that is asked are not to be seen. */
#define for_each_online_cpu(cpu) for ((cpu) = 0; (cpu) < 0U; (cpu)++)

static inline bool cpumask_test_cpu(unsigned int cpu, const struct cpumask *mask)
{
	return cpu < mask->nr;
}

static inline unsigned int cpumask_first(const struct cpumask *mask)
{
	return 0;
}

static inline unsigned int cpumask_weight(const struct cpumask *mask)
{
	return mask->nr;
}

#define alloc_cpumask_var(mask, flags) true
#define free_cpumask_var(mask) ((void)(mask))

static inline void cpumask_clear(struct cpumask *mask)
{
	mask->nr = 0;
}

static inline void cpumask_or(struct cpumask *to, const struct cpumask *a, const struct cpumask *b)
{
	to->nr = max(a->nr, b->nr);
}
