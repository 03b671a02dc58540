/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of a frequency policy to compare two governors with: random ones, and directed ones around
 * the values where decisions change. An event holds inputs only, so that a sequence stays a
 * sequence when events are dropped from it. Order of calls: freq_events_init, then freq_events_next
 * as often as wanted: the same seed gives the same events.
 */
#pragma once

#include "base/rng.h"
#include "corepace/policy.h"

enum { FREQ_DIFF_CPUS = 4, FREQ_DIFF_PSTATES = 40 };

/* A driver and a machine. */
struct freq_setup {
	const char *name;
	int nr_cpus;
	int64_t tick_ns;
	uint32_t min_khz, max_khz, step_khz; /* step 0: no table of P-states */
	uint32_t transition_delay_us;
	bool fast_switch, adjust_perf, need_update_limits, invariant, efficient_idle;
};

enum freq_event_kind {
	FREQ_EVENT_HOOK,
	FREQ_EVENT_WORK, /* if there is any to do */
	FREQ_EVENT_LIMITS,
	FREQ_EVENT_RESTART, /* stop, start, limits */
};

struct freq_event {
	enum freq_event_kind kind;
	int64_t now_ns;
	int cpu;
	unsigned flags;
	bool foreign;
	uint32_t min_khz, max_khz;
	struct cpu_load loads[FREQ_DIFF_CPUS];
};

/* How a CPU behaves for a while. */
struct freq_phase {
	int left; /* events */
	int step; /* how far apart they are */
	int io, busy, permille_idle, permille_iowait, permille_nice;
	int util;
};

struct freq_events {
	struct rng rng;
	const struct freq_setup *setup;
	int64_t rate_ns; /* at which something is due, as the tunables say */
	struct freq_event last;
	struct freq_phase phase;
};

void freq_events_init(
	struct freq_events *e, const struct freq_setup *setup, int64_t rate_ns, uint64_t seed);
void freq_events_next(struct freq_events *e, struct freq_event *ret);
