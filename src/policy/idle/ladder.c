// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ladder: one rung at a time. What counts is the sleep: the residency less the exit latency. A CPU
 * whose sleeps exceeded the exit latency of its state four times, without an opposite event, goes
 * one state deeper; one shorter sleep sends it one state back. A state that is disabled or too slow
 * for the latency limit is left at once, upwards to the first one fast enough. A limit of 0 gives
 * state 0.
 *
 * Where state 0 polls, the ladder's lowest rung is state 1; state 0 is then left after a sleep of
 * any length. A residency below the exit latency wraps and so counts as a long sleep: that is what
 * 6.1 does, its comparison being unsigned. The tick is left as the idle loop has it.
 *
 * Behaviour of kernel 6.1; ns.
 */
#include "policy/idle/governors.h"

#include <errno.h>

enum { LADDER_UP_AFTER = 4, LADDER_DOWN_AFTER = 1 };

struct ladder_rung {
	uint64_t longer_ns;  /* longer ones count for going deeper */
	uint64_t shorter_ns; /* shorter ones count for going back */
	int up_after, down_after;
	int nr_longer, nr_shorter;
};

struct ladder {
	struct ladder_rung rungs[IDLE_STATES_MAX];
};

static int ladder_lowest(const struct idle_driver *driver)
{
	return driver->states[0].polling;
}

static int ladder_init(struct idle_cpu *cpu, const char *arg)
{
	const struct idle_driver *driver = cpu->driver;
	struct ladder *l = cpu->state;
	int lowest = ladder_lowest(driver);

	if (arg)
		return -EINVAL;
	cpu->device.last_state = lowest < driver->nr_states ? lowest : 0;
	for (int i = lowest; i < driver->nr_states; i++) {
		uint64_t latency = (uint64_t)driver->states[i].exit_latency_ns;

		l->rungs[i] = (struct ladder_rung){
			.longer_ns = i < driver->nr_states - 1 ? latency : 0,
			.shorter_ns = i > lowest ? latency : 0,
			.up_after = LADDER_UP_AFTER,
			.down_after = LADDER_DOWN_AFTER,
		};
	}
	return 0;
}

static int ladder_move(struct idle_cpu *cpu, int from, int to)
{
	struct ladder *l = cpu->state;

	l->rungs[from].nr_longer = 0;
	l->rungs[from].nr_shorter = 0;
	cpu->device.last_state = to;
	return to;
}

/* The first state up from one that may not be used; what lies between may be disabled, too. */
static int ladder_retreat(
	const struct idle_driver *driver, const struct idle_snapshot *s, int from, int lowest)
{
	int i = from - 1;

	while (i > lowest && driver->states[i].exit_latency_ns > s->latency_req_ns)
		i--;
	return i;
}

static int ladder_choose(struct idle_cpu *cpu, const struct idle_snapshot *s)
{
	const struct idle_driver *driver = cpu->driver;
	const struct idle_state *states = driver->states;
	struct ladder *l = cpu->state;
	int last = cpu->device.last_state, lowest = ladder_lowest(driver);
	struct ladder_rung *rung = &l->rungs[last];
	uint64_t slept =
		(uint64_t)cpu->device.last_residency_ns - (uint64_t)states[last].exit_latency_ns;

	if (!s->latency_req_ns)
		return ladder_move(cpu, last, 0);
	if (last < driver->nr_states - 1 && !(s->disable_mask >> (last + 1) & 1) &&
		slept > rung->longer_ns && states[last + 1].exit_latency_ns <= s->latency_req_ns) {
		rung->nr_longer++;
		rung->nr_shorter = 0;
		if (rung->nr_longer >= rung->up_after)
			return ladder_move(cpu, last, last + 1);
	}
	if (last <= lowest)
		return last;
	if (s->disable_mask >> last & 1 || states[last].exit_latency_ns > s->latency_req_ns)
		return ladder_move(cpu, last, ladder_retreat(driver, s, last, lowest));
	if (slept < rung->shorter_ns) {
		rung->nr_shorter++;
		rung->nr_longer = 0;
		if (rung->nr_shorter >= rung->down_after)
			return ladder_move(cpu, last, last - 1);
	}
	return last;
}

static void ladder_select(
	struct idle_cpu *cpu, const struct idle_snapshot *s, struct idle_choice *choice)
{
	choice->state = ladder_choose(cpu, s);
}

static void ladder_reflect(struct idle_cpu *cpu, const struct idle_outcome *outcome)
{
	if (outcome->entered > 0)
		cpu->device.last_state = outcome->entered;
}

const struct idle_governor idle_ladder_6_1 = {
	.name = "ladder@6.1",
	.summary = "one state deeper after 4 long sleeps, back after a short one",
	.state_size = sizeof(struct ladder),
	.init = ladder_init,
	.select = ladder_select,
	.reflect = ladder_reflect,
};
