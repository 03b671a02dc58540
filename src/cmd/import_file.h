/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a recording of any known format through the closed-loop builder into a .cpw file: the whole
 * of `corepace import`, and the second half of `corepace record`.
 */
#pragma once

#include "trace/build.h"

struct import_result {
	struct workload_truth truth;
	struct build_stats stats;
	struct trace_info info;
};

/*
 * out_path NULL: only counts. Shows progress on stderr when that is a terminal; verb is the name to
 * show it under. On failure nothing is left under out_path.
 */
int import_file(const char *verb, const char *in_path, const char *out_path,
	const struct build_options *options, struct import_result *ret, struct error *err);

/* Events that do not come from a file. */
struct import_source {
	const char *name; /* for error texts */
	void *context;
	/* As trace_next, trace_progress and trace_info. */
	int (*next)(void *context, struct event *ret, struct error *err);
	int (*progress)(void *context);
	const struct trace_info *(*info)(void *context);
};

/* As import_file, of events that somebody else opened and closes. */
int import_events(const char *verb, const struct import_source *source, const char *out_path,
	const struct build_options *options, struct import_result *ret, struct error *err);

/*
 * Prints on stderr what whoever uses the file must know: what was lost, left out, or ended by
 * nothing that a replay could move.
 */
void import_warn(const char *verb, const char *in_path, const struct import_result *r);

/* Prints the costs section of a machine file, from the medians of a recording (trace/costs.h). */
int import_costs(const char *in_path, struct error *err);
