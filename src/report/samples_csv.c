// SPDX-License-Identifier: GPL-2.0-or-later
/* Measured samples from CSV: config,metric,unit,better,value; RFC 4180 quoting, no line breaks. */
#include "base/csv_fields.h"
#include "report/json.h"
#include "report/samples.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 5 };

static const char *const header[FIELDS] = { "config", "metric", "unit", "better", "value" };

struct reader {
	struct samples *samples;
	const char *path;
	unsigned long line, missing;
	struct error *err;
};

static int wrong(const struct reader *r, const char *field, const char *found, const char *expected)
{
	return error_set(r->err, EINVAL, "%s:%lu: %s: found '%.60s', expected %s", r->path, r->line,
		field, found, expected);
}

/* Cuts the line up in place. */
static int split(const struct reader *r, char *line, char *fields[FIELDS])
{
	struct csv_fault fault;
	int nr = csv_fields(line, fields, FIELDS, &fault);

	if (nr < 0)
		return wrong(r, header[fault.field], fault.found, fault.expected);
	return nr < FIELDS ? wrong(r, header[nr], "", "five fields") : 0;
}

static int check_header(const struct reader *r, char *fields[FIELDS])
{
	for (int i = 0; i < FIELDS; i++)
		if (strcmp(fields[i], header[i]))
			return wrong(r, header[i], fields[i],
				"the header config,metric,unit,better,value");
	return 0;
}

static int parse_value(struct reader *r, const char *text, double *ret)
{
	char *end;
	double value = strtod(text, &end);

	if (!strcasecmp(text, "nan")) {
		r->missing++;
		*ret = NAN;
		return 0;
	}
	if (end == text || *end || !isfinite(value) || strpbrk(text, "xX "))
		return wrong(r, "value", text, "a finite decimal number, or nan for none");
	*ret = value;
	return 0;
}

static int add_row(struct reader *r, char *fields[FIELDS])
{
	double value = 0;
	int better, rc;

	if (!*fields[0])
		return wrong(r, "config", "", "a name");
	if (!*fields[1] || strlen(fields[1]) >= sizeof(((struct sample_metric *)0)->name))
		return wrong(r, "metric", fields[1], "a name of 1 to 47 characters");
	if (strlen(fields[2]) >= sizeof(((struct sample_metric *)0)->unit))
		return wrong(r, "unit", fields[2], "at most 15 characters");
	better = !strcmp(fields[3], "lower") ? -1 : !strcmp(fields[3], "higher");
	if (!better)
		return wrong(r, "better", fields[3], "lower or higher");
	rc = parse_value(r, fields[4], &value);
	if (rc)
		return rc;
	rc = samples_measured(r->samples, "", fields[0], fields[1], fields[2], better, value);
	if (rc == -EEXIST)
		return wrong(r, "metric", fields[1], "the unit and better of its first row");
	if (rc == -E2BIG)
		return wrong(
			r, "config", fields[0], "at most 1024 configurations and 1024 metrics");
	return rc;
}

static int read_line(struct reader *r, char *line, size_t length)
{
	char *fields[FIELDS];
	int rc;

	r->line++;
	if (length && line[length - 1] == '\n')
		length--;
	if (length && line[length - 1] == '\r')
		length--;
	line[length] = 0;
	for (size_t i = 0; i < length; i++) /* the text ends in tables on terminals */
		if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
			return wrong(r, "line", "a control character", "printable text");
	if (!*line && r->line > 1)
		return 0;
	if (!json_text(line)) /* and in JSON */
		return wrong(r, "line", "bytes that are no UTF-8", "UTF-8 text");
	rc = split(r, line, fields);
	if (rc)
		return rc;
	return r->line == 1 ? check_header(r, fields) : add_row(r, fields);
}

int samples_parse_csv(struct samples *samples, const char *path, FILE *f, struct error *err)
{
	struct reader reader = { .samples = samples, .path = path, .err = err };
	size_t size = 0;
	ssize_t length;
	char *line = NULL;
	int rc = 0;

	errno = 0;
	while (!rc && (length = getline(&line, &size, f)) >= 0) {
		/* Spreadsheets begin a file with a byte order mark. */
		bool marked = !reader.line && !strncmp(line, "\xef\xbb\xbf", 3);

		rc = read_line(&reader, line + (marked ? 3 : 0), (size_t)length - (marked ? 3 : 0));
	}
	if (!rc && ferror(f))
		rc = error_set(err, errno ? errno : EIO, "%s: %s", path, strerror(errno));
	if (!rc && !samples->nr_groups)
		rc = error_set(err, EINVAL,
			"%s:%lu: expected the header config,metric,unit,better,value and samples",
			path, reader.line + 1);
	if (!rc && reader.missing) {
		char note[256];

		snprintf(note, sizeof(note), "%.160s: %lu samples are NaN and count as missing",
			path, reader.missing);
		rc = samples_note(samples, note);
	}
	if (rc == -ENOMEM)
		error_set(err, ENOMEM, "%s: out of memory", path);
	free(line);
	return rc;
}

int samples_read_csv(struct samples *samples, const char *path, struct error *err)
{
	FILE *f = fopen(path, "r");
	int rc;

	if (!f)
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	rc = samples_parse_csv(samples, path, f, err);
	fclose(f);
	return rc;
}
