/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Brings the events of a perf.data into time order with bounded memory. perf empties the CPUs'
 * buffers in rounds; what comes in a round is never earlier than the latest of the round before the
 * last. So at the end of a round everything up to the latest time of the round before it may go.
 *
 * Order of calls: perf_queue_init; perf_queue_add for each event of a round, perf_queue_round at
 * its end, then perf_queue_take until it returns NULL, and so on; perf_queue_end in place of the
 * last perf_queue_round. Where perf_queue_full says so, perf_queue_half stands in for the round's
 * end.
 */
#pragma once

#include "trace/event.h"

/* About a gigabyte when full: two rounds of 64 CPUs with 4 MB each, as perf sched record has. */
enum { PERF_QUEUE_MAX = 4 << 20 };

struct queued {
	struct event ev;
	uint64_t aux;
};

struct queue_key {
	uint64_t time;
	uint32_t cpu;
	uint32_t at; /* in the events' array */
};

struct queue_batch {
	struct queued *events;
	struct queue_key *keys;
	size_t nr, capacity;
};

struct perf_queue {
	size_t max;
	struct queue_batch in, out; /* out is in order */
	size_t out_at;
	struct queue_key *scratch;
	size_t scratch_capacity;
	uint64_t latest; /* of all that was added */
	uint64_t limit;	 /* up to where the next round's end may go */
};

void perf_queue_init(struct perf_queue *q, size_t max);
void perf_queue_release(struct perf_queue *q);
/* Forgets everything but max. */
void perf_queue_reset(struct perf_queue *q);

/* The event to be filled, time and cpu being those given. NULL: out of memory. */
struct queued *perf_queue_add(struct perf_queue *q, uint64_t time, uint32_t cpu);
bool perf_queue_full(const struct perf_queue *q);
/* Each returns 0 or -ENOMEM. Everything that may be taken has been. */
int perf_queue_round(struct perf_queue *q);
int perf_queue_half(struct perf_queue *q);
int perf_queue_end(struct perf_queue *q);

/* The next in order; good until the next call but this. */
const struct queued *perf_queue_take(struct perf_queue *q);
