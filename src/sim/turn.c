// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Turns on a channel, as databases commit in groups: one task at a time does what others wait for,
 * for all that came before it began. When it ends, those are woken and skip their own turn; the
 * first of the tasks that came meanwhile begins the next turn, for itself and the others.
 */
#include "sim/internal.h"

#include <stdlib.h>

bool turn_begin(struct sim_cpu *c, const struct op *op)
{
	struct channel *ch = &c->sim->channels[op->target];
	struct sim_task *t = c->curr;

	if (!ch->in_turn) {
		ch->in_turn = !(op->flags & OP_ALL);
		if (op->flags & OP_EACH)
			t->taken = 1;
		return true;
	}
	t->shares_turn = op->flags & OP_ALL;
	t->skip_ops = op->cycles;
	channel_wait(c->sim, op->target, t);
	return false;
}

static bool wake(struct sim_cpu *c, struct sim_task *t)
{
	c->sim->nr_active++;
	return sched_wake(t, c, false);
}

int turn_end(struct sim_cpu *c, uint32_t channel)
{
	struct channel *ch = &c->sim->channels[channel];
	struct sim_task *leader;
	int sent = 0;

	while (ch->first && ch->first->shares_turn) {
		struct sim_task *t = ch->first;

		ch->first = t->next_waiter;
		t->shares_turn = false;
		sent += wake(c, t);
	}
	ch->in_turn = ch->first;
	if (!ch->first)
		return sent;
	leader = ch->first;
	leader->skip_ops = 0;
	leader->taken = 1;
	ch->first = leader->next_waiter;
	for (struct sim_task *t = ch->first; t; t = t->next_waiter) {
		t->shares_turn = true;
		leader->taken++;
	}
	return sent + wake(c, leader);
}
