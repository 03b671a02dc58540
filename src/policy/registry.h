/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All built-in policies, in one array each, and the policy specification put together from them.
 * Order of calls: policy_defaults, then policy_set for each key, then policy_check.
 * A name without @ is the newest version of that governor.
 */
#pragma once

#include "base/error.h"
#include "base/spec.h"
#include "corepace/policy.h"

enum poll_limit_kind {
	POLL_LIMIT_DEFAULT, /* that of the idle governor's kernel */
	POLL_LIMIT_NONE,    /* before 4.17: only need_resched ends a poll */
	POLL_LIMIT_TICK_16, /* 4.17 to 4.19 */
	POLL_LIMIT_STATE_1, /* 4.20: target residency of state 1 */
	POLL_LIMIT_6_1,
	POLL_LIMIT_3OF8, /* the proposal: C1's target residency + exit latency, 3 of 8 */
};

/* A policy put together: what `-p` names. */
struct policy {
	char text[SPEC_TEXT_MAX]; /* the specification, canonical name for results */
	const struct driver *driver;
	const struct freq_governor *governor;
	const struct boost *boost;
	const struct idle_governor *idle;
	char idle_arg[16]; /* what follows the colon in idle=state:1 */
	const struct tick_policy *tick;
	struct sched_policy sched;
	enum poll_limit_kind poll_limit;
	bool tick_rate_limit;
	int64_t latency_limit_ns;
	char disable_states[64]; /* names or numbers, '+' between */
	int nr_tunables;
	struct {
		char key[32], value[32];
	} tunables[16]; /* for governor, boost and driver, by kernel name */
};

/* Each list ends with NULL. */
extern const struct idle_governor *const idle_governors[];
extern const struct freq_governor *const freq_governors[];
extern const struct boost *const boosts[];
extern const struct driver *const drivers[];
extern const struct tick_policy *const tick_policies[];
extern const struct sched_policy *const sched_policies[];

/*
 * Finds NAME[@KERNEL][:ARG] (ret_arg may be NULL). -ENOENT with a text that lists what is known.
 */
int idle_governor_find(const char *name, const struct idle_governor **ret, const char **ret_arg,
	struct error *err);

void policy_defaults(struct policy *policy);

/* Sets one key of a specification. -EINVAL, -ENOENT; the text lists the known names. */
int policy_set(struct policy *policy, const char *key, const char *value, struct error *err);

/* Fits the policy to a machine: resolves disable_states. ret_mask: bit i = state i disabled. */
int policy_disable_mask(const struct policy *policy, const struct idle_driver *driver,
	uint32_t *ret_mask, struct error *err);

/* The longest poll in ns under the policy; INT64_MAX = none. */
int64_t policy_poll_limit_ns(
	const struct policy *policy, const struct idle_driver *driver, uint32_t disable_mask);
