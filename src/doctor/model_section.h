/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sections of a machine file as they are written: values first, then the facts about them. */
#pragma once

#include "doctor/model.h"

struct section {
	FILE *out, *facts;
	char *text;
	size_t len;
};

/* A section whose values are those of the machine from, if no fact says otherwise. */
void section_begin(struct section *s, FILE *out, const char *name, const char *from);
void section_end(struct section *s);

void section_number(struct section *s, const char *field, int64_t value);

/* What was told, or what is carried over. */
void section_number_or(
	struct section *s, const char *field, const struct model_value *told, int64_t carried);
void section_list(FILE *out, const char *field, const uint32_t *khz, int nr);

/* "[[khz, mw], ...]" and a line feed; power times numerator / denominator. */
void section_curve(FILE *out, const struct curve *curve, int numerator, int denominator);

/* A text in quotes; what is not printable becomes '?'. */
void section_text(FILE *out, const char *text);

/* Facts: read here; or our own guess, with its range. */
void section_measured(struct section *s, const char *field, const char *source);
void section_estimated(
	struct section *s, const char *field, const char *source, int64_t low, int64_t high);

/* The sections idle and power. */
void model_write_idle(const struct model *model, FILE *out);
