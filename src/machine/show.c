// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/machine.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_WIDTH = 38, SECTION_SOURCES_MAX = 64 };

/* Sources of one section, each printed once below its values. */
struct sources {
	int nr;
	const char *text[SECTION_SOURCES_MAX];
};

/* Number of a source from 1; 0 when there is no room for another. */
static int source_number(struct sources *s, const char *text)
{
	for (int i = 0; i < s->nr; i++)
		if (!strcmp(s->text[i], text))
			return i + 1;
	if (s->nr == SECTION_SOURCES_MAX)
		return 0;
	s->text[s->nr++] = text;
	return s->nr;
}

static void end_section(struct sources *s, FILE *out)
{
	for (int i = 0; i < s->nr; i++)
		fprintf(out, "  [%d] %s\n", i + 1, s->text[i]);
	s->nr = 0;
}

/* A curve as MHz:W, which fits a line; other values as they are. */
static void format_text(const struct provenance *p, char *ret, size_t size)
{
	const char *text = p->value;
	size_t n = 0;
	int used;

	if (p->kind == PROVENANCE_CURVE) {
		unsigned khz, mw;

		while (n < size && sscanf(text, "%u:%u %n", &khz, &mw, &used) == 2) {
			n += (size_t)snprintf(ret + n, size - n, "%g:%g ", khz / 1e3, mw / 1e3);
			text += used;
		}
		if (n < size)
			n += (size_t)snprintf(ret + n, size - n, "MHz:W");
	} else {
		n = (size_t)snprintf(ret, size, "%s%s%s", *text ? text : "none",
			*p->unit ? " " : "", *text ? p->unit : "");
	}
	if (p->low != p->high && n < size)
		snprintf(ret + n, size - n, " (%s%.10g to %.10g)",
			p->kind == PROVENANCE_NUMBER ? "" : "x ", p->low, p->high);
}

static int name_width(const struct machine *m)
{
	size_t width = 0;

	for (int i = 0; i < m->nr_provenance; i++) {
		const char *path = m->provenance[i].path;
		size_t len = strlen(path) - strcspn(path, ".") - 1;

		width = len > width ? len : width;
	}
	return (int)width;
}

static void show_text(const struct machine *m, FILE *out)
{
	struct sources sources = { 0 };
	const char *last = "";
	int width = name_width(m);

	fprintf(out, "%s: %s\n%d CPUs, %d cores, %d packages\n", m->text, m->description,
		m->nr_cpus + m->efficiency_cores, m->nr_cores + m->efficiency_cores,
		m->nr_packages);
	if (m->efficiency_cores)
		fprintf(out, "hybrid, not simulated: %d of the cores are efficiency cores\n",
			m->efficiency_cores);
	for (int i = 0; i < m->nr_provenance; i++) {
		const struct provenance *p = &m->provenance[i];
		size_t section = strcspn(p->path, ".") + 1;
		char value[sizeof(p->value) + 64];

		if (strncmp(last, p->path, section)) {
			end_section(&sources, out);
			fprintf(out, "\n%.*s\n", (int)section - 1, p->path);
		}
		last = p->path;
		format_text(p, value, sizeof(value));
		fprintf(out, "  %-*s %-*s", width, p->path + section, VALUE_WIDTH, value);
		if (strlen(value) > VALUE_WIDTH)
			fprintf(out, "\n  %*s", width + VALUE_WIDTH + 1, "");
		fprintf(out, " %s [%d]\n", p->confidence, source_number(&sources, p->source));
	}
	end_section(&sources, out);
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
		"description", m->description, "cpus", m->nr_cpus + m->efficiency_cores, "cores",
		m->nr_cores + m->efficiency_cores, "packages", m->nr_packages, "values", values);
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
