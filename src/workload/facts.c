// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/facts.h"
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

enum fact_type { FACT_TEXT, FACT_INT, FACT_U64 };

struct fact {
	const char *key;
	enum fact_type type;
	bool of_truth;
	size_t offset, size;
};

#define ENV_TEXT(field)                                                                            \
	{                                                                                          \
#field, FACT_TEXT, false, offsetof(struct workload_env, field),                    \
			sizeof(((struct workload_env *)0)->field)                                  \
	}
#define ENV_INT(field)                                                                             \
	{                                                                                          \
#field, FACT_INT, false, offsetof(struct workload_env, field), 0                   \
	}

static const struct fact facts[] = {
	ENV_TEXT(kernel),
	ENV_TEXT(cpuidle_driver),
	ENV_TEXT(cpuidle_governor),
	ENV_TEXT(machine),
	ENV_TEXT(command),
	ENV_TEXT(clock),
	ENV_INT(hz),
	ENV_INT(nr_cpus),
	{ "khz", FACT_U64, false, offsetof(struct workload_env, khz), 0 },
	ENV_TEXT(khz_source),
	{ "ops", FACT_U64, true, offsetof(struct workload_truth, operations), 0 },
	{ "elapsed_ns", FACT_U64, true, offsetof(struct workload_truth, elapsed_ns), 0 },
	{ "untraced_elapsed_ns", FACT_U64, true,
		offsetof(struct workload_truth, untraced_elapsed_ns), 0 },
};

/* ---- writing --------------------------------------------------------------------------- */

static void write_fact(const struct fact *f, const void *base, facts_emit emit, void *context)
{
	const void *field = (const char *)base + f->offset;
	char line[FACT_LINE_MAX] = "";

	switch (f->type) {
	case FACT_TEXT:
		if (*(const char *)field)
			snprintf(line, sizeof(line), FACT_PREFIX "%s=%s", f->key,
				(const char *)field);
		break;
	case FACT_INT:
		if (*(const int *)field)
			snprintf(line, sizeof(line), FACT_PREFIX "%s=%d", f->key,
				*(const int *)field);
		break;
	case FACT_U64:
		if (*(const uint64_t *)field)
			snprintf(line, sizeof(line), FACT_PREFIX "%s=%llu", f->key,
				(unsigned long long)*(const uint64_t *)field);
		break;
	}
	if (line[0])
		emit(context, line);
}

static void write_settings(const struct workload_env *env, facts_emit emit, void *context)
{
	char line[FACT_LINE_MAX];

	for (const char *at = env->settings, *end; *at; at = *end ? end + 1 : end) {
		end = at + strcspn(at, "\n");
		snprintf(line, sizeof(line), FACT_PREFIX "setting=%.*s", (int)(end - at), at);
		emit(context, line);
	}
}

static void write_lists(const struct workload_truth *truth, facts_emit emit, void *context)
{
	char line[FACT_LINE_MAX];

	for (int cpu = 0; cpu < truth->nr_cpus; cpu++) {
		snprintf(line, sizeof(line), FACT_PREFIX "busy=%d %llu", cpu,
			(unsigned long long)truth->busy_ns[cpu]);
		emit(context, line);
	}
	for (int i = 0; i < truth->nr_states; i++) {
		snprintf(line, sizeof(line), FACT_PREFIX "state=%d %llu %llu %s", i,
			(unsigned long long)truth->state_usage[i],
			(unsigned long long)truth->state_time_ns[i], truth->state_name[i]);
		emit(context, line);
	}
}

void facts_write(const struct workload_env *env, const struct workload_truth *truth,
	facts_emit emit, void *context)
{
	for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
		const void *base = facts[i].of_truth ? (const void *)truth : (const void *)env;

		if (base)
			write_fact(&facts[i], base, emit, context);
	}
	if (env)
		write_settings(env, emit, context);
	if (truth)
		write_lists(truth, emit, context);
}

/* ---- reading --------------------------------------------------------------------------- */

static int bad_fact(const char *line, const char *expected, struct error *err)
{
	return error_set(err, EINVAL, "marker '%.80s': expected %s", line, expected);
}

