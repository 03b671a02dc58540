// SPDX-License-Identifier: GPL-2.0-or-later
#include "sim/queue.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

enum { ARITY = 4 };

int queue_grow(struct queue *q, int reserve)
{
	struct queue_entry *heap;

	if (reserve <= q->size)
		return 0;
	heap = realloc(q->heap, (size_t)reserve * sizeof(*heap));
	if (!heap)
		return -ENOMEM;
	q->heap = heap;
	q->size = reserve;
	return 0;
}

int queue_init(struct queue *q, int reserve)
{
	*q = (struct queue){ 0 };
	return queue_grow(q, reserve);
}

void queue_release(struct queue *q)
{
	free(q->heap);
	*q = (struct queue){ 0 };
}

static void put(struct queue *q, int pos, struct queue_entry e)
{
	q->heap[pos] = e;
	e.node->pos = pos;
}

static void sift_up(struct queue *q, int pos, struct queue_entry e)
{
	while (pos > 0) {
		int parent = (pos - 1) / ARITY;

		if (!key_before(e.key, q->heap[parent].key))
			break;
		put(q, pos, q->heap[parent]);
		pos = parent;
	}
	put(q, pos, e);
}

static void sift_down(struct queue *q, int pos, struct queue_entry e)
{
	for (;;) {
		int first = pos * ARITY + 1, best = first;

		if (first >= q->nr)
			break;
		for (int i = first + 1; i < first + ARITY && i < q->nr; i++)
			best = key_before(q->heap[i].key, q->heap[best].key) ? i : best;
		if (!key_before(q->heap[best].key, e.key))
			break;
		put(q, pos, q->heap[best]);
		pos = best;
	}
	put(q, pos, e);
}

void queue_set(struct queue *q, struct node *n, int64_t time_ns)
{
	struct queue_entry e = { { time_ns, ++q->seq }, n };
	bool up;

	if (n->pos == QUEUE_IDLE) {
		assert(q->nr < q->size);
		n->time_ns = time_ns;
		sift_up(q, q->nr++, e);
		return;
	}
	/* An equal time moves down: the new sequence number is the highest. */
	up = time_ns < n->time_ns;
	n->time_ns = time_ns;
	if (up)
		sift_up(q, n->pos, e);
	else
		sift_down(q, n->pos, e);
}

void queue_remove(struct queue *q, struct node *n)
{
	struct queue_entry last;
	int pos = n->pos;

	if (pos == QUEUE_IDLE)
		return;
	n->pos = QUEUE_IDLE;
	last = q->heap[--q->nr];
	if (last.node == n)
		return;
	if (pos > 0 && key_before(last.key, q->heap[(pos - 1) / ARITY].key))
		sift_up(q, pos, last);
	else
		sift_down(q, pos, last);
}

/* ---- slots ----------------------------------------------------------------------------- */

int slots_init(struct slots *s, int nr)
{
	*s = (struct slots){ .leaves = 2, .stale = { -1, -1 } };
	while (s->leaves < nr)
		s->leaves *= 2;
	s->match = aligned_alloc(sizeof(*s->match), (size_t)s->leaves * 2 * sizeof(*s->match));
	if (!s->match)
		return -ENOMEM;
	for (int i = 0; i < s->leaves; i++)
		s->match[s->leaves + i] = (struct match){ { INT64_MAX, UINT64_MAX }, i };
	for (int n = s->leaves - 1; n > 0; n--)
		s->match[n] = s->match[2 * n];
	return 0;
}

void slots_release(struct slots *s)
{
	free(s->match);
	*s = (struct slots){ .stale = { -1, -1 } };
}

/*
 * Slot i plays its matches up to the last, or to the first that another one wins as before: from
 * there on nothing changes. When another slot is stale too, this one may meet a winner that is none
 * any more: that one's own matches put it right.
 */
void slots_play(struct slots *s, int i)
{
	struct match *match = s->match;
	unsigned n = (unsigned)(s->leaves + i);
	uint64_t time = (uint64_t)match[n].key.time_ns, seq = match[n].key.seq;
	int slot = i;

	for (; n > 1; n /= 2) {
		const struct match *other = &match[n ^ 1];
		uint64_t other_time = (uint64_t)other->key.time_ns, other_seq = other->key.seq;
		int other_slot = other->slot;
		bool lost = key_before(other->key, (struct queue_key){ (int64_t)time, seq });

		time = lost ? other_time : time;
		seq = lost ? other_seq : seq;
		slot = lost ? other_slot : slot;
		if (slot != i && slot == match[n / 2].slot)
			return;
		match[n / 2] = (struct match){ { (int64_t)time, seq }, slot };
	}
}
