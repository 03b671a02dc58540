// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/machine.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void show_text(const struct machine *m, FILE *out)
{
	const char *last = "";

	fprintf(out, "%s: %s\n", m->text, m->description);
	fprintf(out, "%d CPUs, %d cores, %d packages, tick %" PRId64 " ns\n", m->nr_cpus,
		m->nr_cores, m->nr_packages, m->tick_ns);
	for (int i = 0; i < m->nr_provenance; i++) {
		const struct provenance *p = &m->provenance[i];
		size_t section = strcspn(p->path, ".");

		if (strncmp(last, p->path, section + 1))
			fputc('\n', out);
		last = p->path;
		fprintf(out, "%-36s %s%s%s", p->path, p->value, *p->unit ? " " : "", p->unit);
		if (p->low != p->high && p->kind == PROVENANCE_NUMBER)
			fprintf(out, " (%.10g to %.10g)", p->low, p->high);
		else if (p->low != p->high)
			fprintf(out, " (x %.10g to %.10g)", p->low, p->high);
		fprintf(out, "\n%-36s %s: %s\n", "", p->confidence, p->source);
	}
}

static json_t *numbers(const char *text)
{
	json_t *list = json_array();
	char *end;

	for (const char *p = text; *p; p = *end ? end + 1 : end) {
		long long n = strtoll(p, &end, 10);

		if (*end == ':') {
			long long mw = strtoll(end + 1, &end, 10);

			json_array_append_new(
				list, json_pack("[I,I]", (json_int_t)n, (json_int_t)mw));
		} else {
			json_array_append_new(list, json_integer(n));
		}
	}
	return list;
}

static json_t *value_json(const struct provenance *p)
{
	switch (p->kind) {
	case PROVENANCE_NUMBER:
		return json_integer(strtoll(p->value, NULL, 10));
	case PROVENANCE_LIST:
	case PROVENANCE_CURVE:
		return numbers(p->value);
	default:
		if (!strcmp(p->value, "true") || !strcmp(p->value, "false"))
			return json_boolean(*p->value == 't');
		return json_string(p->value);
	}
}

static void show_json(const struct machine *m, FILE *out)
{
	json_t *values = json_array(), *root;

	for (int i = 0; i < m->nr_provenance; i++) {
		const struct provenance *p = &m->provenance[i];
		json_t *v =
			json_pack("{s:s,s:o,s:s,s:s,s:s}", "path", p->path, "value", value_json(p),
				"unit", p->unit, "confidence", p->confidence, "source", p->source);

		if (p->low != p->high) {
			json_object_set_new(v, p->kind == PROVENANCE_NUMBER ? "low" : "low_factor",
				json_real(p->low));
			json_object_set_new(v,
				p->kind == PROVENANCE_NUMBER ? "high" : "high_factor",
				json_real(p->high));
		}
		json_array_append_new(values, v);
	}
	root = json_pack("{s:i,s:s,s:s,s:i,s:i,s:i,s:o}", "schema", 1, "machine", m->text,
		"description", m->description, "cpus", m->nr_cpus, "cores", m->nr_cores, "packages",
		m->nr_packages, "values", values);
	json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(10));
	fputc('\n', out);
	json_decref(root);
}

void machine_show(const struct machine *m, bool json, FILE *out)
{
	if (json)
		show_json(m, out);
	else
		show_text(m, out);
}
