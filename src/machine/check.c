// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/check.h"
#include "machine/fields.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define CONFIDENCES "measured, specified, estimated, estimated(from NAME) or fitted(TABLE)"

static bool has_argument(const char *text, const char *prefix)
{
	size_t len = strlen(prefix), all = strlen(text);

	return !strncmp(text, prefix, len) && all > len + 1 && strchr(text, ')') == text + all - 1;
}

bool confidence_estimated(const char *confidence)
{
	return !strcmp(confidence, "estimated") || has_argument(confidence, "estimated(from ");
}

bool confidence_valid(const char *confidence)
{
	return !strcmp(confidence, "measured") || !strcmp(confidence, "specified") ||
	       confidence_estimated(confidence) || has_argument(confidence, "fitted(");
}

struct checking {
	const struct yaml *y;
	struct error *err;
};

static int check_word(const struct checking *c, const struct doc_value *v, const char *full)
{
	const char *word = v->data;
	char list[160] = "";

	for (const char *p = word; *p; p++)
		if (!isprint((unsigned char)*p))
			return yaml_error(
				c->y, full, c->err, "'%s', expected printable text", word);
	if (!v->field->choices)
		return 0;
	for (int i = 0; v->field->choices[i]; i++) {
		if (!strcmp(word, v->field->choices[i]))
			return 0;
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s", i ? ", " : "",
			v->field->choices[i]);
	}
	return yaml_error(c->y, full, c->err, "'%s', expected one of %s", word, list);
}

static int check_number(
	const struct checking *c, const char *full, const struct doc_field *f, int64_t number)
{
	if (number >= f->min && number <= f->max)
		return 0;
	return yaml_error(c->y, full, c->err, "%lld, expected %lld to %lld", (long long)number,
		(long long)f->min, (long long)f->max);
}

static int check_curve(const struct checking *c, const struct doc_value *v, const char *full)
{
	const struct doc_point *p = v->data;
	int r = 0;

	for (int i = 0; i < v->nr && !r; i++) {
		if (i && p[i].khz <= p[i - 1].khz)
			return yaml_error(c->y, full, c->err,
				"%u kHz after %u kHz, expected ascending frequencies", p[i].khz,
				p[i - 1].khz);
		r = check_number(c, full, v->field, p[i].mw);
	}
	return r;
}

static int check_turbo(const struct checking *c, const struct doc_value *v, const char *full)
{
	const uint32_t *khz = v->data;
	int r = 0;

	for (int i = 0; i < v->nr && !r; i++) {
		if (i && khz[i] > khz[i - 1])
			return yaml_error(c->y, full, c->err,
				"%u kHz after %u kHz, expected no rise with more active cores",
				khz[i], khz[i - 1]);
		r = check_number(c, full, v->field, khz[i]);
	}
	return r;
}

static int check_value(const struct doc_value *v, void *ctx)
{
	const struct checking *c = ctx;
	char full[128];

	snprintf(full, sizeof(full), "%s.%s", v->section, v->path);
	switch (v->field->kind) {
	case DOC_TEXT:
		return check_word(c, v, full);
	case DOC_CURVE:
		return check_curve(c, v, full);
	case DOC_KHZ_LIST:
		return check_turbo(c, v, full);
	default:
		return check_number(c, full, v->field, doc_number(v));
	}
}

static int check_topology(const struct yaml *y, const struct doc_topology *t, struct error *err)
{
	uint64_t cpus = (uint64_t)t->packages * t->cores_per_package * t->threads_per_core;

	if (cpus > CPUS_MAX)
		return yaml_error(y, "topology.cores_per_package", err,
			"%llu CPUs in all, expected at most %d", (unsigned long long)cpus,
			CPUS_MAX);
	if (t->cores_per_package % t->nodes_per_package)
		return yaml_error(y, "topology.nodes_per_package", err,
			"%u, expected a divisor of cores_per_package, %u", t->nodes_per_package,
			t->cores_per_package);
	if (t->cores_per_package % t->cores_per_llc)
		return yaml_error(y, "topology.cores_per_llc", err,
			"%u, expected a divisor of cores_per_package, %u", t->cores_per_llc,
			t->cores_per_package);
	return 0;
}

static int check_frequency(const struct yaml *y, const struct doc_frequency *f, struct error *err)
{
	if (f->min_khz > f->base_khz)
		return yaml_error(y, "frequency.base_khz", err, "%u, expected min_khz, %u, or more",
			f->base_khz, f->min_khz);
	if (f->base_khz > f->max_khz)
		return yaml_error(y, "frequency.max_khz", err, "%u, expected base_khz, %u, or more",
			f->max_khz, f->base_khz);
	for (uint32_t i = 0; i < f->turbo_khz_count; i++)
		if (f->turbo_khz[i] < f->min_khz || f->turbo_khz[i] > f->max_khz)
			return yaml_error(y, "frequency.turbo_khz", err,
				"%u kHz, expected %u to %u", f->turbo_khz[i], f->min_khz,
				f->max_khz);
	return 0;
}

