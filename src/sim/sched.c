// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The scheduler: per-CPU queues in virtual time (completely fair scheduling as of kernels up to
 * 6.5, constants as documented for its tunables, scaled by 1 + log2 of the CPUs, at most 8),
 * strict priority for the real-time class, placement through the sched policy, newly-idle and
 * periodic balance.
 */
#include "sim/internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	LATENCY_NS = 6000000,
	MIN_GRANULARITY_NS = 750000,
	WAKEUP_GRANULARITY_NS = 1000000,
	BALANCE_TICKS = 16,
	BALANCE_TRIES = 1, /* failures before warm caches count no longer */
	NICE_0_WEIGHT = 1024,
	IDLE_CLASS_WEIGHT = 3,
};

void sched_init(struct sim *s)
{
	s->sched_scale = 1;
	for (int n = s->nr_cpus < 8 ? s->nr_cpus : 8; n > 1; n /= 2)
		s->sched_scale++;
}

/* Each nice level is 10 % of CPU time against the next: a factor of 1.25 in weight. */
void sched_weigh(struct sim_task *t)
{
	if (t->def->sched_class == TASK_IDLE_CLASS)
		t->weight = IDLE_CLASS_WEIGHT;
	else
		t->weight = (uint64_t)llround(NICE_0_WEIGHT * pow(1.25, -t->def->nice));
}

static int rank(const struct sim_task *t)
{
	return t->def->sched_class == TASK_RT ? 0 : 1;
}

static bool runs_before(const struct sim_task *a, const struct sim_task *b)
{
	if (rank(a) != rank(b))
		return rank(a) < rank(b);
	return a->vruntime < b->vruntime;
}

static void update_idle_bits(struct sim_cpu *c)
{
	struct sim *s = c->sim;
	bool idle = !c->curr && !c->nr_rq, core_idle = idle;

	if (bit_get(&s->idle_cpus, c->id) == idle)
		return;
	bit_set(&s->idle_cpus, c->id, idle);
	for (int i = 0; core_idle && i < c->core->nr_threads; i++) {
		int id = c->core->threads[i]->id;

		core_idle = bit_get(&s->idle_cpus, id) || !bit_get(&s->online, id);
	}
	if (bit_get(&s->idle_cores, c->id) == core_idle)
		return;
	for (int i = 0; i < c->core->nr_threads; i++)
		bit_set(&s->idle_cores, c->core->threads[i]->id, core_idle);
}

static void count_running(struct sim_cpu *c)
{
	c->sim->nr_running[c->id] = (uint32_t)(c->nr_rq + !!c->curr);
	bit_set(&c->sim->queued, c->id, c->nr_rq);
	update_idle_bits(c);
}

static void enqueue(struct sim_cpu *c, struct sim_task *t)
{
	int i;

	if (c->nr_rq == c->size_rq) {
		int size = c->size_rq ? 2 * c->size_rq : 8;
		struct sim_task **rq = realloc(c->rq, (size_t)size * sizeof(*rq));

		if (!rq) {
			c->sim->status = -ENOMEM;
			return;
		}
		c->rq = rq;
		c->size_rq = size;
	}
	/* Equal virtual times: first come, first served. */
	for (i = c->nr_rq; i > 0 && runs_before(t, c->rq[i - 1]); i--)
		c->rq[i] = c->rq[i - 1];
	c->rq[i] = t;
	c->nr_rq++;
	t->cpu = c;
	t->state = TASK_QUEUED;
	c->sim->nr_queued++;
	count_running(c);
}

static void dequeue(struct sim_cpu *c, int i)
{
	memmove(&c->rq[i], &c->rq[i + 1], (size_t)(c->nr_rq - i - 1) * sizeof(*c->rq));
	c->nr_rq--;
	c->sim->nr_queued--;
	count_running(c);
}

void sched_charge(struct sim_cpu *c, uint64_t ns)
{
	struct sim_task *t = c->curr;

	t->slice_ns += ns;
	t->vruntime += t->weight == NICE_0_WEIGHT ? ns : ns * NICE_0_WEIGHT / t->weight;
	if (t->vruntime > c->min_vruntime && (!c->nr_rq || c->rq[0]->vruntime > c->min_vruntime)) {
		c->min_vruntime = t->vruntime;
		if (c->nr_rq && c->rq[0]->vruntime < t->vruntime)
			c->min_vruntime = c->rq[0]->vruntime;
	}
}

/* Moves a task's virtual time from one queue's origin to another's. */
static void carry_vruntime(struct sim_task *t, const struct sim_cpu *to)
{
	uint64_t from = t->cpu->min_vruntime;

	if (t->cpu == to)
		return;
	t->vruntime = t->vruntime > from ? t->vruntime - from + to->min_vruntime : to->min_vruntime;
	t->migrated = true;
	to->sim->counters.migrations++;
}

