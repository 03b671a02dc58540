/* SPDX-License-Identifier: GPL-2.0-or-later */
/* menu, part 1: what the last idle period teaches. */
#pragma once

#include "policy/idle/menu.h"

enum { MENU_LONG_US = 50000 }; /* longer than this is as good as perfectly predicted */

MENU_RULE void menu_remember_interval(struct menu *m, uint32_t us)
{
	m->interval[m->slot] = us;
	m->slot = (m->slot + 1) % MENU_INTERVALS;
}

/* Residency as the kernel of the version hands it to governors. */
MENU_RULE uint64_t menu_residency(const struct menu_variant *v, int64_t ns)
{
	int64_t us;

	if (v->unit == MENU_NS)
		return (uint64_t)ns;
	us = ns / 1000;
	return (uint32_t)(us > INT32_MAX ? INT32_MAX : us);
}

MENU_RULE uint64_t menu_without_latency(
	const struct menu_variant *v, uint64_t residency, uint64_t latency)
{
	if (v->measured == MENU_MEASURED_LESS_LATENCY)
		return residency > latency ? residency - latency : residency;
	return residency > 2 * latency ? residency - latency : residency / 2;
}

MENU_RULE uint64_t menu_measured(
	const struct menu_variant *v, const struct menu *m, const struct idle_device *device)
{
	int last = device->last_state;

	if (v->tick_is_45ms && m->tick_wakeup && m->next > m->tick)
		return 45000 * menu_scale(v);
	if (v->timeout_is_timer && device->poll_time_limit && menu_polls(m, last))
		return m->next;
	return menu_without_latency(
		v, menu_residency(v, device->last_residency_ns), m->states[last].latency);
}

MENU_RULE void menu_update(
	const struct menu_variant *v, struct menu *m, const struct idle_device *device)
{
	uint64_t measured = menu_measured(v, m, device);
	uint32_t *factor = &m->factor[m->bucket];
	uint32_t gain = MENU_FACTOR_ONE / MENU_FACTOR_SHARE;

	if (measured > m->next)
		measured = m->next;
	if (m->next > 0 && measured < MENU_LONG_US * menu_scale(v))
		gain = (uint32_t)(gain * measured / m->next);
	*factor += gain - *factor / MENU_FACTOR_SHARE;
	menu_remember_interval(
		m, v->unit == MENU_NS ? (uint32_t)((int64_t)measured / 1000) : (uint32_t)measured);
}

MENU_RULE void menu_learn(
	const struct menu_variant *v, struct menu *m, const struct idle_device *device)
{
	if (m->needs_update) {
		menu_update(v, m, device);
		m->needs_update = false;
	} else if (v->rejected_is_long && !device->last_residency_ns) {
		menu_remember_interval(m, UINT32_MAX);
	}
}
