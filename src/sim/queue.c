// SPDX-License-Identifier: GPL-2.0-or-later
#include "sim/queue.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

enum { ARITY = 4 };

static inline bool before(const struct node *a, const struct node *b)
{
	return a->time_ns < b->time_ns || (a->time_ns == b->time_ns && a->seq < b->seq);
}

int queue_grow(struct queue *q, int reserve)
{
	struct node **heap;

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

static void put(struct queue *q, int pos, struct node *n)
{
	q->heap[pos] = n;
	n->pos = pos;
}

static void sift_up(struct queue *q, int pos, struct node *n)
{
	while (pos > 0) {
		int parent = (pos - 1) / ARITY;

		if (!before(n, q->heap[parent]))
			break;
		put(q, pos, q->heap[parent]);
		pos = parent;
	}
	put(q, pos, n);
}

static void sift_down(struct queue *q, int pos, struct node *n)
{
	for (;;) {
		int first = pos * ARITY + 1, best = first;

		if (first >= q->nr)
			break;
		for (int i = first + 1; i < first + ARITY && i < q->nr; i++)
			if (before(q->heap[i], q->heap[best]))
				best = i;
		if (!before(q->heap[best], n))
			break;
		put(q, pos, q->heap[best]);
		pos = best;
	}
	put(q, pos, n);
}

void queue_set(struct queue *q, struct node *n, int64_t time_ns)
{
	bool up;

	n->seq = ++q->seq;
	if (n->pos == QUEUE_IDLE) {
		assert(q->nr < q->size);
		n->time_ns = time_ns;
		sift_up(q, q->nr++, n);
		return;
	}
	/* An equal time moves down: the new sequence number is the highest. */
	up = time_ns < n->time_ns;
	n->time_ns = time_ns;
	if (up)
		sift_up(q, n->pos, n);
	else
		sift_down(q, n->pos, n);
}

void queue_remove(struct queue *q, struct node *n)
{
	struct node *last;
	int pos = n->pos;

	if (pos == QUEUE_IDLE)
		return;
	n->pos = QUEUE_IDLE;
	last = q->heap[--q->nr];
	if (last == n)
		return;
	if (pos > 0 && before(last, q->heap[(pos - 1) / ARITY]))
		sift_up(q, pos, last);
	else
		sift_down(q, pos, last);
}
