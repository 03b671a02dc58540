// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/fit.h"
#include "base/array.h"
#include "cmd/cmd.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A range that is not given: the start divided and multiplied by it. */
enum { REACH = 4 };

/* ---- parameters ------------------------------------------------------------------------------ */

/* Digits, a point, digits: neither an exponent nor a sign. */
static bool parse_bound(const char *text, size_t len, double *ret)
{
	char copy[FIT_VALUE_MAX], *end;

	if (!len || len >= sizeof(copy) || strspn(text, "0123456789.") < len)
		return false;
	snprintf(copy, sizeof(copy), "%.*s", (int)len, text);
	*ret = strtod(copy, &end);
	return end == copy + len;
}

static int parse_range(struct fit_parameter *p, const char *text, struct error *err)
{
	const char *dots = strstr(text, "..");

	p->ranged = dots && parse_bound(text, (size_t)(dots - text), &p->low) &&
		    parse_bound(dots + 2, strlen(dots + 2), &p->high) && p->low < p->high;
	return p->ranged ? 0
			 : error_set(err, EINVAL, "--free %s:%s: '%s', expected LOW..HIGH", p->name,
				   p->key, text);
}

static int parse_parameter(struct fit_parameter *p, const char *text, struct error *err)
{
	const char *key = strchr(text, ':'), *range = key ? strchr(key, '=') : NULL;
	size_t name_len = key ? (size_t)(key - text) : 0;
	size_t key_len = range ? (size_t)(range - key - 1) : key ? strlen(key + 1) : 0;

	if (!name_len || !key_len || name_len >= sizeof(p->name) || key_len >= sizeof(p->key))
		return error_set(
			err, EINVAL, "--free %s: expected NAME:KEY or NAME:KEY=LOW..HIGH", text);
	memcpy(p->name, text, name_len);
	memcpy(p->key, key + 1, key_len);
	p->of_machine = strchr(p->key, '.');
	return range ? parse_range(p, range + 1, err) : 0;
}

static int no_range(const struct fit_parameter *p, const char *why, struct error *err)
{
	return error_set(err, EINVAL, "--free %s:%s: %s, expected %s:%s=LOW..HIGH", p->name, p->key,
		why, p->name, p->key);
}

/* Start and range of a value of the machine's file. */
static int from_provenance(struct fit_parameter *p, const struct provenance *v, struct error *err)
{
	if (v->kind == PROVENANCE_TEXT)
		return error_set(err, EINVAL, "--free %s:%s: expected a number, a curve or a list",
			p->name, p->key);
	p->factor = v->kind != PROVENANCE_NUMBER;
	p->start = p->factor ? 1 : strtod(v->value, NULL);
	snprintf(p->unit, sizeof(p->unit), "%s", p->factor ? "" : v->unit);
	if (p->ranged)
		return 0;
	if (v->low < v->high) {
		p->low = v->low;
		p->high = v->high;
	} else if (p->start > 0) {
		p->low = p->start / REACH;
		p->high = p->start * REACH;
	} else {
		return no_range(p, "0 without a range", err);
	}
	return 0;
}

static int from_machine(struct fit_parameter *p, struct error *err)
{
	struct machine *m;
	char dir[PATH_MAX];
	int r = machine_load(p->name, data_dir("machines", dir, sizeof(dir)), &m, err);
	int i = 0;

	if (r)
		return r;
	while (i < m->nr_provenance && strcmp(m->provenance[i].path, p->key))
		i++;
	r = i < m->nr_provenance ? from_provenance(p, &m->provenance[i], err)
				 : error_set(err, EINVAL,
					   "--free %s:%s: no value of the file, expected a path as "
					   "'corepace show "
					   "machine' prints it, section first",
					   p->name, p->key);
	machine_free(m);
	return r;
}

/* A generator does not tell its defaults: the search begins in the middle. */
static int from_range(struct fit_parameter *p, struct error *err)
{
	if (!p->ranged)
		return no_range(p, "a workload's parameter needs a range", err);
	p->start = p->low > 0 ? sqrt(p->low * p->high) : (p->low + p->high) / 2;
	return 0;
}

int fit_add_parameter(struct fit *f, const char *text, struct error *err)
{
	struct fit_parameter *p = &f->parameters[f->nr_parameters];
	int r;

	if (f->nr_parameters == FIT_PARAMETERS_MAX)
		return error_set(err, E2BIG, "--free: more than %d parameters", FIT_PARAMETERS_MAX);
	r = parse_parameter(p, text, err);
	r = r ? r : p->of_machine ? from_machine(p, err) : from_range(p, err);
	if (r)
		return r;
	for (int i = 0; i < f->nr_parameters; i++)
		if (!strcmp(f->parameters[i].name, p->name) &&
			!strcmp(f->parameters[i].key, p->key))
			return error_set(err, EINVAL, "--free %s:%s: given twice", p->name, p->key);
	p->start = fmin(fmax(p->start, p->low), p->high);
	f->nr_parameters++;
	return 0;
}

