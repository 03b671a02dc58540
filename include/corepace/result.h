/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one simulated run gives back; JSON schema 1 in corepace-run(1). */
#pragma once

#include "corepace/policy.h"

#include <stdint.h>

enum { RESULT_METRICS_MAX = 24, RESULT_NOTES_MAX = 16, RESULT_FREQS_MAX = 64, WAKE_BUCKETS = 40 };

struct result_metric {
	char name[32], unit[16];
	double value;
	int better; /* -1 lower, 1 higher, 0 neither */
};

struct result_idle {
	char state[16];
	uint64_t time_ns, usage, above, below, rejected;
};

struct result_cpu {
	uint64_t busy_ns, user_ns, system_ns, irq_ns;
	struct result_idle idle[IDLE_STATES_MAX];
};

struct result_counters {
	uint64_t events, switches, migrations, wakeups, ipis, ticks, ticks_stopped, io_requests,
		msr_writes, freq_changes, mailbox_calls, boosts, mailbox_waits, mailbox_wait_ns,
		stalls, stall_ns;
};

struct run_result {
	char machine[512], workload[512], policy[512];
	uint64_t seed;
	int iteration;
	char scaling[8]; /* "all" or "none" of the recorded run time scaled; "known": the ops say */
	double scale; /* share of the work that was simulated; 0 as 1. All below is of the whole. */
	uint64_t elapsed_ns;
	uint64_t operations;
	int fixed_time; /* 1: time was fixed, 0: work was */
	int nr_metrics;
	struct result_metric metrics[RESULT_METRICS_MAX];
	uint64_t package_uj, cores_uj, devices_uj; /* devices: all of them, also outside packages */
	uint64_t gpu_uj;			   /* those of DEVICE_GPU */
	double energy_band; /* plausible error of energy, as a share; 0: measured, -1: not known */
	int nr_idle;
	struct result_idle idle[IDLE_STATES_MAX];
	int nr_freqs;
	struct {
		uint32_t khz;
		uint64_t time_ns;
	} freqs[RESULT_FREQS_MAX];
	int nr_cpus;
	struct result_cpu *cpus; /* allocated; result_release frees */
	uint64_t wake_p50_ns, wake_p90_ns, wake_p99_ns, wake_p999_ns, wake_max_ns, wake_count;
	uint64_t wake_buckets[WAKE_BUCKETS]; /* count of latencies below 2^i ns, above 2^(i-1) */
	struct result_counters counters;
	int nr_notes;
	char notes[RESULT_NOTES_MAX][256];
};

void result_release(struct run_result *r);

/*
 * Adds the metrics that every run has, from its energy, time and operations: package_w, package_j,
 * ops_per_j, and the CPU time in each idle state, idle_s:N and idle_s:total. What is nothing by
 * nothing is left out.
 */
void result_derive(struct run_result *r);

/* Adds a note, once. printf-like. */
void result_note(struct run_result *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* NULL: it has none of that name. */
const struct result_metric *result_find_metric(const struct run_result *r, const char *name);

/* Adds a metric, or sets it when it is there; better: -1 lower, 1 higher, 0 neither. */
void result_metric(
	struct run_result *r, const char *name, const char *unit, double value, int better);
