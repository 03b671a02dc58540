// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/perf_queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	CAPACITY_MIN = 1024,
	/*
	 * An interrupt's event may stand before the one that it interrupted, for perf takes the
	 * time first and the place in the buffer after. So far back we look where an event belongs.
	 */
	STEPS_MAX = 16,
};

void perf_queue_init(struct perf_queue *q, size_t max)
{
	memset(q, 0, sizeof(*q));
	q->max = max;
}

static void batch_release(struct queue_batch *b)
{
	free(b->events);
	free(b->keys);
}

void perf_queue_release(struct perf_queue *q)
{
	batch_release(&q->in);
	batch_release(&q->out);
	free(q->scratch);
	perf_queue_init(q, q->max);
}

void perf_queue_reset(struct perf_queue *q)
{
	q->in.nr = q->out.nr = q->out_at = 0;
	q->latest = q->limit = 0;
}

static bool grow(struct queue_batch *b)
{
	size_t capacity = b->capacity ? 2 * b->capacity : CAPACITY_MIN;
	struct queued *events = reallocarray(b->events, capacity, sizeof(*events));
	struct queue_key *keys;

	if (!events)
		return false;
	b->events = events;
	keys = reallocarray(b->keys, capacity, sizeof(*keys));
	if (!keys)
		return false;
	b->keys = keys;
	b->capacity = capacity;
	return true;
}

static inline bool after(const struct queue_key *a, const struct queue_key *b)
{
	return a->time != b->time ? a->time > b->time : a->cpu > b->cpu;
}

/* Puts a key where it belongs if that is near the end; else at the end, where a new run begins. */
static void put_key(struct queue_batch *b, struct queue_key key)
{
	size_t first = b->nr > STEPS_MAX ? b->nr - STEPS_MAX : 0, at = b->nr;

	while (at > first && after(&b->keys[at - 1], &key))
		at--;
	if (at == first && at && after(&b->keys[at - 1], &key))
		at = b->nr;
	memmove(b->keys + at + 1, b->keys + at, (b->nr - at) * sizeof(key));
	b->keys[at] = key;
}

struct queued *perf_queue_add(struct perf_queue *q, uint64_t time, uint32_t cpu)
{
	struct queue_batch *b = &q->in;
	struct queued *event;

	if (b->nr == b->capacity && !grow(b))
		return NULL;
	put_key(b, (struct queue_key){ .time = time, .cpu = cpu, .at = (uint32_t)b->nr });
	event = &b->events[b->nr++];
	memset(event, 0, sizeof(*event));
	event->ev.time_ns = time;
	event->ev.cpu = (int)cpu;
	if (time > q->latest)
		q->latest = time;
	return event;
}

bool perf_queue_full(const struct perf_queue *q)
{
	return q->in.nr >= q->max;
}

/* Length of the run in order that begins at from. */
static size_t run_length(const struct queue_key *keys, size_t from, size_t nr)
{
	size_t at = from + 1;

	while (at < nr && !after(&keys[at - 1], &keys[at]))
		at++;
	return at - from;
}

static void merge(const struct queue_key *a, size_t nr_a, const struct queue_key *b, size_t nr_b,
	struct queue_key *to)
{
	while (nr_a && nr_b) {
		if (after(a, b)) {
			*to++ = *b++;
			nr_b--;
		} else {
			*to++ = *a++;
			nr_a--;
		}
	}
	memcpy(to, a, nr_a * sizeof(*a));
	memcpy(to + nr_a, b, nr_b * sizeof(*b));
}

/*
 * Merges neighbouring runs until one is left: there are about as many as CPUs, and the order of
 * equal keys stays.
 */
static int sort(struct perf_queue *q, struct queue_batch *b)
{
	if (q->scratch_capacity < b->capacity) {
		free(q->scratch);
		q->scratch_capacity = 0;
		q->scratch = calloc(b->capacity, sizeof(*q->scratch));
		if (!q->scratch)
			return -ENOMEM;
		q->scratch_capacity = b->capacity;
	}
	while (b->nr && run_length(b->keys, 0, b->nr) < b->nr) {
		struct queue_key *from = b->keys;

		for (size_t at = 0; at < b->nr;) {
			size_t first = run_length(from, at, b->nr), second = 0;

			if (at + first < b->nr)
				second = run_length(from, at + first, b->nr);
			merge(from + at, first, from + at + first, second, q->scratch + at);
			at += first + second;
		}
		memcpy(from, q->scratch, b->nr * sizeof(*from));
	}
	return 0;
}

/* Hands the first nr of in, which is sorted, to out; the rest stays. */
static int split(struct perf_queue *q, size_t nr)
{
	struct queue_batch all = q->in;

	while (q->out.capacity < all.nr - nr)
		if (!grow(&q->out))
			return -ENOMEM;
	q->in = q->out;
	q->out = all;
	q->out.nr = nr;
	q->out_at = 0;
	q->in.nr = all.nr - nr;
	for (size_t i = 0; i < q->in.nr; i++) {
		q->in.events[i] = all.events[all.keys[nr + i].at];
		q->in.keys[i] = all.keys[nr + i];
		q->in.keys[i].at = (uint32_t)i;
	}
	return 0;
}

int perf_queue_round(struct perf_queue *q)
{
	size_t nr = 0, end = q->in.nr;
	int rc = sort(q, &q->in);

	while (nr < end) { /* the first that is later than limit */
		size_t middle = nr + (end - nr) / 2;

		if (q->in.keys[middle].time <= q->limit)
			nr = middle + 1;
		else
			end = middle;
	}
	q->limit = q->latest;
	return rc < 0 ? rc : split(q, nr);
}

int perf_queue_half(struct perf_queue *q)
{
	int rc = sort(q, &q->in);

	return rc < 0 ? rc : split(q, (q->in.nr + 1) / 2);
}

int perf_queue_end(struct perf_queue *q)
{
	int rc = sort(q, &q->in);

	return rc < 0 ? rc : split(q, q->in.nr);
}

const struct queued *perf_queue_take(struct perf_queue *q)
{
	if (q->out_at == q->out.nr)
		return NULL;
	return &q->out.events[q->out.keys[q->out_at++].at];
}
