// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/idle/rules.h"

#include "policy/idle/menu.h"
#include "policy/idle/teo.h"
#include "policy/registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* One member of a variant: bool, enum or uint32_t, and what its values mean. */
struct field {
	const char *step, *name;
	size_t offset, size;
	const char *const *values; /* NULL: it is a number of us */
};

#define FIELD(type, member, step, name, ...)                                                       \
	{                                                                                          \
		step, name, offsetof(type, member), sizeof(((type *)0)->member),                   \
			(const char *const[])                                                      \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}
#define MENU(...) FIELD(struct menu_variant, __VA_ARGS__)
#define TEO(...) FIELD(struct teo_variant, __VA_ARGS__)

static const struct field menu_fields[] = {
	MENU(unit, "", "unit", "microseconds, 32 bits", "nanoseconds"),
	MENU(measured, "learn", "measured",
		[MENU_MEASURED_LESS_LATENCY] = "residency less exit latency, if that is longer",
		[MENU_MEASURED_OR_HALF] = "residency less latency, if twice that; else half"),
	MENU(tick_is_45ms, "learn", "tick wake-up", "as any other",
		"counts as 45 ms if the timer was beyond the tick"),
	MENU(timeout_is_timer, "learn", "poll time-out", "as any other",
		"counts as having lasted to the timer"),
	MENU(rejected_is_long, "learn", "rejected entry", "ignored", "counts as endless interval"),
	MENU(iowait_buckets, "predict", "factors", "6 by timer distance",
		"6 by timer distance, 6 more with I/O waiters"),
	{ "predict", "longest interval", offsetof(struct menu_variant, longest_interval),
		sizeof(uint32_t), NULL },
	MENU(typical_skip, "predict", "typical skipped", [MENU_TYPICAL_ALWAYS] = "never",
		[MENU_TYPICAL_UNLESS_LONGER] = "if the shortest interval exceeds timer * factor",
		[MENU_TYPICAL_UNLESS_EMPTY] = "if no interval is left or all are 0"),
	MENU(typical_accept, "predict", "typical if",
		[MENU_ACCEPT_DEVIATION] = "deviation (whole us) <= 20 or < average / 6",
		[MENU_ACCEPT_VARIANCE] = "deviation (by variance) <= 20 us or < average / 6"),
	MENU(typical_trim, "predict",
		"outliers", [MENU_TRIM_LONGEST] = "the longest, down to 6 intervals",
		[MENU_TRIM_FARTHEST] = "the farther of longest and shortest, down to 6"),
	MENU(ask_timer, "predict", "timer asked", [MENU_ASK_FIRST] = "always, first",
		[MENU_ASK_IF_LONG] = "if the typical interval exceeds 15 us",
		[MENU_ASK_IF_LONG_OR_STOPPED] = "if typical > 15 us or the tick is stopped"),
	MENU(negative, "predict", "overdue timer", [MENU_NEGATIVE_WRAPS] = "looks very far away",
		[MENU_NEGATIVE_ZERO] = "is 0 away"),
	MENU(combine, "predict", "prediction",
		[MENU_TYPICAL_REPLACES] = "typical if before the timer, else timer * factor",
		[MENU_SMALLEST] = "the smaller of timer * factor and typical"),
	MENU(early, "pick",
		"state 0 at once", [MENU_EARLY_ZERO_LIMIT] = "if the latency limit is 0",
		[MENU_EARLY_KEEP_TICK] = "if C1 misses timer or limit; the tick stays",
		[MENU_EARLY_KEEP_POLLING] = "if C1 misses timer or limit; tick stays if 0 polls"),
	MENU(stopped, "pick", "tick stopped", [MENU_STOPPED_SAME] = "no difference",
		[MENU_STOPPED_EVENT_OR_TICK] = "short: predict next event, at most a tick",
		[MENU_STOPPED_EVENT] = "short: predict the next event",
		[MENU_STOPPED_TIMER] = "short: predict the next timer",
		[MENU_STOPPED_TIMER_FAR] = "short: predict the timer if over 2 ticks away"),
	MENU(limit, "pick", "latency limit",
		[MENU_LIMIT_LOAD_IOWAIT] = "user's, prediction / (1 + load/5 + 10 * iowait)",
		[MENU_LIMIT_IOWAIT] = "user's, prediction / (1 + 10 * iowait)",
		[MENU_LIMIT_PREDICTION] = "user's, prediction", [MENU_LIMIT_USER] = "user's"),
	MENU(fallback, "pick", "C1 over POLL if", [MENU_C1_IF_TIMER_5US] = "timer > 5 us",
		[MENU_C1_IF_LIMIT_20US] = "prediction / multiplier > 20 us",
		[MENU_C1_IF_TRUSTED] = "typical and timer > residency, user > latency",
		[MENU_C1_IF_TIMER_20US] = "timer > 20 us and residency, user > latency",
		[MENU_C1_IF_TIMER_FITS] = "timer >= residency, limit >= latency",
		[MENU_C1_IF_SHALLOW_FITS] = "timer >= residency < 15 us, prediction >= latency"),
	MENU(scan, "pick", "walk", [MENU_SCAN_SKIP] = "over misfits, to the deepest that fits",
		[MENU_SCAN_STOP] = "to the first misfit",
		[MENU_SCAN_WEIGH_TICK] = "to the first misfit, which weighs the tick",
		[MENU_SCAN_LATENCY_1ST] = "to the first misfit, latency before residency"),
	MENU(latency_end, "pick", "ended by latency", [MENU_LATENCY_KEEPS] = "prediction stays",
		[MENU_LATENCY_EXPECTS] = "expect the residency of the state found"),
	MENU(tick, "pick", "tick kept", [MENU_TICK_NONE] = "not decided here",
		[MENU_TICK_ALWAYS] = "if polling or less than a tick expected",
		[MENU_TICK_RUNNING] = "if running and polling or less than a tick expected"),
};

