// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/validate.h"
#include "base/array.h"
#include "base/spec.h"
#include "machine/preset.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which configurations -------------------------------------------------------------------- */

/* The policy without its boost, which a row that is a ratio already was compared with. */
static char *without_boost(const char *policy, char *reason)
{
	char text[SPEC_TEXT_MAX];
	struct spec spec;
	struct error err;
	size_t used;
	bool first = true;

	if (policy_spec_parse(&spec, policy, &err)) {
		snprintf(reason, REASON_MAX, "%.*s", REASON_MAX - 1, err.text);
		return NULL;
	}
	if (!spec_get(&spec, "boost")) {
		snprintf(reason, REASON_MAX,
			"improvement_pct: expected a policy with a boost, whose improvement it is");
		return NULL;
	}
	used = (size_t)snprintf(text, sizeof(text), "%s", spec.name);
	for (int i = 0; i < spec.nr_keys; i++) {
		if (!strcmp(spec.keys[i].key, "boost"))
			continue;
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%c%s=%s",
			first ? ':' : ',', spec.keys[i].key, spec.keys[i].value);
		first = false;
	}
	return strdup(text);
}

/*
 * The machine that a row names, or a drawn one of it; NULL: out of memory. What is wrong with it is
 * said when it runs.
 */
static const char *machine_of(struct validation *v, const char *spec)
{
	char text[SPEC_TEXT_MAX], **grown;

	if (!v->drawn || machine_drawn_spec(spec, v->draw, text, NULL))
		return spec;
	for (int i = 0; i < v->nr_machines; i++)
		if (!strcmp(v->machines[i], text))
			return v->machines[i];
	grown = array_grow(v->machines, (size_t)v->nr_machines, sizeof(*grown));
	if (!grown)
		return NULL;
	v->machines = grown;
	grown[v->nr_machines] = strdup(text);
	return grown[v->nr_machines] ? grown[v->nr_machines++] : NULL;
}

/* Of one run each nothing can be said about their spread. */
static bool left_out(const struct validation *v, const struct published_row *p)
{
	return v->drawn && published_spread(p);
}

static int plan_row(struct validation *v, int row, int iterations, struct error *err)
{
	const struct published_row *p = &v->published.rows[row];
	struct row_runs *r = &v->rows[row];
	const char *machine;

	r->config = r->base_config = -1;
	if (p->kind == STAT_UNKNOWN) {
		snprintf(r->reason, REASON_MAX, "no statistic '%.40s'", p->stat);
		return 0;
	}
	if (!*p->run_machine || !*p->run_workload || !*p->run_policy || !*p->run_metric) {
		snprintf(r->reason, REASON_MAX, "says not what to run");
		return 0;
	}
	if (left_out(v, p)) {
		snprintf(r->reason, REASON_MAX, "a spread, on plausible machines left out");
		return 0;
	}
	machine = machine_of(v, p->run_machine);
	if (!machine)
		return error_set(err, ENOMEM, "out of memory");
	if (p->is_ratio) {
		r->base_policy = without_boost(p->run_policy, r->reason);
		if (!r->base_policy)
			return 0;
		r->base_config = measure_add(
			&v->measure, machine, p->run_workload, r->base_policy, iterations, err);
		if (r->base_config < 0)
			return r->base_config;
	}
	if (published_spread(p) && iterations < SPREAD_ITERATIONS)
		iterations = SPREAD_ITERATIONS;
	r->config =
		measure_add(&v->measure, machine, p->run_workload, p->run_policy, iterations, err);
	return r->config < 0 ? r->config : 0;
}

static int plan_claim(struct validation *v, int claim, int iterations, struct error *err)
{
	const struct claim *c = &v->claims.claims[claim];
	struct claim_runs *r = &v->claim_runs[claim];

	r->base = r->candidate = -1;
	r->failed = true;
	if (!*c->run_workload)
		snprintf(r->reason, REASON_MAX, "no workload for '%.60s'", c->workload);
	else if (!*c->run_baseline || !*c->run_candidate)
		snprintf(r->reason, REASON_MAX, "no policy for '%.60s'",
			*c->run_baseline ? c->candidate : c->baseline);
	if (*r->reason)
		return 0;
	if (iterations < SPREAD_ITERATIONS)
		iterations = SPREAD_ITERATIONS;
	r->base = measure_add(
		&v->measure, c->machine, c->run_workload, c->run_baseline, iterations, err);
	if (r->base < 0)
		return r->base;
	r->candidate = measure_add(
		&v->measure, c->machine, c->run_workload, c->run_candidate, iterations, err);
	return r->candidate < 0 ? r->candidate : 0;
}

int validation_plan(struct validation *v, int iterations, struct error *err)
{
	size_t nr = (size_t)v->published.nr + 1;
	int rc = 0;

	v->rows = calloc(nr, sizeof(*v->rows));
	v->figures = calloc(nr, sizeof(*v->figures));
	v->judgements = calloc(nr, sizeof(*v->judgements));
	v->scratch = calloc(nr, sizeof(*v->scratch));
	v->claim_runs = calloc((size_t)v->claims.nr + 1, sizeof(*v->claim_runs));
	if (!v->rows || !v->figures || !v->judgements || !v->scratch || !v->claim_runs)
		return error_set(err, ENOMEM, "out of memory for %zu rows", nr - 1);
	for (int i = 0; i < v->published.nr && !rc; i++)
		rc = plan_row(v, i, iterations, err);
	for (int i = 0; i < v->claims.nr && !rc; i++)
		rc = plan_claim(v, i, iterations, err);
	v->configurations = v->measure.nr;
	return rc;
}

/* ---- figures --------------------------------------------------------------------------------- */

