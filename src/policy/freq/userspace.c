// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * userspace: what was set last, as far as the limits let it: scaling_setspeed in kHz, else the
 * frequency that the governor found at its start. Source: cpufreq_userspace.c of Linux 6.1.
 */
#include "policy/freq/actions.h"
#include "policy/freq/governors.h"

#include <errno.h>
#include <string.h>

struct userspace {
	uint32_t set_khz;   /* 0: nothing was set */
	uint32_t speed_khz; /* in force for the governor */
};

static int userspace_tune(void *state, const char *key, const char *value)
{
	struct userspace *u = state;

	if (strcmp(key, "scaling_setspeed"))
		return -ENOENT;
	return freq_number(value, 1, UINT32_MAX, &u->set_khz);
}

static void userspace_start(
	void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	struct userspace *u = state;

	u->speed_khz = u->set_khz ? u->set_khz : s->cur_khz;
}

static void userspace_limits(
	void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	struct userspace *u = state;

	if (s->max_khz < u->speed_khz)
		freq_ask(actions, s->max_khz, FREQ_AT_MOST);
	else if (s->min_khz > u->speed_khz)
		freq_ask(actions, s->min_khz, FREQ_AT_LEAST);
	else
		freq_ask(actions, u->speed_khz, FREQ_AT_LEAST);
}

const struct freq_governor freq_userspace = {
	.name = "userspace",
	.summary = "the frequency that was set (scaling_setspeed)",
	.state_size = sizeof(struct userspace),
	.tune = userspace_tune,
	.start = userspace_start,
	.limits = userspace_limits,
};
