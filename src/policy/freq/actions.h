/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What governors of this folder share: appending actions, and reading numbers. */
#pragma once

#include "corepace/policy.h"

/* Appends to actions; what has no room is dropped, which no governor here comes near. */
static inline void freq_act(
	struct freq_actions *actions, enum freq_action_kind kind, uint64_t value, unsigned relation)
{
	if (actions->nr == FREQ_ACTIONS_MAX)
		return;
	actions->list[actions->nr].kind = kind;
	actions->list[actions->nr].relation = relation;
	actions->list[actions->nr++].value = value;
}

/* A request for khz through the driver. */
static inline void freq_ask(struct freq_actions *actions, uint32_t khz, unsigned relation)
{
	freq_act(actions, FREQ_TARGET, khz, relation);
}

/* Brings the frequency back into the limits, if it is outside. */
static inline void freq_apply_limits(const struct freq_snapshot *s, struct freq_actions *actions)
{
	if (s->max_khz < s->cur_khz)
		freq_ask(actions, s->max_khz, FREQ_AT_MOST);
	else if (s->min_khz > s->cur_khz)
		freq_ask(actions, s->min_khz, FREQ_AT_LEAST);
}

/* The value of a tunable, a whole number from min to max: 0 or -EINVAL. In number.c. */
int freq_number(const char *value, uint32_t min, uint32_t max, uint32_t *ret);
