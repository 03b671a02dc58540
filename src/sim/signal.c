// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Signals: tasks that wait on a channel, those that wake them, and signals that come later. A
 * recorded task's run time holds the interrupts that it sent to other CPUs; where the replay sends
 * fewer or more of them, the difference is owed to its next run.
 */
#include "sim/internal.h"

#include <errno.h>
#include <stdlib.h>

void channel_wait(struct sim *s, uint32_t channel, struct sim_task *t)
{
	struct channel *ch = &s->channels[channel];

	t->next_waiter = NULL;
	t->wait_channel = channel;
	if (ch->first)
		ch->last->next_waiter = t;
	else
		ch->first = t;
	ch->last = t;
	s->nr_active--;
}

bool signal_channel(struct sim *s, uint32_t channel, struct sim_cpu *c, bool sync)
{
	struct channel *ch = &s->channels[channel];
	struct sim_task *t = ch->first;

	if (!t) {
		ch->tokens++;
		return false;
	}
	ch->first = t->next_waiter;
	t->taken++;
	s->nr_active++;
	return sched_wake(t, c, sync);
}

static void send_signal(struct sim_cpu *c, const struct op *op)
{
	struct sim *s = c->sim;
	struct sim_task *t = c->curr;
	/* Whether a recorded waker promised to sleep is not in its events; recordings of pipes
	 * on two CPUs contradict that it would count. */
	bool sent = signal_channel(s, op->target, c, !s->w->recorded);
	bool held = s->w->recorded && (op->flags & OP_REMOTE);

	if (sent && !held)
		t->owed_ns += s->m->costs.ipi_send_ns;
	else if (!sent && held)
		t->owed_ns -= s->m->costs.ipi_send_ns;
}

/* Only the last wake-up promises that the waker sleeps soon. */
static void send_all(struct sim_cpu *c, const struct op *op)
{
	struct sim *s = c->sim;
	struct sim_task *t = c->curr;

	for (; t->taken; t->taken--)
		if (signal_channel(s, op->target, c, t->taken == 1))
			t->owed_ns += s->m->costs.ipi_send_ns;
}

void signal_send(struct sim_cpu *c, const struct op *op)
{
	if (op->flags & OP_TURN)
		c->curr->owed_ns += turn_end(c, op->target) * c->sim->m->costs.ipi_send_ns;
	else if (op->flags & OP_ALL)
		send_all(c, op);
	else
		send_signal(c, op);
}

struct delayed_signal *signal_new(struct sim *s)
{
	struct delayed_signal *d = s->free_signals;

	if (d) {
		s->free_signals = d->next_free;
		return d;
	}
	d = malloc(sizeof(*d));
	if (!d || queue_grow(&s->queue, s->queue_room + s->nr_signals + 1)) {
		free(d);
		s->status = -ENOMEM;
		return NULL;
	}
	s->nr_signals++;
	node_init(&d->node, NODE_SIGNAL, d);
	d->irq = (struct irq_item){ .signal = d };
	d->all_next = s->all_signals;
	s->all_signals = d;
	return d;
}

void signal_event(struct delayed_signal *d)
{
	irq_device(d->cpu, &d->irq);
}

void signal_due(struct sim_cpu *c, struct delayed_signal *d)
{
	struct sim *s = c->sim;

	s->nr_active--;
	signal_channel(s, d->channel, c, false);
	d->next_free = s->free_signals;
	s->free_signals = d;
}
