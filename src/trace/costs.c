// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/costs.h"

#include <errno.h>
#include <stdlib.h>

enum {
	TIMERS_KEPT = 4096,
	JOINED_NS = 3000, /* a soft interrupt that follows so closely belongs to the same burst */
	TOO_LONG_NS = 10000000,
	LONG_IDLE_NS = 500000,
};

static void add(struct costs *c, enum cost_kind kind, uint64_t ns)
{
	median_add(&c->median[kind], ns);
	c->sum_ns[kind] += ns;
}

static void sample(struct costs *c, enum cost_kind kind, uint64_t from_ns, uint64_t to_ns)
{
	if (from_ns && to_ns >= from_ns && to_ns - from_ns < TOO_LONG_NS)
		add(c, kind, to_ns - from_ns);
}

/* ---- timers: how late their interrupt comes -------------------------------------------- */

static int timer_set(struct costs *c, const struct event *ev)
{
	uint32_t i = map_get(&c->expires, ev->object);

	if (i == MAP_NONE) {
		if (c->nr_timers == TIMERS_KEPT)
			return 0;
		if (c->nr_timers == c->size_timers) {
			uint32_t size = c->size_timers ? 2 * c->size_timers : 64;
			uint64_t *grown = realloc(c->timer_ns, size * sizeof(*grown));

			if (!grown)
				return -ENOMEM;
			c->timer_ns = grown;
			c->size_timers = size;
		}
		i = c->nr_timers++;
		if (map_set(&c->expires, ev->object, i) < 0)
			return -ENOMEM;
	}
	c->timer_ns[i] = ev->ns;
	return 0;
}

static void timer_expires(struct costs *c, struct cost_cpu *cpu, const struct event *ev)
{
	uint32_t i = map_get(&c->expires, ev->object);

	/* The event tells the timers' clock beside the recording's: the smallest difference is
	 * the one between the clocks. */
	if (!c->clock_known || (int64_t)(ev->time_ns - ev->ns) < c->clock_offset_ns) {
		c->clock_offset_ns = (int64_t)(ev->time_ns - ev->ns);
		c->clock_known = true;
	}
	if (i == MAP_NONE || !c->timer_ns[i] || !cpu->vector_ns || cpu->value != VEC_LOCAL_TIMER)
		return;
	sample(c, cpu->in_state ? COST_TIMER_LATE_IDLE : COST_TIMER_LATE,
		c->timer_ns[i] + (uint64_t)c->clock_offset_ns, cpu->vector_ns);
	c->timer_ns[i] = 0;
}

/* ---- interrupts ------------------------------------------------------------------------ */

static void vector_entry(struct costs *c, struct cost_cpu *cpu, const struct event *ev)
{
	cpu->vector_ns = ev->time_ns;
	cpu->value = ev->value;
	if (ev->value == VEC_LOCAL_TIMER) {
		cpu->burst_ns = 0;
		cpu->burst_end_ns = 0;
		cpu->burst_idle = cpu->idle;
		cpu->timer_woke = false;
		return;
	}
	if (cpu->idle && cpu->woken_ns)
		sample(c,
			cpu->woken_ns - cpu->state_ns > LONG_IDLE_NS ? COST_REMOTE_WAKE_LONG
								     : COST_REMOTE_WAKE,
			cpu->woken_ns, ev->time_ns);
}

static void vector_exit(struct costs *c, struct cost_cpu *cpu, const struct event *ev)
{
	if (!cpu->vector_ns)
		return;
	if (cpu->value == VEC_LOCAL_TIMER) {
		cpu->burst_ns = ev->time_ns - cpu->vector_ns;
		cpu->burst_end_ns = ev->time_ns;
	} else if (cpu->idle && cpu->woken_ns) {
		sample(c, COST_IRQ, cpu->vector_ns, ev->time_ns);
	}
	cpu->exit_ns = ev->time_ns;
	cpu->tick_moved = false;
	cpu->vector_ns = 0;
}

