/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads one file of decision vectors, plain or gzip: a '#' comment with parameters, a line of
 * column names, rows. Columns are found by name.
 *
 * Order of calls: csv_open, csv_find for the columns, then csv_row and the getters; csv_close.
 * Errors read "FILE:LINE: COLUMN: what was found, what was expected".
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { CSV_LINE_MAX = 4096, CSV_COLUMNS_MAX = 64 };

struct csv;

int csv_open(const char *path, struct csv **ret, struct error *err);
struct csv *csv_close(struct csv *csv);

/* The word after "KEY=" in the comment, whole words only. False when there is none or no room. */
bool csv_param(const struct csv *csv, const char *key, char *buf, unsigned long size);

const char *csv_path(const struct csv *csv);
const char *csv_name(const struct csv *csv, int column);

/* The number of a column, or -1. */
int csv_find(const struct csv *csv, const char *column);

/* The same, -EINVAL with a text when there is none. */
int csv_need(const struct csv *csv, const char *column, int *ret, struct error *err);

/* The next row: 1, 0 at the end, negative errno. */
int csv_row(struct csv *csv, struct error *err);

/* Fields of the row. A column of -1 reads as empty. */
const char *csv_text(const struct csv *csv, int column);
bool csv_empty(const struct csv *csv, int column);
int csv_i64(const struct csv *csv, int column, int64_t *ret, struct error *err);
/* Decimal or 0x; -1 to 2^64-1. An empty field is an error here too. */
int csv_u64(const struct csv *csv, int column, uint64_t *ret, struct error *err);
/* A number from min to max. */
int csv_int(const struct csv *csv, int column, int64_t min, int64_t max, int64_t *ret,
	struct error *err);
/* An empty field leaves *ret at what it is. */
int csv_optional(const struct csv *csv, int column, int64_t min, int64_t max, int64_t *ret,
	struct error *err);

/* Sets "FILE:LINE: COLUMN: text" and returns -EINVAL; column -1 leaves the column out. */
int csv_error(const struct csv *csv, int column, struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
