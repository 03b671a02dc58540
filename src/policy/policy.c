// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/registry.h"

#include "base/units.h"
#include "policy/idle/poll.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Every ops struct of the registry begins with its name. */
static const void *find_by_name(const void *const *list, const char *name)
{
	for (; *list; list++)
		if (!strcmp(*(const char *const *)*list, name))
			return *list;
	return NULL;
}

static int choose(const char *key, const void *const *list, const char *name, const void **ret,
	struct error *err)
{
	char known[256] = "";
	size_t len = 0;

	*ret = find_by_name(list, name);
	if (*ret)
		return 0;
	for (; *list && len < sizeof(known); list++)
		len += (size_t)snprintf(known + len, sizeof(known) - len, "%s%s", len ? ", " : "",
			*(const char *const *)*list);
	return error_set(err, ENOENT, "%s: no '%s', known are %s", key, name, known);
}

#define CHOOSE(key, list, name, field, err)                                                        \
	({                                                                                         \
		const void *chosen_ = NULL;                                                        \
		int r_ = choose(key, (const void *const *)(list), name, &chosen_, err);            \
		if (!r_)                                                                           \
			(field) = chosen_;                                                         \
		r_;                                                                                \
	})

static const struct {
	const char *name;
	enum poll_limit_kind kind;
} poll_limits[] = {
	{ "default", POLL_LIMIT_DEFAULT },
	{ "none", POLL_LIMIT_NONE },
	{ "tick/16", POLL_LIMIT_TICK_16 },
	{ "state-1", POLL_LIMIT_STATE_1 },
	{ "first-enabled", POLL_LIMIT_FIRST_ENABLED },
	{ "6.1", POLL_LIMIT_6_1 },
	{ "3of8", POLL_LIMIT_3OF8 },
};

const char *poll_limit_name(enum poll_limit_kind kind)
{
	for (size_t i = 0; i < ARRAY_LEN(poll_limits); i++)
		if (poll_limits[i].kind == kind)
			return poll_limits[i].name;
	return "default";
}

static int set_poll_limit(struct policy *p, const char *value, struct error *err)
{
	char known[128] = "";
	size_t len = 0;

	for (size_t i = 0; i < ARRAY_LEN(poll_limits); i++) {
		if (!strcmp(poll_limits[i].name, value)) {
			p->poll_limit = poll_limits[i].kind;
			return 0;
		}
		len += (size_t)snprintf(known + len, sizeof(known) - len, "%s%s", len ? ", " : "",
			poll_limits[i].name);
	}
	return error_set(err, EINVAL, "poll-limit: '%s', expected one of %s", value, known);
}

static int set_bool(const char *key, const char *value, bool *ret, struct error *err)
{
	static const char *const words[] = { "0", "1", "no", "yes", "off", "on", "false", "true" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (!strcmp(words[i], value)) {
			*ret = i & 1;
			return 0;
		}
	}
	return error_set(err, EINVAL, "%s: '%s', expected yes or no", key, value);
}

static int set_text(const char *key, const char *value, char *ret, size_t size, struct error *err)
{
	if (strlen(value) >= size)
		return error_set(err, EINVAL, "%s: longer than %zu characters", key, size - 1);
	strcpy(ret, value);
	return 0;
}

static int set_kernel(struct policy *p, const char *value, struct error *err)
{
	int major, minor, end = 0;

	if (sscanf(value, "%2d.%3d%n", &major, &minor, &end) != 2 || value[end] || major < 2 ||
		minor < 0)
		return error_set(
			err, EINVAL, "kernel: '%s', expected a version such as 6.1", value);
	p->kernel = KERNEL(major, minor);
	return 0;
}

static int set_invariance(
	const char *key, const char *value, enum freq_invariance *ret, struct error *err)
{
	bool on = true;
	int r = set_bool(key, value, &on, err);

	if (!r)
		*ret = on ? INVARIANT_AUTO : INVARIANT_NO;
	return r;
}

static int set_khz(const char *key, const char *value, uint32_t *ret, struct error *err)
{
	unsigned long long khz;
	int r = parse_u64(value, 1, UINT32_MAX, key, &khz, err);

	if (!r)
		*ret = (uint32_t)khz;
	return r;
}

int policy_change_limits(const struct policy_change *change, struct freq_limits *user, int *ret_ppc,
	struct error *err)
{
	unsigned long long ppc;
	int r;

