// SPDX-License-Identifier: GPL-2.0-or-later
/* `show machine NAME --against FILE.csv`: measured figures beside the model's. */
#include "cmd/cmd.h"
#include "cmd/show.h"
#include "machine/figure.h"
#include "published/file.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ID, MACHINE, FIGURE, VALUE, UNIT, BOUND, CONDITION, COLUMNS };

static const char *const names[COLUMNS] = { "id", "machine", "figure", "value", "unit",
	"bound_percent", "condition" };

struct against {
	const struct machine *m;
	struct published_file file;
	int column[COLUMNS];
	struct error *err;
};

struct figure_row {
	double measured, model, percent, bound; /* bound: NaN when there is none */
	const char *text[COLUMNS];
};

static int read_row(
	const struct against *a, const struct published_line *line, struct figure_row *ret)
{
	const char *unit;
	struct error why = { "" };
	int r;

	for (int i = 0; i < COLUMNS; i++)
		ret->text[i] = published_field(line, a->column[i]);
	r = published_number(&a->file, line, a->column[VALUE], &ret->measured, a->err);
	if (!r && ret->measured <= 0)
		r = published_wrong(&a->file, line, a->column[VALUE], "more than 0", a->err);
	ret->bound = NAN;
	if (!r && *ret->text[BOUND])
		r = published_number(&a->file, line, a->column[BOUND], &ret->bound, a->err);
	if (r)
		return r;
	r = machine_figure(a->m, ret->text[FIGURE], &ret->model, &unit, &why);
	if (r)
		return error_set(a->err, -r, "%s:%lu: %s", a->file.path, line->number, why.text);
	if (strcmp(unit, ret->text[UNIT]))
		return published_wrong(&a->file, line, a->column[UNIT], unit, a->err);
	ret->percent = 100 * (ret->model / ret->measured - 1);
	return 0;
}

static bool too_far(const struct figure_row *row)
{
	return !isnan(row->bound) && !(fabs(row->percent) <= row->bound);
}

static void print_row(const struct figure_row *row, int width)
{
	char bound[32] = "";

	if (!isnan(row->bound))
		snprintf(bound, sizeof(bound), "%.4g %%", row->bound);
	printf("%-10s %-*s %9.4g %9.4g %-4s %+7.1f %% %8s%s  %s\n", row->text[ID], width,
		row->text[FIGURE], row->measured, row->model, row->text[UNIT], row->percent, bound,
		too_far(row) ? "  too far" : "", row->text[CONDITION]);
}

static json_t *row_json(const struct figure_row *row)
{
	json_t *o = json_pack("{s:s,s:s,s:s,s:f,s:f,s:s,s:f}", "id", row->text[ID], "figure",
		row->text[FIGURE], "condition", row->text[CONDITION], "measured", row->measured,
		"model", row->model, "unit", row->text[UNIT], "error_percent", row->percent);

	if (!isnan(row->bound))
		json_object_set_new(o, "bound_percent", json_real(row->bound));
	return o;
}

static bool is_ours(const struct against *a, const struct published_line *line)
{
	return !strcmp(published_field(line, a->column[MACHINE]), a->m->name);
}

static int figure_width(const struct figure_row *rows, int nr)
{
	size_t width = strlen("figure");

	for (int i = 0; i < nr; i++)
		if (strlen(rows[i].text[FIGURE]) > width)
			width = strlen(rows[i].text[FIGURE]);
	return (int)width;
}

/* Rows of other machines are left out. Returns how many are ours, or -errno. */
static int read_rows(const struct against *a, struct figure_row *rows)
{
	int nr = 0, r;

	for (int i = 0; i < a->file.nr; i++) {
		if (!is_ours(a, &a->file.lines[i]))
			continue;
		r = read_row(a, &a->file.lines[i], &rows[nr++]);
		if (r)
			return r;
	}
	return nr ? nr
		  : error_set(a->err, ENOENT, "%s: no row of machine %s, expected some",
			    a->file.path, a->m->name);
}

static void print_text(const struct figure_row *rows, int nr)
{
	int width = figure_width(rows, nr);

	printf("%-10s %-*s %9s %9s %-4s %9s %8s  %s\n", "id", width, "figure", "measured", "model",
		"unit", "error", "bound", "condition");
	for (int i = 0; i < nr; i++)
		print_row(&rows[i], width);
}

static void print_json(const struct against *a, const struct figure_row *rows, int nr, int far)
{
	json_t *list = json_array(), *root;

	for (int i = 0; i < nr; i++)
		json_array_append_new(list, row_json(&rows[i]));
	root = json_pack("{s:i,s:s,s:i,s:o}", "schema", 1, "machine", a->m->text, "too_far", far,
		"figures", list);
	json_dumpf(root, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
	putchar('\n');
	json_decref(root);
}

static int open_file(const char *path, struct against *a)
{
	FILE *f = fopen(path, "r");
	int r;

	if (!f)
		return error_set(a->err, errno, "%s: %s", path, strerror(errno));
	r = published_file_read(path, f, &a->file, a->err);
	fclose(f);
	for (int i = 0; i < COLUMNS && !r; i++)
		r = published_column(&a->file, names[i], i < BOUND, &a->column[i], a->err);
	return r;
}

int show_machine_against(const struct machine *m, const char *path, bool json)
{
	struct error err = { "" };
	struct against a = { .m = m, .err = &err };
	struct figure_row *rows = NULL;
	int far = 0, r = open_file(path, &a);

	if (!r) {
		rows = calloc((size_t)a.file.nr + 1, sizeof(*rows));
		r = rows ? read_rows(&a, rows) : error_set(&err, ENOMEM, "out of memory");
	}
	for (int i = 0; i < r; i++)
		far += too_far(&rows[i]);
	if (r > 0 && json)
		print_json(&a, rows, r, far);
	else if (r > 0)
		print_text(rows, r);
	free(rows);
	published_file_release(&a.file);
	if (r < 0)
		return fail("show", &err);
	return far ? EXIT_AGAINST : EXIT_DONE;
}