/* The metric of a workload that comes first is the one that it is known for. */
static const char *main_metric(const struct measure_config *c)
{
	return c->results && c->results[0].nr_metrics ? c->results[0].metrics[0].name : "";
}

static int better_of(const struct measure_config *c, const char *metric)
{
	const struct result_metric *m =
		c->results ? result_find_metric(&c->results[0], metric) : NULL;

	return m ? m->better : 0;
}

/* All values of a metric of a configuration, to be freed; NULL with the reason. */
static double *values_of(const struct measure_config *c, const char *metric, char *reason)
{
	double *values = calloc((size_t)c->iterations, sizeof(*values));
	struct error err = { "out of memory" };

	if (values && !measure_values(c, metric, values, &err))
		return values;
	free(values);
	snprintf(reason, REASON_MAX, "%.*s", REASON_MAX - 1, err.text);
	return NULL;
}

static double figure_of(const struct published_row *row, const struct measure_config *c,
	const char *metric, char *reason)
{
	double *values = values_of(c, metric, reason);
	double figure = values ? published_figure(row, values, c->iterations) : NAN;

	if (values && !isfinite(figure))
		snprintf(reason, REASON_MAX, "has no %.20s", row->stat);
	free(values);
	return isfinite(figure) ? figure : NAN;
}

/* By how many per cent the rate is higher, or the reciprocal of the time. */
static double improvement(const struct validation *v, int row)
{
	const struct published_row *p = &v->published.rows[row];
	struct row_runs *r = &v->rows[row];
	const struct measure_config *c = &v->measure.configs[r->config];
	const char *metric = main_metric(c);
	double base = figure_of(p, &v->measure.configs[r->base_config], metric, r->reason);
	double value = figure_of(p, c, metric, r->reason);
	int better = better_of(c, metric);

	if (isnan(base) || isnan(value))
		return NAN;
	if (!better || base <= 0 || value <= 0) {
		snprintf(r->reason, REASON_MAX, "no improvement of metric '%.40s'", metric);
		return NAN;
	}
	return 100 * (better > 0 ? value / base : base / value) - 100;
}

static void take_row(struct validation *v, int row)
{
	const struct published_row *p = &v->published.rows[row];
	struct row_runs *r = &v->rows[row];

	v->figures[row] = NAN;
	if (*r->reason)
		return;
	v->figures[row] = p->is_ratio ? improvement(v, row)
				      : figure_of(p, &v->measure.configs[r->config], p->run_metric,
						r->reason);
}

static void take_claim(struct validation *v, int claim)
{
	const struct claim *c = &v->claims.claims[claim];
	struct claim_runs *r = &v->claim_runs[claim];
	const struct measure_config *base, *candidate;
	double *a, *b;

	r->percent = NAN;
	if (*r->reason)
		return;
	base = &v->measure.configs[r->base];
	candidate = &v->measure.configs[r->candidate];
	a = values_of(base, c->run_metric, r->reason);
	b = values_of(candidate, c->run_metric, r->reason);
	if (a && b) {
		r->verdict = claim_verdict(
			a, b, base->iterations, better_of(base, c->run_metric), &r->percent);
		r->failed = isnan(r->percent);
		if (r->failed)
			snprintf(r->reason, REASON_MAX, "no percentage of '%s'", c->run_metric);
	}
	free(a);
	free(b);
}

/* A row whose own figure is there, but not its baseline's, says why. */
static void explain(struct validation *v, int row)
{
	struct row_runs *r = &v->rows[row];
	int base = v->published.rows[row].base;

	if (!v->judgements[row].failed || *r->reason)
		return;
	if (base >= 0 && base != row && isnan(v->figures[base]))
		snprintf(r->reason, REASON_MAX, "its baseline (line %lu) failed",
			v->published.rows[base].line);
	else
		snprintf(r->reason, REASON_MAX, "no ratio to its baseline");
}

int validation_run(struct validation *v, struct measure_options *options, struct error *err)
{
	int rc = measure_run(&v->measure, options, err);

	if (rc)
		return rc;
	v->runs = options->runs;
	v->present = options->present;
	for (int i = 0; i < v->published.nr; i++)
		take_row(v, i);
	for (int i = 0; i < v->claims.nr; i++)
		take_claim(v, i);
	judge(&v->published, v->figures, v->judgements);
	for (int i = 0; i < v->published.nr; i++)
		explain(v, i);
	return 0;
}

struct tally validation_tally(const struct validation *v, enum row_kind kind, const char *table)
{
	struct tally t;

	tally_rows(&v->published, v->judgements, kind, table, v->scratch, &t);
	return t;
}

struct claim_tally claims_tally(const struct validation *v)
{
	struct claim_tally t = { .rows = v->claims.nr };

	for (int i = 0; i < v->claims.nr; i++) {
		const struct claim_runs *r = &v->claim_runs[i];
		bool neutral = v->claims.claims[i].verdict == CLAIMED_NEUTRAL;
		bool right = !r->failed && r->verdict == v->claims.claims[i].verdict;

		t.failed_rows += r->failed;
		t.right += right;
		t.neutral_rows += neutral;
		t.neutral_right += neutral && right;
	}
	return t;
}

void validation_release(struct validation *v)
{
	for (int i = 0; v->rows && i < v->published.nr; i++)
		free(v->rows[i].base_policy);
	for (int i = 0; i < v->nr_machines; i++)
		free(v->machines[i]);
	free(v->machines);
	measure_release(&v->measure);
	free(v->rows);
	free(v->figures);
	free(v->judgements);
	free(v->scratch);
	free(v->claim_runs);
	claims_release(&v->claims);
	published_release(&v->published);
	*v = (struct validation){ .configurations = 0 };
}
