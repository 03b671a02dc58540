/* SPDX-License-Identifier: GPL-2.0-or-later */
/* teo: the state, and whether the tick stops. */
#pragma once

#include "policy/idle/teo.h"

enum { TEO_TIGHT_LIMIT_NS = TEO_SHALLOW_NS / 2 };

/* One selection while it is worked out. */
struct teo_try {
	const struct idle_driver *driver;
	const struct idle_snapshot *s;
	int first;	      /* shallowest enabled state */
	int idx;	      /* the candidate */
	int fastest;	      /* deepest enabled state whose latency fits the limit */
	int peak;	      /* the bin below the deepest one with the most intercepts */
	struct teo_bin below; /* sums over the bins shallower than the candidate */
	uint32_t all_below;   /* intercepts of all bins but the deepest */
	int64_t duration_ns;
	int64_t event_ns; /* to the next event with the tick */
};

TEO_RULE int64_t teo_residency(const struct teo_try *y, int state)
{
	return y->driver->states[state].target_residency_ns;
}

/* With the tick stopped nothing would wake the CPU from a state meant for less than a tick. */
TEO_RULE bool teo_long_enough(const struct teo_try *y, int64_t ns)
{
	return !y->s->tick_stopped || ns >= y->driver->tick_ns;
}

/* Down from state to the first enabled one whose residency is within ns; the last seen if none. */
TEO_RULE int teo_shallower(const struct teo_try *y, int state, int64_t ns)
{
	for (int i = state - 1; i >= 0; i--) {
		if (teo_disabled(y->s, i))
			continue;
		state = i;
		if (teo_residency(y, i) <= ns)
			break;
	}
	return state;
}

TEO_RULE void teo_ask_timer(struct teo *t, struct teo_try *y, struct idle_choice *choice)
{
	choice->timer_read = true;
	t->sleep_ns = y->duration_ns = y->s->sleep_length_ns;
	y->event_ns = y->s->delta_tick_ns;
}

/* Walks from shallow to deep (in 6.1 as far as the timer goes): candidate, limit and sums. */
TEO_RULE void teo_find_candidate(
	const struct teo_variant *v, const struct teo *t, struct teo_try *y)
{
	struct teo_bin sum = { 0 };
	uint32_t most = 0;

	y->idx = teo_disabled(y->s, 0) ? -1 : 0;
	for (int i = 1; i < y->driver->nr_states; i++) {
		const struct teo_bin *bin = &t->bins[i - 1];

		sum.intercepts += bin->intercepts;
		sum.hits += bin->hits;
		sum.recent += bin->recent;
		if (bin->intercepts >= most) {
			most = bin->intercepts;
			y->peak = i - 1;
		}
		if (teo_disabled(y->s, i))
			continue;
		if (y->idx < 0)
			y->idx = y->first = i;
		if (v->ask_timer == TEO_ASK_FIRST && teo_residency(y, i) > y->duration_ns)
			break;
		y->idx = i;
		if (y->driver->states[i].exit_latency_ns <= y->s->latency_req_ns)
			y->fastest = i;
		y->below = sum;
	}
	y->all_below = sum.intercepts;
}

/* ns that a state stands for in the search. */
TEO_RULE int64_t teo_stands_for(const struct teo_variant *v, const struct teo_try *y, int state)
{
	if (!v->middle_of_bin)
		return teo_residency(y, state);
	return (teo_residency(y, state) + teo_residency(y, state + 1)) / 2;
}

/* The deepest state that over half of the early wake-ups, by each sum in doubt, would have reached.
 */
TEO_RULE void teo_search_most(const struct teo_variant *v, const struct teo *t, struct teo_try *y,
	bool by_sum, bool by_recent)
{
	int candidate = y->idx, fallback = y->idx;
	int64_t fallback_ns = y->duration_ns;
	uint32_t intercepts = 0, recent = 0;

	for (int i = candidate - 1; i >= 0; i--) {
		int64_t ns = teo_stands_for(v, y, i);

		intercepts += t->bins[i].intercepts;
		recent += t->bins[i].recent;
		if ((!by_recent || 2 * recent > y->below.recent) &&
			(!by_sum || 2 * intercepts > y->below.intercepts)) {
			bool fits = teo_long_enough(y, ns) && !teo_disabled(y->s, i);

			y->idx = fits ? i : fallback;
			y->duration_ns = fits ? ns : fallback_ns;
			return;
		}
		if (teo_disabled(y->s, i))
			continue;
		if (!teo_long_enough(y, ns)) {
			/* Shallower ones are too short as well; only a fallback is worth going on.
			 */
			if (fallback == candidate)
				return;
			continue;
		}
		fallback = i;
		fallback_ns = ns;
	}
}

