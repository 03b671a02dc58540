// SPDX-License-Identifier: GPL-2.0-or-later
#include "published/file.h"
#include "base/array.h"
#include "base/csv_fields.h"
#include "report/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int wrong_line(const struct published_file *file, unsigned long number, const char *field,
	const char *found, const char *expected, struct error *err)
{
	return error_set(err, EINVAL, "%s:%lu: %s: found '%.60s', expected %s", file->path, number,
		field, found, expected);
}

int published_wrong(const struct published_file *file, const struct published_line *line,
	int column, const char *expected, struct error *err)
{
	return wrong_line(file, line->number, file->names.fields[column],
		published_field(line, column), expected, err);
}

int published_number(const struct published_file *file, const struct published_line *line,
	int column, double *ret, struct error *err)
{
	const char *text = published_field(line, column);
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !isfinite(value) || strpbrk(text, "xX "))
		return published_wrong(file, line, column, "a finite decimal number", err);
	*ret = value;
	return 0;
}

const char *published_field(const struct published_line *line, int column)
{
	return column < 0 ? "" : line->fields[column];
}

int published_column(
	const struct published_file *file, const char *name, int need, int *ret, struct error *err)
{
	*ret = -1;
	for (int i = 0; i < file->nr_columns; i++)
		if (!strcmp(file->names.fields[i], name))
			*ret = i;
	if (*ret < 0 && need)
		return error_set(err, EINVAL, "%s:%lu: expected a column '%s'", file->path,
			file->names.number, name);
	return 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int check_text(const struct published_file *file, unsigned long number, const char *text,
	size_t length, struct error *err)
{
	if (length > PUBLISHED_LINE_MAX)
		return wrong_line(
			file, number, "line", "a longer one", "at most 16384 characters", err);
	for (size_t i = 0; i < length; i++) /* the text ends in tables on terminals */
		if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
			return wrong_line(
				file, number, "line", "a control character", "printable text", err);
	if (!json_text(text)) /* and in JSON */
		return wrong_line(
			file, number, "line", "bytes that are no UTF-8", "UTF-8 text", err);
	return 0;
}

/* The line of names: unique, and not empty. */
static int take_names(struct published_file *file, char **fields, int nr, struct error *err)
{
	const struct published_line *names = &file->names;

	file->nr_columns = nr;
	for (int i = 0; i < nr; i++) {
		if (!*fields[i])
			return wrong_line(file, names->number, "column names", "", "a name", err);
		for (int k = 0; k < i; k++)
			if (!strcmp(fields[i], fields[k]))
				return wrong_line(file, names->number, "column names", fields[i],
					"each name once", err);
	}
	return 0;
}

/* Takes the line's text, which has been checked. */
static int cut(struct published_file *file, struct published_line *line, struct error *err)
{
	char *fields[PUBLISHED_COLUMNS_MAX];
	bool names = line == &file->names;
	int max = names ? PUBLISHED_COLUMNS_MAX : file->nr_columns;
	struct csv_fault fault;
	int nr = csv_fields(line->text, fields, max, &fault);

	if (nr < 0)
		return wrong_line(file, line->number,
			names ? "column names" : file->names.fields[fault.field], fault.found,
			fault.expected, err);
	if (nr < max && !names)
		return wrong_line(file, line->number, file->names.fields[nr], "the end of the line",
			"as many fields as column names", err);
	line->fields = calloc((size_t)nr, sizeof(*fields));
	if (!line->fields)
		return error_set(err, ENOMEM, "%s: out of memory", file->path);
	memcpy(line->fields, fields, (size_t)nr * sizeof(*fields));
	return names ? take_names(file, fields, nr, err) : 0;
}

static struct published_line *new_line(struct published_file *file, struct error *err)
{
	struct published_line *grown;

	if (!file->names.text)
		return &file->names;
	if (file->nr == PUBLISHED_ROWS_MAX) {
		error_set(err, E2BIG, "%s: more than %d rows", file->path, PUBLISHED_ROWS_MAX);
		return NULL;
	}
	grown = array_grow(file->lines, (size_t)file->nr, sizeof(*grown));
	if (!grown) {
		error_set(err, ENOMEM, "%s: out of memory", file->path);
		return NULL;
	}
	file->lines = grown;
	grown[file->nr] = (struct published_line){ 0 };
	return &grown[file->nr++];
}

static int take_line(struct published_file *file, unsigned long number, char *text, size_t length,
	struct error *err)
{
	struct published_line *line;
	int rc;

	if (length && text[length - 1] == '\n')
		length--;
	if (length && text[length - 1] == '\r')
		length--;
	text[length] = 0;
	rc = check_text(file, number, text, length, err);
	if (rc || !length)
		return rc;
	line = new_line(file, err);
	if (!line)
		return file->nr == PUBLISHED_ROWS_MAX ? -E2BIG : -ENOMEM;
	line->number = number;
	line->text = strdup(text);
	return line->text ? cut(file, line, err)
			  : error_set(err, ENOMEM, "%s: out of memory", file->path);
}

int published_file_read(const char *path, FILE *f, struct published_file *ret, struct error *err)
{
	struct published_file file = { .path = strdup(path) };
	unsigned long number = 0;
	size_t size = 0;
	ssize_t length;
	char *text = NULL;
	int rc = file.path ? 0 : error_set(err, ENOMEM, "%s: out of memory", path);

	errno = 0;
	while (!rc && (length = getline(&text, &size, f)) >= 0)
		rc = take_line(&file, ++number, text, (size_t)length, err);
	if (!rc && ferror(f))
		rc = error_set(err, errno ? errno : EIO, "%s: %s", path, strerror(errno));
	if (!rc && !file.nr)
		rc = error_set(err, EINVAL, "%s:%lu: expected a line of column names and rows",
			path, number + 1);
	free(text);
	if (rc)
		published_file_release(&file);
	else
		*ret = file;
	return rc;
}

void published_file_release(struct published_file *file)
{
	for (int i = 0; i < file->nr; i++) {
		free(file->lines[i].text);
		free(file->lines[i].fields);
	}
	free(file->names.text);
	free(file->names.fields);
	free(file->lines);
	free(file->path);
	*file = (struct published_file){ 0 };
}
