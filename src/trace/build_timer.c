// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Timers by the address of their object. The tick is told from the others by what it does: it
 * expires again and again at tick distance, on its own CPU.
 *
 * High-resolution timers are set in a clock of their own, and that differs from the recording's:
 * each expiry shows both, so how late one was needs no common clock, and for the next timer of a
 * CPU the tick's expiries tell the offset.
 */
#include "trace/build_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MODE_RELATIVE = 1 };

/* Tick lengths that kernels are built with, for recordings that do not tell theirs. */
static const uint64_t tick_lengths[] = { 1000000, 3333333, 4000000, 10000000 };

/* A time further off belongs to a clock that is not the one of the tick. */
static const uint64_t other_clock_ns = (uint64_t)1 << 58; /* nine years */

static bool is_tick(const struct builder *b, const struct timer *t)
{
	return b->cpus[t->cpu]->tick == (uint32_t)(t - b->timers);
}

static void heap_push(struct builder *b, struct timer_queue *q, const struct timer_entry *e);

/* Makes room: those that are not set and of which nothing needs to be remembered. */
static void sweep(struct builder *b)
{
	uint32_t freed = 0;

	for (uint32_t i = 0; i < b->nr_timers; i++) {
		struct timer *t = &b->timers[i];

		if (!t->used || t->armed || t->equal >= GRID_MIN || is_tick(b, t))
			continue;
		map_remove(&b->timer_map, t->object);
		t->used = false;
		t->setting = b->free_timer;
		b->free_timer = i;
		freed++;
	}
	/* When there is hardly any to be had, do not look again at once. */
	b->sweep_after = freed < TIMERS_MAX / 64 ? TIMERS_MAX / 8 : 0;
}

static uint32_t take_slot(struct builder *b)
{
	uint32_t i = b->free_timer;

	if (i != MAP_NONE) {
		b->free_timer = b->timers[i].setting;
		return i;
	}
	if (b->nr_timers < TIMERS_MAX)
		return b->nr_timers++;
	if (b->sweep_after) {
		b->sweep_after--;
		return MAP_NONE;
	}
	sweep(b);
	i = b->free_timer;
	if (i != MAP_NONE)
		b->free_timer = b->timers[i].setting;
	return i;
}

static struct timer *timer_get(struct builder *b, const struct event *ev, bool hr)
{
	uint32_t i = map_get(&b->timer_map, ev->object);

	if (i == MAP_NONE) {
		if (!b->timers) {
			b->timers = calloc(TIMERS_MAX, sizeof(*b->timers));
			if (!b->timers) {
				fail_with(b, ENOMEM, "out of memory");
				return NULL;
			}
		}
		i = take_slot(b);
		if (i == MAP_NONE) {
			b->stats.timers_dropped++;
			return NULL;
		}
		b->timers[i] = (struct timer){
			.object = ev->object, .used = true, .hr = hr, .cpu = (int16_t)ev->cpu
		};
		b->timers[i].setting = b->setting++;
		if (map_set(&b->timer_map, ev->object, i)) {
			fail_with(b, ENOMEM, "out of memory");
			return NULL;
		}
	}
	return &b->timers[i];
}

static void disarm(struct builder *b, struct timer *t)
{
	if (t->armed)
		b->cpus[t->cpu]->timers.live--;
	t->armed = false;
	t->setting = b->setting++;
}

/* When the tick came last, or would have: wheel timers run at ticks. Now, if that is not known. */
static uint64_t last_tick(const struct builder *b, const struct build_cpu *c)
{
	const struct timer *t = c->tick == MAP_NONE ? NULL : &b->timers[c->tick];
	uint64_t phase;

	if (!t || !t->expires || !b->clock_offset_known || !b->tick_ns)
		return b->now_ns;
	phase = (t->expires + (uint64_t)b->clock_offset_ns) % b->tick_ns;
	return b->now_ns - (b->now_ns - phase) % b->tick_ns;
}

