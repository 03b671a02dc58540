// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interrupts: the clock event device (tick and timers), devices and outside events, wake-up IPIs.
 * One runs at a time on a CPU; it pauses what the CPU did, and its effect comes at its end.
 */
#include "sim/internal.h"

void clock_program(struct sim_cpu *c)
{
	struct sim *s = c->sim;
	const struct node *timer = queue_first(&c->timers);
	int64_t ns = c->tick_stopped ? INT64_MAX : c->next_tick_ns;

	if (timer && timer->time_ns < ns)
		ns = timer->time_ns;
	if (ns != INT64_MAX)
		ns += s->m->costs.timer_late_ns;
	if (ns == INT64_MAX)
		slots_clear(&s->clocks, c->id);
	else if (ns != slots_key(&s->clocks, c->id).time_ns)
		slots_set(&s->clocks, c->id,
			(struct queue_key){ max_i64(ns, s->now_ns), ++s->queue.seq });
}

bool irq_pending(const struct sim_cpu *c)
{
	return c->irq_clock || c->irq_resched || c->irq_first;
}

static int64_t clock_cost(const struct sim_cpu *c)
{
	const struct machine_costs *costs = &c->sim->m->costs;
	const struct node *timer = queue_first(&c->timers);
	int64_t ns = 0;

	if (!c->tick_stopped && c->next_tick_ns <= c->sim->now_ns)
		ns += costs->tick_ns;
	if (timer && timer->time_ns <= c->sim->now_ns)
		ns += costs->timer_irq_ns;
	return ns;
}

/* A disk's interrupt on a machine of the recording's kind takes what it took then. */
static int64_t item_cost(const struct sim_cpu *c, const struct irq_item *item)
{
	const struct sim *s = c->sim;
	bool device = item->signal || (item->task && item->task->wait_kind == OP_IO);

	if (device && s->recorded_khz && s->w->env.device_irq_ns)
		return (int64_t)s->w->env.device_irq_ns;
	return s->m->costs.irq_ns;
}

/* Takes the next pending interrupt; the CPU is awake and not in one. */
void irq_next(struct sim_cpu *c)
{
	int64_t cost = c->sim->m->costs.irq_ns;

	c->irq_is_clock = c->irq_is_resched = false;
	c->irq_item = NULL;
	if (c->irq_clock) {
		c->irq_clock = false;
		c->irq_is_clock = true;
		cost = clock_cost(c);
	} else if (c->irq_first) {
		c->irq_item = c->irq_first;
		c->irq_first = c->irq_first->next;
		cost = item_cost(c, c->irq_item);
	} else {
		c->irq_resched = false;
		c->irq_is_resched = true;
	}
	cpu_start(c, ACT_IRQ, cost);
}

static void interrupt(struct sim_cpu *c)
{
	switch (c->act) {
	case ACT_OFF:
	case ACT_IRQ:	    /* taken when the current one is done */
	case ACT_IDLE_WAKE: /* taken when the hardware is back */
		return;
	case ACT_IDLE:
		/* A poll loop runs with interrupts on and goes on after one. */
		if (!c->idle.cpu.driver->states[c->state].polling) {
			idle_wake(c);
			return;
		}
		/* fall through */
	default:
		cpu_close(c);
		c->paused = c->act;
		c->paused_left_ns = c->left_ns;
		irq_next(c);
	}
}

void irq_clock(struct sim_cpu *c)
{
	c->irq_clock = true;
	interrupt(c);
}

void irq_resched(struct sim_cpu *c)
{
	c->irq_resched = true;
	interrupt(c);
}

void irq_device(struct sim_cpu *c, struct irq_item *item)
{
	item->next = NULL;
	if (c->irq_first)
		c->irq_last->next = item;
	else
		c->irq_first = item;
	c->irq_last = item;
	interrupt(c);
}

static void run_timers(struct sim_cpu *c)
{
	struct sim *s = c->sim;
	struct node *n;

	while ((n = queue_first(&c->timers)) && n->time_ns <= s->now_ns && !s->stopped) {
		queue_remove(&c->timers, n);
		if (n->kind == NODE_TIMER) {
			sched_wake(n->owner, c, false);
		} else {
			signal_due(c, n->owner);
		}
	}
}

static void clock_effect(struct sim_cpu *c)
{
	struct sim *s = c->sim;

	if (!c->tick_stopped && c->next_tick_ns <= s->now_ns) {
		s->counters.ticks++;
		c->got_tick = true;
		while (c->next_tick_ns <= s->now_ns)
			c->next_tick_ns += s->m->tick_ns;
		sched_tick(c);
	}
	run_timers(c);
	clock_program(c);
}

/* Back to what was interrupted, or to the scheduler. */
static void resume(struct sim_cpu *c, enum activity paused)
{
	switch (paused) {
	case ACT_RUN:
		if (c->need_resched && c->curr->state == TASK_RUNNING)
			schedule(c);
		else
			cpu_resume_run(c);
		break;
	case ACT_SWITCH:
	case ACT_IDLE_ENTER:
	case ACT_IDLE_EXIT:
		cpu_start(c, paused, c->paused_left_ns);
		break;
	case ACT_IDLE:
		idle_poll_on(c);
		break;
	default:
		idle_after_irq(c);
	}
}

void irq_done(struct sim_cpu *c)
{
	struct sim *s = c->sim;
	enum activity paused;

	cpu_close(c);
	if (c->irq_is_clock)
		clock_effect(c);
	else if (c->irq_item)
		task_irq(c, c->irq_item);
	if (s->stopped)
		return;
	if (irq_pending(c)) {
		irq_next(c);
		return;
	}
	paused = c->paused;
	c->paused = ACT_OFF;
	resume(c, paused);
}
