// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * menu in all its versions: what each changed over the one it came from. See menu.h.
 *
 * A name stands for the kernels from its own up to the next: menu@4.6 for 4.6 to 4.13, menu@5.12
 * for 5.5 to 6.1-rc. The stable kernels 6.1 (here 6.1.192) and 6.12 (6.12.117) carry fixes that
 * 6.6 (6.6.9) and 6.13 (6.13.7) lack.
 */
#include "policy/idle/governors.h"
#include "policy/idle/menu.h"
#include "policy/idle/menu_learn.h"
#include "policy/idle/menu_pick.h"
#include "policy/idle/menu_predict.h"

#include <errno.h>

/* A later designator replaces an earlier one: that is how a version says what it changed. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Winitializer-overrides"
#else
#pragma GCC diagnostic ignored "-Woverride-init"
#endif

/* clang-format off */
#define MENU_4_4 \
	.unit = MENU_US, \
	.measured = MENU_MEASURED_LESS_LATENCY, \
	.iowait_buckets = true, \
	.longest_interval = UINT32_MAX, \
	.typical_skip = MENU_TYPICAL_ALWAYS, \
	.typical_accept = MENU_ACCEPT_DEVIATION, \
	.typical_trim = MENU_TRIM_LONGEST, \
	.ask_timer = MENU_ASK_FIRST, \
	.negative = MENU_NEGATIVE_WRAPS, \
	.combine = MENU_TYPICAL_REPLACES, \
	.early = MENU_EARLY_ZERO_LIMIT, \
	.stopped = MENU_STOPPED_SAME, \
	.limit = MENU_LIMIT_LOAD_IOWAIT, \
	.fallback = MENU_C1_IF_TIMER_5US, \
	.scan = MENU_SCAN_SKIP, \
	.latency_end = MENU_LATENCY_KEEPS, \
	.tick = MENU_TICK_NONE

#define MENU_4_5 MENU_4_4, \
	.measured = MENU_MEASURED_OR_HALF, \
	.fallback = MENU_C1_IF_LIMIT_20US

#define MENU_4_6_TRUSTED MENU_4_5, \
	.typical_accept = MENU_ACCEPT_VARIANCE, \
	.combine = MENU_SMALLEST, \
	.fallback = MENU_C1_IF_TRUSTED

#define MENU_4_6 MENU_4_6_TRUSTED, \
	.fallback = MENU_C1_IF_TIMER_20US

#define MENU_4_16 MENU_4_6, \
	.scan = MENU_SCAN_STOP

#define MENU_4_17 MENU_4_16, \
	.tick_is_45ms = true, \
	.stopped = MENU_STOPPED_EVENT_OR_TICK, \
	.latency_end = MENU_LATENCY_EXPECTS, \
	.tick = MENU_TICK_ALWAYS

#define MENU_4_19 MENU_4_17, \
	.stopped = MENU_STOPPED_EVENT, \
	.scan = MENU_SCAN_WEIGH_TICK, \
	.tick = MENU_TICK_RUNNING

#define MENU_4_20 MENU_4_19, \
	.timeout_is_timer = true, \
	.typical_skip = MENU_TYPICAL_UNLESS_LONGER, \
	.limit = MENU_LIMIT_IOWAIT, \
	.early = MENU_EARLY_KEEP_TICK, \
	.fallback = MENU_C1_IF_TIMER_FITS

#define MENU_5_4 MENU_4_20, \
	.longest_interval = INT32_MAX, \
	.early = MENU_EARLY_KEEP_POLLING, \
	.latency_end = MENU_LATENCY_KEEPS

#define MENU_5_12 MENU_5_4, \
	.unit = MENU_NS

#define MENU_6_1 MENU_5_12, \
	.rejected_is_long = true, \
	.negative = MENU_NEGATIVE_ZERO, \
	.stopped = MENU_STOPPED_TIMER

#define MENU_6_6 MENU_5_12, \
	.typical_skip = MENU_TYPICAL_UNLESS_EMPTY, \
	.ask_timer = MENU_ASK_IF_LONG, \
	.negative = MENU_NEGATIVE_ZERO, \
	.stopped = MENU_STOPPED_TIMER

#define MENU_6_12 MENU_6_6, \
	.rejected_is_long = true, \
	.iowait_buckets = false, \
	.ask_timer = MENU_ASK_IF_LONG_OR_STOPPED, \
	.limit = MENU_LIMIT_USER, \
	.fallback = MENU_C1_IF_SHALLOW_FITS, \
	.scan = MENU_SCAN_LATENCY_1ST

#define MENU_6_13 MENU_6_6, \
	.iowait_buckets = false, \
	.limit = MENU_LIMIT_PREDICTION

#define MENU_6_19 MENU_6_12, \
	.longest_interval = UINT32_MAX - 1, \
	.typical_trim = MENU_TRIM_FARTHEST