	if (!strcmp(change->key, "scaling-min-freq"))
		return set_khz(change->key, change->value, &user->min_khz, err);
	if (!strcmp(change->key, "scaling-max-freq"))
		return set_khz(change->key, change->value, &user->max_khz, err);
	if (strcmp(change->key, "ppc"))
		return -ENOENT;
	r = parse_u64(change->value, 0, PSS_MAX - 1, "ppc", &ppc, err);
	if (!r)
		*ret_ppc = (int)ppc;
	return r;
}

static int set_change(struct policy_change *change, const char *item, struct error *err)
{
	unsigned ms;
	int end = 0;

	if (sscanf(item, "%9ums:%31[a-z-]=%31s%n", &ms, change->key, change->value, &end) != 3 ||
		item[end])
		return error_set(err, EINVAL,
			"at: '%s', expected TIMEms:KEY=VALUE, such as "
			"500ms:scaling-max-freq=2000000",
			item);
	change->ns = (int64_t)ms * NSEC_PER_MSEC;
	return 0;
}

/* TIMEms:KEY=VALUE[+TIMEms:KEY=VALUE...], in the order of time. */
static int set_changes(struct policy *p, const char *value, struct error *err)
{
	char text[CHANGES_MAX * 80], *save = NULL;
	int r = set_text("at", value, text, sizeof(text), err);

	p->nr_changes = 0;
	for (char *item = strtok_r(text, "+", &save); item && !r;
		item = strtok_r(NULL, "+", &save)) {
		struct policy_change *change = &p->changes[p->nr_changes];

		if (p->nr_changes == CHANGES_MAX)
			return error_set(err, EINVAL, "at: more than %d changes", CHANGES_MAX);
		r = set_change(change, item, err);
		if (!r && p->nr_changes && change->ns < change[-1].ns)
			r = error_set(err, EINVAL,
				"at: '%s', expected changes in the order of time", item);
		p->nr_changes++;
	}
	return r;
}

/* As the kernel's interfaces take it: whole microseconds; "ns" may be said. */
static int parse_latency(const char *key, const char *value, int64_t *ret, struct error *err)
{
	int64_t scale = NSEC_PER_USEC;
	char digits[24];
	unsigned long long v;
	size_t len = strspn(value, "0123456789");

	if (!strcmp(value, "none")) {
		*ret = LATENCY_NO_LIMIT_NS;
		return 0;
	}
	if (!strcmp(value + len, "ns"))
		scale = 1;
	else if (value[len] && strcmp(value + len, "us"))
		len = 0;
	if (!len || len >= sizeof(digits))
		return error_set(err, EINVAL,
			"%s: '%s', expected microseconds (20 or 20us), nanoseconds (20000ns) or "
			"none",
			key, value);
	memcpy(digits, value, len);
	digits[len] = 0;
	if (parse_u64(digits, 0, (unsigned long long)(LATENCY_NO_LIMIT_NS / scale), key, &v, err))
		return -EINVAL;
	*ret = (int64_t)v * scale;
	return 0;
}

/* US for every CPU, or CPU:US[+CPU:US...]. */
static int set_resume_latency(struct policy *p, const char *value, struct error *err)
{
	char text[128], *save = NULL;
	int nr = 0;

	if (strlen(value) >= sizeof(text))
		return error_set(err, EINVAL, "resume-latency: longer than %zu characters",
			sizeof(text) - 1);
	strcpy(text, value);
	for (char *item = strtok_r(text, "+", &save); item; item = strtok_r(NULL, "+", &save)) {
		char *colon = strchr(item, ':');
		unsigned long long cpu = 0;

		if (nr == RESUME_LATENCIES_MAX)
			return error_set(err, EINVAL, "resume-latency: more than %d CPUs",
				RESUME_LATENCIES_MAX);
		if (colon) {
			*colon = 0;
			if (parse_u64(item, 0, CPUS_MAX - 1, "resume-latency: CPU", &cpu, err))
				return -EINVAL;
		}
		p->resume_latency[nr].cpu = colon ? (int)cpu : -1;
		if (parse_latency("resume-latency", colon ? colon + 1 : item,
			    &p->resume_latency[nr].ns, err))
			return -EINVAL;
		nr++;
	}
	p->nr_resume_latencies = nr;
	return 0;
}

int freq_governor_find(const char *name, const struct freq_governor **ret, struct error *err)
{
	return CHOOSE("governor", freq_governors, name, *ret, err);
}

static int set_idle(struct policy *p, const char *value, struct error *err)
{
	const struct idle_governor *governor;
	const char *arg;
	int r = idle_governor_find(value, &governor, &arg, err);

	if (r < 0)
		return r;
	if (arg && strlen(arg) >= sizeof(p->idle_arg))
		return error_set(err, EINVAL, "idle: '%s', argument longer than %zu characters",
			value, sizeof(p->idle_arg) - 1);
	policy_set_idle(p, governor, arg);
	return 0;
}

