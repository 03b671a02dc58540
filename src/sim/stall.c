// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The firmware may stop all CPUs for a while (system management mode). What CPUs have begun is
 * therefore queued in CPU time, which stands still meanwhile: a stall costs the same for one CPU as
 * for a thousand. Whatever comes from outside in a stall reaches its CPU at the end of it.
 */
#include "sim/internal.h"

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

/* What is due in a stall, a node or a CPU's clock, comes again at its end, behind what is due then.
 */
bool stall_postpones(struct sim *s, struct node *n, int clock)
{
	if (!n) {
		slots_set(&s->clocks, clock, (struct queue_key){ s->stall_end_ns, ++s->queue.seq });
		return true;
	}
	if (!for_cpu(n->kind))
		return false;
	queue_set(&s->queue, n, s->stall_end_ns);
	return true;
}
