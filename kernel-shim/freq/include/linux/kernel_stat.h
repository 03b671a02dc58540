/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU time by kind: of it governors look at that of nice tasks. */
#pragma once

#include <linux/tick.h>

enum cpu_usage_stat { CPUTIME_NICE };

#define kcpustat_cpu(cpu) (*(struct cpu_load *)shim_load(cpu))

static inline u64 kcpustat_field(struct cpu_load *load, enum cpu_usage_stat usage, int cpu)
{
	return load->nice_ns;
}
