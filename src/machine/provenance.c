// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/provenance.h"
#include "machine/check.h"
#include "machine/fields.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECTIONS = 13 };

struct building {
	struct machine *m;
	const struct yaml *y;
	struct error *err;
	bool used[SECTIONS][FACTS_MAX]; /* by section */
};

static const char *const section_names[SECTIONS] = { "topology", "frequency", "hybrid", "hwp",
	"idle", "tick", "power", "rapl", "limits", "costs", "devices", "platform", "firmware" };

static const struct doc_section *section_of(const struct doc_machine *doc, int i)
{
	const struct doc_section *sections[SECTIONS] = { &doc->topology.section,
		&doc->frequency.section, &doc->hybrid.section, &doc->hwp.section,
		&doc->idle.section, &doc->tick.section, &doc->power.section, &doc->rapl.section,
		&doc->limits.section, &doc->costs.section, &doc->devices.section,
		&doc->platform.section, &doc->firmware.section };

	return sections[i];
}

static int section_index(const char *name)
{
	for (int i = 0; i < SECTIONS; i++)
		if (!strcmp(name, section_names[i]))
			return i;
	return -1;
}

/* Whether a fact's field, whose '*' stands for one name, covers path or what path belongs to. */
static bool covers(const char *field, const char *path)
{
	for (;;) {
		size_t len = strcspn(field, "."), have = strcspn(path, ".");

		if (!(len == 1 && *field == '*') && (len != have || strncmp(field, path, len)))
			return false;
		field += len;
		path += have;
		if (!*field)
			return true;
		if (!*path)
			return false;
		field++;
		path++;
	}
}

static void format_value(struct provenance *p, const struct doc_value *v)
{
	const struct doc_point *points = v->data;
	const struct number *numbers = v->data;
	size_t n = 0;

	snprintf(p->unit, sizeof(p->unit), "%s", v->field->unit);
	switch (v->field->kind) {
	case DOC_CURVE:
		p->kind = PROVENANCE_CURVE;
		for (int i = 0; i < v->nr && n < sizeof(p->value); i++)
			n += (size_t)snprintf(p->value + n, sizeof(p->value) - n, "%s%s:%s",
				i ? " " : "", points[i].khz.text, points[i].mw.text);
		break;
	case DOC_KHZ_LIST:
		p->kind = PROVENANCE_LIST;
		for (int i = 0; i < v->nr && n < sizeof(p->value); i++)
			n += (size_t)snprintf(p->value + n, sizeof(p->value) - n, "%s%s",
				i ? " " : "", numbers[i].text);
		break;
	case DOC_TEXT:
		p->kind = PROVENANCE_TEXT;
		snprintf(p->value, sizeof(p->value), "%s", (const char *)v->data);
		break;
	case DOC_BOOL:
		p->kind = PROVENANCE_TEXT;
		snprintf(p->value, sizeof(p->value), "%s",
			*(const bool *)v->data ? "true" : "false");
		break;
	default:
		p->kind = PROVENANCE_NUMBER;
		snprintf(p->value, sizeof(p->value), "%s", numbers->text);
	}
}

static void set_specified(struct provenance *p, const char *key)
{
	snprintf(p->confidence, sizeof(p->confidence), "specified");
	snprintf(p->source, sizeof(p->source), "key '%s' of the machine specification", key);
}

void provenance_specified(struct provenance *p, const struct doc_value *v)
{
	format_value(p, v);
	set_specified(p, p->path);
	p->low = p->high = 0;
}

/* The range stays; as factors it is of the curve that is there now. */
void provenance_drawn(struct provenance *p, const struct doc_value *v, double x)
{
	format_value(p, v);
	snprintf(p->confidence, sizeof(p->confidence), "drawn");
	if (p->kind == PROVENANCE_NUMBER || !(x > 0))
		return;
	p->low /= x;
	p->high /= x;
}

/* What the section and its facts give together; later facts win, attribute by attribute. */
struct given {
	const char *source, *confidence;
	const char *low, *high, *spread; /* "": not given */
};

static struct given gather(struct building *b, const struct doc_value *v)
{
	const struct doc_section *s = v->provenance;
	struct given g = { s->source, s->confidence, "", "", s->spread_percent };

	for (uint32_t i = 0; i < s->facts_count; i++) {
		const struct doc_fact *f = &s->facts[i];

		if (!covers(f->field, v->path))
			continue;
		b->used[section_index(v->section)][i] = true;
		if (*f->source)
			g.source = f->source;
		if (*f->confidence)
			g.confidence = f->confidence;
		if (*f->spread_percent || *f->low || *f->high) {
			g.low = f->low;
			g.high = f->high;
			g.spread = f->spread_percent;
		}
	}
	return g;
}

static int parse_bound(
	const struct building *b, const char *path, const char *what, const char *text, double *ret)
{
	char *end;
	double v = strtod(text, &end);

	if (!isdigit((unsigned char)text[*text == '-']) || *end || !isfinite(v) ||
		strchr(text, 'x'))
		return yaml_error(b->y, path, b->err, "%s '%s', expected %s", what, text,
			*text ? "a number" : "both low and high");
	*ret = v;
	return 0;
}

static int parse_spread(const struct building *b, const char *path, const char *text, double *ret)
{
	unsigned long long percent;
	struct error err;

	if (parse_u64(text, 0, SPREAD_MAX_PERCENT, "spread_percent", &percent, &err))
		return yaml_error(b->y, path, b->err, "%s", err.text);
	*ret = (double)percent;
	return 0;
}

