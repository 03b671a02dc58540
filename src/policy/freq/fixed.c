// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * performance and powersave: one end of the limits, whatever the load. The kernel asks for it
 * whenever the limits change, which the start of the governor counts as.
 */
#include "policy/freq/actions.h"
#include "policy/freq/governors.h"

static void performance_limits(
	void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	freq_ask(actions, s->max_khz, FREQ_AT_MOST);
}

static void powersave_limits(
	void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	freq_ask(actions, s->min_khz, FREQ_AT_LEAST);
}

const struct freq_governor freq_performance = {
	.name = "performance",
	.summary = "always the highest frequency of the limits",
	.limits = performance_limits,
};

const struct freq_governor freq_powersave = {
	.name = "powersave",
	.summary = "always the lowest frequency of the limits",
	.limits = powersave_limits,
};
