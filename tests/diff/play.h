/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plays one sequence of events to two governors and finds where they part. Order of calls:
 * pair_init, then any number of pair_begin (both forget everything) and pair_play, pair_release.
 */
#pragma once

#include "base/error.h"
#include "events.h"

#include <stdio.h>

struct tunable {
	const char *key, *value;
};

struct side {
	const struct idle_governor *governor;
	struct idle_cpu cpu[DIFF_CPUS];
};

/* What an event made of a governor: all that the world sees of it. */
struct decision {
	int state;
	bool stop_tick, timer_read;
	int entered; /* -1: rejected */
	uint64_t residency_ns;
	int last_state_selected, last_state;
	uint64_t poll_limit_pre_ns, poll_limit_ns;
	bool poll_time_limit_pre, poll_time_limit;
};

struct pair {
	const struct idle_driver *driver;
	const struct tunable *tunables; /* for both sides, up to one without a key; may be NULL */
	struct side side[2];		/* ours, the reference */
};

/* -EINVAL: one of them takes the table or a tunable not. */
int pair_init(struct pair *pair, const struct idle_governor *ours,
	const struct idle_governor *reference, const struct idle_driver *driver,
	const struct tunable *tunables, struct error *err);
void pair_release(struct pair *pair);

void pair_begin(struct pair *pair);

/* One event. ret: the decisions of both sides. false: they differ. */
bool pair_play(struct pair *pair, const struct diff_event *event, struct decision ret[2]);

/* The first field that differs, or NULL. */
const char *decision_difference(const struct decision *a, const struct decision *b);

/* Plays a whole sequence from the beginning; the index of the first difference, or -1. */
int pair_play_all(struct pair *pair, const struct diff_event *events, int nr);

/* Plays it and prints it as a file of vectors, which check-vectors takes. */
void pair_print(struct pair *pair, const struct diff_event *events, int nr, FILE *out);
