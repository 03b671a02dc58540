// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/model_section.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SPREAD_PERCENT = 50 };

void section_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc((unsigned char)*text < ' ' || (unsigned char)*text > '~' ? '?' : *text, out);
	}
	fputc('"', out);
}

void section_begin(struct section *s, FILE *out, const char *name, const char *from)
{
	s->out = out;
	s->text = NULL;
	s->facts = open_memstream(&s->text, &s->len);
	fprintf(out, "\n%s:\n  source: as on %s\n", name, from);
	fprintf(out, "  confidence: estimated(from %s)\n  spread_percent: %d\n", from,
		SPREAD_PERCENT);
}

void section_end(struct section *s)
{
	if (!s->facts || fclose(s->facts))
		return;
	if (s->len)
		fprintf(s->out, "  facts:\n%s", s->text);
	free(s->text);
}

static void add_fact(
	struct section *s, const char *field, const char *source, const char *confidence)
{
	if (!s->facts)
		return;
	fprintf(s->facts, "    - field: %s\n      source: ", field);
	section_text(s->facts, source);
	fprintf(s->facts, "\n      confidence: %s\n", confidence);
}

void section_measured(struct section *s, const char *field, const char *source)
{
	add_fact(s, field, source, "measured");
}

/* Our own guess, with its range. */
void section_estimated(
	struct section *s, const char *field, const char *source, int64_t low, int64_t high)
{
	add_fact(s, field, source, "estimated");
	if (s->facts)
		fprintf(s->facts, "      low: %" PRId64 "\n      high: %" PRId64 "\n", low, high);
}

void section_number(struct section *s, const char *field, int64_t value)
{
	fprintf(s->out, "  %s: %" PRId64 "\n", field, value);
}

/* What was told, or what the nearest machine has. */
void section_number_or(
	struct section *s, const char *field, const struct model_value *told, int64_t carried)
{
	section_number(s, field, *told->source ? told->v : carried);
	if (*told->source)
		section_measured(s, field, told->source);
}

/* "[[khz, mw], ...]": power times numerator / denominator. */
void section_curve(FILE *out, const struct curve *c, int numerator, int denominator)
{
	fputc('[', out);
	for (int i = 0; i < c->nr; i++)
		fprintf(out, "%s[%u, %llu]", i ? ", " : "", c->khz[i],
			(unsigned long long)c->mw[i] * numerator / denominator);
	fprintf(out, "]\n");
}

void section_list(FILE *out, const char *field, const uint32_t *khz, int nr)
{
	fprintf(out, "  %s: [", field);
	for (int i = 0; i < nr; i++)
		fprintf(out, "%s%u", i ? ", " : "", khz[i]);
	fprintf(out, "]\n");
}
