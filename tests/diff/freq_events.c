// SPDX-License-Identifier: GPL-2.0-or-later
#include "freq_events.h"

#include "base/units.h"

#include <string.h>

enum step {
	STEP_SHORT,  /* many hooks within one rate limit */
	STEP_RATE,   /* at, just before or just after a rate limit */
	STEP_TICK,   /* the same with ticks */
	STEP_PERIOD, /* a few rate limits */
	STEP_LONG,   /* any order of magnitude up to minutes */
	STEPS,
};

enum util {
	UTIL_STEADY,
	UTIL_RANDOM,
	UTIL_EDGES,
	UTIL_WALK,
	UTILS,
};

static int below(struct freq_events *e, int n)
{
	return (int)rng_below(&e->rng, (uint64_t)n);
}

static bool chance(struct freq_events *e, int percent)
{
	return below(e, 100) < percent;
}

static int64_t any_magnitude(struct freq_events *e, int bits)
{
	uint64_t v = rng_next(&e->rng);

	return (int64_t)(v >> (64 - 1 - below(e, bits)));
}

static int64_t draw_step(struct freq_events *e)
{
	static const int near[] = { 0, 0, 0, 1, -1, 1000, -1000, 999, 1001 };
	int64_t off = near[below(e, (int)ARRAY_LEN(near))], ns;

	switch (chance(e, 80) ? e->phase.step : below(e, STEPS)) {
	case STEP_SHORT:
		return any_magnitude(e, 17);
	case STEP_RATE:
		ns = e->rate_ns * (1 + below(e, 3)) + off;
		break;
	case STEP_TICK:
		ns = e->setup->tick_ns * (1 + below(e, 2)) + off;
		break;
	case STEP_PERIOD:
		ns = any_magnitude(e, 30) % (4 * e->rate_ns + 1);
		break;
	default:
		ns = any_magnitude(e, 38);
	}
	return ns > 0 ? ns : 0;
}

static void begin_phase(struct freq_events *e)
{
	/* Per mille of idle time: loads around the thresholds, and the ends. */
	static const int idle[] = { 0, 0, 40, 49, 50, 51, 60, 190, 200, 210, 500, 799, 800, 801,
		990, 1000, 1000 };
	struct freq_phase *p = &e->phase;

	p->left = 1 + below(e, 60);
	p->step = below(e, STEPS);
	p->io = chance(e, 30) ? 70 : chance(e, 30) ? 10 : 0;
	p->busy = chance(e, 50) ? 90 : 20;
	p->permille_idle = chance(e, 80) ? idle[below(e, (int)ARRAY_LEN(idle))] : below(e, 1001);
	p->permille_iowait = chance(e, 30) ? below(e, 1001) : 0;
	p->permille_nice = chance(e, 30) ? below(e, 1001) : 0;
	p->util = below(e, UTILS);
}

static uint32_t draw_util(struct freq_events *e, uint32_t before)
{
	static const uint32_t edges[] = { 0, 1, 127, 128, 129, 255, 256, 257, 511, 512, 513, 819,
		820, 1023, 1024, 1025, 2000 };

	switch (e->phase.util) {
	case UTIL_STEADY:
		return chance(e, 90) ? before : (uint32_t)below(e, 1025);
	case UTIL_RANDOM:
		return (uint32_t)below(e, 1025);
	case UTIL_EDGES:
		return edges[below(e, (int)ARRAY_LEN(edges))];
	default:
		before += (uint32_t)below(e, 60);
		return before > 30 ? (before - 30) % 1060 : 0;
	}
}

static void advance_load(struct freq_events *e, struct cpu_load *load, int64_t step_ns)
{
	const struct freq_phase *p = &e->phase;
	uint64_t ns = (uint64_t)step_ns, idle = ns / 1000 * (uint64_t)p->permille_idle;
	uint64_t iowait = idle / 1000 * (uint64_t)p->permille_iowait;

	load->wall_ns += ns;
	load->idle_ns += idle - iowait;
	load->iowait_ns += iowait;
	load->nice_ns += (ns - idle) / 1000 * (uint64_t)p->permille_nice;
	/* Readings of different clocks may go back a little. */
	if (chance(e, 1) && load->idle_ns > 5000)
		load->idle_ns -= (uint64_t)below(e, 5000);
	load->util = draw_util(e, load->util);
	load->idle_calls += !chance(e, p->busy);
	load->util_capped = chance(e, 2);
	if (chance(e, 3))
		load->dl_bw = chance(e, 50) ? 0 : (uint32_t)below(e, 600);
	if (chance(e, 1))
		load->capacity = chance(e, 70) ? 1024 : 1 + (uint32_t)below(e, 1024);
}

static uint32_t draw_khz(struct freq_events *e)
{
	const struct freq_setup *s = e->setup;
	uint32_t span = s->max_khz - s->min_khz;

	if (s->step_khz && chance(e, 70))
		return s->min_khz + (uint32_t)below(e, (int)(span / s->step_khz) + 1) * s->step_khz;
	return s->min_khz + (uint32_t)below(e, (int)span + 1);
}

static void draw_limits(struct freq_events *e, struct freq_event *event)
{
	uint32_t a = draw_khz(e), b = draw_khz(e);

	event->min_khz = a < b ? a : b;
	event->max_khz = a < b ? b : a;
	if (chance(e, 40)) {
		event->min_khz = e->setup->min_khz;
		event->max_khz = e->setup->max_khz;
	}
}

static enum freq_event_kind draw_kind(struct freq_events *e)
{
	int n = below(e, 1000);

	return n < 1	 ? FREQ_EVENT_RESTART
	       : n < 20	 ? FREQ_EVENT_LIMITS
	       : n < 350 ? FREQ_EVENT_WORK
			 : FREQ_EVENT_HOOK;
}

void freq_events_init(
	struct freq_events *e, const struct freq_setup *setup, int64_t rate_ns, uint64_t seed)
{
	memset(e, 0, sizeof(*e));
	rng_init(&e->rng, seed, 1);
	e->setup = setup;
	e->rate_ns = rate_ns;
	e->last.now_ns = NSEC_PER_SEC;
	e->last.min_khz = setup->min_khz;
	e->last.max_khz = setup->max_khz;
	for (int i = 0; i < FREQ_DIFF_CPUS; i++)
		e->last.loads[i] = (struct cpu_load){ .cpu = i,
			.capacity = 1024,
			.wall_ns = NSEC_PER_SEC,
			.idle_ns = NSEC_PER_SEC / 2 };
}

void freq_events_next(struct freq_events *e, struct freq_event *ret)
{
	struct freq_event *event = &e->last;
	int64_t step_ns;

	if (e->phase.left-- <= 0)
		begin_phase(e);
	step_ns = draw_step(e);
	event->kind = draw_kind(e);
	event->now_ns += step_ns;
	event->cpu = below(e, e->setup->nr_cpus);
	event->flags = chance(e, e->phase.io) ? UTIL_IOWAIT : 0;
	event->flags |= (unsigned)below(e, 32) << 1;
	event->foreign = chance(e, 2);
	for (int i = 0; i < e->setup->nr_cpus; i++)
		advance_load(e, &event->loads[i], step_ns);
	if (event->kind == FREQ_EVENT_LIMITS)
		draw_limits(e, event);
	*ret = *event;
}
