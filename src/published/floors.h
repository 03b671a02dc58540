/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Floors: what the figures of predicted rows must reach. A file of lines "TABLE FIGURE LIMIT",
 * TABLE being total or a table's name; empty lines and those that begin with # are left out.
 * Figures: direction_right_percent and neutral_right_percent must be at least the limit,
 * mean_abs_ln_error and failed_rows at most.
 */
#pragma once

#include "published/judge.h"

enum { FLOORS_MAX = 256 };

enum floor_figure { FLOOR_DIRECTION, FLOOR_NEUTRAL, FLOOR_ERROR, FLOOR_FAILED, FLOOR_FIGURES };

struct floor_line {
	char table[32];
	enum floor_figure figure;
	double limit;
};

struct floors {
	int nr;
	struct floor_line lines[FLOORS_MAX];
};

int floors_read(const char *path, struct floors *ret, struct error *err);
int floors_parse(const char *path, FILE *f, struct floors *ret, struct error *err);

const char *floor_name(enum floor_figure figure);

/* The figure of a tally; NaN: there are no such rows, then a floor is not met. */
double floor_value(enum floor_figure figure, const struct tally *t);
bool floor_met(const struct floor_line *line, const struct tally *t);
