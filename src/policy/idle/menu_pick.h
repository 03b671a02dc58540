/* SPDX-License-Identifier: GPL-2.0-or-later */
/* menu, part 3: the state, and whether the tick stops. */
#pragma once

#include "policy/idle/menu.h"

MENU_RULE void menu_give(struct idle_choice *choice, int state, bool stop_tick)
{
	choice->state = state;
	choice->stop_tick = stop_tick;
}

/* State 1 fits neither the timer nor the limit, so that state 0 it is, whatever the prediction. */
MENU_RULE bool menu_early(const struct menu *m, const struct idle_cpu *cpu,
	const struct idle_snapshot *s, const struct menu_try *t)
{
	if (cpu->driver->nr_states <= 1 || !t->limit)
		return true;
	return (t->next < m->states[1].residency || t->limit < m->states[1].latency) &&
	       !menu_disabled(s, 0);
}

MENU_RULE uint64_t menu_multiplier(const struct menu_variant *v, const struct idle_snapshot *s)
{
	uint32_t multiplier = 1 + 10 * s->nr_iowait;
	uint32_t load = s->cpu_load;

	/* Twice the load, in tenths. */
	if (v->limit == MENU_LIMIT_LOAD_IOWAIT)
		multiplier += 2 * (10 * (load >> 11) + ((load & 2047) * 100 >> 11) / 10);
	return multiplier;
}

MENU_RULE void menu_lower_limit(
	const struct menu_variant *v, const struct idle_snapshot *s, struct menu_try *t)
{
	uint64_t lowered = t->predicted;

	if (v->limit == MENU_LIMIT_USER)
		return;
	if (v->limit != MENU_LIMIT_PREDICTION) {
		uint64_t multiplier = menu_multiplier(v, s);

		if (multiplier != 1)
			lowered /= multiplier;
	}
	t->limit = lowered < t->limit ? lowered : t->limit;
}

/* Once the tick is stopped a too shallow state may last long: trust the clock, not the guess. */
MENU_RULE void menu_heed_stopped_tick(const struct menu_variant *v, const struct menu *m,
	const struct idle_snapshot *s, struct menu_try *t)
{
	uint64_t event = v->unit == MENU_NS ? (uint64_t)t->event : (uint32_t)t->event;

	if (v->stopped == MENU_STOPPED_SAME || !s->tick_stopped) {
		menu_lower_limit(v, s, t);
		return;
	}
	if (t->predicted >= m->tick)
		return;
	switch (v->stopped) {
	case MENU_STOPPED_SAME:
		break;
	case MENU_STOPPED_EVENT_OR_TICK:
		t->predicted = event < m->tick ? event : m->tick;
		break;
	case MENU_STOPPED_EVENT:
		t->predicted = event;
		break;
	case MENU_STOPPED_TIMER:
		t->predicted = t->next;
		break;
	case MENU_STOPPED_TIMER_FAR:
		if (t->next > 2 * m->tick)
			t->predicted = t->next;
		break;
	}
}

/* Up to 4.19: whether state 1 is where the walk starts, fit or not. */
MENU_RULE bool menu_starts_at_1(const struct menu_variant *v, const struct menu *m,
	const struct idle_cpu *cpu, const struct idle_snapshot *s, const struct menu_try *t)
{
	uint64_t residency = m->states[1].residency, trusted;

	if (cpu->driver->nr_states <= 1 || menu_disabled(s, 1))
		return false;
	switch (v->fallback) {
	case MENU_C1_IF_TIMER_5US:
		return t->next > 5;
	case MENU_C1_IF_LIMIT_20US:
		return t->predicted / menu_multiplier(v, s) > 20;
	case MENU_C1_IF_TRUSTED:
		trusted = t->typical < t->next ? t->typical : t->next;
		return trusted > residency && t->user_limit > m->states[1].latency;
	case MENU_C1_IF_TIMER_20US:
		return t->next > (residency > 20 ? residency : 20) &&
		       t->user_limit > m->states[1].latency;
	case MENU_C1_IF_TIMER_FITS:
	case MENU_C1_IF_SHALLOW_FITS:
		break;
	}
	return false;
}

/* 4.4 to 4.6: the deepest fitting state, misfits on the way do not matter. */
MENU_RULE int menu_scan_skip(const struct menu *m, const struct idle_cpu *cpu,
	const struct idle_snapshot *s, const struct menu_try *t, int start)
{
	for (int i = cpu->driver->nr_states - 1; i > start; i--)
		if (!menu_disabled(s, i) && m->states[i].residency <= t->predicted &&
			m->states[i].latency <= t->limit)
			return i;
	return start;
}

