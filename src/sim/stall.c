// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The firmware may stop all CPUs for a while (system management mode). What CPUs have begun is
 * therefore queued in CPU time, which stands still meanwhile: a stall costs the same for one CPU as
 * for a thousand. Whatever comes from outside in a stall reaches its CPU at the end of it.
 */
#include "sim/internal.h"

/* How long CPUs have stood still until now. */
int64_t stall_ns(const struct sim *s)
{
	return s->stalled_ns - max_i64(s->stall_end_ns - s->now_ns, 0);
}

int64_t cpu_time_ns(const struct sim *s)
{
	return s->now_ns - stall_ns(s);
}

void done_cancel(struct sim_cpu *c)
{
	struct sim *s = c->sim;

	if (c->done_outside)
		queue_remove(&s->queue, &c->done);
	else if (slots_used(&s->work, c->id))
		slots_clear(&s->work, c->id);
	c->done_outside = false;
}

void done_in(struct sim_cpu *c, int64_t ns)
{
	struct sim *s = c->sim;

	if (c->done_outside)
		done_cancel(c);
	slots_set(&s->work, c->id, (struct queue_key){ cpu_time_ns(s) + ns, ++s->queue.seq });
}

void done_at(struct sim_cpu *c, int64_t at_ns)
{
	done_cancel(c);
	c->done_outside = true;
	queue_set(&c->sim->queue, &c->done, at_ns);
}

/* All cores run meanwhile, those that were idle too. */
static void stall_energy(struct sim *s, int64_t ns)
{
	for (int i = 0; i < s->m->nr_packages; i++) {
		struct sim_package *p = &s->packages[i];
		uint64_t uw = (uint64_t)curve_mw(&s->m->core_active, p->khz) * 1000 *
			      (uint64_t)(s->m->nr_cores / s->m->nr_packages);

		if (uw > p->cores_uw)
			package_lump(p, uw - p->cores_uw, ns);
	}
}

void stall_begin(struct sim *s, int64_t ns)
{
	int64_t end = s->now_ns + ns;

	if (end <= s->stall_end_ns)
		return;
	ns = end - max_i64(s->stall_end_ns, s->now_ns);
	s->stall_end_ns = end;
	s->stalled_ns += ns;
	s->counters.stalls++;
	s->counters.stall_ns += (uint64_t)ns;
	queue_set(&s->queue, &s->stall, end);
	stall_energy(s, ns);
}

/* A management interrupt ends MWAIT: the idle loop goes round on every CPU that was in it. */
void stall_over(struct sim *s)
{
	/* First the interrupts that came meanwhile. */
	if (!s->stall_last) {
		s->stall_last = true;
		queue_set(&s->queue, &s->stall, s->now_ns);
		return;
	}
	s->stall_last = false;
	for (int i = 0; i < s->nr_cpus; i++)
		idle_disturb(&s->cpus[i]);
}

/* Whether a CPU would take it up. */
static bool for_cpu(int kind)
{
	return kind != NODE_FREQ && kind != NODE_HWP && kind != NODE_BUDGET &&
	       kind != NODE_DOORBELL && kind != NODE_ANSWER;
}

/* It comes again at the end of the stall, behind what is queued for then already. */
static void postpone(struct sim *s, struct node *n, int clock)
{
	if (n)
		queue_set(&s->queue, n, s->stall_end_ns);
	else
		slots_set(&s->clocks, clock, (struct queue_key){ s->stall_end_ns, ++s->queue.seq });
}

bool next_event(struct sim *s, struct event *ret)
{
	int work = slots_first(&s->work);
	struct queue_key in = s->work.key[work];

	if (slots_used(&s->work, work))
		in.time_ns += s->stalled_ns;
	for (;;) {
		int clock = slots_first(&s->clocks);
		struct queue_key out = s->clocks.key[clock], first = queue_first_key(&s->queue);
		struct node *n = NULL;

		if (key_before(first, out)) {
			out = first;
			n = queue_first(&s->queue);
		}
		if (out.time_ns < s->stall_end_ns && (!n || for_cpu(n->kind))) {
			postpone(s, n, clock);
			continue;
		}
		if (key_before(in, out))
			*ret = (struct event){ in.time_ns, NODE_DONE, &s->cpus[work], NULL };
		else if (n)
			*ret = (struct event){ out.time_ns, n->kind, n->owner, n };
		else
			*ret = (struct event){ out.time_ns, NODE_CLOCK, &s->cpus[clock], NULL };
		return ret->time_ns != INT64_MAX;
	}
}

void take_event(struct sim *s, const struct event *e)
{
	if (e->kind == NODE_DONE)
		done_cancel(e->owner);
	else if (e->node)
		queue_remove(&s->queue, e->node);
	else
		slots_clear(&s->clocks, (int)((struct sim_cpu *)e->owner - s->cpus));
}