/* The same without a say of the tick, no deeper than the peak; the shallowest if none. */
TEO_RULE void teo_search_peak(const struct teo *t, struct teo_try *y)
{
	uint32_t intercepts = 0;

	for (int i = y->idx - 1; i >= y->first; i--) {
		intercepts += t->bins[i].intercepts;
		if (teo_disabled(y->s, i))
			continue;
		y->idx = i;
		if (2 * intercepts > y->below.intercepts && i <= y->peak)
			break;
	}
}

TEO_RULE void teo_search(const struct teo_variant *v, const struct teo *t, struct teo_try *y)
{
	bool by_sum = 2 * y->below.intercepts > t->total - y->below.hits;
	bool by_recent = v->recent && y->below.recent > TEO_RECENT / 2;

	if (!by_sum && !by_recent)
		return;
	if (v->search == TEO_SEARCH_MOST_PEAK)
		teo_search_peak(t, y);
	else
		teo_search_most(v, t, y, by_sum, by_recent);
}

/* A CPU in use: the next shallower state that does not poll, if it is long enough. */
TEO_RULE void teo_heed_utilization(struct teo_try *y)
{
	for (int i = y->idx - 1; i >= 0; i--) {
		if (teo_disabled(y->s, i) || y->driver->states[i].polling)
			continue;
		if (teo_long_enough(y, teo_residency(y, i)))
			y->idx = i;
		return;
	}
}

/* The state found is so shallow that the timer cannot matter. */
TEO_RULE bool teo_timer_not_needed(
	const struct teo_variant *v, const struct teo *t, const struct teo_try *y)
{
	bool shallow = !y->idx || teo_residency(y, y->idx) < TEO_SHALLOW_NS;

	if (v->ask_timer == TEO_ASK_UNLESS_SHALLOW)
		return !y->idx || (y->driver->states[0].polling && shallow);
	return !y->s->tick_stopped && shallow &&
	       (2 * t->short_periods >= t->total || y->s->latency_req_ns < TEO_TIGHT_LIMIT_NS);
}

/* The tick is stopped and the timer far: the deepest that both allow. */
TEO_RULE bool teo_deepen(struct teo_try *y)
{
	if (!y->s->tick_stopped || y->duration_ns <= 2 * y->driver->tick_ns ||
		teo_residency(y, y->idx) >= y->driver->tick_ns)
		return false;
	for (int i = y->fastest; i > y->idx; i--) {
		if (!teo_disabled(y->s, i) && teo_residency(y, i) <= y->duration_ns) {
			y->idx = i;
			break;
		}
	}
	return true;
}

/* Whether early wake-ups before the tick are so frequent that it had better stay. */
TEO_RULE bool teo_expects_before_tick(
	const struct teo_variant *v, const struct teo *t, const struct teo_try *y)
{
	uint32_t all;

	if (teo_residency(y, y->idx) >= y->driver->tick_ns)
		return false;
	if (v->tick_book == TEO_TICK_INTERCEPTS)
		return 3 * t->tick_intercepts >= 2 * t->total;
	all = y->all_below + t->bins[y->driver->nr_states - 1].intercepts;
	return all > t->total / 2 + t->total / 8;
}

/* The timer's say: a state too deep for it gives way, and so may the duration expected. */
TEO_RULE void teo_heed_timer(const struct teo_variant *v, const struct teo *t, struct teo_try *y)
{
	if (teo_residency(y, y->idx) > y->duration_ns) {
		int i = teo_shallower(y, y->idx, y->duration_ns);

		if (!v->shallower_only_if_long || teo_long_enough(y, teo_residency(y, i)))
			y->idx = i;
	}
	if (teo_expects_before_tick(v, t, y))
		y->duration_ns = y->driver->tick_ns / 2;
}

