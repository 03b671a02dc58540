/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a governor is and how it registers. The structures it reads are in shim/cpuidle.h. */
#pragma once

/* Kernel files get all of these through cpuidle.h without naming them. */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <shim/cpu.h>

struct cpuidle_governor {
	char name[CPUIDLE_NAME_LEN];
	unsigned int rating;
	int (*enable)(struct cpuidle_driver *drv, struct cpuidle_device *dev);
	void (*disable)(struct cpuidle_driver *drv, struct cpuidle_device *dev);
	int (*select)(struct cpuidle_driver *drv, struct cpuidle_device *dev, bool *stop_tick);
	void (*reflect)(struct cpuidle_device *dev, int index);
};

/* In the glue: makes the governor the plug-in's own. */
__attribute__((visibility("hidden"))) int cpuidle_register_governor(
	struct cpuidle_governor *governor);

static inline s64 cpuidle_governor_latency_req(unsigned int cpu)
{
	return shim_this->snapshot->latency_req_ns;
}