static void softirq_exit(struct cost_cpu *cpu, const struct event *ev)
{
	if (cpu->burst_end_ns && cpu->softirq_ns >= cpu->burst_end_ns &&
		cpu->softirq_ns - cpu->burst_end_ns < JOINED_NS) {
		cpu->burst_ns += ev->time_ns - cpu->burst_end_ns;
		cpu->burst_end_ns = ev->time_ns;
	}
	cpu->exit_ns = ev->time_ns;
}

/* The first event outside of interrupts closes a timer's burst. */
static void close_burst(struct costs *c, struct cost_cpu *cpu)
{
	if (!cpu->burst_end_ns)
		return;
	if (!cpu->burst_idle)
		add(c, COST_TICK, cpu->burst_ns);
	else if (cpu->timer_woke)
		add(c, COST_TIMER_IRQ, cpu->burst_ns);
	cpu->burst_end_ns = 0;
}

/* ---- tasks ----------------------------------------------------------------------------- */

static void waking(struct costs *c, struct cost_cpu *cpu, const struct event *ev)
{
	struct cost_cpu *target;

	if (ev->target_cpu < 0 || ev->target_cpu >= CPUS_MAX)
		return;
	target = &c->cpus[ev->target_cpu];
	if (ev->context) {
		cpu->timer_woke = true;
		return;
	}
	cpu->waking_ns = ev->time_ns;
	cpu->waking_local = target == cpu;
	cpu->waking_remote = target != cpu && target->idle && target->in_state;
	if (cpu->waking_remote && !target->woken_ns)
		target->woken_ns = ev->time_ns;
}

static void switched(struct costs *c, struct cost_cpu *cpu, const struct event *ev)
{
	if (!ev->pid && ev->pid2) {
		sample(c, cpu->tick_moved ? COST_IDLE_EXIT_TICK : COST_IDLE_EXIT, cpu->exit_ns,
			ev->time_ns);
	} else if (ev->pid && ev->value) {
		if (cpu->waking_local)
			sample(c, COST_WAKE_SLEEP_LOCAL, cpu->waking_ns, ev->time_ns);
		else if (cpu->waking_remote)
			sample(c, COST_WAKE_SLEEP_REMOTE, cpu->waking_ns, ev->time_ns);
	}
	cpu->idle = !ev->pid2;
	cpu->in_state = false;
	cpu->tick_moved = false;
	cpu->entry_ns = cpu->idle ? ev->time_ns : 0;
	cpu->exit_ns = cpu->waking_ns = cpu->woken_ns = 0;
	cpu->waking_local = cpu->waking_remote = false;
}

static void idle_state(struct costs *c, struct cost_cpu *cpu, const struct event *ev)
{
	cpu->in_state = ev->value != UINT32_MAX;
	cpu->state_ns = ev->time_ns;
	if (!cpu->in_state)
		return;
	sample(c, cpu->tick_moved ? COST_IDLE_ENTRY_TICK : COST_IDLE_ENTRY, cpu->entry_ns,
		ev->time_ns);
	cpu->entry_ns = cpu->exit_ns = 0;
}