void timer_start(struct builder *b, struct build_cpu *c, const struct event *ev)
{
	bool hr = ev->kind == EV_HRTIMER_START;
	struct timer *t = timer_get(b, ev, hr);
	struct timer_entry e = { 0 };
	struct build_cpu *on = hr || ev->target_cpu < 0 ? c : cpu_get(b, ev->target_cpu);

	if (!t || !on)
		return;
	disarm(b, t);
	t->hr = hr;
	t->armed = true;
	t->cpu = (int16_t)on->id;
	t->start_ns = b->now_ns;
	t->starter = ev->context ? NULL : c->current;
	t->expires = hr ? ev->ns : 0;
	t->absolute = hr && !(ev->value & MODE_RELATIVE);
	on->timers.live++;
	if (is_tick(b, t)) {
		/* It moves on with its CPU's ticks, and is set further off when they stop. */
		if (c->tick_stopped && hr && b->clock_offset_known && b->tick_ns &&
			(int64_t)(t->expires + (uint64_t)b->clock_offset_ns - b->now_ns) <=
				(int64_t)b->tick_ns)
			c->tick_stopped = false;
		return;
	}
	if (hr && b->clock_offset_known)
		e.expires_ns = t->expires + (uint64_t)b->clock_offset_ns;
	else if (!hr && ev->ns && !ev->value)
		e.expires_ns = last_tick(b, on) + ev->ns;
	else
		return;
	if (e.expires_ns - b->now_ns > other_clock_ns && b->now_ns - e.expires_ns > other_clock_ns)
		return;
	e.timer = (uint32_t)(t - b->timers);
	e.setting = t->setting;
	heap_push(b, &on->timers, &e);
}

void timer_cancel(struct builder *b, const struct event *ev)
{
	uint32_t i = map_get(&b->timer_map, ev->object);

	if (i != MAP_NONE)
		disarm(b, &b->timers[i]);
}

/* Whether the distance of two expiries is one tick, or some that were left out. */
static bool at_tick_distance(struct builder *b, uint64_t distance)
{
	if (b->tick_ns)
		return distance && distance % b->tick_ns == 0;
	for (size_t i = 0; i < ARRAY_LEN(tick_lengths); i++)
		if (distance == tick_lengths[i])
			return true;
	return false;
}

static void look_at_distance(struct builder *b, struct build_cpu *c, struct timer *t)
{
	uint64_t distance = t->expires - t->last_expires;

	if (!t->expires || !t->last_expires || t->expires <= t->last_expires) {
		t->distance = 0;
		t->equal = 0;
	} else if (distance == t->distance) {
		t->equal += t->equal < UINT8_MAX;
	} else {
		t->distance = distance;
		t->equal = 1;
	}
	t->last_expires = t->expires;
	/* Set by an interrupt, not by a task: by its own handler. */
	if (t->starter || !t->equal || !at_tick_distance(b, distance))
		return;
	t->tick_like += t->tick_like < UINT8_MAX;
	if (t->tick_like < TICK_MIN)
		return;
	if (c->tick == MAP_NONE || b->timers[c->tick].tick_like < t->tick_like)
		c->tick = (uint32_t)(t - b->timers);
	if (!b->tick_ns && t->equal >= TICK_MIN)
		b->tick_ns = t->distance;
}

/*
 * The event comes some time after the clock was read, at times long after: the smallest difference
 * is the one between the clocks. It may grow slowly, for clocks drift apart.
 */
static void learn_clock_offset(struct builder *b, int64_t offset_ns)
{
	enum { DRIFT_SHARE = 10000 };
	int64_t drift = (int64_t)((b->now_ns - b->clock_seen_ns) / DRIFT_SHARE);

	/* Timers are set in this very clock, those in real time apart. */
	if (!strcmp(b->options.env.clock, "mono"))
		offset_ns = 0;
	if (!b->clock_offset_known || offset_ns < b->clock_offset_ns + drift)
		b->clock_offset_ns = offset_ns;
	else
		b->clock_offset_ns += drift;
	b->clock_offset_known = true;
	b->clock_seen_ns = b->now_ns;
}

