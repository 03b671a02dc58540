/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The polling idle state: how long one poll lasts, and the limits on it. Pure functions.
 *
 * The kernel's loop reads the clock once at its start, then spins: it checks for work, relaxes, and
 * at every 201st relax looks at the clock and leaves when more than the limit has passed. So a
 * time-out comes late by up to 201 relaxes, a wake-up by up to one relax or one look.
 */
#pragma once

#include "corepace/policy.h"
#include "policy/registry.h"

enum { POLL_RELAXES_PER_LOOK = 201 };

struct poll_input {
	int64_t relax_ns;	  /* one relax */
	int64_t clock_read_ns;	  /* one look at the clock */
	int64_t limit_ns;	  /* INT64_MAX: none */
	int64_t resched_after_ns; /* work arrives so long after the start, -1 never */
	bool resched_at_entry;	  /* work was there already */
};

struct poll_result {
	int64_t elapsed_ns; /* INT64_MAX: neither work nor limit ever ends it */
	uint64_t relaxes;
	bool timed_out;
};

/* Works out one poll without looping. relax_ns + clock_read_ns > 0. */
void poll_run(const struct poll_input *in, struct poll_result *ret);

/* The longest poll by rule kind, INT64_MAX = none. Pure: haltpoll's own limit is not looked at. */
int64_t poll_limit_ns(
	enum poll_limit_kind kind, const struct idle_driver *driver, uint32_t disable_mask);

/*
 * The limit of one CPU: what the governor set in its device record, else the rule's, which is
 * then kept there, as the kernel keeps it: disabling a state later does not change it.
 */
int64_t poll_limit_device_ns(enum poll_limit_kind kind, const struct idle_driver *driver,
	struct idle_device *device, uint32_t disable_mask);

/*
 * The 3-of-8 rule: when the governor chose polling but 3 of the last 8 polls timed out (bits set
 * in timeouts), the first enabled state that does not poll is taken, unless the latency limit
 * forbids it.
 */
void poll_3of8_select(uint8_t timeouts, const struct idle_driver *driver,
	const struct idle_snapshot *snapshot, struct idle_choice *choice);
