// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * teo in its versions: what each changed over the one before. See teo.h. 6.1 is 6.1.192, 6.6 is
 * 6.6.9, 6.12 is 6.12.117, 7.1 is 7.1.5.
 */
#include "policy/idle/governors.h"
#include "policy/idle/teo.h"
#include "policy/idle/teo_select.h"
#include "policy/idle/teo_update.h"

#include <errno.h>
#include <string.h>

/* A later designator replaces an earlier one: that is how a version says what it changed. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Winitializer-overrides"
#else
#pragma GCC diagnostic ignored "-Woverride-init"
#endif

/* clang-format off */
#define TEO_6_1 \
	.measured = TEO_MEASURED_SPAN, \
	.tick_book = TEO_TICK_NONE, \
	.decays_to_zero = false, \
	.recent = true, \
	.ask_timer = TEO_ASK_FIRST, \
	.search = TEO_SEARCH_MOST, \
	.middle_of_bin = true

#define TEO_6_6 TEO_6_1, \
	.tick_book = TEO_TICK_BIN, \
	.ask_timer = TEO_ASK_UNLESS_SHALLOW, \
	.middle_of_bin = false, \
	.utilization = true, \
	.shallower_only_if_long = true

#define TEO_6_12 TEO_6_6, \
	.recent = false, \
	.utilization = false, \
	.asks_for_0 = true, \
	.shallower_only_if_long = false

#define TEO_7_1 TEO_6_12, \
	.measured = TEO_MEASURED_RESIDENCY, \
	.tick_book = TEO_TICK_INTERCEPTS, \
	.decays_to_zero = true, \
	.ask_timer = TEO_ASK_UNLESS_SHORT_PERIODS, \
	.search = TEO_SEARCH_MOST_PEAK, \
	.asks_for_0 = false, \
	.deepens_when_stopped = true
/* clang-format on */

static int teo_init(struct idle_cpu *cpu, const char *arg)
{
	struct teo *t = cpu->state;

	if (arg)
		return -EINVAL;
	memset(t, 0, sizeof(*t));
	memset(t->recent_bin, -1, sizeof(t->recent_bin));
	return 0;
}

TEO_RULE void teo_select(const struct teo_variant *v, struct idle_cpu *cpu,
	const struct idle_snapshot *s, struct idle_choice *choice)
{
	struct teo *t = cpu->state;
	struct teo_try y = { .driver = cpu->driver, .s = s };

	/* -1: nothing was entered since the last selection. */
	if (cpu->device.last_state >= 0) {
		teo_update(v, t, cpu->driver, &cpu->device);
		cpu->device.last_state = -1;
	}
	t->span_ns = s->now_ns;
	if (v->ask_timer == TEO_ASK_FIRST)
		teo_select_timer_first(v, t, &y, choice);
	else
		teo_select_books_first(v, t, &y, choice);
}

/* Woken by the tick or a poll's time-out: the CPU might have idled on to the timer. */
TEO_RULE void teo_reflect(
	const struct teo_variant *v, struct idle_cpu *cpu, const struct idle_outcome *outcome)
{
	struct idle_device *device = &cpu->device;
	struct teo *t = cpu->state;

	device->last_state = outcome->entered;
	if (v->measured == TEO_MEASURED_RESIDENCY) {
		t->tick_wakeup = outcome->got_tick;
	} else if (device->poll_time_limit ||
		   (outcome->got_tick && t->sleep_ns > cpu->driver->tick_ns)) {
		device->poll_time_limit = false;
		t->span_ns = t->sleep_ns;
	} else {
		t->span_ns = (int64_t)((uint64_t)outcome->now_ns - (uint64_t)t->span_ns);
	}
}

/* The governor of one version: its rules, with its row of data folded in by the compiler. */
#define TEO_VERSION(id, kernel, text)                                                              \
	static const struct teo_variant teo_##id = { TEO_##id };                                   \
	static void teo_select_##id(                                                               \
		struct idle_cpu *cpu, const struct idle_snapshot *s, struct idle_choice *choice)   \
	{                                                                                          \
		teo_select(&teo_##id, cpu, s, choice);                                             \
	}                                                                                          \
	static void teo_reflect_##id(struct idle_cpu *cpu, const struct idle_outcome *outcome)     \
	{                                                                                          \
		teo_reflect(&teo_##id, cpu, outcome);                                              \
	}                                                                                          \
	const struct idle_governor idle_teo_##id = {                                               \
		.name = "teo@" kernel,                                                             \
		.summary = text,                                                                   \
		.state_size = sizeof(struct teo),                                                  \
		.variant = &teo_##id,                                                              \
		.init = teo_init,                                                                  \
		.select = teo_select_##id,                                                         \
		.reflect = teo_reflect_##id,                                                       \
	}

TEO_VERSION(6_1, "6.1", "timer events oriented: bins of hits and intercepts (6.1.192)");
TEO_VERSION(6_6, "6.6", "asks for the timer late, heeds CPU utilisation (6.6.9)");
TEO_VERSION(6_12, "6.12", "no recent wake-ups, no utilisation (6.12.117)");
TEO_VERSION(7_1, "7.1", "counts short periods and early wake-ups before the tick");
