// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Facts that come late. When a task hands a request to a device, only its completion tells whom
 * that wakes; when a task is woken that still runs, only its next switch tells whether it slept.
 * Until then the task's ops from that point on are held, in order, so that the op can still be put
 * where it belongs.
 */
#include "trace/build_internal.h"

#include <errno.h>
#include <stdlib.h>

enum { HELD_OPS_MIN = 16 };

/* Adjacent runs on one CPU become one: most places that are kept turn out to be nothing. */
static void put(struct builder *b, struct task *t, const struct op *op)
{
	struct op run = { .kind = OP_RUN,
		.cycles = t->out_cycles,
		.target = t->out_target,
		.flags = t->out_flags };
	bool is_run = op->kind == OP_RUN;
	int rc = 0;

	if (b->status || (is_run && !op->cycles))
		return;
	if (t->out_cycles && (!is_run || op->flags || op->target != t->out_target)) {
		t->out_cycles = t->out_flags = 0;
		rc = b->sink.op(b->sink.ctx, t->index, &run, &b->error);
	}
	if (is_run) {
		t->out_cycles += op->cycles;
		t->out_target = op->target;
		t->out_flags |= op->flags;
	} else if (!rc) {
		rc = b->sink.op(b->sink.ctx, t->index, op, &b->error);
	}
	if (rc)
		b->status = rc;
}

static struct held_op *slot(const struct held_ops *h, uint64_t serial)
{
	return &h->ring[serial & (h->size - 1)];
}

/* Lets go of the ops before the first that still waits. */
static void let_go(struct builder *b, struct task *t)
{
	struct held_ops *h = &t->held;

	while (h->count && !slot(h, h->first)->pending) {
		put(b, t, &slot(h, h->first)->op);
		h->first++;
		h->count--;
	}
}

static bool grow(struct builder *b, struct held_ops *h)
{
	struct held_ops old = *h;

	h->size = old.size ? old.size * 2 : HELD_OPS_MIN;
	h->ring = malloc(h->size * sizeof(*h->ring));
	if (!h->ring) {
		*h = old;
		fail_with(b, ENOMEM, "out of memory");
		return false;
	}
	for (uint64_t i = 0; i < old.count; i++)
		*slot(h, old.first + i) = *slot(&old, old.first + i);
	free(old.ring);
	return true;
}

static void push(struct builder *b, struct task *t, const struct op *op, bool pending)
{
	struct held_ops *h = &t->held;

	if (h->count == HELD_OPS_MAX) {
		/* The oldest fact takes too long to come. */
		slot(h, h->first)->pending = false;
		b->stats.ops_dropped++;
		let_go(b, t);
	}
	if (h->count == h->size && !grow(b, h))
		return;
	*slot(h, h->first + h->count) = (struct held_op){ *op, pending };
	h->count++;
}

void hold_emit(struct builder *b, struct task *t, const struct op *op)
{
	if (t->held.count)
		push(b, t, op, false);
	else
		put(b, t, op);
}

uint64_t hold_place(struct builder *b, struct task *t, const struct op *unless)
{
	emit_run(b, t);
	task_index(b, t);
	push(b, t, unless, true);
	return t->held.first + t->held.count - 1;
}

bool hold_resolve(struct builder *b, struct task *t, uint64_t place, const struct op *op)
{
	struct held_ops *h = &t->held;

	if (place < h->first || place >= h->first + h->count || !slot(h, place)->pending)
		return false;
	slot(h, place)->pending = false;
	if (op)
		slot(h, place)->op = *op;
	let_go(b, t);
	return true;
}

/* Places from before are gone: serials go on. */
void hold_forget(struct task *t)
{
	t->held.first += t->held.count;
	t->held.count = 0;
	t->out_cycles = 0;
}

/* Nothing more will become known: all that is held is written, and the run that no op followed. */
void hold_finish(struct builder *b, struct task *t)
{
	struct op run = { .kind = OP_RUN };
	struct held_ops *h = &t->held;

	for (uint64_t i = 0; i < h->count; i++)
		slot(h, h->first + i)->pending = false;
	let_go(b, t);
	run.cycles = t->out_cycles;
	run.target = t->out_target;
	run.flags = t->out_flags;
	t->out_cycles = 0;
	if (run.cycles && !b->status)
		b->status = b->sink.op(b->sink.ctx, t->index, &run, &b->error);
}
