// SPDX-License-Identifier: GPL-2.0-or-later
/* A policy against a machine: checks and values that need both. */
#include "policy/registry.h"

#include "base/units.h"
#include "policy/idle/poll.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Largest state that a tunable is tried out on. */
enum { SCRATCH_SIZE = 4096 };

static const char *state_list(const struct idle_driver *driver, char *buf, size_t size)
{
	size_t len = 0;

	*buf = 0;
	for (int i = 0; i < driver->nr_states && len < size; i++)
		len += (size_t)snprintf(
			buf + len, size - len, "%s%d=%s", i ? ", " : "", i, driver->states[i].name);
	return buf;
}

static int find_state(const struct idle_driver *driver, const char *name)
{
	char number[12];

	for (int i = 0; i < driver->nr_states; i++) {
		snprintf(number, sizeof(number), "%d", i);
		if (!strcasecmp(driver->states[i].name, name) || !strcmp(number, name))
			return i;
	}
	return -ENOENT;
}

int policy_disable_mask(const struct policy *policy, const struct idle_driver *driver,
	uint32_t *ret_mask, struct error *err)
{
	char text[sizeof(policy->disable_states)], known[160], *save = NULL;
	uint32_t mask = 0;

	strcpy(text, policy->disable_states);
	for (char *name = strtok_r(text, "+", &save); name; name = strtok_r(NULL, "+", &save)) {
		int state = find_state(driver, name);

		if (state < 0)
			return error_set(err, EINVAL,
				"disable-states: no idle state '%s' on this machine, expected of "
				"%s",
				name, state_list(driver, known, sizeof(known)));
		mask |= 1u << state;
	}
	*ret_mask = mask;
	return 0;
}

enum poll_limit_kind policy_poll_limit_kind(const struct policy *policy)
{
	int kernel = idle_governor_kernel(policy->idle);

	if (policy->poll_limit != POLL_LIMIT_DEFAULT)
		return policy->poll_limit;
	if (!kernel)
		return strcmp(policy->idle->name, "poll") ? POLL_LIMIT_6_1 : POLL_LIMIT_NONE;
	if (kernel < KERNEL(4, 17))
		return POLL_LIMIT_NONE;
	if (kernel < KERNEL(4, 20))
		return POLL_LIMIT_TICK_16;
	if (kernel < KERNEL(5, 0))
		return POLL_LIMIT_STATE_1;
	return kernel < KERNEL(5, 11) ? POLL_LIMIT_FIRST_ENABLED : POLL_LIMIT_6_1;
}

int64_t policy_poll_limit_ns(
	const struct policy *policy, const struct idle_driver *driver, uint32_t disable_mask)
{
	return poll_limit_ns(policy_poll_limit_kind(policy), driver, disable_mask);
}

int64_t policy_latency_ns(const struct policy *policy, int cpu)
{
	int64_t limit = policy->latency_limit_ns;

	for (int i = 0; i < policy->nr_resume_latencies; i++)
		if (policy->resume_latency[i].cpu == cpu || policy->resume_latency[i].cpu < 0)
			limit = min_i64(limit, policy->resume_latency[i].ns);
	return limit;
}

int policy_idle_init(const struct policy *policy, struct idle_cpu *cpu, struct error *err)
{
	const struct idle_governor *governor = policy->idle;
	const char *arg = policy->idle_arg[0] ? policy->idle_arg : NULL;
	char known[160];
	int r = governor->init ? governor->init(cpu, arg) : arg ? -EINVAL : 0;

	if (r < 0)
		return error_set(err, -r,
			"idle: '%s%s%s' does not fit this machine, whose states are %s",
			governor->name, arg ? ":" : "", arg ? arg : "",
			state_list(cpu->driver, known, sizeof(known)));
	for (int i = 0; i < policy->nr_tunables && governor->tune; i++) {
		r = governor->tune(cpu, policy->tunables[i].key, policy->tunables[i].value);
		if (r < 0 && r != -ENOENT)
			return error_set(err, -r, "%s: bad value '%s' for idle governor %s",
				policy->tunables[i].key, policy->tunables[i].value, governor->name);
	}
	return 0;
}

/* -ENOENT: not a tunable of the idle governor. */
static int try_idle(const struct policy *p, const char *key, const char *value, void *scratch)
{
	const struct idle_driver driver = { .nr_states = 1, .tick_ns = NSEC_PER_MSEC };
	struct idle_cpu cpu = { .governor = p->idle, .driver = &driver, .state = scratch };

	if (!p->idle->tune)
		return -ENOENT;
	return p->idle->state_size <= SCRATCH_SIZE ? p->idle->tune(&cpu, key, value) : 0;
}

