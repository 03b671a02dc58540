// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Governors that learn nothing: null, poll, deepest and state:N. They are the bounds that the
 * others are compared with. All but null keep the tick while polling and let it stop otherwise.
 */
#include "policy/idle/governors.h"

#include "base/spec.h"

#include <errno.h>
#include <strings.h>

/* Does nothing at all: state 0, and the tick as the idle loop left it. */
static void null_select(
	struct idle_cpu *cpu, const struct idle_snapshot *s, struct idle_choice *choice)
{
	choice->state = 0;
}

static void choose(const struct idle_cpu *cpu, int state, struct idle_choice *choice)
{
	choice->state = state;
	if (cpu->driver->states[state].polling)
		choice->stop_tick = false;
}

static int poll_init(struct idle_cpu *cpu, const char *arg)
{
	return arg || !cpu->driver->states[0].polling ? -EINVAL : 0;
}

static void poll_select(
	struct idle_cpu *cpu, const struct idle_snapshot *s, struct idle_choice *choice)
{
	choose(cpu, 0, choice);
}

/* The deepest enabled state within the latency limit, whatever it costs. */
static void deepest_select(
	struct idle_cpu *cpu, const struct idle_snapshot *s, struct idle_choice *choice)
{
	const struct idle_driver *d = cpu->driver;
	int state = d->nr_states - 1;

	while (state > 0 && (s->disable_mask >> state & 1 ||
				    d->states[state].exit_latency_ns > s->latency_req_ns))
		state--;
	choose(cpu, state, choice);
}

/* One state, by number or by name. */
static int state_init(struct idle_cpu *cpu, const char *arg)
{
	const struct idle_driver *d = cpu->driver;
	int *state = cpu->state;
	unsigned long long n;

	if (!arg)
		return -EINVAL;
	for (int i = 0; i < d->nr_states; i++) {
		if (!strcasecmp(arg, d->states[i].name)) {
			*state = i;
			return 0;
		}
	}
	if (parse_u64(arg, 0, (unsigned long long)d->nr_states - 1, "state", &n, NULL))
		return -EINVAL;
	*state = (int)n;
	return 0;
}

/* A disabled state gives way to the next shallower one that is enabled. */
static void state_select(
	struct idle_cpu *cpu, const struct idle_snapshot *s, struct idle_choice *choice)
{
	int state = *(const int *)cpu->state;

	while (state > 0 && s->disable_mask >> state & 1)
		state--;
	choose(cpu, state, choice);
}

const struct idle_governor idle_null = {
	.name = "null",
	.summary = "state 0 without a thought: the cost of having no policy",
	.select = null_select,
};

const struct idle_governor idle_poll = {
	.name = "poll",
	.summary = "always polls: the fastest wake-up, the most power",
	.init = poll_init,
	.select = poll_select,
};

const struct idle_governor idle_deepest = {
	.name = "deepest",
	.summary = "the deepest enabled state within the latency limit",
	.select = deepest_select,
};

const struct idle_governor idle_state = {
	.name = "state",
	.summary = "state:N, always that state (number or name)",
	.state_size = sizeof(int),
	.init = state_init,
	.select = state_select,
};
