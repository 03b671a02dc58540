/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One CPU under the idle part of a policy: its governor, and round it the poll-limit rule.
 * Order of calls: idle_unit_init, then for each idle period idle_unit_select, the entry (for a
 * polling state: no longer than idle_unit_poll_limit_ns), idle_unit_outcome, which must be called
 * for rejected entries too.
 */
#pragma once

#include "policy/registry.h"

struct idle_unit {
	struct idle_cpu cpu;
	enum poll_limit_kind poll_limit;
	uint8_t poll_timeouts; /* 3of8: one bit per poll, the newest lowest, set if it timed out */
};

/*
 * state: policy->idle->state_size bytes (may be NULL when that is 0), owned by the caller and
 * zeroed here. The policy and the driver must outlive the unit.
 */
int idle_unit_init(struct idle_unit *unit, const struct policy *policy,
	const struct idle_driver *driver, void *state, struct error *err);

/* Asks the governor. choice is written whole. */
void idle_unit_select(
	struct idle_unit *unit, const struct idle_snapshot *snapshot, struct idle_choice *choice);

/* The longest that the CPU may poll now, in ns; INT64_MAX = no limit. */
int64_t idle_unit_poll_limit_ns(struct idle_unit *unit, uint32_t disable_mask);

/*
 * What came of the entry. outcome->entered < 0: rejected. residency_ns includes the exit latency,
 * as the kernel measures it; timed_out: a poll ended by its limit.
 */
void idle_unit_outcome(struct idle_unit *unit, const struct idle_outcome *outcome,
	int64_t residency_ns, bool timed_out);
