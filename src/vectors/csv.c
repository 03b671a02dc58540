// SPDX-License-Identifier: GPL-2.0-or-later
#include "vectors/csv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct csv {
	char *path;
	gzFile file;
	unsigned long line;
	char comment[CSV_LINE_MAX];
	char names[CSV_LINE_MAX]; /* cut up; name[] points here */
	const char *name[CSV_COLUMNS_MAX];
	int nr_columns;
	char row[CSV_LINE_MAX]; /* cut up; field[] points here */
	const char *field[CSV_COLUMNS_MAX];
};

int csv_error(const struct csv *csv, int column, struct error *err, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (column < 0 || column >= csv->nr_columns)
		return error_set(err, EINVAL, "%s:%lu: %s", csv->path, csv->line, text);
	return error_set(
		err, EINVAL, "%s:%lu: %s: %s", csv->path, csv->line, csv->name[column], text);
}

/* What zlib has against the file, without the path that it puts before; NULL: nothing. */
static const char *fault(const struct csv *csv)
{
	size_t len = strlen(csv->path);
	const char *text;
	int code;

	text = gzerror(csv->file, &code);
	if (code == Z_OK || code == Z_STREAM_END)
		return NULL;
	if (code == Z_ERRNO)
		return strerror(errno);
	return strncmp(text, csv->path, len) || strncmp(text + len, ": ", 2) ? text
									     : text + len + 2;
}

/* A line without its end: 1, 0 at the end, negative errno. */
static int read_line(struct csv *csv, char *buf, struct error *err)
{
	const char *text;
	size_t len;

	csv->line++;
	/* gzgets does not tell NUL bytes from the end: what follows one would be lost silently. */
	memset(buf, 'x', CSV_LINE_MAX);
	if (!gzgets(csv->file, buf, CSV_LINE_MAX)) {
		text = fault(csv);
		return text ? csv_error(csv, -1, err, "cannot be read: %s", text) : 0;
	}
	len = strlen(buf);
	if (!len || buf[len - 1] != '\n') {
		if (len == CSV_LINE_MAX - 1)
			return csv_error(
				csv, -1, err, "longer than %d characters", CSV_LINE_MAX - 2);
		text = fault(csv);
		if (text)
			return csv_error(csv, -1, err, "cannot be read: %s", text);
		return csv_error(
			csv, -1, err, "ends without a newline: NUL byte or truncated file");
	}
	if (memchr(buf + len + 1, '\n', (size_t)(CSV_LINE_MAX - len - 1)))
		return csv_error(csv, -1, err, "holds a NUL byte");
	buf[len - 1] = 0;
	if (len > 1 && buf[len - 2] == '\r')
		buf[len - 2] = 0;
	return 1;
}

/* Cuts a line at its commas; -1: more than there is room for. */
static int cut(char *line, const char **ret)
{
	int nr = 0;

	for (;;) {
		if (nr == CSV_COLUMNS_MAX)
			return -1;
		ret[nr++] = line;
		line = strchr(line, ',');
		if (!line)
			return nr;
		*line++ = 0;
	}
}

static int read_head(struct csv *csv, struct error *err)
{
	int r = read_line(csv, csv->comment, err);

	if (r < 0)
		return r;
	if (!r || csv->comment[0] != '#')
		return csv_error(csv, -1, err,
			"expected a decision-vector file: line 1 is '# key=value ...'");
	r = read_line(csv, csv->names, err);
	if (r < 0)
		return r;
	if (!r)
		return csv_error(csv, -1, err, "expected the column names");
	csv->nr_columns = cut(csv->names, csv->name);
	if (csv->nr_columns < 0) {
		csv->nr_columns = 0;
		return csv_error(csv, -1, err, "more than %d columns", CSV_COLUMNS_MAX);
	}
	return 0;
}

