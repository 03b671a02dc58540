// SPDX-License-Identifier: GPL-2.0-or-later
/* What a validation came to, for people. */
#include "cmd/validate.h"
#include "cmd/output.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORST_ROWS = 10 };

/* "12 of 13", "-" where there is none. */
static const char *share(int right, int rows, char buf[32])
{
	if (rows)
		snprintf(buf, 32, "%d of %d", right, rows);
	else
		strcpy(buf, "-");
	return buf;
}

static const char *number(double value, char buf[32])
{
	if (isnan(value))
		strcpy(buf, "-");
	else
		snprintf(buf, 32, "%.3f", value);
	return buf;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void print_tally(const char *name, const struct tally *t)
{
	char buf[6][32];

	printf("%-12s %5d %6d   %-12s %-12s %6s %6s %6s %6s\n", name, t->rows, t->failed_rows,
		share(t->direction_right, t->direction_rows, buf[0]),
		share(t->neutral_right, t->neutral_rows, buf[1]), number(t->mean_error, buf[2]),
		number(t->null_mean_error, buf[3]), number(t->median_error, buf[4]),
		number(t->p90_error, buf[5]));
}

static void print_head(const char *title)
{
	printf("%s\n\n%-12s %5s %6s   %-12s %-12s %27s\n%-12s %5s %6s   %-12s %-12s %6s %6s %6s "
	       "%6s\n",
		title, "", "", "", "direction", "neutral", "|ln(ours / published)|", "table",
		"rows", "failed", "right", "right", "mean", "(null)", "median", "90 %");
}

static void print_kind(const struct validation *v, enum row_kind kind, const char *title)
{
	struct tally total = validation_tally(v, kind, NULL);

	if (!total.rows && kind != ROW_PREDICTED)
		return;
	print_head(title);
	for (int i = 0; i < v->published.nr; i++) {
		const char *table = v->published.rows[i].table;
		struct tally t;

		if (!published_opens_table(&v->published, i))
			continue;
		t = validation_tally(v, kind, table);
		if (t.rows)
			print_tally(table, &t);
	}
	print_tally("total", &total);
	printf("\n");
}

/* ---- rows ------------------------------------------------------------------------------------ */

struct worst {
	double error;
	int row;
};

static int by_error(const void *a, const void *b)
{
	const struct worst *x = a, *y = b;

	if (x->error != y->error)
		return x->error < y->error ? 1 : -1;
	return (x->row > y->row) - (x->row < y->row);
}

static int print_worst(const struct validation *v, struct error *err)
{
	struct worst *list = calloc((size_t)v->published.nr + 1, sizeof(*list));
	int nr = 0;

	if (!list)
		return error_set(err, ENOMEM, "out of memory");
	for (int i = 0; i < v->published.nr; i++)
		if (v->judgements[i].kind == ROW_PREDICTED && v->judgements[i].judged &&
			!v->judgements[i].failed)
			list[nr++] = (struct worst){ v->judgements[i].error, i };
	qsort(list, (size_t)nr, sizeof(*list), by_error);
	if (nr)
		printf("Farthest off\n\n%5s %-5s %9s %9s %7s\n", "line", "table", "published",
			"ours", "error");
	for (int i = 0; i < nr && i < WORST_ROWS; i++) {
		const struct published_row *p = &v->published.rows[list[i].row];
		const struct judgement *j = &v->judgements[list[i].row];

		printf("%5lu %-5s %9.3f %9.3f %7.3f  %s on %s, %s, %s\n", p->line, p->table,
			j->published_ratio, j->ratio, j->error, p->run_workload, p->run_machine,
			p->run_metric, p->policy);
	}
	if (nr)
		printf("\n");
	free(list);
	return 0;
}

/* Each reason once, with the lines that it is for. */
static void print_failed(const struct validation *v)
{
	bool any = false;

	for (int i = 0; i < v->published.nr; i++) {
		const char *reason = v->rows[i].reason;
		bool first = *reason;
		int nr = 0;

		for (int k = 0; k < i && first; k++)
			first = strcmp(v->rows[k].reason, reason);
		if (!first)
			continue;
		for (int k = i; k < v->published.nr; k++)
			nr += !strcmp(v->rows[k].reason, reason);
		if (!any)
			printf("Rows without a figure\n\n");
		any = true;
		printf("%5d from line %lu (%s): %s\n", nr, v->published.rows[i].line,
			v->published.rows[i].table, reason);
	}
	if (any)
		printf("\n");
}

/* ---- claims ---------------------------------------------------------------------------------- */

static void print_claim(const struct claim *c, const struct claim_runs *r)
{
	char size[32] = "", ours[64];

	if (!isnan(c->size_pct))
		snprintf(size, sizeof(size), "%+.3g %%", c->size_pct);
	if (r->failed)
		snprintf(ours, sizeof(ours), "failed");
	else
		snprintf(
			ours, sizeof(ours), "%-7s %+7.2f %%", claimed_name(r->verdict), r->percent);
	printf("%-5s %-28s %-7s %8s  %-18s %s%s\n", c->table, c->workload, claimed_name(c->verdict),
		size, ours, r->failed || r->verdict != c->verdict ? "wrong " : "right", r->reason);
}

static void print_claims(const struct validation *v)
{
	struct claim_tally t = claims_tally(v);
	char buf[2][32];

	printf("Claims\n\n%-5s %-28s %-16s  %-18s\n", "table", "workload", "published", "ours");
	for (int i = 0; i < v->claims.nr; i++)
		print_claim(&v->claims.claims[i], &v->claim_runs[i]);
	printf("total: %s right, neutral %s, %d failed\n\n", share(t.right, t.rows, buf[0]),
		share(t.neutral_right, t.neutral_rows, buf[1]), t.failed_rows);
}

int validation_print(const struct validation *v, struct error *err)
{
	int rc = 0;

	if (v->published.nr) {
		print_kind(v, ROW_PREDICTED, "Predicted rows: ratios to their group's baseline");
		print_kind(v, ROW_FITTED, "Rows that may be fitted on");
		print_kind(v, ROW_STDDEV, "Standard deviations");
		print_kind(v, ROW_EXTREME, "Minima and maxima");
		print_kind(v, ROW_RESIDENCY, "Residencies of idle states");
		rc = print_worst(v, err);
		print_failed(v);
	}
	if (v->claims.nr)
		print_claims(v);
	printf("%d configurations, %d runs", v->configurations, v->runs);
	if (v->present)
		printf(", %d of them were in the store", v->present);
	printf("\n");
	return rc ? rc : output_printed(err);
}
