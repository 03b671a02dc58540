// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/uncertain.h"
#include "base/array.h"
#include "report/note.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NOTES_MAX = 64 };

/* Work is equal when it differs by less than this share: the last operation may be cut off. */
static const double equal_work = 0.001;

/* What is compared, as a metric: the run's own, then wake-up latencies. */
static bool nth_metric(const struct run_result *r, int n, struct result_metric *ret)
{
	if (n < r->nr_metrics) {
		*ret = r->metrics[n];
		return true;
	}
	n -= r->nr_metrics;
	if (n > 1 || !r->wake_count)
		return false;
	*ret = (struct result_metric){ .unit = "us", .better = -1 };
	strcpy(ret->name, n ? "wake_p99_us" : "wake_p50_us");
	ret->value = (double)(n ? r->wake_p99_ns : r->wake_p50_ns) / 1000;
	return true;
}

static bool find_metric(const struct run_result *r, const char *name, double *ret)
{
	struct result_metric m;

	for (int n = 0; nth_metric(r, n, &m); n++) {
		if (strcmp(m.name, name))
			continue;
		*ret = m.value;
		return true;
	}
	return false;
}

static bool unequal_work(const struct run_result *a, const struct run_result *b)
{
	double x = (double)a->operations, y = (double)b->operations;

	return fabs(x - y) > equal_work * fmax(x, y);
}

/* The figures of one policy beside the baseline's, machine by machine. */
static void compare(struct uncertain_row *row, const struct run_result *base,
	const struct run_result *other, int machines, double *ratios)
{
	bool energy = !strcmp(row->unit, "J") || !strcmp(row->unit, "W");
	size_t n = 0;

	for (int i = 0; i < machines; i++) {
		double x, y;

		if (!find_metric(&base[i], row->metric, &x) ||
			!find_metric(&other[i], row->metric, &y))
			continue;
		if (energy && unequal_work(&base[i], &other[i]))
			row->unequal++;
		else
			ratios[n++] = plausible_ratio(x, y);
	}
	plausible_summarize(ratios, n, row->better, &row->p);
}

static int add_row(struct uncertain *u, const struct run_result *base,
	const struct run_result *other, const struct result_metric *m, double *ratios)
{
	struct uncertain_row *rows = array_grow(u->rows, (size_t)u->nr, sizeof(*rows));
	struct uncertain_row row = { .run = other, .base = base->policy, .better = m->better };

	if (!rows)
		return -ENOMEM;
	u->rows = rows;
	strcpy(row.metric, m->name);
	strcpy(row.unit, m->unit);
	compare(&row, base, other, u->machines, ratios);
	rows[u->nr++] = row;
	return 0;
}

/* All metrics of all policies of one end of scaling. */
static int add_end(
	struct uncertain *u, const struct run_result *base, int nr_policies, double *ratios)
{
	struct result_metric m;
	int rc = 0;

	for (int n = 0; nth_metric(base, n, &m); n++)
		for (int k = 1; m.better && k < nr_policies && !rc; k++)
			rc = add_row(u, base, base + k * u->machines, &m, ratios);
	return rc;
}

int uncertain_init(struct uncertain *u, const struct run_result *runs, int nr_runs, int nr_policies,
	int machines, struct error *err)
{
	double *ratios = calloc((size_t)machines, sizeof(*ratios));
	int rc = ratios ? 0 : -ENOMEM;

	*u = (struct uncertain){ .runs = runs, .nr_runs = nr_runs, .machines = machines };
	for (int i = 0; i < nr_runs && !rc; i += nr_policies * machines)
		rc = add_end(u, &runs[i], nr_policies, ratios);
	free(ratios);
	if (!rc)
		return 0;
	uncertain_release(u);
	return error_set(err, -rc, "out of memory");
}