/* Since 4.20: state i does not fit the prediction, but halting in it beats polling in idx. */
MENU_RULE bool menu_halts_instead(const struct menu_variant *v, const struct menu *m,
	const struct menu_try *t, int idx, int i)
{
	if (!menu_polls(m, idx) || m->states[i].residency > t->next)
		return false;
	if (v->fallback == MENU_C1_IF_TIMER_FITS)
		return m->states[i].latency <= t->limit;
	return v->fallback == MENU_C1_IF_SHALLOW_FITS &&
	       m->states[i].residency < MENU_PATTERN_SHORT_NS &&
	       m->states[i].latency <= t->predicted;
}

/*
 * The walk ended at state i for its residency. True: *idx is final and the tick may stay stopped.
 * With the tick running, a shallow choice keeps it: it will wake the CPU to choose again. With the
 * tick stopped nothing will, so that a state that pays off by the next event is better.
 */
MENU_RULE bool menu_weigh_tick(const struct menu_variant *v, const struct menu *m,
	const struct idle_snapshot *s, struct menu_try *t, int *idx, int i)
{
	if (menu_halts_instead(v, m, t, *idx, i)) {
		t->predicted = m->states[i].residency;
		*idx = i;
		return false;
	}
	if (t->predicted < m->tick)
		return false;
	if (!s->tick_stopped) {
		t->predicted = m->states[*idx].residency;
		return false;
	}
	if (m->states[*idx].residency < m->tick && (int64_t)m->states[i].residency <= t->event)
		*idx = i;
	return true;
}

/* Since 4.14: from first on, up to the first misfit. True: the choice is final, see above. */
MENU_RULE bool menu_scan_stop(const struct menu_variant *v, const struct menu *m,
	const struct idle_cpu *cpu, const struct idle_snapshot *s, struct menu_try *t, int first,
	int *ret_idx)
{
	int idx = -1, nr = cpu->driver->nr_states;
	bool final = false;

	for (int i = first; i < nr; i++) {
		bool too_long, too_slow = m->states[i].latency > t->limit;

		if (menu_disabled(s, i))
			continue;
		if (idx < 0)
			idx = i;
		if (v->scan == MENU_SCAN_LATENCY_1ST && too_slow)
			break;
		too_long = m->states[i].residency > t->predicted;
		if (too_long) {
			if (v->scan != MENU_SCAN_STOP)
				final = menu_weigh_tick(v, m, s, t, &idx, i);
			break;
		}
		if (too_slow) {
			if (v->latency_end == MENU_LATENCY_EXPECTS)
				t->predicted = m->states[idx].residency;
			break;
		}
		idx = i;
	}
	*ret_idx = idx < 0 ? 0 : idx;
	return final;
}

/* The tick stays, so that a state has to pay off before it comes. */
MENU_RULE int menu_before_tick(const struct menu_variant *v, const struct menu *m,
	const struct idle_snapshot *s, const struct menu_try *t, int idx)
{
	int64_t event = v->unit == MENU_NS ? t->event : (int64_t)(uint32_t)t->event;

	if (!idx || (int64_t)m->states[idx].residency <= event)
		return idx;
	for (int i = idx - 1; i >= 0; i--) {
		if (menu_disabled(s, i))
			continue;
		idx = i;
		if ((int64_t)m->states[i].residency <= event)
			break;
	}
	return idx;
}

MENU_RULE void menu_settle_tick(const struct menu_variant *v, const struct menu *m,
	const struct idle_snapshot *s, const struct menu_try *t, int idx,
	struct idle_choice *choice)
{
	bool keep = v->tick != MENU_TICK_NONE && (menu_polls(m, idx) || t->predicted < m->tick) &&
		    (v->tick == MENU_TICK_ALWAYS || !s->tick_stopped);

	if (keep && !s->tick_stopped)
		idx = menu_before_tick(v, m, s, t, idx);
	menu_give(choice, idx, !keep);
}

MENU_RULE void menu_pick(const struct menu_variant *v, const struct menu *m,
	const struct idle_cpu *cpu, const struct idle_snapshot *s, struct menu_try *t,
	struct idle_choice *choice)
{
	bool from_1, final = false;
	int idx;

	menu_heed_stopped_tick(v, m, s, t);
	from_1 = menu_starts_at_1(v, m, cpu, s, t);
	if (v->scan == MENU_SCAN_SKIP)
		idx = menu_scan_skip(m, cpu, s, t, from_1);
	else
		final = menu_scan_stop(v, m, cpu, s, t, from_1 && menu_polls(m, 0), &idx);
	if (final)
		menu_give(choice, idx, true);
	else
		menu_settle_tick(v, m, s, t, idx, choice);
}
