// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A skeleton to write an idle governor from. It works: it expects each idle period to last as long
 * as the average of those before it, and takes the deepest state that pays off by then.
 *
 *   cp policies/skeleton.c mine.c
 *   corepace governor build mine.c
 *   corepace run -m i7-2600k -w pipe-test -p performance -p performance:idle=./mine.so
 *
 * corepace/policy.h says what each hook is given. The rule for all of them: decide from the
 * arguments and the state alone; no clock, no file, no global that is written.
 */
#include "corepace/policy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One of these for each CPU; the core allocates it, zeroed. */
struct mine {
	int64_t average_ns; /* of past idle periods */
	int64_t weight;	    /* tunable: the newest period counts one in so many */
};

/* Once per CPU. arg is what follows a colon in the name; this governor takes none. */
static int mine_init(struct idle_cpu *cpu, const char *arg)
{
	struct mine *mine = cpu->state;

	if (arg)
		return -EINVAL;
	mine->average_ns = cpu->driver->tick_ns;
	mine->weight = 8;
	return 0;
}

/* After init, for each key of the policy that corepace does not know: idle=./mine.so,weight=4. */
static int mine_tune(struct idle_cpu *cpu, const char *key, const char *value)
{
	struct mine *mine = cpu->state;
	char *end;
	long weight = strtol(value, &end, 10);

	if (strcmp(key, "weight"))
		return -ENOENT;
	if (*end || weight < 1 || weight > 1000)
		return -EINVAL;
	mine->weight = weight;
	return 0;
}

/*
 * The CPU has nothing to do: which state? choice->stop_tick is true on entry; say false when the
 * CPU is expected back before the next tick anyway.
 */
static void mine_select(
	struct idle_cpu *cpu, const struct idle_snapshot *s, struct idle_choice *choice)
{
	const struct idle_driver *driver = cpu->driver;
	const struct mine *mine = cpu->state;
	int64_t expected_ns = mine->average_ns;

	/* Asking for the next timer costs time on a real kernel, so a governor says that it did. */
	choice->timer_read = true;
	if (expected_ns > s->sleep_length_ns)
		expected_ns = s->sleep_length_ns;

	choice->state = 0;
	for (int i = 1; i < driver->nr_states; i++) {
		if (s->disable_mask >> i & 1)
			continue;
		if (driver->states[i].target_residency_ns > expected_ns ||
			driver->states[i].exit_latency_ns > s->latency_req_ns)
			break;
		choice->state = i;
	}
	if (driver->states[choice->state].polling || expected_ns < driver->tick_ns)
		choice->stop_tick = false;
}

/* The CPU is back. cpu->device says how long it was away; setting last_state is our job. */
static void mine_reflect(struct idle_cpu *cpu, const struct idle_outcome *outcome)
{
	struct mine *mine = cpu->state;

	cpu->device.last_state = outcome->entered;
	mine->average_ns += (cpu->device.last_residency_ns - mine->average_ns) / mine->weight;
}

static const struct idle_governor mine = {
	.name = "mine",
	.summary = "the average of past idle periods",
	.state_size = sizeof(struct mine),
	.init = mine_init,
	.tune = mine_tune,
	.select = mine_select,
	.reflect = mine_reflect,
};

/* What corepace looks for in the plug-in. */
const struct corepace_plugin corepace_plugin = {
	.abi = COREPACE_ABI,
	.idle = &mine,
};
