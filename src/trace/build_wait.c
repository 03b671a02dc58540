// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What ended a wait is told by the context in which sched_waking was raised: the current task, or
 * an interrupt, and then by what that interrupt had just done (a request that was completed, a
 * timer that expired). A wake-up of a CPU's own idle task comes from outside as well.
 */
#include "trace/build_internal.h"

void cause_clear(struct builder *b, struct cause *cause)
{
	if (cause->kind == CAUSE_BLOCK && cause->issuer)
		hold_resolve(b, cause->issuer, cause->hold, NULL);
	cause->kind = CAUSE_OTHER;
	cause->issuer = NULL;
}

/* Lost events on the CPU where it was last heard of hide what it did since. */
static bool behind_gap(const struct builder *b, const struct task *t)
{
	return t->cpu >= 0 && t->since_ns < b->cpus[t->cpu]->gap_ns;
}

static uint32_t iowait_flag(const struct task *t)
{
	return t->disk ? OP_IOWAIT : 0;
}

static void wait_on(struct builder *b, struct task *t, enum op_kind kind, uint32_t target,
	uint64_t ns, uint32_t flags)
{
	emit_run(b, t);
	emit(b, t, &(struct op){ .kind = kind, .target = target, .ns = ns, .flags = flags });
}

static void count_wait(struct builder *b, struct task *t, enum op_kind cause)
{
	b->stats.waits[cause]++;
	t->waits++;
	t->waits_outside += cause == OP_EXTERNAL;
}

static void wait_unknown(struct builder *b, struct task *t, uint64_t ns)
{
	b->stats.waits_unknown++;
	t->waits++;
	t->waits_outside++;
	wait_on(b, t, OP_EXTERNAL, 0, workload_time(b, ns), OP_UNKNOWN | iowait_flag(t));
}

/* The op tells which CPU took the interrupt. */
static uint32_t interrupt_cpu(const struct build_cpu *c)
{
	return (uint32_t)(c->id + 1) << OP_CPU_SHIFT;
}

static void wait_outside(struct builder *b, const struct build_cpu *c, struct task *t)
{
	count_wait(b, t, OP_EXTERNAL);
	wait_on(b, t, OP_EXTERNAL, 0, workload_time(b, b->now_ns),
		iowait_flag(t) | interrupt_cpu(c));
}

/* Ran out of sight of the window: its sleep counts from there. */
static uint64_t asleep_since(const struct builder *b, const struct task *t)
{
	return t->since_ns > b->start_ns ? t->since_ns : b->start_ns;
}

/* The current task of c puts a token into t's channel. */
static void signal_task(
	struct builder *b, struct build_cpu *c, struct task *t, const struct event *ev)
{
	struct op op = { .kind = OP_SIGNAL };
	const struct build_cpu *to =
		ev->target_cpu >= 0 && ev->target_cpu < CPUS_MAX ? b->cpus[ev->target_cpu] : NULL;

	task_index(b, c->current);
	op.target = (uint32_t)task_index(b, t);
	if (to && to != c && to->state == CPU_IDLE)
		op.flags = OP_REMOTE;
	cpu_account(b, c, b->now_ns);
	emit_run(b, c->current);
	emit(b, c->current, &op);
}

static void wait_for_device(
	struct builder *b, struct build_cpu *c, struct task *t, struct cause *cause)
{
	uint64_t asleep = asleep_since(b, t);
	uint64_t from = cause->issue_seen && cause->issue_ns > asleep ? cause->issue_ns : asleep;
	uint32_t flags = (cause->from_idle ? OP_FROM_IDLE : 0) | interrupt_cpu(c);

	count_wait(b, t, OP_IO);
	/*
	 * Another task made the request while this one slept, or this one is a worker that waits
	 * for work, not for a request: it depends on when that task gets there.
	 */
	if (cause->issue_seen && cause->issuer && cause->issuer != t &&
		(cause->issue_ns > asleep || t->sleeps_idle)) {
		struct op op = {
			.kind = OP_SIGNAL,
			.target = (uint32_t)task_index(b, t),
			.flags = OP_IOWAIT | flags,
			/* Not 0: that would be the task's own signal. */
			.ns = cause->time_ns > cause->issue_ns ? cause->time_ns - cause->issue_ns
							       : 1,
		};

		if (hold_resolve(b, cause->issuer, cause->hold, &op)) {
			b->stats.io_of_other++;
			wait_on(b, t, OP_WAIT, op.target, 0, iowait_flag(t));
			return;
		}
	}
	wait_on(b, t, OP_IO, cause->device, cause->time_ns > from ? cause->time_ns - from : 0,
		iowait_flag(t) | flags);
}

static void wait_for_timer(struct builder *b, struct task *t, const struct cause *cause)
{
	uint64_t late = cause->late_known ? cause->late_ns : 0;
	uint64_t due = cause->time_ns > late ? cause->time_ns - late : 0;
	uint64_t asleep = asleep_since(b, t);

	if (cause->periodic) {
		count_wait(b, t, OP_SLEEP_UNTIL);
		wait_on(b, t, OP_SLEEP_UNTIL, 0, workload_time(b, due), iowait_flag(t));
		return;
	}
	count_wait(b, t, OP_SLEEP_FOR);
	if (cause->starter != t || cause->start_ns < t->woken_ns) {
		b->stats.timer_of_other++;
		due = b->now_ns;
	}
	wait_on(b, t, OP_SLEEP_FOR, 0, due > asleep ? due - asleep : 0, iowait_flag(t));
}

