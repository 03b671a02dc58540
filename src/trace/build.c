// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/build_internal.h"
#include "workload/facts.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail_with(struct builder *b, int code, const char *fmt, ...)
{
	char text[sizeof(b->error.text)];
	va_list ap;

	if (b->status)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	b->status = error_set(&b->error, code, "%s", text);
}

struct build_cpu *cpu_get(struct builder *b, int id)
{
	struct build_cpu *c;

	if (id < 0 || id >= CPUS_MAX) {
		b->stats.bad_cpu++;
		return NULL;
	}
	c = b->cpus[id];
	if (c)
		return c;
	c = calloc(1, sizeof(*c));
	if (!c) {
		fail_with(b, ENOMEM, "out of memory");
		return NULL;
	}
	c->id = id;
	c->tick = MAP_NONE;
	c->mark_ns = c->last_ns = b->start_ns;
	b->cpus[id] = c;
	if (id >= b->nr_cpus)
		b->nr_cpus = id + 1;
	return c;
}

int builder_new_sink(const struct build_options *options, const struct op_sink *sink,
	struct builder **ret, struct error *err)
{
	struct builder *b = calloc(1, sizeof(*b));

	if (!b) {
		sink->abort(sink->ctx);
		return error_set(err, ENOMEM, "out of memory");
	}
	b->options = *options;
	b->sink = *sink;
	if (options->operations)
		b->options.truth.operations = options->operations;
	b->khz_fixed = options->khz;
	b->khz = options->khz ? options->khz : options->env.khz;
	b->free_timer = MAP_NONE;
	if (options->env.hz > 0)
		b->tick_ns = NSEC_PER_SEC / (uint64_t)options->env.hz;
	*ret = b;
	return 0;
}

static struct builder *builder_free(struct builder *b)
{
	for (int i = 0; i < b->nr_cpus; i++) {
		if (b->cpus[i])
			free(b->cpus[i]->timers.heap);
		free(b->cpus[i]);
	}
	for (uint32_t i = 0; i < b->nr_tasks; i++)
		task_release(b->tasks[i]);
	free(b->tasks);
	free(b->indexed);
	free(b->timers);
	free(b->requests);
	map_release(&b->pids);
	map_release(&b->timer_map);
	map_release(&b->request_map);
	free(b);
	return NULL;
}

struct builder *builder_abort(struct builder *b)
{
	if (!b)
		return NULL;
	b->sink.abort(b->sink.ctx);
	return builder_free(b);
}

const struct build_stats *builder_stats(struct builder *b)
{
	b->stats.tasks = (uint64_t)b->nr_indexed;
	return &b->stats;
}

/* The window begins here after all: what came before only tells where everything stands. */
static void window_restart(struct builder *b)
{
	uint64_t events = b->stats.events;

	b->start_ns = b->now_ns;
	b->stats = (struct build_stats){ .events = events };
	b->nr_indexed = 0;
	b->last_ended = NULL;
	b->khz_ns = b->run_ns = 0;
	b->device_irq_ns = b->device_irqs = 0;
	b->khz_missing = false;
	for (int i = 0; i < b->nr_cpus; i++) {
		struct build_cpu *c = b->cpus[i];

		if (!c)
			continue;
		c->mark_ns = b->now_ns;
		c->busy_ns = c->irq_ns = c->idle_entries = 0;
		c->idle.over = false;
		c->chain_irq_ns = c->completions = 0;
	}
	for (uint32_t i = 0; i < b->nr_tasks; i++) {
		struct task *t = b->tasks[i];

		hold_forget(t);
		t->raced = t->race_held = false;
		t->index = -1;
		t->cycles = t->part = t->total_cycles = t->run_ns = 0;
		t->run_flags = 0;
		t->gave_way = false;
		t->waits = t->waits_outside = 0;
		t->start_ns = 0;
		t->forked = t->ended = false;
		if (t->presence == TASK_IS_RUNNING)
			t->first_cpu = t->only_cpu = t->cpu;
		else
			t->first_cpu = t->only_cpu = -1;
	}
	b->status = b->sink.restart(b->sink.ctx, &b->error);
}