void timer_expire(struct builder *b, struct build_cpu *c, const struct event *ev)
{
	bool hr = ev->kind == EV_HRTIMER_EXPIRE;
	struct timer *t = timer_get(b, ev, hr);
	struct cause *cause = cause_of(c, ev);
	bool was_set;

	cause_clear(b, cause);
	if (!t)
		return;
	was_set = t->armed;
	disarm(b, t);
	t->cpu = (int16_t)c->id;
	if (!was_set) {
		/* It was set before the recording, or unseen. */
		t->expires = 0;
		t->start_ns = 0;
		t->starter = NULL;
	}
	if (hr && (ev->context & CTX_HARDIRQ))
		look_at_distance(b, c, t);
	if (hr && is_tick(b, t)) {
		learn_clock_offset(b, (int64_t)(b->now_ns - ev->ns));
	} else {
		/* What the tick wakes is no timer of anybody's. */
		*cause = (struct cause){
			.kind = CAUSE_TIMER,
			.time_ns = b->now_ns,
			.starter = t->starter,
			.start_ns = t->start_ns,
			.late_known = hr && t->expires && ev->ns >= t->expires,
			.late_ns = ev->ns - t->expires,
			.periodic = t->absolute && t->equal >= GRID_MIN,
		};
	}
	if (hr)
		build_idle_timer(c, is_tick(b, t));
	t->starter = NULL;
}

/* ---- the next timer of a CPU ---- */

static bool earlier(const struct timer_entry *a, const struct timer_entry *b)
{
	return a->expires_ns < b->expires_ns;
}

static void sift_up(struct timer_queue *q, uint32_t i)
{
	struct timer_entry e = q->heap[i];

	for (; i && earlier(&e, &q->heap[(i - 1) / 2]); i = (i - 1) / 2)
		q->heap[i] = q->heap[(i - 1) / 2];
	q->heap[i] = e;
}

static void sift_down(struct timer_queue *q, uint32_t i)
{
	struct timer_entry e = q->heap[i];

	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child >= q->count)
			break;
		child += child + 1 < q->count && earlier(&q->heap[child + 1], &q->heap[child]);
		if (!earlier(&q->heap[child], &e))
			break;
		q->heap[i] = q->heap[child];
		i = child;
	}
	q->heap[i] = e;
}

static bool stale(const struct builder *b, const struct timer_entry *e)
{
	const struct timer *t = &b->timers[e->timer];

	return !t->used || !t->armed || t->setting != e->setting || is_tick(b, t);
}

/* Throws out what is stale when that is most of it: the heap is bounded by the timers set. */
static void tidy(const struct builder *b, struct timer_queue *q)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < q->count; i++)
		if (!stale(b, &q->heap[i]))
			q->heap[n++] = q->heap[i];
	q->count = n;
	for (uint32_t i = n / 2; i-- > 0;)
		sift_down(q, i);
}

static void heap_push(struct builder *b, struct timer_queue *q, const struct timer_entry *e)
{
	enum { TIDY_MIN = 64 };

	if (q->count >= TIDY_MIN && q->count > 2 * q->live)
		tidy(b, q);
	if (q->count == q->size) {
		uint32_t size = q->size ? q->size * 2 : TIDY_MIN;
		struct timer_entry *heap = realloc(q->heap, size * sizeof(*heap));

		if (!heap) {
			fail_with(b, ENOMEM, "out of memory");
			return;
		}
		q->heap = heap;
		q->size = size;
	}
	q->heap[q->count++] = *e;
	sift_up(q, q->count - 1);
}

/*
 * Interrupts may be late, in a guest above all: an overdue high-resolution timer is still to come.
 * One that is too late was cancelled or ran unseen. Others come with the tick.
 */
static bool over(const struct builder *b, const struct timer_entry *e)
{
	return e->expires_ns + (b->timers[e->timer].hr ? OVERDUE_NS : 0) < b->now_ns;
}

int64_t timer_next(struct builder *b, struct build_cpu *c, uint64_t since_ns)
{
	struct timer_queue *q = &c->timers;

	while (q->count && (stale(b, &q->heap[0]) || over(b, &q->heap[0]))) {
		q->heap[0] = q->heap[--q->count];
		if (q->count)
			sift_down(q, 0);
	}
	return q->count ? (int64_t)(q->heap[0].expires_ns - since_ns) : INT64_MIN;
}

uint64_t timer_tick_ns(const struct builder *b, const struct build_cpu *c)
{
	const struct timer *t = c->tick == MAP_NONE ? NULL : &b->timers[c->tick];

	if (!t || !t->armed || !t->expires || !b->clock_offset_known)
		return 0;
	return t->expires + (uint64_t)b->clock_offset_ns;
}

int64_t timer_next_tick(const struct builder *b, const struct build_cpu *c, uint64_t since_ns)
{
	uint64_t ns = timer_tick_ns(b, c);

	return ns ? (int64_t)(ns - since_ns) : INT64_MIN;
}