static const struct field teo_fields[] = {
	TEO(measured, "update",
		"measured", [TEO_MEASURED_SPAN] = "residency; endless if it lasted to the timer",
		[TEO_MEASURED_RESIDENCY] = "residency; below 15 us counts as short"),
	TEO(decays_to_zero, "update", "decay", "an eighth", "an eighth, down to 0"),
	TEO(tick_book, "update", "tick", [TEO_TICK_NONE] = "no book of its own",
		[TEO_TICK_BIN] = "own bin for hits beyond it if no state has one",
		[TEO_TICK_INTERCEPTS] = "wake-ups by and before it are counted apart"),
	TEO(recent, "update", "recent wake-ups", "not counted", "of the last 9, per bin"),
	TEO(ask_timer, "select", "timer asked", [TEO_ASK_FIRST] = "always, first",
		[TEO_ASK_UNLESS_SHALLOW] = "last; not if 0 polls and the state is < 15 us",
		[TEO_ASK_UNLESS_SHORT_PERIODS] = "last; not if < 15 us and half were short"),
	TEO(search, "select",
		"early wake-ups", [TEO_SEARCH_MOST] = "deepest state that over half of them reach",
		[TEO_SEARCH_MOST_PEAK] = "deepest that over half reach, up to their peak"),
	TEO(middle_of_bin, "select", "state stands for", "its target residency",
		"the middle of its bin"),
	TEO(utilization, "select", "CPU in use", "no difference",
		"over 16/1024: next shallower that does not poll"),
	TEO(asks_for_0, "select", "ended at state 0", "timer not asked",
		"timer asked all the same"),
	TEO(shallower_only_if_long, "select", "timer too near", "a shallower state",
		"shallower; tick stopped: not below a tick"),
	TEO(deepens_when_stopped, "select", "tick stopped", "a state of a tick at least",
		"timer over 2 ticks away: as deep as it allows"),
};