static void marker(struct builder *b, const struct event *ev)
{
	const char *text = ev->text ? ev->text : ev->comm;
	struct workload_env *env = &b->options.env;
	struct task *t;

	if (!strncmp(text, FACT_START, strlen(FACT_START))) {
		if (b->marked || b->ended)
			return;
		b->marked = true;
		window_restart(b);
		if (ev->value && ev->value <= INT32_MAX) {
			t = task_get(b, (int)ev->value);
			if (t)
				t->command = true;
		}
	} else if (!strncmp(text, FACT_END, strlen(FACT_END))) {
		if (b->ended)
			return;
		b->ended = true;
		b->end_ns = b->now_ns;
	} else if (facts_read(text, env, &b->options.truth, NULL) > 0) {
		if (!b->khz_fixed && !b->khz_events && env->khz)
			b->khz = env->khz;
	}
}

static void fork_event(struct builder *b, struct build_cpu *c, const struct event *ev)
{
	struct task *parent = c->current, *child;
	uint32_t i = map_get(&b->pids, (uint32_t)ev->pid2);

	if (ev->pid2 <= 0)
		return;
	if (i != MAP_NONE && b->tasks[i]->presence != TASK_IS_UNSEEN) {
		/* Its last switch was not recorded, or the pid has a new owner. */
		b->stats.pids_reused++;
		if (b->tasks[i]->presence == TASK_IS_RUNNING) {
			struct build_cpu *old = b->cpus[b->tasks[i]->cpu];

			old->state = CPU_LOST;
			old->current = NULL;
		}
		task_end(b, b->tasks[i]);
		i = MAP_NONE;
	}
	child = i == MAP_NONE ? task_new(b, ev->pid2) : b->tasks[i];
	if (!child)
		return;
	task_name(child, ev->comm, parent ? parent->prio : child->prio);
	task_set(b, child, TASK_IS_NEW, b->now_ns);
	child->cpu = (int16_t)c->id;
	child->start_ns = (int64_t)workload_time(b, b->now_ns);
	if (!parent)
		return;
	child->forked = true;
	child->command |= parent->command;
	child->kernel = parent->kernel;
	cpu_account(b, c, b->now_ns);
	emit_run(b, parent);
	task_index(b, parent);
	emit(b, parent, &(struct op){ .kind = OP_FORK, .target = (uint32_t)task_index(b, child) });
}

static void task_event(struct builder *b, struct build_cpu *c, const struct event *ev)
{
	struct task *t;

	if (ev->kind == EV_FORK) {
		fork_event(b, c, ev);
		return;
	}
	t = ev->pid2 > 0 ? task_get(b, ev->pid2) : NULL;
	if (!t)
		return;
	switch (ev->kind) {
	case EV_WAKEUP_NEW:
		if (t->presence == TASK_IS_UNSEEN)
			t->start_ns = (int64_t)workload_time(b, b->now_ns);
		if (t->presence == TASK_IS_UNSEEN || t->presence == TASK_IS_NEW) {
			task_set(b, t, TASK_IS_RUNNABLE, b->now_ns);
			t->woken = true;
			t->woken_ns = b->now_ns;
		}
		break;
	case EV_EXEC:
		task_name(t, ev->comm, t->prio);
		t->kernel = false;
		t->user = true;
		break;
	case EV_MIGRATE:
		/* A sleeper keeps the CPU where it counts as waiting. */
		if (t->presence == TASK_IS_RUNNABLE && cpu_get(b, ev->target_cpu))
			t->cpu = (int16_t)ev->target_cpu;
		break;
	default: /* EV_EXIT: it still runs to its last switch, which tells its state */
		break;
	}
}

