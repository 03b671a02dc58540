/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The closed-loop builder: events in, a .cpw workload out. Each wait gets its cause (a task's
 * signal, its own timer, a device, the outside world), so that in the replay what depends on the
 * CPU's speed moves with it, and nothing else. Memory is bounded by CPUs and tasks.
 *
 * Order of calls: builder_new, builder_event for each event in time order, builder_stats when
 * wanted, builder_finish.
 *
 * The recording's window begins with its first event, or at the marker "corepace:start pid=N",
 * which names the first task of the command that is looked at; it ends with the last event or at
 * the marker "corepace:end". A marker "corepace:ops=N" tells how many operations were done.
 */
#pragma once

#include "trace/event.h"
#include "workload/cpw.h"

struct builder;

struct build_options {
	uint64_t khz; /* frequency of the recording; 0: from events, else env.khz */
	bool anonymous;
	struct workload_env env; /* what the recorder knew; zero fields are filled from events */
	struct workload_truth truth; /* likewise */
	uint64_t operations;
};

/* How well the window could be told. What fell out of a bounded table is counted here. */
struct build_stats {
	uint64_t events;
	uint64_t tasks;
	uint64_t switches;	    /* recorded */
	uint64_t switches_inferred; /* added: never recorded */
	uint64_t waits[OP_KINDS];   /* by cause, those without one apart: */
	uint64_t waits_unknown;
	uint64_t waits_missing;	 /* of those without: switched in, but nothing woke it */
	uint64_t waits_gap;	 /* of those without: lost events lie in it */
	uint64_t timer_of_other; /* of sleep-for: set by another task, or before the window */
	uint64_t io_of_other;	 /* of io: requested by another task: a delayed signal */
	uint64_t raced;		 /* woken before it slept: a signal, but no sleep */
	uint64_t woken_twice;	 /* woken, and woken again before it ran: no op */
	uint64_t lost_events, lost_regions;
	uint64_t pids_reused;
	uint64_t idle_periods, idle_inferred;
	uint64_t timers_dropped, requests_dropped, ops_dropped;
	uint64_t completions_unmatched; /* no request was seen for it */
	uint64_t interrupts_unbalanced; /* an exit without an entry, or the reverse */
	uint64_t bad_cpu;		/* events of a CPU number that cannot be */
};

int builder_new(const struct build_options *options, const char *out_path, struct builder **ret,
	struct error *err);

/* After a failure only builder_abort (or builder_finish, which fails the same way) may follow. */
int builder_event(struct builder *b, const struct event *ev, struct error *err);

/* Up to now. */
const struct build_stats *builder_stats(struct builder *b);

/* Writes the file (or, with out_path NULL, only counts) and frees b. ret_truth may be NULL. */
int builder_finish(struct builder *b, const struct trace_info *info,
	struct workload_truth *ret_truth, struct error *err);
struct builder *builder_abort(struct builder *b);
