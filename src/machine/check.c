// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/check.h"
#include "machine/fields.h"
#include "machine/platform.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* A plain decimal number; reads into number->value. */
static int check_number(const struct checking *c, const char *full, const struct doc_field *f,
	struct number *number)
{
	const char *digits = number->text + (*number->text == '-');
	size_t len = strspn(digits, "0123456789");
	bool plain = len && !digits[len] && (*digits != '0' || len == 1);

	errno = 0;
	number->value = strtoll(number->text, NULL, 10);
	if (plain && !errno && number->value >= f->min && number->value <= f->max)
		return 0;
	return yaml_error(c->y, full, c->err, "'%s', expected a whole number from %lld to %lld%s%s",
		number->text, (long long)f->min, (long long)f->max, *f->unit ? " " : "", f->unit);
}

static int check_curve(const struct checking *c, const struct doc_value *v, const char *full)
{
	static const struct doc_field khz = { "khz", "kHz", 0, DOC_NUMBER, KHZ_MIN, KHZ_MAX, NULL,
		false };
	struct doc_point *p = v->data;
	int r = 0;

	for (int i = 0; i < v->nr && !r; i++) {
		r = check_number(c, full, &khz, &p[i].khz);
		if (!r)
			r = check_number(c, full, v->field, &p[i].mw);
		if (!r && i && p[i].khz.value <= p[i - 1].khz.value)
			r = yaml_error(c->y, full, c->err,
				"%s kHz after %s kHz, expected ascending frequencies",
				p[i].khz.text, p[i - 1].khz.text);
	}
	return r;
}

static int check_turbo(const struct checking *c, const struct doc_value *v, const char *full)
{
	struct number *khz = v->data;
	int r = 0;

	for (int i = 0; i < v->nr && !r; i++) {
		r = check_number(c, full, v->field, &khz[i]);
		if (!r && i && khz[i].value > khz[i - 1].value)
			r = yaml_error(c->y, full, c->err, "%s kHz after %s kHz, expected no rise",
				khz[i].text, khz[i - 1].text);
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
	case DOC_NUMBER:
		return check_number(c, full, v->field, v->data);
	default: /* libcyaml let nothing but true and false pass */
		return 0;
	}
}

static int check_topology(const struct yaml *y, const struct doc_topology *t, struct error *err)
{
	int64_t cores = t->cores_per_package.value;
	int64_t cpus = t->packages.value * cores * t->threads_per_core.value;

	if (cpus > CPUS_MAX)
		return yaml_error(y, "topology.cores_per_package", err,
			"%" PRId64 " CPUs in all, expected at most %d", cpus, CPUS_MAX);
	if (cores % t->nodes_per_package.value)
		return yaml_error(y, "topology.nodes_per_package", err,
			"'%s', expected a divisor of cores_per_package, %" PRId64,
			t->nodes_per_package.text, cores);
	if (cores % t->cores_per_llc.value)
		return yaml_error(y, "topology.cores_per_llc", err,
			"'%s', expected a divisor of cores_per_package, %" PRId64,
			t->cores_per_llc.text, cores);
	return 0;
}

static int check_frequency(const struct yaml *y, const struct doc_frequency *f, struct error *err)
{
	int64_t min = f->min_khz.value, max = f->max_khz.value;

	if (f->base_khz.value < min || f->base_khz.value > max)
		return yaml_error(y, "frequency.base_khz", err,
			"'%s', expected min_khz, %" PRId64 ", to max_khz, %" PRId64,
			f->base_khz.text, min, max);
	for (uint32_t i = 0; i < f->turbo_khz_count; i++)
		if (f->turbo_khz[i].value < min || f->turbo_khz[i].value > max)
			return yaml_error(y, "frequency.turbo_khz", err,
				"'%s', expected min_khz, %" PRId64 ", to max_khz, %" PRId64,
				f->turbo_khz[i].text, min, max);
	return 0;
}

static int check_hwp(const struct yaml *y, const struct doc_machine *doc, struct error *err)
{
	const struct doc_hwp *h = &doc->hwp;
	const struct number floor = h->floor.value ? h->floor : h->lowest;
	const struct {
		const char *path;
		const struct number *value, *least, *most;
		const char *what;
	} rows[] = {
		{ "hwp.efficient", &h->efficient, &h->lowest, &h->guaranteed,
			"lowest to guaranteed" },
		{ "hwp.guaranteed", &h->guaranteed, &h->efficient, &h->highest,
			"efficient to highest" },
		{ "hwp.floor", &floor, &h->lowest, &h->highest, "lowest to highest" },
		{ "hwp.epp128_permille", &h->epp128_permille, &h->epp0_permille,
			&h->epp255_permille, "epp0_permille to epp255_permille" },
	};

	if (!*h->section.source)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].value->value < rows[i].least->value ||
			rows[i].value->value > rows[i].most->value)
			return yaml_error(y, rows[i].path, err, "'%s', expected %s, %s to %s",
				rows[i].value->text, rows[i].what, rows[i].least->text,
				rows[i].most->text);
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
	if (i && s->target_residency_ns.value < s[-1].target_residency_ns.value)
		return yaml_error(y, strcat(path, "target_residency_ns"), err,
			"'%s', expected %s or more: states from shallow to deep",
			s->target_residency_ns.text, s[-1].target_residency_ns.text);
	if (i && s->exit_latency_ns.value < s[-1].exit_latency_ns.value)
		return yaml_error(y, strcat(path, "exit_latency_ns"), err,
			"'%s', expected %s or more: states from shallow to deep",
			s->exit_latency_ns.text, s[-1].exit_latency_ns.text);
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
	int64_t cpus = t->packages.value * t->cores_per_package.value * t->threads_per_core.value;

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
		if (d->irq_cpu.value >= cpus)
			return yaml_error(y, strcat(path, "irq_cpu"), err,
				"'%s', expected -1 or a CPU below %" PRId64, d->irq_cpu.text, cpus);
		if (d->package.value >= t->packages.value)
			return yaml_error(y, strcat(path, "package"), err,
				"'%s', expected -1 or a package below %s", d->package.text,
				t->packages.text);
	}
	return 0;
}

int machine_check(const struct yaml *y, struct doc_machine *doc, struct error *err)
{
	struct checking c = { y, err };
	int r;

	if (strcmp(doc->schema.text, "1"))
		return yaml_error(y, "schema", err, "'%s', expected 1", doc->schema.text);
	r = fields_walk(doc, check_value, &c);
	if (!r)
		r = check_topology(y, &doc->topology, err);
	if (!r)
		r = check_frequency(y, &doc->frequency, err);
	if (!r)
		r = check_hwp(y, doc, err);
	for (uint32_t i = 0; i < doc->idle.states_count && !r; i++)
		r = check_state(y, &doc->idle, i, err);
	if (!r)
		r = check_powers(y, doc, err);
	if (!r)
		r = check_devices(y, doc, err);
	if (!r)
		r = platform_check(y, &doc->platform, err);
	if (!r && doc->firmware.pcc_stall_ns.value > doc->firmware.pcc_service_ns.value)
		r = yaml_error(y, "firmware.pcc_stall_ns", err,
			"'%s', expected at most pcc_service_ns, %s",
			doc->firmware.pcc_stall_ns.text, doc->firmware.pcc_service_ns.text);
	if (!r && doc->limits.pl2_mw.value < doc->limits.pl1_mw.value)
		r = yaml_error(y, "limits.pl2_mw", err, "'%s', expected pl1_mw, %s, or more",
			doc->limits.pl2_mw.text, doc->limits.pl1_mw.text);
	return r;
}
