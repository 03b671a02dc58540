/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * menu: the typical interval. If the last 8 intervals lie close together, their average is what to
 * expect: a standard deviation of 20 us at most, or at most a sixth of the average over at least 6
 * of them. If not, outliers are dropped and the rest is tried again, down to 6.
 */
#pragma once

#include "policy/idle/menu.h"

enum { MENU_TYPICAL_ENOUGH = 6, MENU_TYPICAL_DEVIATION_US = 20, MENU_TYPICAL_RATIO = 6 };

/* Sums over the intervals that are left. */
struct menu_sample {
	uint64_t sum, squares; /* squares wrap as the kernel's do */
	uint32_t min, max, nr;
};

/* Takes the intervals with low < interval <= high. */
MENU_RULE void menu_sample_take(
	struct menu_sample *ret, const uint32_t *interval, int64_t low, uint32_t high)
{
	struct menu_sample s = { .min = UINT32_MAX };

	for (int i = 0; i < MENU_INTERVALS; i++) {
		uint64_t value = interval[i];

		if (value > high || (int64_t)value <= low)
			continue;
		s.sum += value;
		s.squares += value * value;
		s.nr++;
		s.max = value > s.max ? (uint32_t)value : s.max;
		s.min = value < s.min ? (uint32_t)value : s.min;
	}
	*ret = s;
}

MENU_RULE uint64_t menu_mean(uint64_t sum, uint32_t nr)
{
	return nr == MENU_INTERVALS ? sum / MENU_INTERVALS : sum / nr;
}

/*
 * Both forms differ in rounding. The first is the mean of the squared distances from the truncated
 * average, expanded so that one pass over the intervals does: exact, also where 64 bits wrap.
 */
MENU_RULE uint64_t menu_variance(
	const struct menu_variant *v, const struct menu_sample *s, uint64_t average)
{
	if (v->typical_trim == MENU_TRIM_LONGEST)
		return menu_mean(s->squares - average * (2 * s->sum - s->nr * average), s->nr);
	return menu_mean(s->squares, s->nr) - average * average;
}

MENU_RULE bool menu_is_typical(
	const struct menu_variant *v, uint64_t average, uint64_t variance, uint32_t nr)
{
	bool close;

	if (v->typical_accept == MENU_ACCEPT_DEVIATION) {
		/* floor(sqrt(variance)) < average / 6, without the root */
		uint64_t bound = average ? (average - 1) / MENU_TYPICAL_RATIO + 1 : 0;
		uint64_t small = MENU_TYPICAL_DEVIATION_US + 1;

		close = bound && variance < bound * bound;
		return (close && nr >= MENU_TYPICAL_ENOUGH) || variance < small * small;
	}
	if (variance > UINT64_MAX / (MENU_TYPICAL_RATIO * MENU_TYPICAL_RATIO))
		return false;
	close = average * average > variance * (MENU_TYPICAL_RATIO * MENU_TYPICAL_RATIO);
	return (close && nr >= MENU_TYPICAL_ENOUGH) ||
	       variance <= MENU_TYPICAL_DEVIATION_US * MENU_TYPICAL_DEVIATION_US;
}

/* predicted_us: what the timer says, for the version that compares with it. UINT32_MAX: none. */
MENU_RULE uint32_t menu_typical(
	const struct menu_variant *v, const uint32_t *interval, uint64_t predicted_us)
{
	uint32_t high = v->longest_interval;
	int64_t low = -1;

	for (;;) {
		struct menu_sample s;
		uint64_t average;

		menu_sample_take(&s, interval, low, high);
		if (v->typical_skip == MENU_TYPICAL_UNLESS_LONGER && s.min >= predicted_us)
			return UINT32_MAX;
		if (v->typical_skip == MENU_TYPICAL_UNLESS_EMPTY && !s.max)
			return UINT32_MAX;
		if (!s.nr)
			return UINT32_MAX;
		average = menu_mean(s.sum, s.nr);
		if (menu_is_typical(v, average, menu_variance(v, &s, average), s.nr))
			return (uint32_t)average;
		if (s.nr <= MENU_TYPICAL_ENOUGH)
			return UINT32_MAX;
		if (v->typical_trim == MENU_TRIM_FARTHEST && average - s.min > s.max - average)
			low = s.min;
		else
			high = s.max - 1;
	}
}