void uncertain_release(struct uncertain *u)
{
	free(u->rows);
	u->rows = NULL;
	u->nr = 0;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_title(const struct uncertain *u, const struct uncertain_row *row, FILE *out)
{
	const struct run_result *first = &u->runs[0];

	fprintf(out, "%s on %d plausible machines %s, draw=%" PRIu64 " and on", first->workload,
		u->machines, u->machine, first->seed);
	if (strcmp(row->run->scaling, "known"))
		fprintf(out, "; %s of the recorded run time scales with frequency",
			row->run->scaling);
	fprintf(out, "\nEach policy against %s on the same machine\n\n", row->base);
}

static void print_shares(const struct uncertain_row *row, FILE *out)
{
	static const enum conclusion order[] = { CONCLUSION_BETTER, CONCLUSION_WORSE,
		CONCLUSION_SAME };

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		fprintf(out, " %6.1f%%", 100 * (double)row->p.count[order[i]] / (double)row->p.n);
}

static void print_row(
	const struct uncertain_row *row, int metric_width, int policy_width, FILE *out)
{
	fprintf(out, "%-*s  %-*s  ", metric_width, row->metric, policy_width, row->run->policy);
	if (!row->p.n) {
		fprintf(out, "%s\n", row->unequal ? "unequal work" : "-");
		return;
	}
	fprintf(out, "%-13s %6.1f%%", conclusion_name(row->p.conclusion), 100 * row->p.share);
	print_shares(row, out);
	fprintf(out, "  %8.4f  %8.4f %8.4f", row->p.median, row->p.p5, row->p.p95);
	if (row->unequal)
		fprintf(out, "  (%d of unequal work left out)", row->unequal);
	fputc('\n', out);
}

static void print_rows(const struct uncertain *u, FILE *out)
{
	int metric_width = 6, policy_width = 6;

	for (int i = 0; i < u->nr; i++) {
		int a = (int)strlen(u->rows[i].metric), b = (int)strlen(u->rows[i].run->policy);

		metric_width = a > metric_width ? a : metric_width;
		policy_width = b > policy_width ? b : policy_width;
	}
	for (int i = 0; i < u->nr; i++) {
		const struct uncertain_row *row = &u->rows[i];

		if (!i || strcmp(row->run->scaling, row[-1].run->scaling)) {
			fprintf(out, "%s", i ? "\n" : "");
			print_title(u, row, out);
			fprintf(out, "%-*s  %-*s  %-13s %7s %7s %7s %7s  %8s  %17s\n", metric_width,
				"metric", policy_width, "policy", "conclusion", "on", "better",
				"worse", "same", "ratio", "5 to 95 %");
		}
		print_row(row, metric_width, policy_width, out);
	}
}

static bool seen(const char *const *notes, int nr, const char *note)
{
	for (int i = 0; i < nr; i++)
		if (!strcmp(notes[i], note))
			return true;
	return false;
}

/* Of all runs, each once. */
static void print_notes(const struct uncertain *u, FILE *out)
{
	const char *notes[NOTES_MAX];
	int nr = 0;

	for (int i = 0; i < u->nr_runs; i++)
		for (int k = 0; k < u->runs[i].nr_notes; k++)
			if (nr < NOTES_MAX && !seen(notes, nr, u->runs[i].notes[k]))
				notes[nr++] = u->runs[i].notes[k];
	fprintf(out, "\nNotes\n");
	for (int i = 0; i < nr; i++)
		note_print(notes[i], out);
}

int uncertain_print(const struct uncertain *u, FILE *out, struct error *err)
{
	print_rows(u, out);
	print_notes(u, out);
	if (fflush(out) || ferror(out))
		return error_set(err, EIO, "writing: %s", strerror(EIO));
	return 0;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *row_to_json(const struct uncertain_row *row)
{
	const struct plausible *p = &row->p;
	json_t *json = json_pack("{s:s,s:s,s:s,s:s,s:s,s:o}", "scaling", row->run->scaling,
		"metric", row->metric, "unit", row->unit, "better",
		row->better < 0 ? "lower" : "higher", "policy", row->run->policy, "machines",
		json_count(p->n));

	json_object_set_new(json, "unequal_work", json_integer(row->unequal));
	for (enum conclusion c = 0; c < CONCLUSIONS; c++) {
		static const char *const keys[] = { "same_on", "better_on", "worse_on" };

		json_object_set_new(json, keys[c], json_count(p->count[c]));
	}
	json_object_set_new(json, "conclusion",
		p->n ? json_string(conclusion_name(p->conclusion)) : json_null());
	json_object_set_new(json, "share", p->n ? json_number(p->share) : json_null());
	json_object_set_new(json, "ratio",
		json_pack("{s:o,s:o,s:o}", "median", json_number(p->median), "p5",
			json_number(p->p5), "p95", json_number(p->p95)));
	return json;
}

json_t *uncertain_to_json(const struct uncertain *u)
{
	json_t *list = json_array();

	for (int i = 0; i < u->nr; i++)
		json_array_append_new(list, row_to_json(&u->rows[i]));
	return json_pack("{s:i,s:s,s:o,s:o}", "machines", u->machines, "baseline",
		u->runs[0].policy, "threshold", json_number(PLAUSIBLE_THRESHOLD), "comparisons",
		list);
}
