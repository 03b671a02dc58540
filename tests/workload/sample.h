/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Made-up recordings for the tests, and reading a file to its end whatever it holds. */
#pragma once

#include "workload/cpw.h"

/* A random op that a workload of that many tasks and channels may hold; any field may be set. */
struct op random_op(struct rng *rng, uint32_t nr_tasks, uint32_t nr_channels);
bool same_op(const struct op *a, const struct op *b);

/* A random idle record; unknown values among them. */
struct idle_record random_idle(struct rng *rng);

/* Tasks with every field set, different from each other. The caller frees. */
struct workload_task *sample_tasks(int nr);

struct sample {
	int tasks, channels, ops, idle;
	bool anonymous;
	bool system; /* of the whole system: no task is of a command */
	uint64_t seed;
};

/*
 * Writes ops of random tasks, the op of each task drawn from a stream of its own: rng_init(seed,
 * task). Idle records come from stream 1 << 20. counts: ops by task, may be NULL.
 */
int sample_write(const char *path, const struct sample *s, uint64_t *counts, struct error *err);

/*
 * Reads all tasks, round robin, and the idle log. 0 with a digest of everything that was read, or
 * a negative errno. Stops with -E2BIG after max_ops: a damaged file may claim to hold many.
 */
int walk(const char *path, uint64_t max_ops, uint64_t *ret_digest, struct error *err);
