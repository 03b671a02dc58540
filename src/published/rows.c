// SPDX-License-Identifier: GPL-2.0-or-later
#include "published/rows.h"
#include "stats/summary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum field {
	TABLE,
	MACHINE,
	WORKLOAD,
	METRIC,
	UNIT,
	BETTER,
	PARAM,
	POLICY,
	STAT,
	VALUE,
	NOTE,
	RUN_MACHINE,
	RUN_WORKLOAD,
	RUN_POLICY,
	RUN_METRIC,
	FIT,
	NR_FIELDS
};

static const struct {
	const char *name;
	bool need;
} fields[NR_FIELDS] = {
	[TABLE] = { "table", true },
	[MACHINE] = { "machine", false },
	[WORKLOAD] = { "workload", false },
	[METRIC] = { "metric", false },
	[UNIT] = { "unit", false },
	[BETTER] = { "better", true },
	[PARAM] = { "param", false },
	[POLICY] = { "policy", false },
	[STAT] = { "stat", true },
	[VALUE] = { "value", true },
	[NOTE] = { "note", false },
	[RUN_MACHINE] = { "run_machine", true },
	[RUN_WORKLOAD] = { "run_workload", true },
	[RUN_POLICY] = { "run_policy", true },
	[RUN_METRIC] = { "run_metric", true },
	[FIT] = { "fit", false },
};

static const struct {
	const char *name;
	enum published_stat kind;
} stats[] = {
	{ "amean", STAT_MEAN },
	{ "mean", STAT_MEAN },
	{ "avg", STAT_MEAN },
	{ "sum", STAT_MEAN },
	{ "hmean", STAT_HMEAN },
	{ "stddev", STAT_STDDEV },
	{ "coeffvar", STAT_COEFFVAR },
	{ "min", STAT_MIN },
	{ "max", STAT_MAX },
};

/* The word in MMTests' spelling: bhmean-50, but also BHmean-50. */
static void find_stat(struct published_row *row)
{
	row->kind = STAT_UNKNOWN;
	for (size_t i = 0; i < sizeof(stats) / sizeof(stats[0]); i++)
		if (!strcasecmp(row->stat, stats[i].name))
			row->kind = stats[i].kind;
	if (strncasecmp(row->stat, "bhmean-", 7) && strncasecmp(row->stat, "bamean-", 7))
		return;
	for (int i = 0; i < BEST_FRACTIONS; i++) {
		if (atoi(row->stat + 7) != best_fractions[i] || strlen(row->stat) != 9)
			continue;
		row->kind = STAT_BEST;
		row->percent = i;
	}
}

/* ---- one row --------------------------------------------------------------------------------- */

static int parse_better(const struct published_file *file, const struct published_line *line,
	int column, int *ret, struct error *err)
{
	const char *text = published_field(line, column);

	*ret = !strcmp(text, "lower") ? -1 : !strcmp(text, "higher");
	return *ret || !*text
		       ? 0
		       : published_wrong(file, line, column, "lower, higher or nothing", err);
}

static int parse_fit(const struct published_file *file, const struct published_line *line,
	int column, bool *ret, struct error *err)
{
	const char *text = published_field(line, column);

	*ret = !strcmp(text, "1");
	return *ret || !*text || !strcmp(text, "0")
		       ? 0
		       : published_wrong(file, line, column, "0 or 1", err);
}