/* The range of a number, or the factors of a curve. */
static int set_range(
	struct building *b, struct provenance *p, const struct given *g, const struct doc_value *v)
{
	bool factors = p->kind == PROVENANCE_CURVE || p->kind == PROVENANCE_LIST;
	double value = factors ? 1 : (double)((const struct number *)v->data)->value;
	double low, high, spread;

	if (*g->low || *g->high) {
		if (parse_bound(b, p->path, "low", g->low, &low) ||
			parse_bound(b, p->path, "high", g->high, &high))
			return -EINVAL;
	} else if (*g->spread) {
		if (parse_spread(b, p->path, g->spread, &spread))
			return -EINVAL;
		low = value - fabs(value) * spread / 100;
		high = value + fabs(value) * spread / 100;
		if (value >= 0 && low < 0)
			low = 0;
	} else {
		return yaml_error(b->y, p->path, b->err,
			"estimated without a range, expected low and high or spread_percent");
	}
	if (!(low <= value && value <= high))
		return yaml_error(b->y, p->path, b->err,
			"%.12g outside its range %.12g to %.12g, expected it inside%s", value, low,
			high, factors ? " (factors of the whole curve, 1 among them)" : "");
	p->low = low;
	p->high = high;
	return 0;
}

static int add_value(const struct doc_value *v, void *ctx)
{
	struct building *b = ctx;
	struct given g = gather(b, v);
	struct provenance *p;

	if (b->m->nr_provenance == PROVENANCE_MAX)
		return yaml_error(b->y, v->section, b->err, "more than %d values, expected fewer",
			PROVENANCE_MAX);
	p = &b->m->provenance[b->m->nr_provenance++];
	memset(p, 0, sizeof(*p));
	snprintf(p->path, sizeof(p->path), "%s.%s", v->section, v->path);
	format_value(p, v);
	snprintf(p->source, sizeof(p->source), "%s", g.source);
	snprintf(p->confidence, sizeof(p->confidence), "%s", g.confidence);
	if (p->kind == PROVENANCE_TEXT || !confidence_estimated(g.confidence))
		return 0;
	return set_range(b, p, &g, v);
}

/* Also what no value uses must be right. */
static int check_words(
	const struct building *b, const char *path, const char *confidence, const char *spread)
{
	double percent;

	if (*confidence && !confidence_valid(confidence))
		return yaml_error(b->y, path, b->err,
			"confidence '%s', expected measured, specified, estimated, "
			"estimated(from NAME) or fitted(TABLE)",
			confidence);
	return *spread ? parse_spread(b, path, spread, &percent) : 0;
}

static int check_section(const struct building *b, const char *name, const struct doc_section *s)
{
	char path[128];
	int r;

	if (!*s->source) /* left out */
		return 0;
	r = check_words(b, name, s->confidence, s->spread_percent);

	for (uint32_t i = 0; i < s->facts_count && !r; i++) {
		snprintf(path, sizeof(path), "%s.facts.%s", name, s->facts[i].field);
		r = check_words(b, path, s->facts[i].confidence, s->facts[i].spread_percent);
	}
	return r;
}

int provenance_build(
	struct machine *m, const struct yaml *y, struct doc_machine *doc, struct error *err)
{
	struct building b = { .m = m, .y = y, .err = err };
	int r = 0;

	m->nr_provenance = 0;
	for (int i = 0; i < SECTIONS && !r; i++)
		r = check_section(&b, section_names[i], section_of(doc, i));
	if (!r)
		r = fields_walk(doc, add_value, &b);
	for (int i = 0; i < SECTIONS && !r; i++)
		for (uint32_t j = 0; j < section_of(doc, i)->facts_count && !r; j++)
			if (!b.used[i][j])
				r = yaml_error(y, section_names[i], err,
					"facts: field '%s' fits no value, expected the path of one "
					"within the section",
					section_of(doc, i)->facts[j].field);
	return r;
}

/* Room for a value that the file does not give, behind the last one of its section. */
static struct provenance *insert(struct machine *m, const char *path)
{
	size_t section = strcspn(path, ".") + 1;
	int at = m->nr_provenance;

	if (m->nr_provenance == PROVENANCE_MAX)
		return NULL;
	while (at && strncmp(m->provenance[at - 1].path, path, section))
		at--;
	if (!at)
		at = m->nr_provenance;
	memmove(&m->provenance[at + 1], &m->provenance[at],
		(size_t)(m->nr_provenance - at) * sizeof(m->provenance[0]));
	m->nr_provenance++;
	return &m->provenance[at];
}

static struct provenance *replace(struct machine *m, const char *path, const char *key)
{
	struct provenance *p = NULL;

	for (int i = 0; i < m->nr_provenance && !p; i++)
		if (!strcmp(m->provenance[i].path, path))
			p = &m->provenance[i];
	if (!p)
		p = insert(m, path);
	if (!p)
		return NULL;
	memset(p, 0, sizeof(*p));
	snprintf(p->path, sizeof(p->path), "%s", path);
	set_specified(p, key);
	return p;
}

void provenance_override(
	struct machine *m, const char *path, const char *unit, int64_t value, const char *key)
{
	struct provenance *p = replace(m, path, key);

	if (!p)
		return;
	p->kind = PROVENANCE_NUMBER;
	snprintf(p->value, sizeof(p->value), "%" PRId64, value);
	snprintf(p->unit, sizeof(p->unit), "%s", unit);
}

void provenance_override_text(
	struct machine *m, const char *path, const char *value, const char *key)
{
	struct provenance *p = replace(m, path, key);

	if (!p)
		return;
	p->kind = PROVENANCE_TEXT;
	snprintf(p->value, sizeof(p->value), "%s", value);
}
