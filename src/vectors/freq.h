/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kinds of vectors of frequency governors have in common: one policy, driven by hand. */
#pragma once

#include "vectors/vectors.h"

enum { FREQ_VECTOR_CPUS = 2, FREQ_VECTOR_STATES = 1024 };

struct freq_replay {
	struct csv *csv;
	const struct freq_governor *governor;
	void *state;
	struct freq_snapshot snapshot;
	struct cpu_load loads[FREQ_VECTOR_CPUS];
	uint32_t khz[FREQ_VECTOR_STATES]; /* whole 100 MHz */
};

/*
 * The governor NAME, or that of the options, on the machine of line 1 (cpus=, cpuinfo_khz=,
 * tick_ns= or 4 ms); initialised, not started. freq_replay_release also after an error.
 */
int freq_replay_init(struct freq_replay *r, struct csv *csv, const char *name,
	const struct vectors_options *options, struct vectors_result *result, struct error *err);
void freq_replay_release(struct freq_replay *r);

/* Sets a tunable to the number that line 1 gives for param. */
int freq_replay_tune(
	struct freq_replay *r, const char *tunable, const char *param, struct error *err);

/* A number of line 1; missing: 0 if optional. */
int freq_replay_param(const struct freq_replay *r, const char *param, bool optional, uint64_t max,
	uint64_t *ret, struct error *err);

/* The columns' numbers by name; names end with NULL. */
int freq_replay_columns(
	const struct csv *csv, const char *const *names, int *ret_columns, struct error *err);

/* The limits of a row, kHz. */
int freq_replay_limits(struct freq_replay *r, int min_column, int max_column, struct error *err);
