// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who runs on each CPU. Every event carries the pid of the current task: a switch that was not
 * recorded shows there, and is put where it most likely was.
 */
#include "trace/build_internal.h"

void cpu_account(struct builder *b, struct build_cpu *c, uint64_t ns)
{
	uint64_t passed = ns > c->mark_ns ? ns - c->mark_ns : 0;

	c->mark_ns += passed;
	if (in_interrupt(c)) {
		c->irq_ns += passed;
		c->busy_ns += passed;
	} else if (c->state == CPU_BUSY) {
		c->busy_ns += passed;
		task_run(b, c->current, passed, c->khz ? c->khz : b->khz);
	}
}

void cpu_frequency(struct builder *b, struct build_cpu *c, uint64_t khz)
{
	if (b->khz_fixed || !khz)
		return;
	cpu_account(b, c, b->now_ns);
	c->khz = khz;
	b->khz_events = true;
	if (!b->khz)
		b->khz = khz;
}

/* Another CPU shows that it runs elsewhere: the switch away from it was not recorded. */
static void take_from(struct builder *b, struct task *t)
{
	struct build_cpu *c = b->cpus[t->cpu];

	if (c->current != t)
		return;
	cpu_account(b, c, c->last_ns);
	c->state = CPU_LOST;
	c->current = NULL;
	task_set(b, t, TASK_IS_OUT, c->last_ns);
}

static void switch_in(struct builder *b, struct build_cpu *c, struct task *t, uint64_t ns)
{
	if (t->presence == TASK_IS_RUNNING)
		take_from(b, t);
	wait_switched_in(b, t, ns);
	if (t->presence == TASK_IS_UNSEEN)
		t->start_ns = workload_time(b, ns);
	task_set(b, t, TASK_IS_RUNNING, ns);
	t->woken = false;
	if (t->run_cpu != c->id || t->gave_way)
		emit_run(b, t);
	t->run_flags = t->gave_way ? OP_GAVE_WAY : 0;
	t->gave_way = false;
	t->cpu = t->run_cpu = (int16_t)c->id;
	if (t->first_cpu < 0)
		t->first_cpu = t->only_cpu = t->cpu;
	else if (t->only_cpu != t->cpu)
		t->only_cpu = -2;
	c->state = CPU_BUSY;
	c->current = t;
	c->mark_ns = ns;
}

static void switch_out(struct builder *b, struct task *t, const struct event *ev)
{
	uint64_t state = ev->value;

	if (!(state & ~(uint64_t)TASK_PREEMPTED) || state & TASK_PREEMPTED) {
		race_over(b, t, false);
		task_set(b, t, TASK_IS_RUNNABLE, b->now_ns);
		t->woken = false;
		t->gave_way = true;
	} else if (state & (TASK_DEAD | TASK_ZOMBIE)) {
		task_end(b, t);
	} else {
		/* Who sleeps uninterruptibly need not wait for I/O, but mostly does. */
		t->disk = ev->iowait ? ev->iowait == IOWAIT_YES : state & TASK_SLEEPS_DISK;
		t->sleeps_idle = state & TASK_SLEEPS_IDLE;
		task_set(b, t, TASK_IS_ASLEEP, b->now_ns);
	}
}

/*
 * When the idle task gave way to t, which shows up only now: after the interrupt that let the CPU
 * see the waking, or, when it polled and needed none, after the waking itself.
 */
static uint64_t missing_switch_time(
	const struct builder *b, const struct build_cpu *c, const struct task *t)
{
	uint64_t ns = b->now_ns;

	/* One that raced is asleep only as far as could be seen. */
	if ((t->presence == TASK_IS_RUNNABLE && t->woken) || t->raced) {
		if (c->interrupt_exit_ns >= t->woken_ns)
			ns = c->interrupt_exit_ns + median_get(&b->exit_to_switch);
		else if (b->waking_to_switch.count)
			ns = t->woken_ns + median_get(&b->waking_to_switch);
	}
	if (ns < c->mark_ns)
		ns = c->mark_ns;
	return ns < b->now_ns ? ns : b->now_ns;
}

static void add_missing_switch(struct builder *b, struct build_cpu *c, struct task *t)
{
	uint64_t ns = b->now_ns;

	b->stats.switches_inferred++;
	if (c->state == CPU_BUSY) {
		struct task *prev = c->current;

		cpu_account(b, c, ns);
		prev->disk = prev->sleeps_idle = false;
		task_set(b, prev, TASK_IS_OUT, ns);
	} else {
		ns = missing_switch_time(b, c, t);
		build_idle_leave(b, c, ns);
	}
	if (t) {
		switch_in(b, c, t, ns);
	} else {
		c->state = CPU_IDLE;
		c->current = NULL;
		build_idle_enter(b, c);
	}
}