static bool preempts(struct sim_cpu *c, const struct sim_task *t)
{
	const struct sim_task *curr = c->curr;

	if (curr->no_preempt)
		return false;
	if (rank(t) != rank(curr))
		return rank(t) < rank(curr);
	if (rank(t) == 0)
		return false;
	if (curr->def->sched_class == TASK_IDLE_CLASS && t->def->sched_class == TASK_NORMAL)
		return true;
	if (c->act == ACT_RUN)
		cpu_close(c);
	return curr->vruntime > t->vruntime + WAKEUP_GRANULARITY_NS * c->sim->sched_scale;
}

/* Makes an idle CPU or one that should switch look at its queue. */
static bool kick(struct sim_cpu *c, struct sim_cpu *by)
{
	struct sim *s = c->sim;

	c->need_resched = true;
	if (c == by)
		return false;
	/* An idle loop that polls, or is not asleep yet, sees the flag by itself. */
	if (c->act == ACT_IDLE_ENTER || c->act == ACT_IDLE_WAKE || c->act == ACT_IDLE_EXIT)
		return false;
	if (c->act == ACT_IRQ && !c->curr)
		return false;
	if (node_queued(&c->ipi))
		return false;
	if (c->act == ACT_IDLE && (c->idle.cpu.driver->states[c->state].polling ||
					  s->m->idle_real[c->state].monitors)) {
		queue_set(&s->queue, &c->ipi, s->now_ns + s->m->costs.poll_react_ns);
		return false;
	}
	s->counters.ipis++;
	queue_set(&s->queue, &c->ipi, s->now_ns + s->m->costs.ipi_deliver_ns);
	return true;
}

bool sched_wake(struct sim_task *t, struct sim_cpu *waker, bool sync)
{
	struct sim *s = waker->sim;
	struct sim_cpu *c = sched_place(t, waker, sync);
	uint64_t credit = LATENCY_NS * s->sched_scale / 2;
	unsigned flags = t->iowait ? UTIL_IOWAIT : 0;

	s->counters.wakeups++;
	if (t->cpu && t->cpu != c)
		flags |= UTIL_MIGRATED;
	if (!c->curr && !c->nr_rq)
		flags |= UTIL_IDLE_PLACEMENT;
	if (t->iowait) {
		t->iowait = false;
		t->cpu->nr_iowait--;
	}
	t->wake_ns = s->now_ns;
	t->ends_wait = true;
	if (!t->cpu)
		t->cpu = c;
	carry_vruntime(t, c);
	/* A sleeper gets at most half a latency period ahead of the others. */
	if (t->vruntime + credit < c->min_vruntime)
		t->vruntime = c->min_vruntime - credit;
	enqueue(c, t);
	util_enqueue(c, t, waker, flags);
	if (!c->curr || preempts(c, t))
		return kick(c, waker);
	return false;
}

/* The highest-ranked task of another queue that may run here; hot: even with a warm cache. */
static struct sim_task *steal(struct sim_cpu *c, struct sim_cpu *from, bool hot)
{
	struct sim *s = c->sim;

	for (int i = 0; i < from->nr_rq; i++) {
		struct sim_task *t = from->rq[i];

		if (!bit_get(&t->allowed, c->id))
			continue;
		if (!hot && s->now_ns - t->last_ran_ns < s->m->costs.migration_cost_ns)
			continue;
		dequeue(from, i);
		util_dequeue(from, t, false);
		carry_vruntime(t, c);
		enqueue(c, t);
		util_enqueue(c, t, c, UTIL_MIGRATED);
		return t;
	}
	return NULL;
}

/* at_least: more than none. */
static struct sim_cpu *busiest(struct sim_cpu *c, int at_least)
{
	struct sim *s = c->sim;
	struct sim_cpu *best = NULL;

	for (int w = 0; w * 64 < s->nr_cpus; w++) {
		for (uint64_t left = s->queued.word[w]; left; left &= left - 1) {
			struct sim_cpu *o = &s->cpus[w * 64 + __builtin_ctzll(left)];

			if (o == c || o->nr_rq < at_least || s->llc[o->id] != s->llc[c->id])
				continue;
			if (!best || o->nr_rq > best->nr_rq)
				best = o;
		}
	}
	return best;
}

static void newly_idle_balance(struct sim_cpu *c)
{
	struct sim *s = c->sim;
	struct sim_cpu *from;

	if (!s->p->sched.balance || !s->nr_queued ||
		c->avg_idle_ns < (uint64_t)s->m->costs.migration_cost_ns)
		return;
	from = busiest(c, 1);
	if (from)
		steal(c, from, false);
}