int csv_open(const char *path, struct csv **ret, struct error *err)
{
	struct csv *csv = calloc(1, sizeof(*csv));
	int r;

	if (!csv || !(csv->path = strdup(path))) {
		csv_close(csv);
		return error_set(err, ENOMEM, "%s: out of memory", path);
	}
	errno = 0;
	csv->file = gzopen(path, "rb");
	if (!csv->file) {
		r = error_set(err, errno ? errno : ENOMEM, "%s: %s", path,
			strerror(errno ? errno : ENOMEM));
		csv_close(csv);
		return r;
	}
	gzbuffer(csv->file, 1 << 17);
	r = read_head(csv, err);
	if (r < 0) {
		csv_close(csv);
		return r;
	}
	*ret = csv;
	return 0;
}

struct csv *csv_close(struct csv *csv)
{
	if (csv) {
		if (csv->file)
			gzclose_r(csv->file);
		free(csv->path);
		free(csv);
	}
	return NULL;
}

bool csv_param(const struct csv *csv, const char *key, char *buf, unsigned long size)
{
	size_t key_len = strlen(key);

	for (const char *p = csv->comment; (p = strstr(p, key)); p += key_len) {
		size_t len;

		if ((p[-1] != ' ' && p[-1] != '#') || p[key_len] != '=')
			continue;
		p += key_len + 1;
		len = strcspn(p, " ");
		if (len >= size)
			return false;
		memcpy(buf, p, len);
		buf[len] = 0;
		return true;
	}
	return false;
}

const char *csv_path(const struct csv *csv)
{
	return csv->path;
}

const char *csv_name(const struct csv *csv, int column)
{
	return csv->name[column];
}

int csv_find(const struct csv *csv, const char *column)
{
	for (int i = 0; i < csv->nr_columns; i++)
		if (!strcmp(csv->name[i], column))
			return i;
	return -1;
}

int csv_need(const struct csv *csv, const char *column, int *ret, struct error *err)
{
	int i = csv_find(csv, column);

	if (i < 0)
		return csv_error(csv, -1, err, "no column '%s'", column);
	*ret = i;
	return 0;
}

int csv_row(struct csv *csv, struct error *err)
{
	int r = read_line(csv, csv->row, err), nr;

	if (r <= 0)
		return r;
	nr = cut(csv->row, csv->field);
	if (nr != csv->nr_columns)
		return csv_error(csv, -1, err, "%s%d fields, expected %d",
			nr < 0 ? "more than " : "", nr < 0 ? CSV_COLUMNS_MAX : nr, csv->nr_columns);
	return 1;
}

const char *csv_text(const struct csv *csv, int column)
{
	return column < 0 ? "" : csv->field[column];
}

bool csv_empty(const struct csv *csv, int column)
{
	return column < 0 || !*csv->field[column];
}

int csv_i64(const struct csv *csv, int column, int64_t *ret, struct error *err)
{
	const char *text = csv_text(csv, column);
	char *end;
	long long v;

	errno = 0;
	v = strtoll(text, &end, 10);
	if (end == text || *end || errno || *text == ' ' || *text == '+')
		return csv_error(csv, column, err, "'%s', expected a whole number", text);
	*ret = v;
	return 0;
}

int csv_u64(const struct csv *csv, int column, uint64_t *ret, struct error *err)
{
	const char *text = csv_text(csv, column);
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	char *end;

	errno = 0;
	*ret = strtoull(text, &end, hex ? 16 : 10);
	if (end == text || *end || errno || *text == ' ' || *text == '+' ||
		(*text == '-' && strcmp(text, "-1")))
		return csv_error(csv, column, err, "'%s', expected a whole number", text);
	return 0;
}

int csv_int(const struct csv *csv, int column, int64_t min, int64_t max, int64_t *ret,
	struct error *err)
{
	int64_t v;
	int r = csv_i64(csv, column, &v, err);

	if (r < 0)
		return r;
	if (v < min || v > max)
		return csv_error(csv, column, err,
			"'%s', expected a number from %" PRId64 " to %" PRId64,
			csv_text(csv, column), min, max);
	*ret = v;
	return 0;
}

int csv_optional(const struct csv *csv, int column, int64_t min, int64_t max, int64_t *ret,
	struct error *err)
{
	return csv_empty(csv, column) ? 0 : csv_int(csv, column, min, max, ret, err);
}