int costs_event(struct costs *c, const struct event *ev)
{
	struct cost_cpu *cpu;

	if (ev->cpu < 0 || ev->cpu >= CPUS_MAX)
		return 0;
	cpu = &c->cpus[ev->cpu];
	if (ev->pid) /* whoever was current, even where the switch was not recorded */
		cpu->idle = false;
	if (!ev->context && ev->kind != EV_SOFTIRQ_ENTRY && ev->kind != EV_VECTOR_EXIT &&
		ev->kind != EV_SOFTIRQ_EXIT)
		close_burst(c, cpu);
	switch (ev->kind) {
	case EV_SWITCH:
		switched(c, cpu, ev);
		break;
	case EV_WAKING:
		waking(c, cpu, ev);
		break;
	case EV_VECTOR_ENTRY:
		vector_entry(c, cpu, ev);
		break;
	case EV_VECTOR_EXIT:
		vector_exit(c, cpu, ev);
		break;
	case EV_SOFTIRQ_ENTRY:
		cpu->softirq_ns = ev->time_ns;
		break;
	case EV_SOFTIRQ_EXIT:
		softirq_exit(cpu, ev);
		break;
	case EV_CPU_IDLE:
		idle_state(c, cpu, ev);
		break;
	case EV_TICK_STOP:
		cpu->tick_moved = ev->value != 0;
		break;
	case EV_HRTIMER_START:
		if (!ev->pid && !ev->context) /* the idle loop sets its tick again */
			cpu->tick_moved = true;
		return timer_set(c, ev);
	case EV_HRTIMER_EXPIRE:
		timer_expires(c, cpu, ev);
		break;
	default:
		break;
	}
	return 0;
}

void costs_release(struct costs *c)
{
	map_release(&c->expires);
	free(c->timer_ns);
}

/* ---- output ---------------------------------------------------------------------------- */

static int64_t difference(const struct costs *c, enum cost_kind a, enum cost_kind b)
{
	if (!c->median[a].count || !c->median[b].count)
		return -1;
	return max_i64((int64_t)median_get(&c->median[a]) - (int64_t)median_get(&c->median[b]), 0);
}

static void print_cost(FILE *out, const char *name, int64_t ns, uint64_t count)
{
	if (ns >= 0 && count)
		fprintf(out, "  %s: %lld # from %llu\n", name, (long long)ns,
			(unsigned long long)count);
}

static void print_median(const struct costs *c, const char *name, enum cost_kind kind, FILE *out)
{
	print_cost(out, name, (int64_t)median_get(&c->median[kind]), c->median[kind].count);
}

static void print_mean(const struct costs *c, const char *name, enum cost_kind kind, FILE *out)
{
	uint64_t count = c->median[kind].count;

	print_cost(out, name, count ? (int64_t)(c->sum_ns[kind] / count) : -1, count);
}

void costs_print(const struct costs *c, const char *source, FILE *out)
{
	fprintf(out,
		"costs:\n  source: medians, and means of handlers, of %s\n  confidence: measured\n",
		source);
	print_mean(c, "tick_ns", COST_TICK, out);
	print_cost(out, "tick_stop_ns", difference(c, COST_IDLE_ENTRY_TICK, COST_IDLE_ENTRY),
		c->median[COST_IDLE_ENTRY_TICK].count);
	print_cost(out, "tick_restart_ns", difference(c, COST_IDLE_EXIT_TICK, COST_IDLE_EXIT),
		c->median[COST_IDLE_EXIT_TICK].count);
	print_median(c, "idle_entry_ns", COST_IDLE_ENTRY, out);
	print_median(c, "idle_exit_ns", COST_IDLE_EXIT, out);
	print_cost(out, "ipi_send_ns", difference(c, COST_WAKE_SLEEP_REMOTE, COST_WAKE_SLEEP_LOCAL),
		c->median[COST_WAKE_SLEEP_REMOTE].count);
	print_mean(c, "irq_ns", COST_IRQ, out);
	print_mean(c, "timer_irq_ns", COST_TIMER_IRQ, out);
	print_median(c, "timer_late_ns", COST_TIMER_LATE, out);
	fprintf(out, "# ipi_deliver_ns + the idle state's wake_ns:\n");
	print_median(c, "remote_wake_ns", COST_REMOTE_WAKE, out);
	print_median(c, "remote_wake_long_ns", COST_REMOTE_WAKE_LONG, out);
	fprintf(out, "# a timer's lateness in an idle state: timer_late_ns + wake_ns:\n");
	print_median(c, "timer_late_idle_ns", COST_TIMER_LATE_IDLE, out);
}
