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

void done_cancel(struct sim_cpu *c)
{
	queue_remove(c->done_outside ? &c->sim->queue : &c->sim->work, &c->done);
	c->done_outside = false;
}

void done_in(struct sim_cpu *c, int64_t ns)
{
	struct sim *s = c->sim;

	done_cancel(c);
	/* One order for both queues. */
	s->work.seq = s->queue.seq;
	queue_set(&s->work, &c->done, s->now_ns - stall_ns(s) + ns);
	s->queue.seq = s->work.seq;
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
static bool for_cpu(const struct node *n)
{
	return n->kind != NODE_FREQ && n->kind != NODE_HWP && n->kind != NODE_BUDGET &&
	       n->kind != NODE_DOORBELL && n->kind != NODE_ANSWER;
}

struct node *next_event(struct sim *s, int64_t *ret_ns)
{
	for (;;) {
		struct node *out = queue_first(&s->queue), *in = queue_first(&s->work);
		int64_t in_ns = in ? in->time_ns + s->stalled_ns : INT64_MAX;

		if (out && out->time_ns < s->stall_end_ns && for_cpu(out)) {
			queue_set(&s->queue, out, s->stall_end_ns);
			continue;
		}
		if (in && (!out || in_ns < out->time_ns ||
				  (in_ns == out->time_ns && in->seq < out->seq))) {
			*ret_ns = in_ns;
			return in;
		}
		*ret_ns = out ? out->time_ns : INT64_MAX;
		return out;
	}
}
