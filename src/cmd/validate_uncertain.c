// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/validate_uncertain.h"
#include "cmd/output.h"
#include "report/json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- running --------------------------------------------------------------------------------- */

static void take(struct drawn *d, const struct validation *one)
{
	for (int i = 0; i < one->published.nr; i++) {
		const struct judgement *j = &one->judgements[i];
		struct drawn_row *row = &d->rows[i];

		if (j->kind == ROW_BASELINE || !j->judged || j->failed)
			continue;
		row->ratios[row->p.n++] = j->ratio;
		row->right += j->right;
	}
}

/* All rows on the machines of one draw. */
static int run_draw(
	struct drawn *d, uint64_t draw, struct measure_options *options, struct error *err)
{
	struct validation one = { .published = d->plain->published, .drawn = true, .draw = draw };
	int rc = validation_plan(&one, 1, err);

	options->seed = draw;
	rc = rc ? rc : validation_run(&one, options, err);
	if (!rc)
		take(d, &one);
	d->runs += options->runs;
	d->present += options->present;
	/* The rows themselves belong to the other one. */
	one.published = (struct published){ .nr = d->plain->published.nr };
	validation_release(&one);
	return rc;
}

static int allocate(struct drawn *d, int nr)
{
	d->rows = calloc((size_t)nr + 1, sizeof(*d->rows));
	for (int i = 0; d->rows && i < nr; i++) {
		d->rows[i].ratios = calloc((size_t)d->machines, sizeof(double));
		if (!d->rows[i].ratios)
			return -ENOMEM;
	}
	return d->rows ? 0 : -ENOMEM;
}

int validate_drawn(struct drawn *d, const struct validation *v, struct measure_options *options,
	int machines, struct error *err)
{
	int rc;

	*d = (struct drawn){ .plain = v, .first = options->seed, .machines = machines };
	rc = allocate(d, v->published.nr) ? error_set(err, ENOMEM, "out of memory") : 0;
	for (int i = 0; i < machines && !rc; i++) {
		if (options->progress)
			fprintf(stderr, "\r\033[Kplausible machine %d of %d\n", i + 1, machines);
		rc = run_draw(d, d->first + (uint64_t)i, options, err);
	}
	for (int i = 0; i < v->published.nr && !rc; i++) {
		struct drawn_row *row = &d->rows[i];

		plausible_summarize(row->ratios, row->p.n, 1, &row->p);
	}
	return rc;
}

void drawn_release(struct drawn *d)
{
	for (int i = 0; d->rows && i < d->plain->published.nr; i++)
		free(d->rows[i].ratios);
	free(d->rows);
	d->rows = NULL;
}

/* ---- tallies --------------------------------------------------------------------------------- */

enum firmness { FIRM_RIGHT, FIRM_WRONG, OPEN, NOT_RUN };

/* Machines on which it failed are ones on which it is not right. */
static double right_share(const struct drawn *d, int row)
{
	return (double)d->rows[row].right / d->machines;
}

static enum firmness firmness(const struct drawn *d, int row)
{
	double share = right_share(d, row);

	if (!d->rows[row].p.n)
		return NOT_RUN;
	if (share >= DRAWN_FIRM)
		return FIRM_RIGHT;
	return share <= 1 - DRAWN_FIRM + 1e-9 ? FIRM_WRONG : OPEN;
}

static bool counts(const struct drawn *d, int row, const char *table)
{
	const struct judgement *j = &d->plain->judgements[row];

	return j->kind == ROW_PREDICTED && j->judged &&
	       !published_spread(&d->plain->published.rows[row]) &&
	       (!table || !strcmp(d->plain->published.rows[row].table, table));
}

struct drawn_tally {
	int rows, right, firm[NOT_RUN + 1], inside;
	double share; /* mean of the rows' */
};

static struct drawn_tally tally(const struct drawn *d, const char *table)
{
	struct drawn_tally t = { .rows = 0 };

