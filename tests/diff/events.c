// SPDX-License-Identifier: GPL-2.0-or-later
#include "events.h"

#include "base/units.h"

#include <string.h>

enum length {
	LENGTH_NEAR,	  /* at, just below or just above an interesting length */
	LENGTH_LOG,	  /* any order of magnitude up to an hour */
	LENGTH_STEADY,	  /* the phase's base, with its jitter */
	LENGTH_ALTERNATE, /* the base less or plus exactly the jitter */
	LENGTH_BIMODAL,	  /* steady, or a much longer one */
	LENGTH_TICKS,	  /* around whole ticks */
	LENGTH_PART,	  /* of the time to the timer */
	LENGTH_TIMER,	  /* the timer woke the CPU, or nearly so */
	LENGTH_NEGATIVE,
	LENGTH_ANY, /* 64 random bits */
};

static bool chance(struct events *e, int per_cent)
{
	return (int)rng_below(&e->rng, 100) < per_cent;
}

static void interesting(struct events *e, int64_t ns)
{
	if (e->nr_interesting < INTERESTING_MAX)
		e->interesting[e->nr_interesting++] = ns;
}

static void find_interesting(struct events *e)
{
	static const int64_t fixed[] = { 0, 1000, 2000, 5000, 10000, 15000, 20000, 50000, 100000,
		200000, 400000, 1000000, 10000000, 45000000, 50000000, 100000000, 1000000000,
		715000000000, 1LL << 31, 1LL << 32, (1LL << 31) * 1000, (1LL << 32) * 1000,
		1LL << 51, 1LL << 54, INT64_MAX / 2, INT64_MAX };
	const struct idle_driver *d = e->driver;

	e->nr_interesting = 0;
	for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
		interesting(e, fixed[i]);
	for (int i = 1; i <= 4; i++)
		interesting(e, d->tick_ns * i / 2);
	for (int i = 0; i < d->nr_states; i++) {
		int64_t latency = d->states[i].exit_latency_ns;
		int64_t residency = d->states[i].target_residency_ns;

		interesting(e, latency);
		interesting(e, 2 * latency);
		interesting(e, residency);
		interesting(e, residency + latency);
		interesting(e, residency + latency / 2);
		if (i)
			interesting(e, (residency + d->states[i - 1].target_residency_ns) / 2);
	}
}

static int64_t near(struct events *e)
{
	static const int steps[] = { 0, 0, 0, -1, 1, -2, 2, -999, 999, -1000, 1000, -1500, 20000 };
	int64_t ns = e->interesting[rng_below(&e->rng, (uint64_t)e->nr_interesting)];
	int64_t step = steps[rng_below(&e->rng, ARRAY_LEN(steps))];

	return ns > INT64_MAX - 20000 && step > 0 ? ns : ns + step;
}

/* One draw per statement: the order within an expression is the compiler's. */
static int64_t any_magnitude(struct events *e)
{
	uint64_t bits = rng_next(&e->rng);

	return (int64_t)(bits >> (22 + rng_below(&e->rng, 42)));
}

static int64_t around_ticks(struct events *e)
{
	int64_t ticks = (int64_t)rng_below(&e->rng, 6);

	return e->driver->tick_ns * ticks + (int64_t)rng_below(&e->rng, 5) - 2;
}

static int64_t steady(struct events *e, const struct phase *p, int64_t base_ns)
{
	return base_ns - p->jitter_ns + (int64_t)rng_below(&e->rng, 2 * (uint64_t)p->jitter_ns + 1);
}

