// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a task goes when it wakes: what the simulator adds to the policy's choice. */
#include "sim/internal.h"

/* A guest's kernel takes a CPU that its host does not run for one that is not idle. */
static void hide_left_cpus(struct sim *s, struct cpu_set_bits *idle)
{
	*idle = s->idle_cpus;
	for (int i = 0; i < s->nr_cpus; i++)
		if (bit_get(idle, i) && idle_host_left(&s->cpus[i]))
			bit_set(idle, i, false);
}

/* The CPUs of a that b has too, if there are any, else those of a. */
static struct cpu_set_bits prefer(const struct cpu_set_bits *a, const struct cpu_set_bits *b)
{
	struct cpu_set_bits both;
	uint64_t any = 0;

	for (int w = 0; w < PLACE_WORDS; w++) {
		both.word[w] = a->word[w] & b->word[w];
		any |= both.word[w];
	}
	return any ? both : *a;
}

/*
 * A new process goes where fork and exec balancing find the least load: to a core that idles, of
 * these to the one that has for longest, then to an idle CPU, then to the shortest queue.
 */
static struct sim_cpu *place_new(struct sim_task *t, struct sim_cpu *waker)
{
	struct sim *s = waker->sim;
	struct cpu_set_bits some = prefer(&t->allowed, &s->idle_cpus);
	struct sim_cpu *best = NULL;

	some = prefer(&some, &s->idle_cores);
	for (int w = 0; w * 64 < s->nr_cpus; w++) {
		for (uint64_t left = some.word[w]; left; left &= left - 1) {
			struct sim_cpu *c = &s->cpus[w * 64 + __builtin_ctzll(left)];
			uint32_t nr = s->nr_running[c->id];
			uint32_t least = best ? s->nr_running[best->id] : 0;

			if (!best || nr < least ||
				(!nr && !least && c->idle_stamp_ns < best->idle_stamp_ns))
				best = c;
		}
	}
	return best;
}

struct sim_cpu *sched_place(struct sim_task *t, struct sim_cpu *waker, bool sync)
{
	struct sim *s = waker->sim;
	struct placement p = {
		.prev_cpu = t->cpu ? t->cpu->id : waker->id,
		.recorded_cpu = s->p->sched.as_recorded ? recorded_cpu(s, t) : -1,
		.waker_cpu = waker->id,
		.sync = sync,
		.nr_cpus = s->nr_cpus,
		.allowed = &t->allowed,
		.idle = &s->idle_cpus,
		.idle_core = &s->idle_cores,
		.llc = s->llc,
		.nr_running = s->nr_running,
	};
	struct cpu_set_bits idle;
	int cpu;

	if (s->m->costs.host_poll_ns) {
		hide_left_cpus(s, &idle);
		p.idle = p.idle_core = &idle;
	}
	if (t->new_process)
		return place_new(t, waker);
	if (t->def->follows_waker && p.recorded_cpu < 0 && bit_get(&t->allowed, waker->id))
		return waker;
	cpu = s->p->sched.select_cpu(&s->p->sched, &p);

	return &s->cpus[cpu];
}