TEO_RULE void teo_give(struct idle_choice *choice, int state, bool stop_tick)
{
	choice->state = state;
	choice->stop_tick = stop_tick;
}

/* The tick stays while a short period is expected; then the state has to pay off before it. */
TEO_RULE void teo_settle_tick(struct teo_try *y, struct idle_choice *choice)
{
	bool stop = y->s->tick_stopped ||
		    (!y->driver->states[y->idx].polling && y->duration_ns >= y->driver->tick_ns);

	if (!stop && y->idx > y->first && teo_residency(y, y->idx) > y->event_ns)
		y->idx = teo_shallower(y, y->idx, y->event_ns);
	teo_give(choice, y->idx, stop);
}

/* 6.1: the timer bounds everything, and is asked for first. */
TEO_RULE void teo_select_timer_first(
	const struct teo_variant *v, struct teo *t, struct teo_try *y, struct idle_choice *choice)
{
	teo_ask_timer(t, y, choice);
	if (y->driver->nr_states < 2 ||
		(!teo_disabled(y->s, 0) && teo_residency(y, 1) > y->duration_ns)) {
		y->idx = 0;
	} else {
		teo_find_candidate(v, t, y);
		if (y->idx < 0) {
			y->idx = 0;
		} else if (y->idx != y->first) {
			teo_search(v, t, y);
			y->idx = y->idx < y->fastest ? y->idx : y->fastest;
		}
	}
	teo_settle_tick(y, choice);
}

/*
 * A CPU in use with no more than two states: the shallower one unless it polls or is too short.
 * True: done, y->idx is set. No vector shows this case; it is known from the kernel's description.
 */
TEO_RULE bool teo_two_states(
	const struct teo_variant *v, struct teo_try *y, struct idle_choice *choice)
{
	bool shallow;

	if (y->driver->nr_states < 2) {
		teo_give(choice, 0, false);
		return true;
	}
	if (!v->utilization || y->driver->nr_states > 2 || y->s->cpu_util <= TEO_UTILIZED)
		return false;
	shallow = !teo_disabled(y->s, 0) && !y->driver->states[0].polling &&
		  teo_long_enough(y, teo_residency(y, 0));
	if (shallow || teo_disabled(y->s, 1)) {
		teo_give(choice, 0, false);
		return true;
	}
	y->idx = 1;
	y->duration_ns = teo_residency(y, 1);
	teo_settle_tick(y, choice);
	return true;
}

/* Since 6.5: from the books first, asking for the timer only if it can matter. */
TEO_RULE void teo_select_books_first(
	const struct teo_variant *v, struct teo *t, struct teo_try *y, struct idle_choice *choice)
{
	int candidate;

	t->sleep_ns = INT64_MAX;
	y->event_ns = y->driver->tick_ns / 2;
	if (teo_two_states(v, y, choice))
		return;
	teo_find_candidate(v, t, y);
	if (y->idx < 0) {
		teo_give(choice, 0, false);
		return;
	}
	if (y->idx == y->first) {
		y->duration_ns = teo_residency(y, y->idx);
		teo_settle_tick(y, choice);
		return;
	}
	candidate = y->idx;
	teo_search(v, t, y);
	if (v->asks_for_0 && !y->idx && candidate) {
		teo_ask_timer(t, y, choice);
		teo_give(choice, 0, false);
		return;
	}
	y->idx = y->idx < y->fastest ? y->idx : y->fastest;
	if (v->utilization && y->s->cpu_util > TEO_UTILIZED)
		teo_heed_utilization(y);
	if (teo_timer_not_needed(v, t, y)) {
		teo_give(choice, y->idx, false);
		return;
	}
	teo_ask_timer(t, y, choice);
	if (v->deepens_when_stopped && teo_deepen(y)) {
		teo_give(choice, y->idx, true);
		return;
	}
	if (!y->idx) {
		teo_give(choice, 0, false);
		return;
	}
	teo_heed_timer(v, t, y);
	teo_settle_tick(y, choice);
}
