/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processor and its CPUs. */
#pragma once

#include <linux/cpumask.h>

#define X86_VENDOR_INTEL 0
#define X86_VENDOR_AMD 2

/* All that governors want to know is whether it idles well, which they take from this. */
#define boot_cpu_data                                                                              \
	((struct {                                                                                 \
		int x86_vendor, x86, x86_model;                                                    \
	}){ shim_policy->snapshot->efficient_idle ? X86_VENDOR_INTEL : X86_VENDOR_AMD, 6, 15 })

static inline unsigned int smp_processor_id(void)
{
	return shim_policy->cpu;
}

#define get_cpu() smp_processor_id()
#define put_cpu() ((void)0)
#define cpus_read_lock() ((void)0)
#define cpus_read_unlock() ((void)0)