	for (int i = 0; i < d->plain->published.nr; i++) {
		const struct judgement *j = &d->plain->judgements[i];
		const struct plausible *p = &d->rows[i].p;

		if (!counts(d, i, table))
			continue;
		t.rows++;
		t.right += j->right;
		t.firm[firmness(d, i)]++;
		t.share += right_share(d, i);
		t.inside += p->n && j->published_ratio >= p->p5 && j->published_ratio <= p->p95;
	}
	t.share = t.rows ? t.share / t.rows : NAN;
	return t;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_tally(const char *name, const struct drawn_tally *t)
{
	char share[16] = "-";

	if (t->rows)
		snprintf(share, sizeof(share), "%.1f%%", 100 * t->share);
	printf("%-8s %5d %6d %10s %7d %6d %6d %6d %8d\n", name, t->rows, t->right, share,
		t->firm[FIRM_RIGHT], t->firm[OPEN], t->firm[FIRM_WRONG], t->firm[NOT_RUN],
		t->inside);
}

static void print_open(const struct drawn *d)
{
	bool any = false;

	for (int i = 0; i < d->plain->published.nr; i++) {
		const struct published_row *row = &d->plain->published.rows[i];
		const struct judgement *j = &d->plain->judgements[i];
		const struct plausible *p = &d->rows[i].p;

		if (!counts(d, i, NULL) || firmness(d, i) != OPEN)
			continue;
		if (!any)
			printf("\nRows that hang on estimates\n\n%5s %-5s %9s %9s %7s %9s %19s\n",
				"line", "table", "published", "ours", "right", "median",
				"5 to 95 %");
		any = true;
		printf("%5lu %-5s %9.3f %9.3f %6.1f%% %9.3f %9.3f %9.3f  %s on %s, %s, %s\n",
			row->line, row->table, j->published_ratio, j->ratio,
			100 * right_share(d, i), p->median, p->p5, p->p95, row->run_workload,
			row->run_machine, row->run_metric, row->policy);
	}
}

int drawn_print(const struct drawn *d, struct error *err)
{
	struct drawn_tally t;

	printf("Predicted rows on %d plausible machines each, draw=%llu and on\n\n", d->machines,
		(unsigned long long)d->first);
	printf("%-8s %5s %6s %10s %7s %6s %6s %6s %8s\n", "table", "rows", "right", "right on",
		"firmly", "open", "wrong", "failed", "inside");
	for (int i = 0; i < d->plain->published.nr; i++) {
		const char *table = d->plain->published.rows[i].table;

		t = tally(d, table);
		if (published_opens_table(&d->plain->published, i) && t.rows)
			print_tally(table, &t);
	}
	t = tally(d, NULL);
	print_tally("total", &t);
	print_open(d);
	printf("\nright: with the machines as their files say; right on: the mean share of "
	       "plausible "
	       "machines;\nfirmly: right on %.0f %% of them or more; wrong: on %.0f %% or fewer; "
	       "inside: the published ratio\nis between the 5th and the 95th percentile of ours. "
	       "Estimated values of machines are drawn, nothing of workloads.\n",
		100 * DRAWN_FIRM, 100 * (1 - DRAWN_FIRM));
	printf("%d runs on drawn machines", d->runs);
	if (d->present)
		printf(", %d of them were in the store", d->present);
	printf("\n");
	return output_printed(err);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *tally_json(const struct drawn *d, const char *table)
{
	struct drawn_tally t = tally(d, table);
	json_t *o = json_object();

	if (table)
		json_object_set_new(o, "table", json_string(table));
	json_object_set_new(o, "rows", json_integer(t.rows));
	json_object_set_new(o, "right", json_integer(t.right));
	json_object_set_new(o, "right_share", json_number(t.share));
	json_object_set_new(o, "firmly_right", json_integer(t.firm[FIRM_RIGHT]));
	json_object_set_new(o, "open", json_integer(t.firm[OPEN]));
	json_object_set_new(o, "firmly_wrong", json_integer(t.firm[FIRM_WRONG]));
	json_object_set_new(o, "failed_rows", json_integer(t.firm[NOT_RUN]));
	json_object_set_new(o, "inside", json_integer(t.inside));
	return o;
}

static json_t *row_json(const struct drawn *d, int i)
{
	const struct published_row *row = &d->plain->published.rows[i];
	const struct judgement *j = &d->plain->judgements[i];
	const struct plausible *p = &d->rows[i].p;
	json_t *o = json_pack("{s:I,s:s,s:s,s:s,s:s,s:s,s:b}", "line", (json_int_t)row->line,
		"table", row->table, "machine", row->run_machine, "workload", row->run_workload,
		"policy", row->run_policy, "metric", row->run_metric, "fitted",
		j->kind == ROW_FITTED);

	json_object_set_new(o, "published_ratio", json_number(j->published_ratio));
	json_object_set_new(o, "ratio", json_number(j->ratio));
	json_object_set_new(o, "right", json_boolean(j->right));
	json_object_set_new(o, "machines", json_count(p->n));
	json_object_set_new(o, "right_share", json_number(right_share(d, i)));
	json_object_set_new(o, "ratios",
		json_pack("{s:o,s:o,s:o}", "median", json_number(p->median), "p5",
			json_number(p->p5), "p95", json_number(p->p95)));
	return o;
}

int drawn_print_json(const struct drawn *d, struct error *err)
{
	json_t *o = json_schema(), *tables = json_array(), *rows = json_array();

	for (int i = 0; i < d->plain->published.nr; i++) {
		const struct judgement *j = &d->plain->judgements[i];

		if (published_opens_table(&d->plain->published, i))
			json_array_append_new(
				tables, tally_json(d, d->plain->published.rows[i].table));
		if (j->judged && (j->kind == ROW_PREDICTED || j->kind == ROW_FITTED))
			json_array_append_new(rows, row_json(d, i));
	}
	json_object_set_new(o, "machines", json_integer(d->machines));
	json_object_set_new(o, "first_draw", json_count(d->first));
	json_object_set_new(o, "tables", tables);
	json_object_set_new(o, "total", tally_json(d, NULL));
	json_object_set_new(o, "rows", rows);
	json_object_set_new(o, "runs", json_integer(d->runs));
	return json_write(o, stdout, err);
}