/* A governor may accept values by what it found at its init, which here is a machine of one CPU. */
static int try_governor(const struct policy *p, const char *key, const char *value, void *scratch)
{
	const struct freq_governor *governor = p->governor;
	const struct cpu_load load = { .capacity = 1024 };
	const struct freq_snapshot snapshot = { .tick_ns = NSEC_PER_MSEC,
		.cur_khz = 1000000,
		.min_khz = 1000000,
		.max_khz = 2000000,
		.cpuinfo_min_khz = 1000000,
		.cpuinfo_max_khz = 2000000,
		.nr_cpus = 1,
		.cpus = &load };

	if (!governor->tune)
		return -ENOENT;
	if (governor->state_size + governor->cpu_state_size > SCRATCH_SIZE)
		return 0;
	if (governor->init)
		governor->init(governor, scratch, &snapshot);
	return governor->tune(scratch, key, value);
}

static int try_tune(int (*tune)(void *, const char *, const char *), size_t state_size,
	const char *key, const char *value, void *scratch)
{
	if (!tune)
		return -ENOENT;
	return state_size <= SCRATCH_SIZE ? tune(scratch, key, value) : 0;
}

static int check_tunable(
	const struct policy *p, const char *key, const char *value, struct error *err)
{
	_Alignas(max_align_t) char scratch[SCRATCH_SIZE];
	int r;

	memset(scratch, 0, sizeof(scratch));
	r = try_idle(p, key, value, scratch);
	memset(scratch, 0, sizeof(scratch));
	if (r == -ENOENT)
		r = try_governor(p, key, value, scratch);
	if (r == -ENOENT)
		r = try_tune(p->boost->tune, p->boost->state_size, key, value, scratch);
	if (r == -ENOENT)
		r = try_tune(p->driver->tune, p->driver->shared_size, key, value, scratch);
	if (r == -ENOENT)
		return error_set(err, ENOENT,
			"no key '%s': it is neither one of driver, governor, boost, idle, tick, "
			"sched, poll-limit, tick-rate-limit, latency-limit, resume-latency, "
			"disable-states, select-idle-sibling, smt-aware, balance, "
			"freq-invariant, scaling-min-freq, scaling-max-freq, at, kernel, cmdline "
			"nor a tunable of "
			"driver %s, governor "
			"%s, boost %s or idle governor %s",
			key, p->driver->name, p->governor->name, p->boost->name, p->idle->name);
	if (r < 0)
		return error_set(err, -r, "%s: bad value '%s'", key, value);
	return 0;
}

/* While the system runs: limits, or a parameter of the driver. */
static int check_change(const struct policy *p, int i, struct error *err)
{
	const struct policy_change *change = &p->changes[i];
	_Alignas(max_align_t) char scratch[SCRATCH_SIZE];
	struct freq_limits user;
	int ppc, r = policy_change_limits(change, &user, &ppc, err);

	if (r != -ENOENT)
		return r;
	memset(scratch, 0, sizeof(scratch));
	r = try_tune(p->driver->tune, p->driver->shared_size, change->key, change->value, scratch);
	if (r < 0)
		return error_set(err, -r,
			"at: '%s=%s', expected scaling-min-freq, scaling-max-freq, ppc or a "
			"parameter of driver %s",
			change->key, change->value, p->driver->name);
	return 0;
}

int policy_check(const struct policy *p, struct error *err)
{
	for (int i = 0; i < p->nr_changes; i++) {
		int r = check_change(p, i, err);

		if (r < 0)
			return r;
	}
	for (int i = 0; i < p->nr_tunables; i++) {
		int r = check_tunable(p, p->tunables[i].key, p->tunables[i].value, err);

		if (r < 0)
			return r;
	}
	return 0;
}

int policy_note(const struct policy *p, int i, char *buf, size_t size)
{
	int kernel = idle_governor_kernel(p->idle);

	if (i == 0 && kernel && kernel < KERNEL(4, 17) && p->tick->select_first)
		return snprintf(buf, size,
			"no kernel ever ran %s with tick=select-first, which came with 4.17",
			p->idle->name);
	if (i == 0 && kernel >= KERNEL(4, 17) && !p->tick->select_first && !p->tick->periodic)
		return snprintf(buf, size,
			"no kernel ever ran %s with tick=stop-first, which went with 4.17",
			p->idle->name);
	return 0;
}