static int read_fact(
	const struct fact *f, const char *line, const char *value, void *base, struct error *err)
{
	void *field = (char *)base + f->offset;
	unsigned long long number;
	int code;

	if (f->type == FACT_TEXT) {
		if (!*(char *)field)
			snprintf(field, f->size, "%s", value);
		return 1;
	}
	code = parse_u64(
		value, 0, f->type == FACT_INT ? 1 << 30 : UINT64_MAX, f->key, &number, err);
	if (code)
		return error_prefix(err, code, "marker '%.80s'", line);
	if (f->type == FACT_INT && !*(int *)field)
		*(int *)field = number;
	if (f->type == FACT_U64 && !*(uint64_t *)field)
		*(uint64_t *)field = number;
	return 1;
}

static int read_setting(
	const char *line, const char *value, struct workload_env *env, struct error *err)
{
	size_t len = strlen(env->settings), key = strcspn(value, "=");

	if (value[key] != '=')
		return bad_fact(line, "setting=KEY=VALUE", err);
	/* Known already: what the caller brought stands. */
	for (const char *at = env->settings; *at; at += strcspn(at, "\n"), at += *at == '\n')
		if (!strncmp(at, value, key + 1))
			return 1;
	if (len + strlen(value) + 2 <= sizeof(env->settings))
		snprintf(env->settings + len, sizeof(env->settings) - len, "%s\n", value);
	return 1;
}

static int read_busy(
	const char *line, const char *value, struct workload_truth *truth, struct error *err)
{
	unsigned long long ns;
	unsigned cpu;

	if (!isdigit((unsigned char)*value) || sscanf(value, "%u %llu", &cpu, &ns) != 2 ||
		cpu >= ARRAY_LEN(truth->busy_ns))
		return bad_fact(line, "busy=CPU NANOSECONDS", err);
	if (!truth->busy_ns[cpu])
		truth->busy_ns[cpu] = ns;
	if ((int)cpu >= truth->nr_cpus)
		truth->nr_cpus = cpu + 1;
	return 1;
}

static int read_state(
	const char *line, const char *value, struct workload_truth *truth, struct error *err)
{
	unsigned long long usage, ns;
	char name[16] = "";
	unsigned state;

	if (!isdigit((unsigned char)*value) ||
		sscanf(value, "%u %llu %llu %15s", &state, &usage, &ns, name) < 3 ||
		state >= ARRAY_LEN(truth->state_usage))
		return bad_fact(line, "state=NUMBER USAGE NANOSECONDS NAME", err);
	if (!truth->state_usage[state] && !truth->state_time_ns[state]) {
		truth->state_usage[state] = usage;
		truth->state_time_ns[state] = ns;
		memcpy(truth->state_name[state], name, sizeof(name));
	}
	if ((int)state >= truth->nr_states)
		truth->nr_states = state + 1;
	return 1;
}

int facts_read(
	const char *text, struct workload_env *env, struct workload_truth *truth, struct error *err)
{
	const char *key, *value;
	char line[FACT_LINE_MAX];
	size_t len;

	if (strncmp(text, FACT_PREFIX, strlen(FACT_PREFIX)))
		return 0;
	snprintf(line, sizeof(line), "%s", text);
	/* The kernel ends each marker with a newline. */
	line[strcspn(line, "\n")] = '\0';
	key = line + strlen(FACT_PREFIX);
	len = strcspn(key, "=");
	if (key[len] != '=')
		return 0;
	value = key + len + 1;
	for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
		const struct fact *f = &facts[i];

		if (strlen(f->key) == len && !strncmp(f->key, key, len))
			return read_fact(f, line, value, f->of_truth ? (void *)truth : env, err);
	}
	if (len == 7 && !strncmp(key, "setting", len))
		return read_setting(line, value, env, err);
	if (len == 4 && !strncmp(key, "busy", len))
		return read_busy(line, value, truth, err);
	if (len == 5 && !strncmp(key, "state", len))
		return read_state(line, value, truth, err);
	return 0;
}
