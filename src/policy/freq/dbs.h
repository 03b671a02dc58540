/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ondemand and conservative have in common ("demand based switching"): when a sample is due,
 * and the load since the last one. The scheduler's hook only looks at the clock: once the sampling
 * delay is over it queues an irq work, which queues a work on that CPU, and there, in process
 * context, the governor looks at the load of each CPU of its domain and asks the driver. A CPU that
 * never calls its hook is never sampled.
 *
 * Source: cpufreq_governor.c of Linux 6.1, whose integer widths are kept: microseconds of a sample
 * are 32 bits.
 */
#pragma once

#include "corepace/policy.h"

/* Per domain; the first member of a governor's state. */
struct dbs {
	/* Tunables. */
	uint32_t sampling_rate_us, sampling_down_factor, up_threshold;
	bool ignore_nice_load, io_is_busy;
	uint32_t min_sampling_rate_us; /* two ticks */

	uint64_t last_sample_ns;
	int64_t sample_delay_ns;
	uint32_t rate_mult;    /* stretches the sampling rate */
	uint32_t idle_periods; /* sampling periods that the least idle of the long idle CPUs slept;
				  UINT32_MAX: none slept for more than two */
	bool work_in_progress; /* a sample is queued or being taken */
};

/* Per CPU: what was seen at the last sample. */
struct dbs_cpu {
	uint64_t wall_us, idle_us, nice_ns;
	uint32_t load; /* 0: used up, after a long idle period */
};

/* Sets what has the same default in all of them; the rest the governor sets itself. */
void dbs_init(struct dbs *dbs, const struct freq_snapshot *s);

/* A tunable that all of them have: 0, -ENOENT, -EINVAL. */
int dbs_tune(struct dbs *dbs, const char *key, const char *value);

/* cpus: of the s->nr_cpus CPUs. */
void dbs_start(struct dbs *dbs, struct dbs_cpu *cpus, const struct freq_snapshot *s);

void dbs_stop(struct dbs *dbs);

void dbs_limits(struct dbs *dbs, const struct freq_snapshot *s, struct freq_actions *actions);

/* Op on_util of all of them. */
void dbs_on_util(void *state, const struct util_event *event, const struct freq_snapshot *s,
	struct freq_actions *actions);

/*
 * The highest load of the domain's CPUs in per cent. A CPU that slept for more than two sampling
 * periods counts once with the load it had before: what just woke up there is not judged by its
 * sleep.
 */
uint32_t dbs_load(struct dbs *dbs, struct dbs_cpu *cpus, const struct freq_snapshot *s);

/* The sample is taken; the next one is due delay_us after it was queued. */
void dbs_done(struct dbs *dbs, uint32_t delay_us);
