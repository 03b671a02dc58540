/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle events to compare two governors with: random ones, and directed ones around the values where
 * decisions change. An event holds inputs only, so that a sequence stays a sequence when events are
 * dropped from it. Order of calls: events_init, then events_next as often as wanted: the same seed
 * gives the same events.
 */
#pragma once

#include "base/rng.h"
#include "corepace/policy.h"

enum { DIFF_CPUS = 2, INTERESTING_MAX = 96 };

enum entered_kind {
	ENTER_SELECTED, /* the state that was selected */
	ENTER_REJECTED,
	ENTER_OTHER, /* another one, as a driver may */
};

enum poll_flag {
	POLL_FLAG_BY_STATE, /* a poll says that it timed out or not, a halt leaves the flag */
	POLL_FLAG_FORCED,
};

struct diff_event {
	int cpu;
	bool enable; /* the governor is enabled anew before this event */
	struct idle_snapshot snapshot;
	enum entered_kind entered;
	int other; /* the state of ENTER_OTHER */
	int64_t residency_ns;
	bool add_latency; /* the entered state's, which governors take off again */
	int64_t reflect_now_ns;
	bool got_tick;
	enum poll_flag poll_flag;
	bool timed_out;
	bool set_poll_limit; /* else the governor's own stays */
	uint64_t poll_limit_ns;
};

/* How one CPU behaves for a while. */
struct phase {
	int left;	      /* events */
	int sleep, residency; /* kinds of lengths */
	int64_t base_ns, jitter_ns;
	bool add_latency;
	int64_t latency_req_ns;
	uint32_t disable_mask, nr_iowait;
	bool tick_stopped;
	int rejected, other, tick, timeout, fuzz; /* per cent of events */
};

struct events {
	struct rng rng;
	const struct idle_driver *driver;
	int64_t now_ns;
	struct phase phase[DIFF_CPUS];
	int nr_interesting;
	int64_t interesting[INTERESTING_MAX]; /* lengths at which something changes */
};

void events_init(struct events *e, const struct idle_driver *driver, uint64_t seed);
void events_next(struct events *e, struct diff_event *ret);
