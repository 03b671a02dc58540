/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The closed-loop builder: events in, a .cpw workload out. Each wait gets its cause (a task's
 * signal, its own timer, a device, the outside world), so that in the replay what depends on the
 * CPU's speed moves with it, and nothing else. Memory is bounded by CPUs and tasks.
 *
 * Order of calls: builder_new, builder_event for each event in time order, builder_finish.
 */
#pragma once

#include "trace/event.h"
#include "workload/cpw.h"

struct builder;

struct build_options {
	uint64_t khz; /* frequency of the recording; 0: from events or the TSC */
	bool anonymous;
	struct workload_env env; /* what the recorder knew; zero fields are filled from events */
	struct workload_truth truth; /* likewise */
	uint64_t operations;
};

int builder_new(const struct build_options *options, const char *out_path, struct builder **ret,
	struct error *err);
int builder_event(struct builder *b, const struct event *ev, struct error *err);
/* Writes the file (or, with out_path NULL, only counts) and frees b. ret_truth may be NULL. */
int builder_finish(struct builder *b, const struct trace_info *info,
	struct workload_truth *ret_truth, struct error *err);
struct builder *builder_abort(struct builder *b);