bool fit_at_bound(const struct fit_parameter *p)
{
	double value = strtod(p->value + (*p->value == 'x'), NULL);
	double margin = p->factor ? 1e-4 : 0.5;

	return value <= p->low + margin || value >= p->high - margin;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool named(const char *spec, const char *name)
{
	size_t len = strcspn(spec, ":");

	return strlen(name) == len && !strncmp(spec, name, len);
}

static bool wanted(const struct published_row *row, const char *table, const char *workload)
{
	return row->fit && !strcmp(row->table, table) && !row->is_ratio && row->value > 0 &&
	       row->kind != STAT_UNKNOWN && !published_spread(row) &&
	       (!workload || named(row->run_workload, workload));
}

static int add_row(struct fit *f, const struct published_row *row)
{
	struct fit_row *rows = array_grow(f->rows, (size_t)f->nr_rows, sizeof(*rows));

	if (!rows)
		return -ENOMEM;
	f->rows = rows;
	for (int i = 0; i < f->nr_rows; i++)
		if (rows[i].row == row)
			return 0;
	rows[f->nr_rows++] = (struct fit_row){ .row = row, .base = -1 };
	return 0;
}

int fit_select(struct fit *f, const char *text, struct error *err)
{
	char table[FIT_NAME_MAX];
	const char *workload = strchr(text, ':');
	int before = f->nr_rows;

	snprintf(table, sizeof(table), "%.*s", (int)strcspn(text, ":"), text);
	for (int i = 0; i < f->published.nr; i++) {
		const struct published_row *row = &f->published.rows[i];

		if (wanted(row, table, workload ? workload + 1 : NULL) && add_row(f, row))
			return error_set(err, ENOMEM, "out of memory");
	}
	return f->nr_rows > before
		       ? 0
		       : error_set(err, ENOENT, "%s: no row of %s that may be fitted on (fit = 1)",
				 f->published.file.path, text);
}

/* Which parameters the row's run uses; a key that the row itself sets is not free. */
static int find_parameters(struct fit *f, struct fit_row *r, struct error *err)
{
	for (int k = 0; k < f->nr_parameters; k++) {
		struct fit_parameter *p = &f->parameters[k];
		const char *text = p->of_machine ? r->row->run_machine : r->row->run_workload;
		struct spec spec;

		if (!named(text, p->name))
			continue;
		if (spec_parse(&spec, text, err))
			return -EINVAL;
		if (spec_get(&spec, p->key))
			return error_set(err, EINVAL, "--free %s:%s: set in line %lu of the rows",
				p->name, p->key, r->row->line);
		r->parameters |= 1U << k;
		p->rows++;
	}
	return 0;
}

static void drop_unused(struct fit *f)
{
	int nr = 0;

	for (int i = 0; i < f->nr_rows; i++)
		if (f->rows[i].parameters)
			f->rows[nr++] = f->rows[i];
	f->nr_rows = nr;
}

static void find_bases(struct fit *f)
{
	for (int i = 0; i < f->nr_rows; i++) {
		int base = f->rows[i].row->base;

		for (int k = 0; k < f->nr_rows && base >= 0; k++)
			if (k != i && f->rows[k].row == &f->published.rows[base])
				f->rows[i].base = k;
	}
}

/* No more parameters of one machine or workload than rows of it, nor in all. */
static int check_numbers(const struct fit *f, struct error *err)
{
	for (int k = 0; k < f->nr_parameters; k++) {
		const struct fit_parameter *p = &f->parameters[k];
		int same = 0;

		for (int i = 0; i < f->nr_parameters; i++)
			same += f->parameters[i].of_machine == p->of_machine &&
				!strcmp(f->parameters[i].name, p->name);
		if (!p->rows)
			return error_set(err, EINVAL,
				"--free %s:%s: no row of these tables uses %s", p->name, p->key,
				p->name);
		if (same > p->rows)
			return error_set(err, EINVAL,
				"%d free parameters of %s, expected at most %d: so many rows use "
				"it",
				same, p->name, p->rows);
	}
	if (f->nr_parameters > f->nr_rows)
		return error_set(err, EINVAL,
			"%d free parameters, expected at most %d: so many rows "
			"there are",
			f->nr_parameters, f->nr_rows);
	return 0;
}

int fit_prepare(struct fit *f, struct error *err)
{
	int r = 0;

	for (int i = 0; i < f->nr_rows && !r; i++)
		r = find_parameters(f, &f->rows[i], err);
	if (r)
		return r;
	drop_unused(f);
	find_bases(f);
	r = check_numbers(f, err);
	if (r)
		return r;
	f->figures = calloc((size_t)f->nr_rows, sizeof(*f->figures));
	f->errors = calloc((size_t)f->nr_rows, sizeof(*f->errors));
	return f->figures && f->errors ? 0 : error_set(err, ENOMEM, "out of memory");
}

double fit_rms(const struct fit *f, double objective)
{
	return sqrt(objective / f->nr_rows);
}
