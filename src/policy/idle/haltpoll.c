// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * haltpoll, for guests: poll for a while before the halt that costs an exit to the hypervisor, and
 * learn per CPU how long. Entered state 0 is the poll, state 1 the halt.
 *
 * A CPU whose limit is 0 (so at the start) halts at once. Otherwise it polls, and halts after a
 * poll that ended by its limit. When a halt turns out to have been shorter than guest_halt_poll_ns
 * but longer than the limit, polling longer would have caught the wake-up: the limit grows. When
 * the halt was longer than guest_halt_poll_ns, polling was in vain: the limit shrinks.
 *
 * The limit is the device's poll_limit_ns, so that the polling state obeys it. The tick stops only
 * before a halt. Behaviour of kernel 6.1.
 */
#include "policy/idle/governors.h"

#include "base/spec.h"

#include <errno.h>
#include <string.h>

struct haltpoll {
	unsigned int longest_ns;    /* guest_halt_poll_ns */
	unsigned int shrink;	    /* divisor, 0: to nothing at once */
	unsigned int grow;	    /* factor */
	unsigned int grow_start_ns; /* a growing limit is at least this */
	bool allow_shrink;
};

static int haltpoll_init(struct idle_cpu *cpu, const char *arg)
{
	struct haltpoll *h = cpu->state;

	if (arg)
		return -EINVAL;
	*h = (struct haltpoll){
		.longest_ns = 200000,
		.shrink = 2,
		.grow = 2,
		.grow_start_ns = 50000,
		.allow_shrink = true,
	};
	return 0;
}

static int haltpoll_tune(struct idle_cpu *cpu, const char *key, const char *value)
{
	struct haltpoll *h = cpu->state;
	unsigned long long v;
	unsigned int *field = NULL;

	if (!strcmp(key, "guest_halt_poll_ns"))
		field = &h->longest_ns;
	else if (!strcmp(key, "guest_halt_poll_shrink"))
		field = &h->shrink;
	else if (!strcmp(key, "guest_halt_poll_grow"))
		field = &h->grow;
	else if (!strcmp(key, "guest_halt_poll_grow_start"))
		field = &h->grow_start_ns;
	else if (strcmp(key, "guest_halt_poll_allow_shrink"))
		return -ENOENT;
	if (!field) {
		bool yes = !strcmp(value, "Y") || !strcmp(value, "1");

		if (!yes && strcmp(value, "N") && strcmp(value, "0"))
			return -EINVAL;
		h->allow_shrink = yes;
		return 0;
	}
	if (parse_u64(value, 0, UINT32_MAX, key, &v, NULL))
		return -EINVAL;
	*field = (unsigned int)v;
	return 0;
}

static void haltpoll_select(
	struct idle_cpu *cpu, const struct idle_snapshot *s, struct idle_choice *choice)
{
	const struct idle_device *device = &cpu->device;
	bool halt;

	if (!s->latency_req_ns)
		halt = false;
	else
		halt = !device->poll_limit_ns || (!device->last_state && device->poll_time_limit);
	choice->state = halt && cpu->driver->nr_states > 1;
	if (!halt)
		choice->stop_tick = false;
}

static void haltpoll_reflect(struct idle_cpu *cpu, const struct idle_outcome *outcome)
{
	const struct haltpoll *h = cpu->state;
	struct idle_device *device = &cpu->device;
	uint64_t halted_ns = (uint64_t)device->last_residency_ns;
	unsigned int limit_ns;

	device->last_state = outcome->entered;
	if (!outcome->entered)
		return;
	if (halted_ns > h->longest_ns) {
		if (h->allow_shrink)
			device->poll_limit_ns =
				h->shrink ? (unsigned int)device->poll_limit_ns / h->shrink : 0;
	} else if (halted_ns > device->poll_limit_ns) {
		limit_ns = (unsigned int)(device->poll_limit_ns * h->grow);
		if (limit_ns < h->grow_start_ns)
			limit_ns = h->grow_start_ns;
		if (limit_ns > h->longest_ns)
			limit_ns = h->longest_ns;
		device->poll_limit_ns = limit_ns;
	}
}

const struct idle_governor idle_haltpoll_6_1 = {
	.name = "haltpoll@6.1",
	.summary = "guests: poll for a learned time, then halt",
	.state_size = sizeof(struct haltpoll),
	.init = haltpoll_init,
	.tune = haltpoll_tune,
	.select = haltpoll_select,
	.reflect = haltpoll_reflect,
};
