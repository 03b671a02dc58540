// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/finish.h"
#include "workload/facts.h"

#include <string.h>

enum { HZ_JIFFIES_MIN = 50, HZ_MAX = 10000 };

/*
 * Kernels since 4.14 record one of the eight letters' bits, and 0x100 for a task that was
 * preempted. Older ones record the raw state, with 1024, 2048 or 4096 (the end of their list) for
 * the same.
 */
uint64_t event_state(uint64_t prev_state)
{
	if (prev_state & (TASK_PREEMPTED | 1024 | 2048 | 4096))
		return TASK_PREEMPTED;
	return prev_state & 0xff;
}

/* One of the rates that kernels are built with, or 0 if none is within 5 %. */
static int nearest_hz(uint64_t jiffies, uint64_t ns)
{
	static const int rates[] = { 100, 250, 300, 1000 };
	double measured = ns ? (double)jiffies * NSEC_PER_SEC / (double)ns : 0;

	for (size_t i = 0; i < ARRAY_LEN(rates); i++)
		if (measured > rates[i] * 0.95 && measured < rates[i] * 1.05)
			return rates[i];
	return 0;
}

void finish_hz(struct finisher *f, struct trace_info *info, const struct event *ev, uint64_t aux)
{
	if (ev->kind == EV_MARKER &&
		!strncmp(ev->text, FACT_PREFIX "hz=", sizeof(FACT_PREFIX "hz=") - 1) &&
		ev->value > 0 && ev->value <= HZ_MAX)
		info->hz = (int)ev->value;
	if (info->hz || !aux || (ev->kind != EV_TIMER_START && ev->kind != EV_TIMER_EXPIRE))
		return;
	if (!f->jiffies) {
		f->jiffies = aux;
		f->jiffies_ns = ev->time_ns;
	} else if (aux - f->jiffies >= HZ_JIFFIES_MIN) {
		info->hz = nearest_hz(aux - f->jiffies, ev->time_ns - f->jiffies_ns);
		/* If it fits none, jiffies were stale or the clock jumped: once more from here. */
		f->jiffies = 0;
	}
}

/*
 * From one jiffy to the one in which the kernel's timer wheel runs a timer: its levels have slots
 * of 1, 8, 64, ... jiffies, each timer goes into the one behind its time, so none runs early.
 */
static uint64_t wheel_jiffies(uint64_t expires, uint64_t now, int64_t distance)
{
	enum { SLOTS = 64, LEVELS = 9, LEVEL_SHIFT = 3 };
	int shift = 0;

	if (distance <= 0) /* expired already: the next tick runs it */
		return 1;
	for (int64_t reach = SLOTS - 1; distance >= reach && shift < (LEVELS - 1) * LEVEL_SHIFT;
		reach <<= LEVEL_SHIFT)
		shift += LEVEL_SHIFT;
	return (((expires >> shift) + 1) << shift) - now;
}

static uint64_t timer_distance(const struct finisher *f, uint64_t expires, uint64_t now, int hz)
{
	int64_t distance = (int64_t)(expires - now);
	uint64_t jiffies;

	if (f->short_jiffies)
		distance = (int32_t)(uint32_t)(expires - now);
	if (!hz)
		return 0;
	jiffies = wheel_jiffies(now + (uint64_t)distance, now, distance);
	if (jiffies > INT64_MAX / NSEC_PER_SEC)
		return INT64_MAX;
	return jiffies * NSEC_PER_SEC / (uint64_t)hz;
}

static void finish_timer(const struct finisher *f, int hz, struct event *ev, uint64_t now)
{
	ev->ns = timer_distance(f, ev->ns, now, hz);
	ev->target_cpu = ev->value ? (int)(ev->value & TIMER_CPU_MASK) : -1;
	ev->value = !!(ev->value & TIMER_IS_DEFERRABLE);
}

/* Every step of a CPU's way up or down has an event; the first tells it. */
static bool first_step(struct finisher *f, struct event *ev, uint64_t step)
{
	bool up = (int64_t)ev->value > (int64_t)step;
	int cpu = ev->target_cpu;

	if (cpu < 0 || cpu >= CPUS_MAX || ev->value == step || f->online[cpu] == 1 + up)
		return false;
	f->online[cpu] = (uint8_t)(1 + up);
	ev->value = up;
	return true;
}

bool finish_event(struct finisher *f, const struct trace_info *info, struct event *ev, uint64_t aux)
{
	switch (ev->kind) {
	case EV_SWITCH:
		ev->value = event_state(ev->value);
		return true;
	case EV_TIMER_START:
		finish_timer(f, info->hz, ev, aux);
		return true;
	case EV_CPU_ONLINE:
		return first_step(f, ev, aux);
	default:
		return true;
	}
}