/* Hands a waiting task of c to the first idle CPU that may have it. */
static bool hand_over(struct sim_cpu *c)
{
	struct sim *s = c->sim;

	for (int w = 0; w * 64 < s->nr_cpus; w++) {
		for (uint64_t left = s->idle_cpus.word[w]; left; left &= left - 1) {
			struct sim_cpu *o = &s->cpus[w * 64 + __builtin_ctzll(left)];

			if (!steal(o, c, c->balance_failed > BALANCE_TRIES))
				continue;
			kick(o, c);
			return true;
		}
	}
	return false;
}

/* A busy CPU with more than it can run hands one task to an idle CPU, or evens out. */
static void periodic_balance(struct sim_cpu *c)
{
	struct sim_cpu *from;

	if (!c->sim->p->sched.balance)
		return;
	if (c->nr_rq) {
		if (hand_over(c)) {
			c->balance_failed = 0;
			return;
		}
		c->balance_failed++;
	}
	if (c->balance_in-- > 0)
		return;
	c->balance_in = BALANCE_TICKS;
	from = busiest(c, c->nr_rq + 2);
	if (from)
		steal(c, from, false);
}

void sched_tick(struct sim_cpu *c)
{
	struct sim_task *t = c->curr;
	uint64_t slice;

	util_tick(c);
	if (!t)
		return;
	if (c->sim->nr_queued)
		periodic_balance(c);
	if (!c->nr_rq || rank(t) == 0 || t->no_preempt)
		return;
	slice = LATENCY_NS * c->sim->sched_scale / (uint64_t)(c->nr_rq + 1);
	if (slice < MIN_GRANULARITY_NS * c->sim->sched_scale)
		slice = MIN_GRANULARITY_NS * c->sim->sched_scale;
	if (t->slice_ns >= slice || runs_before(c->rq[0], t))
		if (t->slice_ns >= MIN_GRANULARITY_NS * c->sim->sched_scale)
			c->need_resched = true;
}

/* Makes t current. True: the switch takes time; false: its program can go on at once. */
static bool switch_to(struct sim_cpu *c, struct sim_task *t)
{
	struct sim *s = c->sim;

	util_switch(c, t);
	c->curr = t;
	t->state = TASK_RUNNING;
	t->slice_ns = 0;
	s->counters.switches++;
	if (t->ends_wait && !t->works_for)
		wake_count(&s->wake, (uint64_t)(s->now_ns - t->wake_ns));
	t->ends_wait = false;
	if (t->migrated) {
		t->owed_ns += s->m->costs.migration_ns;
		t->migrated = false;
	}
	count_running(c);
	if (!t->switch_due)
		return false;
	t->switch_due = false;
	cpu_start(c, ACT_SWITCH, s->m->costs.context_switch_ns);
	return true;
}

/* A task that was recorded to go on elsewhere goes there. */
static void move(struct sim_cpu *c, struct sim_task *t)
{
	struct sim_cpu *to = t->move_to;

	t->move_to = NULL;
	util_dequeue(c, t, false);
	carry_vruntime(t, to);
	enqueue(to, t);
	util_enqueue(to, t, c, UTIL_MIGRATED);
	if (!to->curr || preempts(to, t))
		kick(to, c);
}

/* The current task leaves the CPU: back into the queue, to another CPU, asleep, or gone. */
static void put_prev(struct sim_cpu *c)
{
	struct sim_task *prev = c->curr;

	if (!prev)
		return;
	prev->last_ran_ns = c->sim->now_ns;
	if (prev->state != TASK_RUNNING) {
		util_dequeue(c, prev, true);
		c->curr = NULL;
		return;
	}
	util_put(c);
	c->curr = NULL;
	/* What was recorded holds its switches. */
	prev->switch_due = !prev->move_to && !prev->gives_way;
	if (prev->gives_way && prev->vruntime < c->rq[0]->vruntime)
		prev->vruntime = c->rq[0]->vruntime;
	prev->gives_way = false;
	if (prev->move_to)
		move(c, prev);
	else
		enqueue(c, prev);
}

void schedule(struct sim_cpu *c)
{
	struct sim *s = c->sim;

	for (;;) {
		struct sim_task *curr = c->curr;

		c->need_resched = false;
		if (!curr || curr->state != TASK_RUNNING || curr->move_to || curr->gives_way ||
			(c->nr_rq && runs_before(c->rq[0], curr))) {
			bool was_idle = !curr;

			put_prev(c);
			if (!c->nr_rq)
				newly_idle_balance(c);
			if (!c->nr_rq) {
				count_running(c);
				if (!was_idle)
					c->idle_stamp_ns = s->now_ns;
				s->counters.switches += !was_idle;
				c->got_tick = false;
				if (!was_idle)
					util_idle(c);
				idle_enter(c);
				return;
			}
			curr = c->rq[0];
			dequeue(c, 0);
			if (switch_to(c, curr))
				return;
		}
		if (task_step(c) || s->stopped || s->status)
			return;
	}
}
