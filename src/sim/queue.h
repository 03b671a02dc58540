/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event queue: a heap of nodes that live inside their owners. A node is queued at most once;
 * ties go to the one that was queued first. queue_set moves a node that is queued already.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { QUEUE_IDLE = -1 };

struct node {
	int64_t time_ns;
	uint64_t seq;
	int pos;  /* place in the heap, QUEUE_IDLE: not queued; set by node_init */
	int kind; /* the owner's */
	void *owner;
};

struct queue {
	struct node **heap;
	int nr, size;
	uint64_t seq;
};

static inline void node_init(struct node *n, int kind, void *owner)
{
	*n = (struct node){ .pos = QUEUE_IDLE, .kind = kind, .owner = owner };
}

static inline bool node_queued(const struct node *n)
{
	return n->pos != QUEUE_IDLE;
}

/* Room for all nodes that can ever be queued at once is reserved up front. 0 or -ENOMEM. */
int queue_init(struct queue *q, int reserve);
void queue_release(struct queue *q);
int queue_grow(struct queue *q, int reserve);

void queue_set(struct queue *q, struct node *n, int64_t time_ns);
void queue_remove(struct queue *q, struct node *n);

static inline struct node *queue_first(const struct queue *q)
{
	return q->nr ? q->heap[0] : 0;
}
