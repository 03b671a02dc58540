/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two snapshots of a live machine and what lies between: a snapshot cannot prove throttling or a
 * clamp, a difference can. Order: watch_read twice, some time apart, then watch_judge on the
 * diagnosis of either, then watch_text or watch_json.
 */
#pragma once

#include "doctor/diagnosis.h"

#include <jansson.h>
#include <stdio.h>

enum { WATCH_STATES_MAX = 16 };

/* Counters, summed over CPUs or packages; -1: not readable. */
struct snapshot {
	int64_t now_ns;
	int64_t busy, idle, iowait, irq, steal; /* /proc/stat, clock ticks */
	int64_t interrupts, context_switches;
	int64_t thermal, power; /* throttle events */
	int64_t energy_uj, energy_range_uj;
	int64_t aperf, mperf;	       /* of all CPUs, in units of 1024 */
	int64_t cur_khz;	       /* mean of scaling_cur_freq */
	int64_t psi_cpu_us, psi_io_us; /* some task waited */
	int nr_states;
	struct {
		char name[16];
		int64_t usage, time_us, above, below;
	} states[WATCH_STATES_MAX];
};

/* now_ns: a monotonic clock. */
void watch_read(const struct facts *facts, int64_t now_ns, struct snapshot *ret);

/* Adds what the difference proves; ret: why it is not power management, "" if it may be. */
void watch_judge(const struct snapshot *a, const struct snapshot *b, struct diagnosis *d, char *ret,
	size_t size);

void watch_text(const struct snapshot *a, const struct snapshot *b, const char *other, FILE *out);
json_t *watch_json(const struct snapshot *a, const struct snapshot *b, const char *other);