/* sleep_ns: the time to the next timer, for those lengths that depend on it. */
static int64_t draw(struct events *e, const struct phase *p, int kind, int64_t sleep_ns)
{
	switch (kind) {
	case LENGTH_NEAR:
		return near(e);
	case LENGTH_STEADY:
		return steady(e, p, p->base_ns);
	case LENGTH_ALTERNATE:
		return p->left & 1 ? p->base_ns - p->jitter_ns : p->base_ns + p->jitter_ns;
	case LENGTH_BIMODAL:
		return steady(e, p, chance(e, 15) ? 40 * p->base_ns : p->base_ns);
	case LENGTH_TICKS:
		return around_ticks(e);
	case LENGTH_PART:
		return sleep_ns > 0 ? (int64_t)rng_below(&e->rng, (uint64_t)sleep_ns) : 0;
	case LENGTH_TIMER:
		return sleep_ns > 0 && sleep_ns < INT64_MAX / 2
			       ? sleep_ns + (int64_t)rng_below(&e->rng, 4000)
			       : 1000;
	case LENGTH_NEGATIVE:
		return -any_magnitude(e);
	case LENGTH_ANY:
		return (int64_t)rng_next(&e->rng);
	default:
		return any_magnitude(e);
	}
}

static int64_t draw_latency_req(struct events *e)
{
	const struct idle_driver *d = e->driver;
	const struct idle_state *state = &d->states[rng_below(&e->rng, (uint64_t)d->nr_states)];

	switch (rng_below(&e->rng, 8)) {
	case 0:
		return 0;
	case 1:
		return state->exit_latency_ns;
	case 2:
		return max_i64(state->exit_latency_ns - 1, 0);
	case 3:
		return any_magnitude(e);
	default:
		return LATENCY_NO_LIMIT_NS;
	}
}

/* What the steady lengths are made of. */
static void draw_base(struct events *e, struct phase *p)
{
	p->base_ns = chance(e, 30) ? near(e) % 20000000 : 1000 + any_magnitude(e) % 20000000;
	p->add_latency = chance(e, 50);
	switch (rng_below(&e->rng, 4)) {
	case 0:
		p->jitter_ns = 0;
		break;
	case 1:
		/* Standard deviations of some 20 us decide in menu; */
		p->jitter_ns = 15000 + (int64_t)rng_below(&e->rng, 25000);
		break;
	case 2:
		/* so does one that is a sixth of the average. */
		p->jitter_ns = NSEC_PER_USEC * (int64_t)(20 + rng_below(&e->rng, 400));
		p->base_ns = 6 * p->jitter_ns;
		break;
	default:
		p->jitter_ns = any_magnitude(e) % NSEC_PER_MSEC;
		break;
	}
}

static void phase_begin(struct events *e, struct phase *p)
{
	static const uint32_t waiters[] = { 0, 0, 0, 1, 1, 2, 3, 17, 1000, 4194304 };
	static const int sleeps[] = { LENGTH_NEAR, LENGTH_NEAR, LENGTH_LOG, LENGTH_LOG,
		LENGTH_TICKS, LENGTH_STEADY };

	memset(p, 0, sizeof(*p));
	draw_base(e, p);
	p->left = 1 + (int)rng_below(&e->rng, 300);
	p->sleep = sleeps[rng_below(&e->rng, ARRAY_LEN(sleeps))];
	p->residency = (int)rng_below(&e->rng, LENGTH_NEGATIVE);
	p->latency_req_ns = draw_latency_req(e);
	p->nr_iowait = waiters[rng_below(&e->rng, ARRAY_LEN(waiters))];
	p->disable_mask =
		chance(e, 30) ? (uint32_t)rng_below(&e->rng, 1u << e->driver->nr_states) : 0;
	p->tick_stopped = chance(e, 25);
	p->rejected = chance(e, 30) ? 30 : 1;
	p->other = chance(e, 20) ? 20 : 0;
	p->tick = chance(e, 30) ? 50 : 2;
	p->timeout = chance(e, 40) ? 60 : 5;
	p->fuzz = chance(e, 20) ? 10 : chance(e, 10) ? 100 : 0;
}

static int64_t draw_delta_tick(struct events *e, const struct idle_snapshot *s)
{
	int64_t to_tick;

	if (s->tick_stopped && !chance(e, 10))
		return s->sleep_length_ns;
	if (chance(e, 10))
		return near(e);
	to_tick = 1 + (int64_t)rng_below(&e->rng, (uint64_t)e->driver->tick_ns);
	return min_i64(to_tick, s->sleep_length_ns);
}