void policy_set_idle(struct policy *p, const struct idle_governor *governor, const char *arg)
{
	int kernel = idle_governor_kernel(governor);

	p->idle = governor;
	snprintf(p->idle_arg, sizeof(p->idle_arg), "%s", arg ? arg : "");
	if (!p->tick_given)
		(void)CHOOSE("tick", tick_policies,
			kernel && kernel < KERNEL(4, 17) ? "stop-first" : "select-first", p->tick,
			NULL);
}

static int set_tunable(struct policy *p, const char *key, const char *value, struct error *err)
{
	int i;

	for (i = 0; i < p->nr_tunables; i++)
		if (!strcmp(p->tunables[i].key, key))
			break;
	if (i == (int)ARRAY_LEN(p->tunables))
		return error_set(
			err, EINVAL, "%s: more than %zu tunables", key, ARRAY_LEN(p->tunables));
	if (strlen(key) >= sizeof(p->tunables[i].key) ||
		strlen(value) >= sizeof(p->tunables[i].value))
		return error_set(err, EINVAL, "%s: key or value longer than %zu characters", key,
			sizeof(p->tunables[i].key) - 1);
	strcpy(p->tunables[i].key, key);
	strcpy(p->tunables[i].value, value);
	if (i == p->nr_tunables)
		p->nr_tunables++;
	return 0;
}

static int set_sched(struct policy *p, const char *value, struct error *err)
{
	const struct sched_policy *sched;
	int r = CHOOSE("sched", sched_policies, value, sched, err);

	if (!r)
		p->sched = *sched;
	return r;
}

void policy_defaults(struct policy *p)
{
	memset(p, 0, sizeof(*p));
	p->driver = find_by_name((const void *const *)drivers, "none");
	p->governor = find_by_name((const void *const *)freq_governors, "performance");
	p->boost = find_by_name((const void *const *)boosts, "none");
	(void)set_idle(p, POLICY_DEFAULT_IDLE, NULL);
	(void)set_sched(p, "fair", NULL);
	p->kernel = KERNEL(6, 1);
	p->latency_limit_ns = LATENCY_NO_LIMIT_NS;
}

int policy_set(struct policy *p, const char *key, const char *value, struct error *err)
{
	if (!strcmp(key, "driver"))
		return CHOOSE(key, drivers, value, p->driver, err);
	if (!strcmp(key, "governor"))
		return freq_governor_find(value, &p->governor, err);
	if (!strcmp(key, "boost"))
		return CHOOSE(key, boosts, value, p->boost, err);
	if (!strcmp(key, "idle"))
		return set_idle(p, value, err);
	if (!strcmp(key, "tick")) {
		int r = CHOOSE(key, tick_policies, value, p->tick, err);

		p->tick_given |= !r;
		return r;
	}
	if (!strcmp(key, "sched"))
		return set_sched(p, value, err);
	if (!strcmp(key, "poll-limit"))
		return set_poll_limit(p, value, err);
	if (!strcmp(key, "tick-rate-limit"))
		return set_bool(key, value, &p->tick_rate_limit, err);
	if (!strcmp(key, "latency-limit"))
		return parse_latency(key, value, &p->latency_limit_ns, err);
	if (!strcmp(key, "resume-latency"))
		return set_resume_latency(p, value, err);
	if (!strcmp(key, "at"))
		return set_changes(p, value, err);
	if (!strcmp(key, "kernel"))
		return set_kernel(p, value, err);
	if (!strcmp(key, "cmdline"))
		return set_text(key, value, p->cmdline, sizeof(p->cmdline), err);
	if (!strcmp(key, "freq-invariant"))
		return set_invariance(key, value, &p->invariant, err);
	if (!strcmp(key, "scaling-min-freq"))
		return set_khz(key, value, &p->user.min_khz, err);
	if (!strcmp(key, "scaling-max-freq"))
		return set_khz(key, value, &p->user.max_khz, err);
	if (!strcmp(key, "select-idle-sibling"))
		return set_bool(key, value, &p->sched.select_idle_sibling, err);
	if (!strcmp(key, "smt-aware"))
		return set_bool(key, value, &p->sched.smt_aware, err);
	if (!strcmp(key, "balance"))
		return set_bool(key, value, &p->sched.balance, err);
	if (!strcmp(key, "disable-states"))
		return set_text(key, value, p->disable_states, sizeof(p->disable_states), err);
	return set_tunable(p, key, value, err);
}
