// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/preset.h"

#include "base/units.h"
#include "machine/names.h"
#include "machine/yaml.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { TUNABLES_MAX = 16, VALUE_MAX = 128 };

/* In the order in which they are set: sched brings its own three switches along. */
#define KEYS(X)                                                                                    \
	X(driver, "driver")                                                                        \
	X(governor, "governor")                                                                    \
	X(boost, "boost")                                                                          \
	X(idle, "idle")                                                                            \
	X(tick, "tick")                                                                            \
	X(sched, "sched")                                                                          \
	X(select_idle_sibling, "select-idle-sibling")                                              \
	X(smt_aware, "smt-aware")                                                                  \
	X(balance, "balance")                                                                      \
	X(poll_limit, "poll-limit")                                                                \
	X(tick_rate_limit, "tick-rate-limit")                                                      \
	X(latency_limit, "latency-limit")                                                          \
	X(resume_latency, "resume-latency")                                                        \
	X(disable_states, "disable-states")                                                        \
	X(freq_invariant, "freq-invariant")                                                        \
	X(scaling_min_freq, "scaling-min-freq")                                                    \
	X(scaling_max_freq, "scaling-max-freq")                                                    \
	X(kernel, "kernel")                                                                        \
	X(cmdline, "cmdline")

struct tunable {
	char name[32], value[32];
};

#define MEMBER(member, key) char member[VALUE_MAX];
struct preset {
	char schema[8];
	char description[PRESET_DESCRIPTION_MAX];
	KEYS(MEMBER)
	struct tunable tunables[TUNABLES_MAX];
	uint32_t tunables_count;
};

#define NAME(member, key) key,
const char *const preset_keys[] = { KEYS(NAME) NULL };

#define OFFSET(member, key) offsetof(struct preset, member),
static const size_t key_offsets[] = { KEYS(OFFSET) };

static const cyaml_schema_field_t tunable_fields[] = {
	CYAML_FIELD_STRING("name", CYAML_FLAG_DEFAULT, struct tunable, name, 1),
	CYAML_FIELD_STRING("value", CYAML_FLAG_DEFAULT, struct tunable, value, 1),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t tunable = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct tunable, tunable_fields),
};

#define FIELD(member, key) CYAML_FIELD_STRING(key, CYAML_FLAG_OPTIONAL, struct preset, member, 1),

static const cyaml_schema_field_t preset_fields[] = {
	CYAML_FIELD_STRING("schema", CYAML_FLAG_DEFAULT, struct preset, schema, 1),
	CYAML_FIELD_STRING("description", CYAML_FLAG_DEFAULT, struct preset, description, 1),
	KEYS(FIELD) CYAML_FIELD_SEQUENCE("tunables", CYAML_FLAG_OPTIONAL, struct preset, tunables,
		&tunable, 0, TUNABLES_MAX),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t preset_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct preset, preset_fields),
};

static int set_in_file(const struct yaml *y, struct policy *policy, const char *key,
	const char *value, struct error *err)
{
	struct error why = { "" };
	int r = policy_set(policy, key, value, &why);

	return r ? yaml_error(y, key, err, "%s", why.text) : 0;
}

static int apply(const struct yaml *y, struct policy *policy, struct error *err)
{
	const struct preset *preset = y->doc;
	int r = 0;

	if (strcmp(preset->schema, "1"))
		return yaml_error(y, "schema", err, "'%s', expected 1", preset->schema);
	for (size_t i = 0; i < ARRAY_LEN(key_offsets) && !r; i++) {
		const char *value = (const char *)preset + key_offsets[i];

		if (*value)
			r = set_in_file(y, policy, preset_keys[i], value, err);
	}
	for (uint32_t i = 0; i < preset->tunables_count && !r; i++)
		r = set_in_file(
			y, policy, preset->tunables[i].name, preset->tunables[i].value, err);
	return r;
}

int preset_apply_text(
	const char *name, const char *text, size_t size, struct policy *policy, struct error *err)
{
	struct yaml y;
	int r = yaml_parse(&y, name, text, size, &preset_schema, err);

	if (r)
		return r;
	r = apply(&y, policy, err);
	yaml_release(&y);
	return r;
}

static int read_preset(struct yaml *y, const char *name, const char *dir, struct error *err)
{
	char path[512];
	int r = names_path("policy", name, dir, path, sizeof(path), err);

	return r ? r : yaml_read(y, path, &preset_schema, err);
}

int preset_description(const char *name, const char *dir, char *ret, size_t size, struct error *err)
{
	struct yaml y;
	int r = read_preset(&y, name, dir, err);

	if (r)
		return r;
	snprintf(ret, size, "%s", ((const struct preset *)y.doc)->description);
	yaml_release(&y);
	return 0;
}

/* A key given twice would silently leave one of the two. */
static int apply_keys(const struct spec *spec, const struct preset_resolver *resolver,
	struct policy *policy, struct error *err)
{
	int r = 0;

	for (int i = 0; i < spec->nr_keys && !r; i++) {
		const char *key = spec->keys[i].key, *value = spec->keys[i].value;

		if (spec_get(spec, key) != value)
			r = error_set(err, EINVAL, "key '%s' twice, expected once", key);
		else if (!spec_plugin_length(value))
			r = policy_set(policy, key, value, err);
		else if (resolver)
			r = resolver->resolve(resolver->ctx, policy, key, value, err);
		else
			r = error_set(
				err, EINVAL, "%s: '%s', expected a built-in name here", key, value);
	}
	return r;
}

/* Without a preset the whole text is keys: "idle=state:1" has its '=' before any ':'. */
int policy_spec_parse(struct spec *spec, const char *text, struct error *err)
{
	char whole[SPEC_TEXT_MAX + 16];
	int r;

	if (text[strcspn(text, ":=")] != '=')
		return spec_parse(spec, text, err);
	snprintf(whole, sizeof(whole), "default:%s", text);
	r = spec_parse(spec, whole, err);
	return r ? error_set(
			   err, -r, "'%s': expected PRESET[:KEY=VALUE,...], or KEY=VALUE,...", text)
		 : 0;
}

int policy_load(const char *text, const char *dir, const struct preset_resolver *resolver,
	struct policy *ret, struct error *err)
{
	struct policy policy;
	struct spec spec;
	struct yaml y;
	int r;

	r = policy_spec_parse(&spec, text, err);
	if (r)
		return r;
	policy_defaults(&policy);
	snprintf(policy.text, sizeof(policy.text), "%s", text);
	if (strcmp(spec.name, "default")) {
		r = read_preset(&y, spec.name, dir, err);
		if (r)
			return r;
		r = apply(&y, &policy, err);
		yaml_release(&y);
	}
	if (r)
		return r;
	r = apply_keys(&spec, resolver, &policy, err);
	if (!r)
		r = policy_check(&policy, err);
	if (r)
		return error_prefix(err, r, "policy '%s'", text);
	*ret = policy;
	return 0;
}
