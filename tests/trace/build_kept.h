/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps a workload in memory and checks what must hold of any that is built, at a frequency of
 * 1 GHz, whatever the events: each wait has its signal, no run time is lost or made up.
 */
#pragma once

#include "trace/build_internal.h"

#include <stdio.h>
#include <stdlib.h>

#define HOLDS(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "does not hold: %s\n", #condition);                        \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

struct program {
	struct op *ops;
	size_t nr, size, at;
	bool started, waits;
};

struct kept {
	struct program *programs;
	int nr;
	size_t nr_ops;
	uint64_t idle_end;
	struct workload_truth truth;
};

/* k: zeroed. What does not hold aborts with a text, at builder_finish. */
struct op_sink kept_sink(struct kept *k);
void kept_release(struct kept *k);