#define MENU_7_1 MENU_6_19, \
	.stopped = MENU_STOPPED_TIMER_FAR
/* clang-format on */

static int menu_init(struct idle_cpu *cpu, const char *arg, const struct menu_variant *v)
{
	const struct idle_driver *driver = cpu->driver;
	struct menu *m = cpu->state;

	if (arg)
		return -EINVAL;
	*m = (struct menu){ .tick = menu_units(v, driver->tick_ns) };
	for (int i = 0; i < driver->nr_states; i++) {
		m->states[i].latency = menu_units(v, driver->states[i].exit_latency_ns);
		m->states[i].residency = menu_units(v, driver->states[i].target_residency_ns);
		m->polling |= (uint32_t)driver->states[i].polling << i;
	}
	for (int i = 0; i < MENU_BUCKETS; i++)
		m->factor[i] = MENU_FACTOR_ONE;
	return 0;
}

MENU_RULE void menu_select(const struct menu_variant *v, struct idle_cpu *cpu,
	const struct idle_snapshot *s, struct idle_choice *choice)
{
	struct menu *m = cpu->state;
	struct menu_try t;

	menu_learn(v, m, &cpu->device);
	t.user_limit = t.limit = menu_units(v, s->latency_req_ns);
	if (v->early == MENU_EARLY_ZERO_LIMIT && !t.limit) {
		menu_give(choice, 0, false);
		return;
	}
	if (v->ask_timer == MENU_ASK_FIRST)
		menu_ask_timer(v, m, s, &t, choice);
	else
		menu_predict_pattern_first(v, m, s, &t, choice);
	if (v->early != MENU_EARLY_ZERO_LIMIT && menu_early(m, cpu, s, &t)) {
		menu_give(choice, 0, v->early == MENU_EARLY_KEEP_POLLING && !menu_polls(m, 0));
		return;
	}
	if (v->ask_timer == MENU_ASK_FIRST)
		menu_predict_timer_first(v, m, &t);
	menu_pick(v, m, cpu, s, &t, choice);
}

static void menu_reflect(struct idle_cpu *cpu, const struct idle_outcome *outcome)
{
	struct menu *m = cpu->state;

	cpu->device.last_state = outcome->entered;
	m->needs_update = true;
	m->tick_wakeup = outcome->got_tick;
}

/* The governor of one version: its rules, with its row of data folded in by the compiler. */
#define MENU_VERSION(id, kernel, text)                                                             \
	static const struct menu_variant menu_##id = { MENU_##id };                                \
	static int menu_init_##id(struct idle_cpu *cpu, const char *arg)                           \
	{                                                                                          \
		return menu_init(cpu, arg, &menu_##id);                                            \
	}                                                                                          \
	static void menu_select_##id(                                                              \
		struct idle_cpu *cpu, const struct idle_snapshot *s, struct idle_choice *choice)   \
	{                                                                                          \
		menu_select(&menu_##id, cpu, s, choice);                                           \
	}                                                                                          \
	const struct idle_governor idle_menu_##id = {                                              \
		.name = "menu@" kernel,                                                            \
		.summary = text,                                                                   \
		.state_size = sizeof(struct menu),                                                 \
		.variant = &menu_##id,                                                             \
		.init = menu_init_##id,                                                            \
		.select = menu_select_##id,                                                        \
		.reflect = menu_reflect,                                                           \
	}

MENU_VERSION(4_4, "4.4", "C1 rather than polling unless a timer is 5 us away");
MENU_VERSION(4_5, "4.5", "polls unless the limited prediction exceeds 20 us");
MENU_VERSION(4_6_TRUSTED, "4.6-trusted", "C1 by typical interval, timer and user limit alone");
MENU_VERSION(4_6, "4.6", "C1 unless a timer is 20 us away (4.6 to 4.13)");
MENU_VERSION(4_16, "4.16", "the scan ends at the first misfit (4.14 to 4.16)");
MENU_VERSION(4_17, "4.17", "decides on the tick too (4.17, 4.18)");
MENU_VERSION(4_19, "4.19", "weighs the tick while it scans");
MENU_VERSION(4_20, "4.20", "polls more: C1 must fit timer and limit");
MENU_VERSION(5_4, "5.4", "looks at intervals up to 2^31 us only (5.0 to 5.4)");
MENU_VERSION(5_12, "5.12", "reckons in nanoseconds (5.5 to 6.1-rc)");
MENU_VERSION(6_1, "6.1", "6.1.192: overdue timers, rejected entries");
MENU_VERSION(6_6, "6.6", "asks for the timer only after a long pattern");
MENU_VERSION(6_12, "6.12", "6.12.117: no I/O-wait and load limits, C1 if shallow");
MENU_VERSION(6_13, "6.13", "6.13.7: the prediction bounds the latency");
MENU_VERSION(6_19, "6.19", "drops outliers on both sides");
MENU_VERSION(7_1, "7.1", "tick stopped: only far timers replace the prediction");
