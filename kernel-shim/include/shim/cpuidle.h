/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpuidle's structures with the members that governors use, in our own layout: nothing outside a
 * plug-in sees them. They are apart from linux/cpuidle.h because shim/cpu.h is made of them.
 */
#pragma once

#include <linux/ktime.h>

#define CPUIDLE_STATE_MAX 10
#define CPUIDLE_NAME_LEN 16

#define CPUIDLE_FLAG_NONE 0x00
#define CPUIDLE_FLAG_POLLING BIT(0)

struct cpuidle_state_usage {
	unsigned long long disable;
};

struct cpuidle_state {
	s64 exit_latency_ns;
	s64 target_residency_ns;
	unsigned int flags;
	char name[CPUIDLE_NAME_LEN];
};

struct cpuidle_device {
	int last_state_idx;
	unsigned int cpu;
	u64 last_residency_ns;
	u64 poll_limit_ns;
	bool poll_time_limit;
	struct cpuidle_state_usage states_usage[CPUIDLE_STATE_MAX];
};

struct cpuidle_driver {
	int state_count;
	struct cpuidle_state states[CPUIDLE_STATE_MAX];
};