static void power_event(struct builder *b, struct build_cpu *c, const struct event *ev)
{
	struct build_cpu *target;

	switch (ev->kind) {
	case EV_IDLE_DONE:
		build_idle_done(b, c, ev);
		break;
	case EV_IDLE_SEEN:
		c->idle_view = *ev;
		break;
	case EV_CPU_IDLE:
		cause_clear(b, &c->cause[0]);
		build_idle_event(b, c, ev);
		break;
	case EV_TICK_STOP:
		build_idle_tick_stop(b, c, ev->value);
		break;
	case EV_CPU_FREQUENCY:
		target = cpu_get(b, ev->target_cpu);
		if (target)
			cpu_frequency(b, target, ev->value);
		break;
	case EV_CPU_ONLINE:
		/* The time it was away is no idle period. */
		target = cpu_get(b, ev->target_cpu);
		if (target && ev->value)
			target->idle.open = false;
		break;
	default:
		break;
	}
}

static void dispatch(struct builder *b, struct build_cpu *c, const struct event *ev)
{
	switch (ev->kind) {
	case EV_SWITCH:
		cpu_switch(b, c, ev);
		break;
	case EV_WAKING:
		wait_waking(b, c, ev);
		break;
	case EV_WAKEUP_NEW:
	case EV_FORK:
	case EV_EXEC:
	case EV_EXIT:
	case EV_MIGRATE:
		task_event(b, c, ev);
		break;
	case EV_IRQ_ENTRY:
	case EV_SOFTIRQ_ENTRY:
	case EV_VECTOR_ENTRY:
		cpu_interrupt_entry(b, c, ev);
		break;
	case EV_IRQ_EXIT:
	case EV_SOFTIRQ_EXIT:
	case EV_VECTOR_EXIT:
		cpu_interrupt_exit(b, c, ev);
		break;
	case EV_HRTIMER_START:
	case EV_TIMER_START:
		timer_start(b, c, ev);
		break;
	case EV_HRTIMER_CANCEL:
	case EV_TIMER_CANCEL:
		timer_cancel(b, ev);
		break;
	case EV_HRTIMER_EXPIRE:
	case EV_TIMER_EXPIRE:
		timer_expire(b, c, ev);
		break;
	case EV_BLOCK_ISSUE:
		io_issue(b, c, ev);
		break;
	case EV_BLOCK_COMPLETE:
		io_complete(b, c, ev);
		break;
	case EV_MARKER:
		marker(b, ev);
		break;
	default:
		power_event(b, c, ev);
		break;
	}
}

/* Formats that do not tell the context of an event: it is what was entered and not left. */
static bool context_missing(struct builder *b, const struct event *ev)
{
	if (ev->context)
		return false;
	if (ev->kind == EV_IRQ_ENTRY || ev->kind == EV_SOFTIRQ_ENTRY || ev->kind == EV_VECTOR_ENTRY)
		b->no_context = true;
	return b->no_context;
}

static void event_on_cpu(struct builder *b, struct build_cpu *c, const struct event *ev)
{
	struct event with_context;

	if (ev->kind == EV_LOST) {
		b->stats.lost_events += ev->value;
		b->stats.lost_regions++;
		cpu_lost(b, c);
		return;
	}
	if (context_missing(b, ev)) {
		with_context = *ev;
		with_context.context =
			(c->depth[0] ? CTX_SOFTIRQ : 0) | (c->depth[1] ? CTX_HARDIRQ : 0);
		ev = &with_context;
	}
	cpu_see(b, c, ev);
	if (!b->status)
		dispatch(b, c, ev);
}

int builder_event(struct builder *b, const struct event *ev, struct error *err)
{
	struct build_cpu *c;

	if (b->ended && !b->status) {
		if (ev->kind == EV_MARKER)
			marker(b, ev);
		return 0;
	}
	if (!b->status) {
		if (ev->time_ns > b->now_ns)
			b->now_ns = ev->time_ns;
		if (!b->started) {
			b->started = true;
			b->start_ns = b->now_ns;
		}
		b->stats.events++;
		c = cpu_get(b, ev->cpu);
		if (c) {
			event_on_cpu(b, c, ev);
			c->last_ns = b->now_ns;
		}
	}
	if (b->status && err)
		*err = b->error;
	return b->status;
}

int builder_finish(struct builder *b, const struct trace_info *info,
	struct workload_truth *ret_truth, struct error *err)
{
	int rc = build_output(b, info, ret_truth, err);

	builder_free(b);
	return rc;
}
