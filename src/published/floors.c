// SPDX-License-Identifier: GPL-2.0-or-later
#include "published/floors.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_LENGTH = 256 };

static const struct {
	const char *name;
	bool at_most;
} figures[FLOOR_FIGURES] = {
	[FLOOR_DIRECTION] = { "direction_right_percent", false },
	[FLOOR_NEUTRAL] = { "neutral_right_percent", false },
	[FLOOR_ERROR] = { "mean_abs_ln_error", true },
	[FLOOR_FAILED] = { "failed_rows", true },
};

const char *floor_name(enum floor_figure figure)
{
	return figures[figure].name;
}

static double percent(int part, int whole)
{
	return whole ? 100.0 * part / whole : NAN;
}

double floor_value(enum floor_figure figure, const struct tally *t)
{
	switch (figure) {
	case FLOOR_DIRECTION:
		return percent(t->direction_right, t->direction_rows);
	case FLOOR_NEUTRAL:
		return percent(t->neutral_right, t->neutral_rows);
	case FLOOR_ERROR:
		return t->mean_error;
	default:
		return t->failed_rows;
	}
}

bool floor_met(const struct floor_line *line, const struct tally *t)
{
	double value = floor_value(line->figure, t);

	return figures[line->figure].at_most ? value <= line->limit : value >= line->limit;
}

/* ---- the file -------------------------------------------------------------------------------- */

static int parse_line(
	const char *path, int number, char *text, struct floor_line *ret, struct error *err)
{
	char *rest = text, *table = strtok_r(rest, " \t\r\n", &rest);
	char *figure = strtok_r(NULL, " \t\r\n", &rest), *limit = strtok_r(NULL, " \t\r\n", &rest);
	char *end;

	if (!limit || strtok_r(NULL, " \t\r\n", &rest))
		return error_set(err, EINVAL, "%s:%d: expected TABLE FIGURE LIMIT", path, number);
	if (strlen(table) >= sizeof(ret->table))
		return error_set(err, EINVAL,
			"%s:%d: table: found '%.60s', expected total or a table", path, number,
			table);
	strcpy(ret->table, table);
	for (ret->figure = 0; ret->figure < FLOOR_FIGURES; ret->figure++)
		if (!strcmp(figures[ret->figure].name, figure))
			break;
	if (ret->figure == FLOOR_FIGURES)
		return error_set(err, EINVAL,
			"%s:%d: figure: found '%.60s', expected %s, %s, %s or %s", path, number,
			figure, figures[0].name, figures[1].name, figures[2].name, figures[3].name);
	ret->limit = strtod(limit, &end);
	if (end == limit || *end || !isfinite(ret->limit))
		return error_set(err, EINVAL,
			"%s:%d: limit: found '%.60s', expected a finite decimal number", path,
			number, limit);
	return 0;
}

int floors_parse(const char *path, FILE *f, struct floors *ret, struct error *err)
{
	struct floors floors = { 0 };
	char text[LINE_LENGTH];
	int number = 0, rc = 0;

	while (!rc && fgets(text, sizeof(text), f)) {
		number++;
		if (!strchr(text, '\n') && !feof(f))
			return error_set(err, EINVAL, "%s:%d: line: expected at most %d characters",
				path, number, LINE_LENGTH - 2);
		if (*text == '#' || strspn(text, " \t\r\n") == strlen(text))
			continue;
		if (floors.nr == FLOORS_MAX)
			return error_set(err, E2BIG, "%s: more than %d floors", path, FLOORS_MAX);
		rc = parse_line(path, number, text, &floors.lines[floors.nr++], err);
	}
	if (!rc && ferror(f))
		rc = error_set(err, EIO, "%s: %s", path, strerror(EIO));
	if (!rc && !floors.nr)
		rc = error_set(err, EINVAL, "%s: expected lines TABLE FIGURE LIMIT", path);
	if (!rc)
		*ret = floors;
	return rc;
}

int floors_read(const char *path, struct floors *ret, struct error *err)
{
	FILE *f = fopen(path, "r");
	int rc;

	if (!f)
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	rc = floors_parse(path, f, ret, err);
	fclose(f);
	return rc;
}
