/* SPDX-License-Identifier: GPL-2.0-or-later */
/* menu, part 2: how long the CPU will be idle. */
#pragma once

#include "policy/idle/menu_typical.h"

MENU_RULE uint32_t menu_bucket(
	const struct menu_variant *v, uint64_t next, const struct idle_snapshot *s)
{
	uint32_t bucket = v->iowait_buckets && s->nr_iowait ? MENU_BUCKETS / 2 : 0;
	uint64_t scale = menu_scale(v);

	if (next < 10 * scale)
		return bucket;
	if (next < 100 * scale)
		return bucket + 1;
	if (next < 1000 * scale)
		return bucket + 2;
	if (next < 10000 * scale)
		return bucket + 3;
	return next < 100000 * scale ? bucket + 4 : bucket + 5;
}

MENU_RULE void menu_ask_timer(const struct menu_variant *v, struct menu *m,
	const struct idle_snapshot *s, struct menu_try *t, struct idle_choice *choice)
{
	int64_t sleep_ns = s->sleep_length_ns, event_ns = s->delta_tick_ns;

	/* Up to 4.16 the tick code had the number ready. */
	choice->timer_read = v->tick != MENU_TICK_NONE;
	if (v->negative == MENU_NEGATIVE_ZERO && sleep_ns < 0)
		sleep_ns = event_ns = 0;
	t->next = m->next = menu_units(v, sleep_ns);
	t->event = v->unit == MENU_NS ? event_ns : event_ns / 1000;
	m->bucket = menu_bucket(v, t->next, s);
}

/* The timer was not worth asking: assume none, and learn nothing about near ones. */
MENU_RULE void menu_skip_timer(const struct menu_variant *v, struct menu *m,
	const struct idle_snapshot *s, struct menu_try *t)
{
	t->next = m->next = INT64_MAX;
	t->event = (int64_t)(m->tick / 2);
	m->bucket = menu_bucket(v, INT64_MAX, s);
}

/* The timer distance times its factor, rounded to the nearest microsecond, cut to 32 bits. */
MENU_RULE uint32_t menu_timer_us(const struct menu_variant *v, const struct menu *m)
{
	uint64_t one = MENU_FACTOR_ONE * menu_scale(v);

	return (uint32_t)((m->next * m->factor[m->bucket] + one / 2) / one);
}

MENU_RULE void menu_predict_timer_first(
	const struct menu_variant *v, const struct menu *m, struct menu_try *t)
{
	uint64_t us = menu_timer_us(v, m);

	t->typical = menu_typical(v, m->interval, us);
	if (v->combine == MENU_TYPICAL_REPLACES) {
		if (t->typical != UINT32_MAX && t->next > t->typical)
			us = t->typical;
	} else if (t->typical < us) {
		us = t->typical;
	}
	/* Here the timer itself bounds the prediction too: a factor can exceed 1. */
	if (v->fallback == MENU_C1_IF_TRUSTED || v->fallback == MENU_C1_IF_TIMER_20US)
		us = t->next < us ? t->next : us;
	t->predicted = us * menu_scale(v);
}

MENU_RULE void menu_predict_pattern_first(const struct menu_variant *v, struct menu *m,
	const struct idle_snapshot *s, struct menu_try *t, struct idle_choice *choice)
{
	bool ask;

	t->typical = menu_typical(v, m->interval, 0);
	t->predicted = t->typical * menu_scale(v);
	ask = t->predicted > MENU_PATTERN_SHORT_NS ||
	      (v->ask_timer == MENU_ASK_IF_LONG_OR_STOPPED && s->tick_stopped);
	if (ask) {
		uint64_t timer;

		menu_ask_timer(v, m, s, t, choice);
		timer = menu_timer_us(v, m) * menu_scale(v);
		t->predicted = timer < t->predicted ? timer : t->predicted;
	} else {
		menu_skip_timer(v, m, s, t);
	}
}
