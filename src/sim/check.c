// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Invariants, watched from outside the simulated code: time never goes back, each task is in one
 * place, busy + idle = elapsed on each CPU, energy is the sum of its parts. An invariant that
 * breaks is a fault of the simulator: the run ends with -EPROTO and says which.
 */
#include "sim/internal.h"

#include <errno.h>

static void broken(struct sim *s, const char *what, int id)
{
	s->status = error_set(s->err, EPROTO, "simulator fault at %lld ns: %s %d",
		(long long)s->now_ns, what, id);
}

static void check_cpu(struct sim *s, struct sim_cpu *c)
{
	if (c->since_ns > s->now_ns)
		broken(s, "time went back on CPU", c->id);
	if (c->curr && (c->curr->state != TASK_RUNNING || c->curr->cpu != c))
		broken(s, "current task is not running on CPU", c->id);
	if (!c->online && (c->curr || c->nr_rq))
		broken(s, "task on offline CPU", c->id);
	if (c->nr_rq && !c->curr && !c->need_resched && c->act != ACT_IRQ &&
		c->act != ACT_IDLE_EXIT)
		broken(s, "runnable task forgotten on CPU", c->id);
	if (s->nr_running[c->id] != (uint32_t)(c->nr_rq + !!c->curr))
		broken(s, "count of runnable tasks is wrong on CPU", c->id);
	if (bit_get(&s->idle_cpus, c->id) != (c->online && !c->curr && !c->nr_rq))
		broken(s, "idle mask is wrong for CPU", c->id);
	for (int i = 0; i < c->nr_rq; i++)
		if (c->rq[i]->state != TASK_QUEUED || c->rq[i]->cpu != c)
			broken(s, "queued task is elsewhere, CPU", c->id);
}

void check_step(struct sim *s)
{
	int queued = 0, running = 0;

	if (s->pcc.intruder >= 0)
		broken(s, "the mailbox or its lock is used without being owned, CPU",
			s->pcc.intruder);
	if (s->now_ns < s->checked_ns)
		broken(s, "time went back by event", (int)s->counters.events);
	s->checked_ns = s->now_ns;
	for (int i = 0; i < s->m->nr_packages; i++) {
		const char *fault = check_power_step(s, &s->packages[i]);

		if (fault)
			broken(s, fault, i);
	}
	for (int i = 0; i < s->nr_cpus; i++) {
		check_cpu(s, &s->cpus[i]);
		queued += s->cpus[i].nr_rq;
		running += s->cpus[i].curr != NULL;
	}
	for (int i = 0; i < s->nr_tasks; i++) {
		queued -= s->tasks[i].state == TASK_QUEUED;
		running -= s->tasks[i].state == TASK_RUNNING;
	}
	for (int i = 0; i < s->nr_cpus; i++) {
		queued -= s->workers[i].state == TASK_QUEUED;
		running -= s->workers[i].state == TASK_RUNNING;
		queued -= s->keepers && s->keepers[i].state == TASK_QUEUED;
		running -= s->keepers && s->keepers[i].state == TASK_RUNNING;
	}
	if ((queued || running) && !s->stopped)
		broken(s, "tasks in more or less than one place:", queued + running);
}

int check_end(struct sim *s, const struct run_result *r, struct error *err)
{
	for (int i = 0; i < s->nr_cpus; i++) {
		const struct sim_cpu *c = &s->cpus[i];
		uint64_t sum = c->busy_ns + c->idle_loop_ns + c->off_ns;

		for (int n = 0; n < s->m->idle.nr_states; n++)
			sum += c->state_ns[n];
		if (sum != (uint64_t)s->end_ns)
			return error_set(err, EPROTO,
				"simulator fault: CPU %d: busy + idle = %llu ns, elapsed %lld ns",
				i, (unsigned long long)sum, (long long)s->end_ns);
	}
	if (check_power_end(s, err))
		return -EPROTO;
	if (r->cores_uj > r->package_uj)
		return error_set(err, EPROTO,
			"simulator fault: cores took more energy than the "
			"packages that hold them");
	return 0;
}
