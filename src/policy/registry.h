/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All built-in policies, in one array each, and the policy specification put together from them.
 * Order of calls: policy_defaults, policy_set for each key, policy_check; then, with a machine,
 * policy_disable_mask and idle/idle.h.
 * A name without @ is the newest version of that governor.
 */
#pragma once

#include "base/error.h"
#include "base/spec.h"
#include "corepace/policy.h"

enum poll_limit_kind {
	POLL_LIMIT_DEFAULT,	  /* that of the idle governor's kernel */
	POLL_LIMIT_NONE,	  /* before 4.17: only need_resched ends a poll */
	POLL_LIMIT_TICK_16,	  /* 4.17 to 4.19 */
	POLL_LIMIT_STATE_1,	  /* 4.20: target residency of state 1 */
	POLL_LIMIT_FIRST_ENABLED, /* 5.0 to 5.10: that of the first enabled state */
	POLL_LIMIT_6_1, /* since 5.11: of the first enabled one of 10 us or more, at most tick/16 */
	POLL_LIMIT_3OF8, /* the proposal: C1's target residency + exit latency, 3 of 8 */
};

#define POLICY_DEFAULT_IDLE "menu@6.1"

/* Kernel versions as ordered numbers. */
#define KERNEL(major, minor) ((major)*1000 + (minor))

enum { RESUME_LATENCIES_MAX = 16, CHANGES_MAX = 8 };

/* Whether utilisation is scaled by frequency: if the machine can tell the frequency, or never. */
enum freq_invariance { INVARIANT_AUTO, INVARIANT_NO };

/* A policy put together: what `-p` names. */
struct policy {
	char text[SPEC_TEXT_MAX]; /* the specification, canonical name for results */
	const struct driver *driver;
	const struct freq_governor *governor;
	const struct boost *boost;
	const struct idle_governor *idle;
	char idle_arg[16]; /* what follows the colon in idle=state:1 */
	const struct tick_policy *tick;
	bool tick_given; /* else it is that of the idle governor's kernel */
	struct sched_policy sched;
	enum poll_limit_kind poll_limit;
	bool tick_rate_limit;
	int64_t latency_limit_ns; /* /dev/cpu_dma_latency */
	int nr_resume_latencies;  /* per-CPU pm_qos_resume_latency_us */
	struct {
		int cpu; /* -1: all */
		int64_t ns;
	} resume_latency[RESUME_LATENCIES_MAX];
	int kernel;	   /* for driver=auto: KERNEL(6, 1) */
	char cmdline[128]; /* likewise: the kernel's command line */
	enum freq_invariance invariant;
	struct freq_limits user; /* scaling_min_freq, scaling_max_freq; 0: not set */
	int nr_changes;		 /* what is set while the system runs, by time */
	struct policy_change {
		int64_t ns;
		char key[32], value[32];
	} changes[CHANGES_MAX];
	char disable_states[64]; /* names or numbers, '+' between */
	int nr_tunables;
	struct {
		char key[32], value[32];
	} tunables[16]; /* for driver, governor, boost and idle governor, by kernel name */
};

/* As the key poll-limit takes it. */
const char *poll_limit_name(enum poll_limit_kind kind);

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

/* Finds NAME. -ENOENT with a text that lists what is known. */
int freq_governor_find(const char *name, const struct freq_governor **ret, struct error *err);

/* Whether it is one of the list and not a plug-in that may have taken its name. */
bool idle_governor_is_builtin(const struct idle_governor *governor);

/* The kernel that a governor reproduces, as KERNEL(major, minor); 0: none in particular. */
int idle_governor_kernel(const struct idle_governor *governor);

void policy_defaults(struct policy *policy);

/*
 * Sets one key of a specification. -EINVAL, -ENOENT; the text lists the known names. A key that
 * is none of the choices is kept as a tunable; policy_check tells whether anybody knows it.
 */
int policy_set(struct policy *policy, const char *key, const char *value, struct error *err);

/* Sets idle governors that are not in the registry (plug-ins). arg may be NULL. */
void policy_set_idle(struct policy *policy, const struct idle_governor *governor, const char *arg);

/*
 * Sets what can be set while the system runs and is no driver's: scaling-min-freq and
 * scaling-max-freq into user, ppc into ret_ppc. -ENOENT: another key; -EINVAL.
 */
int policy_change_limits(const struct policy_change *change, struct freq_limits *user, int *ret_ppc,
	struct error *err);

/* Whether every tunable is known to the governor, the boost or the idle governor. */
int policy_check(const struct policy *policy, struct error *err);

/* The i-th thing to say about the combination, for the notes of a result: its length, 0 no more. */
int policy_note(const struct policy *policy, int i, char *buf, size_t size);

/* ---- the policy on a machine ---- */

/* Resolves disable_states. ret_mask: bit i = state i disabled. */
int policy_disable_mask(const struct policy *policy, const struct idle_driver *driver,
	uint32_t *ret_mask, struct error *err);

/* The latency limit of one CPU: the smaller of the global one and its own. */
int64_t policy_latency_ns(const struct policy *policy, int cpu);

/* The poll limit in force, never POLL_LIMIT_DEFAULT. */
enum poll_limit_kind policy_poll_limit_kind(const struct policy *policy);

/* The longest poll in ns under the policy; INT64_MAX = none. See also idle/idle.h. */
int64_t policy_poll_limit_ns(
	const struct policy *policy, const struct idle_driver *driver, uint32_t disable_mask);

/* Initialises cpu (governor, driver and zeroed state are set) and applies the tunables. */
int policy_idle_init(const struct policy *policy, struct idle_cpu *cpu, struct error *err);
