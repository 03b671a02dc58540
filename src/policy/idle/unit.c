// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/idle/idle.h"

#include "policy/idle/poll.h"

#include <string.h>

int idle_unit_init(struct idle_unit *unit, const struct policy *policy,
	const struct idle_driver *driver, void *state, struct error *err)
{
	const struct idle_governor *governor = policy->idle;
	int r;

	memset(unit, 0, sizeof(*unit));
	if (governor->state_size)
		memset(state, 0, governor->state_size);
	unit->cpu.governor = governor;
	unit->cpu.driver = driver;
	unit->cpu.state = state;
	unit->poll_limit = policy_poll_limit_kind(policy);
	r = policy_idle_init(policy, &unit->cpu, err);
	return r;
}

void idle_unit_select(
	struct idle_unit *unit, const struct idle_snapshot *snapshot, struct idle_choice *choice)
{
	*choice = (struct idle_choice){ .stop_tick = true };
	unit->cpu.governor->select(&unit->cpu, snapshot, choice);
	if (unit->poll_limit == POLL_LIMIT_3OF8)
		poll_3of8_select(unit->poll_timeouts, unit->cpu.driver, snapshot, choice);
}

int64_t idle_unit_poll_limit_ns(struct idle_unit *unit, uint32_t disable_mask)
{
	return poll_limit_device_ns(
		unit->poll_limit, unit->cpu.driver, &unit->cpu.device, disable_mask);
}

void idle_unit_outcome(struct idle_unit *unit, const struct idle_outcome *outcome,
	int64_t residency_ns, bool timed_out)
{
	struct idle_device *device = &unit->cpu.device;
	const struct idle_driver *driver = unit->cpu.driver;

	if (outcome->entered < 0) {
		device->last_residency_ns = 0;
		return;
	}
	device->last_residency_ns = residency_ns;
	/* Only polling touches the flag: a halt leaves what the poll before it said. */
	if (driver->states[outcome->entered].polling) {
		device->poll_time_limit = timed_out;
		unit->poll_timeouts = (uint8_t)(unit->poll_timeouts << 1 | timed_out);
	}
	if (unit->cpu.governor->reflect)
		unit->cpu.governor->reflect(&unit->cpu, outcome);
}