static const struct {
	const char *governor;
	struct {
		const char *step, *name, *value;
	} rules[6];
} fixed[] = {
	{ "ladder@6.1", { { "learn", "sleep", "residency less exit latency, unsigned" },
				{ "pick", "deeper", "after 4 sleeps longer than the exit latency" },
				{ "pick", "back", "after 1 shorter sleep" },
				{ "pick", "limit, disabled", "up to the first state fast enough" },
				{ "pick", "lowest rung", "state 1 if state 0 polls" },
				{ "pick", "tick kept", "not decided here" } } },
	{ "haltpoll@6.1",
		{ { "learn", "limit grows", "halt longer than it, up to guest_halt_poll_ns" },
			{ "learn", "limit shrinks", "halt longer than guest_halt_poll_ns" },
			{ "pick", "halt if", "limit is 0, or the last poll timed out" },
			{ "pick", "poll if", "otherwise, or the latency limit is 0" },
			{ "pick", "tick kept", "if polling" } } },
	{ "poll", { { "pick", "state", "0" }, { "pick", "tick kept", "always" } } },
	{ "deepest", { { "pick", "state", "deepest enabled within the latency limit" },
			     { "pick", "tick kept", "if polling" } } },
	{ "state", { { "pick", "state", "the one given; if disabled, the next shallower" },
			   { "pick", "tick kept", "if polling" } } },
	{ "null", { { "pick", "state", "0" }, { "pick", "tick kept", "never" } } },
};

static uint32_t field_value(const struct field *f, const void *variant)
{
	const char *at = (const char *)variant + f->offset;
	uint32_t wide;

	if (f->size == sizeof(bool))
		return *(const bool *)at;
	memcpy(&wide, at, sizeof(wide));
	return wide;
}

static int from_fields(
	const struct field *fields, int nr, const void *variant, struct idle_rule *ret)
{
	for (int i = 0; i < nr; i++) {
		uint32_t value = field_value(&fields[i], variant);

		ret[i].step = fields[i].step;
		ret[i].name = fields[i].name;
		if (fields[i].values)
			snprintf(ret[i].value, sizeof(ret[i].value), "%s", fields[i].values[value]);
		else
			snprintf(ret[i].value, sizeof(ret[i].value), "%" PRIu32 " us", value);
	}
	return nr;
}

static int from_fixed(const struct idle_governor *governor, struct idle_rule *ret)
{
	int nr = 0;

	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++) {
		if (strcmp(fixed[i].governor, governor->name))
			continue;
		for (; nr < 6 && fixed[i].rules[nr].name; nr++) {
			ret[nr].step = fixed[i].rules[nr].step;
			ret[nr].name = fixed[i].rules[nr].name;
			snprintf(ret[nr].value, sizeof(ret[nr].value), "%s",
				fixed[i].rules[nr].value);
		}
	}
	return nr;
}

/* What the governor's kernel does around it. */
static int add_kernel(const struct idle_governor *governor, struct idle_rule *ret)
{
	struct policy policy;

	policy_defaults(&policy);
	policy_set_idle(&policy, governor, NULL);
	ret[0] = (struct idle_rule){ "kernel", "poll limit", "" };
	snprintf(ret[0].value, sizeof(ret[0].value), "%s",
		poll_limit_name(policy_poll_limit_kind(&policy)));
	ret[1] = (struct idle_rule){ "kernel", "tick", "" };
	snprintf(ret[1].value, sizeof(ret[1].value), "%s", policy.tick->name);
	return 2;
}

int idle_governor_rules(const struct idle_governor *governor, struct idle_rule *ret)
{
	int nr;

	if (!idle_governor_is_builtin(governor))
		return 0;
	if (!strncmp(governor->name, "menu@", 5))
		nr = from_fields(menu_fields, sizeof(menu_fields) / sizeof(menu_fields[0]),
			governor->variant, ret);
	else if (!strncmp(governor->name, "teo@", 4))
		nr = from_fields(teo_fields, sizeof(teo_fields) / sizeof(teo_fields[0]),
			governor->variant, ret);
	else
		nr = from_fixed(governor, ret);
	return nr ? nr + add_kernel(governor, ret + nr) : 0;
}