static void wait_ended(
	struct builder *b, struct build_cpu *c, struct task *t, const struct event *ev)
{
	struct cause *cause = cause_of(c, ev);

	if (behind_gap(b, t)) {
		b->stats.waits_gap++;
		wait_unknown(b, t, b->now_ns);
	} else if (!ev->context && c->current) {
		count_wait(b, t, OP_WAIT);
		signal_task(b, c, t, ev);
		wait_on(b, t, OP_WAIT, (uint32_t)t->index, 0, iowait_flag(t));
	} else if (cause->kind == CAUSE_BLOCK && !(ev->context & CTX_NMI)) {
		wait_for_device(b, c, t, cause);
	} else if (cause->kind == CAUSE_TIMER && !(ev->context & CTX_NMI)) {
		wait_for_timer(b, t, cause);
	} else {
		wait_outside(b, c, t);
	}
}

void race_over(struct builder *b, struct task *t, bool slept)
{
	static const struct op nothing = { .kind = OP_RUN };
	struct op wait = { .kind = OP_WAIT, .target = (uint32_t)t->index };

	if (!t->raced)
		return;
	t->raced = false;
	if (!t->race_held)
		return;
	t->race_held = false;
	if (slept && hold_resolve(b, t, t->race_before, &wait)) {
		count_wait(b, t, OP_WAIT);
		hold_resolve(b, t, t->race_after, &nothing);
	} else {
		hold_resolve(b, t, t->race_before, NULL);
		hold_resolve(b, t, t->race_after, NULL);
	}
}

/* Its wait stands before the waking if it is going to sleep for a moment, else behind it. */
static void hold_race(struct builder *b, struct task *t, const struct op *no_sleep)
{
	static const struct op nothing = { .kind = OP_RUN };
	struct build_cpu *c = b->cpus[t->cpu];
	uint64_t ran;

	cpu_account(b, c, b->now_ns);
	ran = ns_to_cycles(RACE_NS, c->khz ? c->khz : b->khz);
	if (ran > t->cycles)
		ran = t->cycles;
	t->cycles -= ran;
	t->race_before = hold_place(b, t, &nothing);
	t->cycles = ran;
	t->race_after = hold_place(b, t, no_sleep);
	t->race_held = true;
}

/*
 * It was about to sleep when it was woken, and perhaps had gone too far to turn back. In the replay
 * it may get there first and really wait, so the signal counts in any case. What an interrupt
 * brought came in time, and nobody is to be waited for.
 */
static void wait_raced(
	struct builder *b, struct build_cpu *c, struct task *t, const struct event *ev)
{
	struct op no_sleep = { .kind = OP_WAIT, .flags = OP_NOSWITCH };

	b->stats.raced++;
	race_over(b, t, false);
	if (t->presence == TASK_IS_RUNNING) {
		t->raced = true;
		t->woken_ns = b->now_ns;
	}
	if (ev->context || !c->current || c->current == t)
		return;
	signal_task(b, c, t, ev);
	no_sleep.target = (uint32_t)t->index;
	if (t->presence == TASK_IS_RUNNING) {
		hold_race(b, t, &no_sleep);
	} else {
		emit_run(b, t);
		emit(b, t, &no_sleep);
	}
}

void wait_waking(struct builder *b, struct build_cpu *c, const struct event *ev)
{
	struct task *t = ev->pid2 > 0 ? task_get(b, ev->pid2) : NULL;

	if (!t)
		return;
	task_name(t, ev->comm, ev->prio);
	switch (t->presence) {
	case TASK_IS_UNSEEN:
	case TASK_IS_ASLEEP:
	case TASK_IS_OUT:
		race_over(b, t, false);
		wait_ended(b, c, t, ev);
		break;
	case TASK_IS_RUNNING:
		wait_raced(b, c, t, ev);
		return;
	case TASK_IS_RUNNABLE:
		if (behind_gap(b, t)) {
			wait_ended(b, c, t, ev);
		} else if (t->woken) {
			b->stats.woken_twice++;
		} else {
			wait_raced(b, c, t, ev);
			return;
		}
		break;
	case TASK_IS_NEW:
	case TASK_IS_GONE:
		break;
	}
	task_set(b, t, TASK_IS_RUNNABLE, b->now_ns);
	t->woken = true;
	t->woken_ns = b->now_ns;
	if (ev->target_cpu >= 0 && cpu_get(b, ev->target_cpu))
		t->cpu = (int16_t)ev->target_cpu;
}

void wait_switched_in(struct builder *b, struct task *t, uint64_t ns)
{
	if (behind_gap(b, t)) {
		race_over(b, t, false);
		b->stats.waits_gap++;
		wait_unknown(b, t, ns);
	} else if (t->raced) {
		race_over(b, t, t->presence == TASK_IS_ASLEEP);
	} else if (t->presence == TASK_IS_ASLEEP) {
		b->stats.waits_missing++;
		wait_unknown(b, t, ns);
	}
}
