// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/idle/poll.h"

#include "base/units.h"

/* Bounds of the limit since 5.11: a state that pays off sooner than this bounds no poll. */
enum { POLL_SHORTEST_NS = 10000, POLL_TICK_SHARE = 16 };

enum { POLL_TIMEOUTS_OF_8 = 3 };

/* Relaxes until work that arrives at in->resched_after_ns is seen. */
static uint64_t relaxes_until_resched(const struct poll_input *in)
{
	uint64_t lap = (uint64_t)(POLL_RELAXES_PER_LOOK * in->relax_ns + in->clock_read_ns);
	int64_t left = in->resched_after_ns - in->clock_read_ns;
	uint64_t laps, rest, relaxes;

	if (left <= 0)
		return 0;
	laps = (uint64_t)left / lap;
	rest = (uint64_t)left % lap;
	if (!in->relax_ns)
		return (laps + !!rest) * POLL_RELAXES_PER_LOOK;
	relaxes = (rest + (uint64_t)in->relax_ns - 1) / (uint64_t)in->relax_ns;
	/* Work that comes during the look is seen after it: the 201st relax belongs to the lap. */
	if (relaxes > POLL_RELAXES_PER_LOOK)
		relaxes = POLL_RELAXES_PER_LOOK;
	return laps * POLL_RELAXES_PER_LOOK + relaxes;
}

void poll_run(const struct poll_input *in, struct poll_result *ret)
{
	int64_t lap = POLL_RELAXES_PER_LOOK * in->relax_ns + in->clock_read_ns;
	uint64_t by_resched = UINT64_MAX, by_limit = UINT64_MAX, relaxes;

	if (in->resched_at_entry)
		by_resched = 0;
	else if (in->resched_after_ns >= 0)
		by_resched = relaxes_until_resched(in);
	if (in->limit_ns != INT64_MAX)
		by_limit = ((uint64_t)in->limit_ns / (uint64_t)lap + 1) * POLL_RELAXES_PER_LOOK;
	/* The look precedes the check for work, so the limit wins a draw. */
	ret->timed_out = by_limit <= by_resched && by_limit != UINT64_MAX;
	relaxes = ret->timed_out ? by_limit : by_resched;
	ret->relaxes = relaxes;
	if (relaxes == UINT64_MAX)
		ret->elapsed_ns = INT64_MAX;
	else
		ret->elapsed_ns = in->clock_read_ns + (int64_t)relaxes * in->relax_ns +
				  (int64_t)(relaxes / POLL_RELAXES_PER_LOOK) * in->clock_read_ns;
}

static int first_enabled(const struct idle_driver *driver, uint32_t disable_mask, int from)
{
	for (int i = from; i < driver->nr_states; i++)
		if (!(disable_mask >> i & 1) && !driver->states[i].polling)
			return i;
	return -1;
}

static int64_t limit_6_1(const struct idle_driver *driver, uint32_t disable_mask)
{
	int64_t longest = driver->tick_ns / POLL_TICK_SHARE;

	for (int i = 1; i < driver->nr_states; i++) {
		int64_t residency = driver->states[i].target_residency_ns;

		if (!(disable_mask >> i & 1) && residency >= POLL_SHORTEST_NS)
			return min_i64(residency, longest);
	}
	return longest;
}

int64_t poll_limit_ns(
	enum poll_limit_kind kind, const struct idle_driver *driver, uint32_t disable_mask)
{
	const struct idle_state *states = driver->states;
	int i;

	switch (kind) {
	case POLL_LIMIT_NONE:
		return INT64_MAX;
	case POLL_LIMIT_TICK_16:
		return driver->tick_ns / POLL_TICK_SHARE;
	case POLL_LIMIT_STATE_1:
		return driver->nr_states > 1 ? states[1].target_residency_ns : driver->tick_ns;
	case POLL_LIMIT_FIRST_ENABLED:
		i = first_enabled(driver, disable_mask, 1);
		return i < 0 ? driver->tick_ns : states[i].target_residency_ns;
	case POLL_LIMIT_3OF8:
		i = first_enabled(driver, 0, 0);
		return i < 0 ? INT64_MAX
			     : states[i].target_residency_ns + states[i].exit_latency_ns;
	case POLL_LIMIT_6_1:
	case POLL_LIMIT_DEFAULT:
		break;
	}
	return limit_6_1(driver, disable_mask);
}

int64_t poll_limit_device_ns(enum poll_limit_kind kind, const struct idle_driver *driver,
	struct idle_device *device, uint32_t disable_mask)
{
	if (!device->poll_limit_ns) {
		int64_t limit_ns = poll_limit_ns(kind, driver, disable_mask);

		if (kind != POLL_LIMIT_6_1 && kind != POLL_LIMIT_FIRST_ENABLED)
			return limit_ns;
		device->poll_limit_ns = (uint64_t)limit_ns;
	}
	return device->poll_limit_ns > INT64_MAX ? INT64_MAX : (int64_t)device->poll_limit_ns;
}

void poll_3of8_select(uint8_t timeouts, const struct idle_driver *driver,
	const struct idle_snapshot *snapshot, struct idle_choice *choice)
{
	int halt;

	if (!driver->states[choice->state].polling ||
		__builtin_popcount(timeouts) < POLL_TIMEOUTS_OF_8)
		return;
	halt = first_enabled(driver, snapshot->disable_mask, 0);
	if (halt >= 0 && driver->states[halt].exit_latency_ns <= snapshot->latency_req_ns)
		choice->state = halt;
}
