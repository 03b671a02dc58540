/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event queues. Times are not negative. Ties go to who was queued first, by a sequence number
 * that all queues of a simulation share.
 *
 * struct queue is a heap of nodes that live inside their owners. A node is queued at most once;
 * queue_set moves a node that is queued already. Keys lie in the heap itself, so that sifting reads
 * nothing but the heap.
 *
 * struct slots is for owners that have a number and one time each, of which most are set at any
 * moment: a tournament of all of them. A match is worth no branch, so it costs its depth, and
 * changes of one slot in a row are played out once.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { QUEUE_IDLE = -1 };

struct node {
	int64_t time_ns;
	int pos;  /* place in the heap, QUEUE_IDLE: not queued; set by node_init */
	int kind; /* the owner's */
	void *owner;
};

struct queue_key {
	int64_t time_ns;
	uint64_t seq;
};

struct queue_entry {
	struct queue_key key;
	struct node *node;
};

struct queue {
	struct queue_entry *heap;
	int nr, size;
	uint64_t seq;
};

static inline unsigned __int128 key_number(struct queue_key k)
{
	return (unsigned __int128)(uint64_t)k.time_ns << 64 | k.seq;
}

static inline bool key_before(struct queue_key a, struct queue_key b)
{
	return key_number(a) < key_number(b);
}

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
	return q->nr ? q->heap[0].node : 0;
}

static inline struct queue_key queue_first_key(const struct queue *q)
{
	return q->nr ? q->heap[0].key : (struct queue_key){ INT64_MAX, UINT64_MAX };
}

struct match {
	struct queue_key key; /* of the winner */
	int slot;
} __attribute__((aligned(32))); /* a power of two, to be found by a shift */

struct slots {
	int leaves;	     /* a power of two */
	int stale[2];	     /* slots whose matches are not played yet, -1: none */
	struct match *match; /* match[1] is the last; 2n and 2n + 1 play at n; a slot is a leaf */
};

/* 0 or -ENOMEM. All slots are empty. */
int slots_init(struct slots *s, int nr);
void slots_release(struct slots *s);
void slots_play(struct slots *s, int i);

/* An event mostly changes one slot several times, and that of the CPU beside it. */
static inline void slots_touch(struct slots *s, int i)
{
	if (s->stale[0] == i || s->stale[1] == i)
		return;
	if (s->stale[1] >= 0)
		slots_play(s, s->stale[1]);
	s->stale[1] = s->stale[0];
	s->stale[0] = i;
}

static inline struct queue_key slots_key(const struct slots *s, int i)
{
	return s->match[s->leaves + i].key;
}

static inline void slots_set(struct slots *s, int i, struct queue_key key)
{
	slots_touch(s, i);
	s->match[s->leaves + i].key = key;
}

static inline bool slots_used(const struct slots *s, int i)
{
	return slots_key(s, i).seq != UINT64_MAX;
}

static inline void slots_clear(struct slots *s, int i)
{
	if (slots_used(s, i))
		slots_set(s, i, (struct queue_key){ INT64_MAX, UINT64_MAX });
}

/* The slot that is first; it may be an empty one. */
static inline const struct match *slots_first(struct slots *s)
{
	if (s->stale[0] >= 0) {
		slots_play(s, s->stale[0]);
		if (s->stale[1] >= 0)
			slots_play(s, s->stale[1]);
		s->stale[0] = s->stale[1] = -1;
	}
	return &s->match[1];
}