/* Everything independent of everything else, within what the interface allows. */
static void fuzz(struct events *e, struct diff_event *event)
{
	struct idle_snapshot *s = &event->snapshot;

	s->sleep_length_ns = draw(e, NULL, chance(e, 50) ? LENGTH_ANY : LENGTH_NEGATIVE, 0);
	s->delta_tick_ns = chance(e, 50) ? near(e) : (int64_t)rng_next(&e->rng);
	s->latency_req_ns = any_magnitude(e);
	s->nr_iowait = (uint32_t)rng_below(&e->rng, 4194304);
	s->disable_mask = (uint32_t)rng_below(&e->rng, 1u << e->driver->nr_states);
	s->tick_stopped = chance(e, 50);
	event->residency_ns = chance(e, 50) ? near(e) : (int64_t)rng_next(&e->rng);
	event->add_latency = false;
	event->reflect_now_ns = (int64_t)rng_next(&e->rng);
	event->poll_flag = POLL_FLAG_FORCED;
	event->got_tick = chance(e, 50);
}

static void draw_select(struct events *e, const struct phase *p, struct diff_event *event)
{
	struct idle_snapshot *s = &event->snapshot;

	s->now_ns = e->now_ns;
	s->tick_stopped = p->tick_stopped != chance(e, 5);
	s->sleep_length_ns = chance(e, 2) ? 0 : draw(e, p, p->sleep, 0);
	if (chance(e, 1))
		s->sleep_length_ns = draw(e, p, LENGTH_NEGATIVE, 0);
	s->delta_tick_ns = draw_delta_tick(e, s);
	s->latency_req_ns = chance(e, 4) ? draw_latency_req(e) : p->latency_req_ns;
	s->nr_iowait = p->nr_iowait;
	s->disable_mask = p->disable_mask;
	s->cpu_util = (uint32_t)rng_below(&e->rng, 1025);
	s->cpu_load = (uint32_t)rng_below(&e->rng, 8192);
}

static void draw_outcome(struct events *e, const struct phase *p, struct diff_event *event)
{
	event->entered = chance(e, p->rejected) ? ENTER_REJECTED
			 : chance(e, p->other)	? ENTER_OTHER
						: ENTER_SELECTED;
	event->other = (int)rng_below(&e->rng, (uint64_t)e->driver->nr_states);
	event->residency_ns = draw(e, p, p->residency, event->snapshot.sleep_length_ns);
	event->add_latency = p->add_latency;
	event->got_tick = chance(e, p->tick);
	if (event->got_tick && chance(e, 70))
		event->residency_ns = event->snapshot.delta_tick_ns;
	event->timed_out = chance(e, p->timeout);
	event->set_poll_limit = chance(e, 20);
	event->poll_limit_ns = chance(e, 90) ? (uint64_t)(near(e) & INT32_MAX) : 0;
	event->reflect_now_ns = (int64_t)((uint64_t)event->snapshot.now_ns +
					  (uint64_t)event->residency_ns + rng_below(&e->rng, 3000));
}

void events_init(struct events *e, const struct idle_driver *driver, uint64_t seed)
{
	memset(e, 0, sizeof(*e));
	rng_init(&e->rng, seed, 1);
	e->driver = driver;
	e->now_ns = NSEC_PER_SEC;
	find_interesting(e);
}

void events_next(struct events *e, struct diff_event *ret)
{
	int cpu = (int)rng_below(&e->rng, DIFF_CPUS);
	struct phase *p = &e->phase[cpu];

	memset(ret, 0, sizeof(*ret));
	if (p->left-- <= 0)
		phase_begin(e, p);
	ret->cpu = cpu;
	ret->enable = rng_below(&e->rng, 1000) == 0;
	draw_select(e, p, ret);
	draw_outcome(e, p, ret);
	if (chance(e, p->fuzz))
		fuzz(e, ret);
	e->now_ns += 1000 + any_magnitude(e) % NSEC_PER_MSEC;
}
