/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of comma-separated values with a line of column names, as a whole in memory: what the
 * readers of published rows and of claims share. Columns are found by name, others are left alone.
 * Errors read "FILE:LINE: COLUMN: found '...', expected ...".
 */
#pragma once

#include "base/error.h"

#include <stdio.h>

enum { PUBLISHED_COLUMNS_MAX = 64, PUBLISHED_LINE_MAX = 16384, PUBLISHED_ROWS_MAX = 10000 };

struct published_line {
	unsigned long number;
	char *text; /* cut up */
	char **fields;
};

struct published_file {
	char *path;
	int nr_columns, nr;
	struct published_line names, *lines;
};

int published_file_read(const char *path, FILE *f, struct published_file *ret, struct error *err);
void published_file_release(struct published_file *file);

/* The column of this name, or -1: with need an error that says so. */
int published_column(
	const struct published_file *file, const char *name, int need, int *ret, struct error *err);

/* A field of a line; "" for column -1. */
const char *published_field(const struct published_line *line, int column);

/* Sets the error about a field and returns -EINVAL. */
int published_wrong(const struct published_file *file, const struct published_line *line,
	int column, const char *expected, struct error *err);

/* A finite decimal number. */
int published_number(const struct published_file *file, const struct published_line *line,
	int column, double *ret, struct error *err);