/* State names are parts of paths and of policy specifications. */
static bool plain_name(const char *name)
{
	for (const char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("-_ ", *p))
			return false;
	return !isspace((unsigned char)*name);
}

static int check_state(
	const struct yaml *y, const struct doc_idle *idle, uint32_t i, struct error *err)
{
	const struct doc_state *s = &idle->states[i];
	char path[64];

	snprintf(path, sizeof(path), "idle.states.%s.", s->name);
	if (!plain_name(s->name))
		return yaml_error(y, "idle.states", err,
			"'%s', expected a name of letters, digits, '-', '_'", s->name);
	for (uint32_t j = 0; j < i; j++)
		if (!strcmp(idle->states[j].name, s->name))
			return yaml_error(y, "idle.states", err,
				"a second '%s', expected different names", s->name);
	if (s->polling && i)
		return yaml_error(y, strcat(path, "polling"), err,
			"true, expected it in the first state only");
	if (s->polling && s->monitors)
		return yaml_error(y, strcat(path, "monitors"), err,
			"true, expected false in a state that polls");
	if (i && s->target_residency_ns < s[-1].target_residency_ns)
		return yaml_error(y, strcat(path, "target_residency_ns"), err,
			"%lld, expected %lld or more: states from shallow to deep",
			(long long)s->target_residency_ns, (long long)s[-1].target_residency_ns);
	if (i && s->exit_latency_ns < s[-1].exit_latency_ns)
		return yaml_error(y, strcat(path, "exit_latency_ns"), err,
			"%lld, expected %lld or more: states from shallow to deep",
			(long long)s->exit_latency_ns, (long long)s[-1].exit_latency_ns);
	return 0;
}

static int check_powers(const struct yaml *y, const struct doc_machine *doc, struct error *err)
{
	const struct doc_power *p = &doc->power;
	const struct doc_idle *idle = &doc->idle;

	for (uint32_t i = 0; i < idle->states_count; i++)
		if (i >= p->core_idle_count || strcmp(p->core_idle[i].state, idle->states[i].name))
			return yaml_error(y, "power.core_idle", err,
				"entry %u is '%s', expected '%s': the states in their order", i,
				i < p->core_idle_count ? p->core_idle[i].state : "missing",
				idle->states[i].name);
	if (p->core_idle_count > idle->states_count)
		return yaml_error(y, "power.core_idle", err,
			"%u entries, expected one for each of the %u states", p->core_idle_count,
			idle->states_count);
	return 0;
}

static int check_devices(const struct yaml *y, const struct doc_machine *doc, struct error *err)
{
	const struct doc_topology *t = &doc->topology;
	int cpus = t->packages * t->cores_per_package * t->threads_per_core;

	for (uint32_t i = 0; i < doc->devices.list_count; i++) {
		const struct doc_device *d = &doc->devices.list[i];
		char path[64];

		snprintf(path, sizeof(path), "devices.list.%s.", d->name);
		if (!plain_name(d->name))
			return yaml_error(y, "devices.list", err,
				"'%s', expected a name of letters, digits, '-', '_'", d->name);
		for (uint32_t j = 0; j < i; j++)
			if (!strcmp(d->name, doc->devices.list[j].name))
				return yaml_error(y, "devices.list", err,
					"a second '%s', expected different names", d->name);
		if (d->irq_cpu >= cpus)
			return yaml_error(y, strcat(path, "irq_cpu"), err,
				"%d, expected -1 or a CPU below %d", d->irq_cpu, cpus);
		if (d->package >= (int)t->packages)
			return yaml_error(y, strcat(path, "package"), err,
				"%d, expected -1 or a package below %u", d->package, t->packages);
	}
	return 0;
}

int machine_check(const struct yaml *y, const struct doc_machine *doc, struct error *err)
{
	struct checking c = { y, err };
	int r = 0;

	if (doc->schema != 1)
		return yaml_error(y, "schema", err, "%u, expected 1", doc->schema);
	for (uint32_t i = 0; i < doc->idle.states_count && !r; i++)
		r = check_state(y, &doc->idle, i, err);
	if (!r)
		r = fields_walk(doc, check_value, &c);
	if (!r)
		r = check_topology(y, &doc->topology, err);
	if (!r)
		r = check_frequency(y, &doc->frequency, err);
	if (!r)
		r = check_powers(y, doc, err);
	if (!r)
		r = check_devices(y, doc, err);
	if (!r && doc->limits.pl2_mw < doc->limits.pl1_mw)
		r = yaml_error(y, "limits.pl2_mw", err, "%u, expected pl1_mw, %u, or more",
			doc->limits.pl2_mw, doc->limits.pl1_mw);
	return r;
}
