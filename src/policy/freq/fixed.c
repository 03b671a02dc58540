// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * performance and powersave: one end of the limits, whatever the load. The kernel asks for it when
 * the governor starts and whenever the limits change.
 */
#include "policy/freq/governors.h"

static void ask(struct freq_actions *actions, uint32_t khz, enum freq_relation relation)
{
	if (actions->nr == FREQ_ACTIONS_MAX)
		return;
	actions->list[actions->nr].kind = FREQ_TARGET;
	actions->list[actions->nr].relation = relation;
	actions->list[actions->nr++].value = khz;
}

static void performance_limits(
	void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	ask(actions, s->max_khz, FREQ_AT_MOST);
}

static void powersave_limits(
	void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	ask(actions, s->min_khz, FREQ_AT_LEAST);
}

const struct freq_governor freq_performance = {
	.name = "performance",
	.summary = "always the highest frequency of the limits",
	.start = performance_limits,
	.limits = performance_limits,
};

const struct freq_governor freq_powersave = {
	.name = "powersave",
	.summary = "always the lowest frequency of the limits",
	.start = powersave_limits,
	.limits = powersave_limits,
};