static void first_sight(struct builder *b, struct build_cpu *c, struct task *t)
{
	bool lost = c->state == CPU_LOST;

	c->mark_ns = lost ? b->now_ns : b->start_ns;
	c->state = CPU_IDLE;
	if (!t)
		return;
	/* Nothing was recorded of this CPU so far: it has been running, unless it was seen
	 * elsewhere. */
	if (lost)
		switch_in(b, c, t, b->now_ns);
	else if (t->presence == TASK_IS_UNSEEN)
		switch_in(b, c, t, b->start_ns);
	else
		add_missing_switch(b, c, t);
}

void cpu_see(struct builder *b, struct build_cpu *c, const struct event *ev)
{
	struct task *t = c->current;

	if (in_interrupt(c) && !ev->context &&
		(ev->kind < EV_IRQ_ENTRY || ev->kind > EV_VECTOR_EXIT)) {
		/* The exit was not recorded. */
		cpu_account(b, c, b->now_ns);
		c->depth[0] = c->depth[1] = 0;
		b->stats.interrupts_unbalanced++;
	}
	if (ev->pid == (t ? t->pid : 0) && c->state >= CPU_IDLE)
		return;
	t = ev->pid ? task_get(b, ev->pid) : NULL;
	if (b->status)
		return;
	if (c->state >= CPU_IDLE)
		add_missing_switch(b, c, t);
	else
		first_sight(b, c, t);
}

/* How long the way out of the idle loop takes, for switches that are not recorded. */
static void measure_switch(struct builder *b, const struct build_cpu *c, const struct task *t)
{
	if (t->presence != TASK_IS_RUNNABLE || !t->woken || t->cpu != c->id)
		return;
	if (c->interrupt_exit_ns >= t->woken_ns)
		median_add(&b->exit_to_switch, b->now_ns - c->interrupt_exit_ns);
	else
		median_add(&b->waking_to_switch, b->now_ns - t->woken_ns);
}

void cpu_switch(struct builder *b, struct build_cpu *c, const struct event *ev)
{
	struct task *prev = c->current, *next;

	cpu_account(b, c, b->now_ns);
	b->stats.switches++;
	cause_clear(b, &c->cause[0]);
	if (prev)
		switch_out(b, prev, ev);
	if (!ev->pid2) {
		c->state = CPU_IDLE;
		c->current = NULL;
		build_idle_enter(b, c);
		return;
	}
	next = task_get(b, ev->pid2);
	if (!next)
		return;
	task_name(next, ev->comm, ev->prio);
	if (!prev) {
		measure_switch(b, c, next);
		build_idle_leave(b, c, b->now_ns);
	}
	switch_in(b, c, next, b->now_ns);
}

/* What the interrupts of a completed request took, soft ones included. */
void cpu_chain_over(struct builder *b, struct build_cpu *c)
{
	if (c->completions) {
		b->device_irq_ns += c->irq_ns - c->chain_irq_ns;
		b->device_irqs += c->completions;
	}
	c->completions = 0;
	c->chain_irq_ns = c->irq_ns;
}

void cpu_interrupt_entry(struct builder *b, struct build_cpu *c, const struct event *ev)
{
	int hard = ev->kind != EV_SOFTIRQ_ENTRY;

	if (!in_interrupt(c) &&
		(hard || !c->interrupt_exit_ns || b->now_ns - c->interrupt_exit_ns > CHAIN_NS)) {
		cpu_chain_over(b, c);
		c->chain_ns = b->now_ns;
		c->chain_from_idle = hard && c->state == CPU_IDLE && !build_idle_polls(c);
	}
	if (hard && !in_interrupt(c) && c->state == CPU_IDLE)
		build_idle_interrupt(b, c, ev);
	cpu_account(b, c, b->now_ns);
	cause_clear(b, &c->cause[hard]);
	c->depth[hard]++;
}

void cpu_interrupt_exit(struct builder *b, struct build_cpu *c, const struct event *ev)
{
	int hard = ev->kind != EV_SOFTIRQ_EXIT;

	cause_clear(b, &c->cause[hard]);
	if (!c->depth[hard]) {
		b->stats.interrupts_unbalanced++;
		return;
	}
	cpu_account(b, c, b->now_ns);
	c->depth[hard]--;
	if (in_interrupt(c))
		return;
	c->interrupt_exit_ns = b->now_ns;
	build_idle_interrupt_end(c, b->now_ns);
}

void cpu_lost(struct builder *b, struct build_cpu *c)
{
	uint64_t last = c->last_ns < b->now_ns ? c->last_ns : b->now_ns - 1;

	if (c->state == CPU_BUSY) {
		cpu_account(b, c, last);
		task_set(b, c->current, TASK_IS_OUT, last);
	}
	c->state = CPU_LOST;
	c->current = NULL;
	c->depth[0] = c->depth[1] = 0;
	c->idle.open = false;
	c->gap_ns = c->mark_ns = b->now_ns;
	cause_clear(b, &c->cause[0]);
	cause_clear(b, &c->cause[1]);
}