static int parse_row(const struct published_file *file, const struct published_line *line,
	const int column[NR_FIELDS], struct published_row *row, struct error *err)
{
	int rc;

	*row = (struct published_row){
		.line = line->number,
		.table = published_field(line, column[TABLE]),
		.machine = published_field(line, column[MACHINE]),
		.workload = published_field(line, column[WORKLOAD]),
		.metric = published_field(line, column[METRIC]),
		.unit = published_field(line, column[UNIT]),
		.param = published_field(line, column[PARAM]),
		.policy = published_field(line, column[POLICY]),
		.stat = published_field(line, column[STAT]),
		.note = published_field(line, column[NOTE]),
		.run_machine = published_field(line, column[RUN_MACHINE]),
		.run_workload = published_field(line, column[RUN_WORKLOAD]),
		.run_policy = published_field(line, column[RUN_POLICY]),
		.run_metric = published_field(line, column[RUN_METRIC]),
		.base = -1,
		.stddev = NAN,
	};
	if (!*row->table)
		return published_wrong(file, line, column[TABLE], "a name", err);
	if (!*row->stat)
		return published_wrong(file, line, column[STAT], "a statistic's name", err);
	rc = parse_better(file, line, column[BETTER], &row->better, err);
	rc = rc ? rc : published_number(file, line, column[VALUE], &row->value, err);
	rc = rc ? rc : parse_fit(file, line, column[FIT], &row->fit, err);
	find_stat(row);
	row->is_ratio = !strcmp(row->run_metric, "improvement_pct");
	if (!rc && row->is_ratio && row->value <= -100)
		rc = published_wrong(file, line, column[VALUE], "more than -100 %", err);
	return rc;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static bool same_group(const struct published_row *a, const struct published_row *b)
{
	return !strcmp(a->run_workload, b->run_workload) && !strcmp(a->run_metric, b->run_metric) &&
	       !strcmp(a->stat, b->stat) && !strcmp(a->table, b->table);
}

/* Figures of the same runs, under the same name. */
static bool same_runs(const struct published_row *a, const struct published_row *b)
{
	return !strcmp(a->run_policy, b->run_policy) && !strcmp(a->run_workload, b->run_workload) &&
	       !strcmp(a->run_metric, b->run_metric) && !strcmp(a->run_machine, b->run_machine) &&
	       !strcmp(a->table, b->table) && !strcmp(a->policy, b->policy) &&
	       !strcmp(a->param, b->param) && !strcmp(a->workload, b->workload);
}

static void find_base(struct published *p, int row)
{
	p->rows[row].base = row;
	for (int i = 0; i < row; i++) {
		if (!p->rows[i].is_ratio && same_group(&p->rows[i], &p->rows[row])) {
			p->rows[row].base = p->rows[i].base;
			return;
		}
	}
}

static void find_stddev(struct published *p, int row)
{
	for (int i = 0; i < p->nr; i++) {
		if (p->rows[i].kind == STAT_STDDEV && same_runs(&p->rows[i], &p->rows[row])) {
			p->rows[row].stddev = p->rows[i].value;
			return;
		}
	}
}

/* ---- the file -------------------------------------------------------------------------------- */

int published_parse(const char *path, FILE *f, struct published *ret, struct error *err)
{
	struct published p = { 0 };
	int column[NR_FIELDS];
	int rc = published_file_read(path, f, &p.file, err);

	if (rc)
		return rc;
	for (int i = 0; i < NR_FIELDS && !rc; i++)
		rc = published_column(&p.file, fields[i].name, fields[i].need, &column[i], err);
	p.rows = calloc((size_t)p.file.nr, sizeof(*p.rows));
	if (!rc && !p.rows)
		rc = error_set(err, ENOMEM, "%s: out of memory", path);
	for (int i = 0; i < p.file.nr && !rc; i++)
		rc = parse_row(&p.file, &p.file.lines[i], column, &p.rows[i], err);
	p.nr = p.file.nr;
	for (int i = 0; i < p.nr && !rc; i++) {
		if (!p.rows[i].is_ratio)
			find_base(&p, i);
		find_stddev(&p, i);
	}
	if (rc)
		published_release(&p);
	else
		*ret = p;
	return rc;
}

int published_read(const char *path, struct published *ret, struct error *err)
{
	FILE *f = fopen(path, "r");
	int rc;

	if (!f)
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	rc = published_parse(path, f, ret, err);
	fclose(f);
	return rc;
}

int published_keep(struct published *p,
	bool (*wanted)(const struct published *p, int row, const void *ctx), const void *ctx,
	struct error *err)
{
	int *place = calloc((size_t)p->nr + 1, sizeof(*place)); /* first: is it kept? */
	int nr = 0;

	if (!place)
		return error_set(err, ENOMEM, "out of memory");
	for (int i = 0; i < p->nr; i++) {
		if (!wanted(p, i, ctx))
			continue;
		place[i] = 1;
		if (p->rows[i].base >= 0)
			place[p->rows[i].base] = 1;
	}
	for (int i = 0; i < p->nr; i++) {
		if (!place[i])
			continue;
		place[i] = nr;
		p->rows[nr] = p->rows[i];
		if (p->rows[nr].base >= 0)
			p->rows[nr].base = place[p->rows[nr].base];
		nr++;
	}
	p->nr = nr;
	free(place);
	return 0;
}

void published_release(struct published *p)
{
	free(p->rows);
	published_file_release(&p->file);
	*p = (struct published){ 0 };
}

bool published_opens_table(const struct published *p, int row)
{
	for (int i = 0; i < row; i++)
		if (!strcmp(p->rows[i].table, p->rows[row].table))
			return false;
	return true;
}

/* ---- figures --------------------------------------------------------------------------------- */

bool published_spread(const struct published_row *row)
{
	return row->kind != STAT_MEAN && row->kind != STAT_HMEAN && row->kind != STAT_UNKNOWN;
}

double published_figure(const struct published_row *row, double *values, int n)
{
	struct summary s;

	if (!n || (n < 2 && published_spread(row)))
		return NAN;
	summarize(values, (size_t)n, row->better, &s);
	switch (row->kind) {
	case STAT_MEAN:
		return s.amean;
	case STAT_HMEAN:
		return s.hmean;
	case STAT_BEST:
		return s.best_mean[row->percent];
	case STAT_STDDEV:
		return s.stddev;
	case STAT_COEFFVAR:
		return s.coeffvar;
	case STAT_MIN:
		return s.min;
	case STAT_MAX:
		return s.max;
	case STAT_UNKNOWN:
		break;
	}
	return NAN;
}
