// SPDX-License-Identifier: GPL-2.0-or-later
/* What a validation came to, as JSON; the names are in corepace-validate(1). */
#include "cmd/validate.h"
#include "report/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Six digits: what comes from a store, with twelve, is then the same. */
static json_t *rounded(double value)
{
	char text[32];

	if (!isfinite(value))
		return json_null();
	snprintf(text, sizeof(text), "%.6g", value);
	return json_real(strtod(text, NULL));
}

static void add_tally(json_t *o, const struct tally *t)
{
	json_object_set_new(o, "rows", json_integer(t->rows));
	json_object_set_new(o, "failed_rows", json_integer(t->failed_rows));
	json_object_set_new(o, "direction_rows", json_integer(t->direction_rows));
	json_object_set_new(o, "direction_right", json_integer(t->direction_right));
	json_object_set_new(o, "neutral_rows", json_integer(t->neutral_rows));
	json_object_set_new(o, "neutral_right", json_integer(t->neutral_right));
	json_object_set_new(o, "mean_abs_ln_error", rounded(t->mean_error));
	json_object_set_new(o, "null_mean_abs_ln_error", rounded(t->null_mean_error));
	json_object_set_new(o, "median_abs_ln_error", rounded(t->median_error));
	json_object_set_new(o, "p90_abs_ln_error", rounded(t->p90_error));
}

static const struct {
	const char *name;
	enum row_kind kind;
} apart[] = { { "fitted", ROW_FITTED }, { "stddev", ROW_STDDEV }, { "extremes", ROW_EXTREME },
	{ "residency", ROW_RESIDENCY } };

/* Of a table, or of all with table NULL: predicted rows, the others apart where there are any. */
static json_t *tallies(const struct validation *v, const char *table)
{
	json_t *o = json_object();
	struct tally t = validation_tally(v, ROW_PREDICTED, table);

	if (table)
		json_object_set_new(o, "table", json_string(table));
	add_tally(o, &t);
	t = validation_tally(v, ROW_FITTED, table);
	json_object_set_new(o, "fitted_rows", json_integer(t.rows));
	for (size_t i = 0; i < sizeof(apart) / sizeof(apart[0]); i++) {
		json_t *part;

		t = validation_tally(v, apart[i].kind, table);
		if (!t.rows)
			continue;
		part = json_object();
		add_tally(part, &t);
		json_object_set_new(o, apart[i].name, part);
	}
	return o;
}

static json_t *tables(const struct validation *v)
{
	json_t *list = json_array();

	for (int i = 0; i < v->published.nr; i++)
		if (published_opens_table(&v->published, i))
			json_array_append_new(list, tallies(v, v->published.rows[i].table));
	return list;
}

static json_t *row(const struct validation *v, int index)
{
	static const char *const kinds[ROW_KINDS] = { "baseline", "predicted", "fitted", "stddev",
		"extreme", "residency" };
	const struct published_row *p = &v->published.rows[index];
	const struct judgement *j = &v->judgements[index];
	json_t *o = json_object();

	json_object_set_new(o, "line", json_integer((json_int_t)p->line));
	json_object_set_new(o, "table", json_string(p->table));
	json_object_set_new(o, "kind", json_string(kinds[j->kind]));
	json_object_set_new(o, "machine", json_string(p->run_machine));
	json_object_set_new(o, "workload", json_string(p->run_workload));
	json_object_set_new(o, "policy", json_string(p->run_policy));
	json_object_set_new(o, "metric", json_string(p->run_metric));
	json_object_set_new(o, "stat", json_string(p->stat));
	json_object_set_new(o, "published", rounded(p->value));
	json_object_set_new(o, "ours", rounded(j->ours));
	if (j->kind != ROW_BASELINE) {
		json_object_set_new(o, "published_ratio", rounded(j->published_ratio));
		json_object_set_new(o, "ratio", rounded(j->ratio));
		json_object_set_new(o, "direction", json_integer(j->direction));
		json_object_set_new(o, "right", json_boolean(j->right));
		json_object_set_new(o, "abs_ln_error", rounded(j->error));
	}
	if (*v->rows[index].reason)
		json_object_set_new(o, "failed", json_string(v->rows[index].reason));
	return o;
}

static json_t *rows(const struct validation *v)
{
	json_t *list = json_array();

	for (int i = 0; i < v->published.nr; i++)
		json_array_append_new(list, row(v, i));
	return list;
}

/* Of all kinds, baselines too. */
static int without_figure(const struct validation *v)
{
	int nr = 0;

	for (int i = 0; i < v->published.nr; i++)
		nr += isnan(v->figures[i]);
	return nr;
}

static json_t *claim(const struct claim *c, const struct claim_runs *r)
{
	json_t *o = json_pack("{s:I,s:s,s:s,s:s,s:s}", "line", (json_int_t)c->line, "table",
		c->table, "machine", c->machine, "workload", c->workload, "published",
		claimed_name(c->verdict));

	json_object_set_new(o, "published_pct", rounded(c->size_pct));
	json_object_set_new(
		o, "ours", r->failed ? json_null() : json_string(claimed_name(r->verdict)));
	json_object_set_new(o, "ours_pct", rounded(r->percent));
	json_object_set_new(o, "right", json_boolean(!r->failed && r->verdict == c->verdict));
	if (r->failed)
		json_object_set_new(o, "failed", json_string(r->reason));
	return o;
}

static json_t *claims(const struct validation *v)
{
	struct claim_tally t = claims_tally(v);
	json_t *list = json_array();

	for (int i = 0; i < v->claims.nr; i++)
		json_array_append_new(list, claim(&v->claims.claims[i], &v->claim_runs[i]));
	return json_pack("{s:i,s:i,s:i,s:i,s:i,s:o}", "rows", t.rows, "failed_rows", t.failed_rows,
		"right", t.right, "neutral_rows", t.neutral_rows, "neutral_right", t.neutral_right,
		"list", list);
}

int validation_print_json(const struct validation *v, struct error *err)
{
	json_t *o = json_schema();

	json_object_set_new(o, "tables", tables(v));
	json_object_set_new(o, "total", tallies(v, NULL));
	json_object_set_new(o, "rows", rows(v));
	if (v->claims.nr)
		json_object_set_new(o, "claims", claims(v));
	json_object_set_new(o, "rows_without_figure", json_integer(without_figure(v)));
	json_object_set_new(o, "configurations", json_integer(v->configurations));
	json_object_set_new(o, "runs", json_integer(v->runs));
	return json_write(o, stdout, err);
}
