/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two governors on the same policy: each event goes to both, what they ask for is compared. */
#pragma once

#include "base/error.h"
#include "freq_events.h"

#include <stdio.h>

enum { FREQ_TUNABLES_MAX = 8 };

struct freq_tunable {
	const char *key, *value;
};

struct freq_side {
	const struct freq_governor *governor;
	void *state;
	bool work;
};

struct freq_pair {
	const struct freq_setup *setup;
	struct freq_side side[2];			     /* ours, the reference */
	struct freq_tunable tunables[FREQ_TUNABLES_MAX + 1]; /* up to a key of NULL */
	struct freq_snapshot snapshot;
	struct cpu_load loads[FREQ_DIFF_CPUS];
	uint32_t khz[FREQ_DIFF_PSTATES];
};

/* Allocates; freq_pair_begin must follow. */
int freq_pair_init(struct freq_pair *p, const struct freq_governor *ours,
	const struct freq_governor *reference, const struct freq_setup *setup,
	const struct freq_tunable *tunables, struct error *err);
void freq_pair_release(struct freq_pair *p);

/* Both governors from their beginning. */
int freq_pair_begin(struct freq_pair *p, struct error *err);

/* One event; false: they asked for different things. ret: what either asked for. */
bool freq_pair_play(
	struct freq_pair *p, const struct freq_event *event, struct freq_actions ret[2]);

void freq_event_print(const struct freq_pair *p, const struct freq_event *event, FILE *out);
void freq_actions_print(const struct freq_actions *actions, FILE *out);
