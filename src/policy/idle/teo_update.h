/* SPDX-License-Identifier: GPL-2.0-or-later */
/* teo: what the last idle period adds to the books. */
#pragma once

#include "policy/idle/teo.h"

TEO_RULE void teo_decay(const struct teo_variant *v, uint32_t *metric)
{
	uint32_t step = *metric >> TEO_DECAY_SHIFT;

	*metric = v->decays_to_zero && !step ? 0 : *metric - step;
}

/* The residency without the part of the exit latency that a wake-up takes on average. */
TEO_RULE uint64_t teo_without_latency(uint64_t residency, uint64_t latency)
{
	return residency >= latency ? residency - latency / 2 : residency / 2;
}

TEO_RULE uint64_t teo_measured(
	const struct teo_variant *v, struct teo *t, struct idle_device *device, int64_t latency)
{
	uint64_t residency = (uint64_t)device->last_residency_ns, ns;

	if (v->measured == TEO_MEASURED_SPAN) {
		if (t->span_ns >= t->sleep_ns)
			return UINT64_MAX;
		return teo_without_latency(residency, (uint64_t)latency);
	}
	teo_decay(v, &t->short_periods);
	if (device->poll_time_limit) {
		device->poll_time_limit = false;
		return INT64_MAX;
	}
	ns = teo_without_latency(residency, (uint64_t)latency);
	if (residency < (uint64_t)latency || (int64_t)ns < TEO_SHALLOW_NS)
		t->short_periods += TEO_PULSE;
	return ns;
}

/* The ring of recent early wake-ups: the oldest place becomes free. */
TEO_RULE int8_t *teo_next_recent(struct teo *t)
{
	int8_t *place = &t->recent_bin[t->recent_slot];

	t->recent_slot = t->recent_slot + 1 < TEO_RECENT ? t->recent_slot + 1 : 0;
	if (*place >= 0)
		t->bins[*place].recent--;
	return place;
}

/* Up to 6.12. True: the period went beyond the tick, whose own bin got the pulse. */
TEO_RULE bool teo_book_tick_hit(
	struct teo *t, const struct idle_driver *driver, uint64_t measured, int *timer_bin)
{
	if (driver->states[driver->nr_states - 1].target_residency_ns >= driver->tick_ns)
		return false;
	t->tick_hits -= t->tick_hits >> TEO_DECAY_SHIFT;
	t->total += t->tick_hits;
	if (driver->tick_ns > t->sleep_ns)
		return false;
	*timer_bin = driver->nr_states;
	if ((uint64_t)driver->tick_ns > measured)
		return false;
	t->tick_hits += TEO_PULSE;
	return true;
}

TEO_RULE void teo_book_bins(const struct teo_variant *v, struct teo *t,
	const struct idle_driver *driver, uint64_t measured, int timer_bin, int duration_bin)
{
	int8_t *recent = v->recent ? teo_next_recent(t) : NULL;
	int8_t intercepted = -1;

	if (v->tick_book == TEO_TICK_BIN && teo_book_tick_hit(t, driver, measured, &timer_bin)) {
		/* The place in the ring keeps what it held. */
		t->total += TEO_PULSE;
		return;
	}
	if (timer_bin == duration_bin) {
		t->bins[timer_bin].hits += TEO_PULSE;
	} else {
		t->bins[duration_bin].intercepts += TEO_PULSE;
		intercepted = (int8_t)duration_bin;
		if (v->recent)
			t->bins[duration_bin].recent++;
	}
	if (v->recent)
		*recent = intercepted;
	t->total += TEO_PULSE;
}

/* 7.1: whether a wake-up by the tick says nothing about other wake-ups, and so counts as a hit. */
TEO_RULE bool teo_book_tick_wakeup(
	struct teo *t, const struct idle_driver *driver, uint32_t before, int timer_bin)
{
	if (!t->tick_wakeup)
		return false;
	t->total_tick += TEO_PULSE;
	if (3 * t->total_tick > 2 * t->total)
		timer_bin = driver->nr_states - 1;
	else if (3 * t->tick_intercepts >= 2 * before)
		return false;
	t->bins[timer_bin].hits += TEO_PULSE;
	return true;
}

TEO_RULE void teo_book_intercepts(const struct teo_variant *v, struct teo *t,
	const struct idle_driver *driver, int64_t latency, uint64_t measured, int timer_bin,
	int duration_bin)
{
	uint32_t before = t->total;
	int64_t early = (int64_t)((uint64_t)t->sleep_ns - measured);

	t->total += TEO_PULSE;
	teo_decay(v, &t->tick_intercepts);
	teo_decay(v, &t->total_tick);
	if (teo_book_tick_wakeup(t, driver, before, timer_bin))
		return;
	if (timer_bin == duration_bin && early < latency / 2) {
		t->bins[timer_bin].hits += TEO_PULSE;
		return;
	}
	t->bins[duration_bin].intercepts += TEO_PULSE;
	if ((int64_t)measured <= driver->tick_ns)
		t->tick_intercepts += TEO_PULSE;
}

TEO_RULE void teo_update(const struct teo_variant *v, struct teo *t,
	const struct idle_driver *driver, struct idle_device *device)
{
	int64_t latency = driver->states[device->last_state].exit_latency_ns;
	uint64_t measured = teo_measured(v, t, device, latency);
	int timer_bin = 0, duration_bin = 0;

	t->total = 0;
	for (int i = 0; i < driver->nr_states; i++) {
		int64_t residency = driver->states[i].target_residency_ns;
		struct teo_bin *bin = &t->bins[i];

		teo_decay(v, &bin->hits);
		teo_decay(v, &bin->intercepts);
		t->total += bin->hits + bin->intercepts;
		if (residency <= t->sleep_ns) {
			timer_bin = i;
			if ((uint64_t)residency <= measured)
				duration_bin = i;
		}
	}
	if (v->tick_book == TEO_TICK_INTERCEPTS)
		teo_book_intercepts(v, t, driver, latency, measured, timer_bin, duration_bin);
	else
		teo_book_bins(v, t, driver, measured, timer_bin, duration_bin);
}
