/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's own counters of what the CPUs did: usage and time of each idle state, idle time of
 * each CPU. Read before and after a recording, their difference is what a replay must give back.
 */
#pragma once

#include "corepace/policy.h"
#include "workload/workload.h"

struct host_idle_state {
	char name[16];
	uint64_t usage;				       /* summed over CPUs */
	uint64_t time_us;			       /* likewise */
	uint64_t exit_latency_us, target_residency_us; /* of the first CPU that has them */
	bool disabled;				       /* on at least one CPU */
};

struct host_counters {
	uint64_t time_ns; /* monotonic clock, 0 on trees that are not the live system */
	int nr_states;
	struct host_idle_state states[IDLE_STATES_MAX];
	int nr_cpus;		 /* highest number + 1 */
	uint64_t idle_ticks[64]; /* idle and I/O wait, in 1/CLK_TCK s; UINT64_MAX: CPU not there */
};

/* 0, or -errno when there is no /proc/stat. No idle states is no error: there may be no driver. */
int host_counters_read(const char *root, struct host_counters *ret, struct error *err);

/* Fills elapsed_ns, nr_cpus, busy_ns and the idle states of truth. */
void host_counters_difference(const struct host_counters *before, const struct host_counters *after,
	struct workload_truth *truth);

/* Appends one line per idle state to the settings of a recording. */
void host_counters_settings(const struct host_counters *counters, struct workload_env *env);
