// SPDX-License-Identifier: GPL-2.0-or-later
/* Evaluations of a fit's objective, and the search for the least one. */
#include "base/array.h"
#include "base/units.h"
#include "cmd/fit.h"
#include "stats/simplex.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes of simplexes, as shares of the ranges. */
static const double first_steps[] = { 0.1, 0.03 }, last_size = 0.001;

enum {
	WIDE = 4,   /* a range over this factor is searched by its logarithm */
	SCOUTS = 8, /* points for each parameter, before the search */
};

/* What was tried already: parameters are rounded, so that a simplex meets itself again. */
struct fit_trial {
	char values[FIT_PARAMETERS_MAX][FIT_VALUE_MAX];
	double objective;
};

static bool logarithmic(const struct fit_parameter *p)
{
	return p->low > 0 && p->high >= WIDE * p->low;
}

static double to_unit(const struct fit_parameter *p)
{
	return logarithmic(p) ? log(p->start / p->low) / log(p->high / p->low)
			      : (p->start - p->low) / (p->high - p->low);
}

static void from_unit(const struct fit_parameter *p, double u, char ret[FIT_VALUE_MAX])
{
	double value = logarithmic(p) ? p->low * pow(p->high / p->low, u)
				      : p->low + u * (p->high - p->low);

	if (p->factor)
		snprintf(ret, FIT_VALUE_MAX, "x%.4f", value);
	else
		snprintf(ret, FIT_VALUE_MAX, "%lld", llround(value));
}

/* ---- one evaluation -------------------------------------------------------------------------- */

/* values: NULL, the row's own. To be freed. */
static char *specification(const struct fit *f, const struct fit_row *r, bool of_machine,
	const struct fit_trial *values)
{
	char *text = NULL;
	size_t size;
	const char *spec = of_machine ? r->row->run_machine : r->row->run_workload;
	bool keys = strchr(spec, ':');
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs(spec, out);
	for (int k = 0; values && k < f->nr_parameters; k++) {
		if (!(r->parameters & 1U << k) || f->parameters[k].of_machine != of_machine)
			continue;
		fprintf(out, "%c%s=%s", keys ? ',' : ':', f->parameters[k].key, values->values[k]);
		keys = true;
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static int figure(struct fit *f, const struct measure *m, int i, double *scratch)
{
	const struct fit_row *r = &f->rows[i];
	struct error why;

	if (measure_values(&m->configs[r->configuration], r->row->run_metric, scratch, &why))
		return error_set(f->err, EINVAL, "%s on %s, %s: %s", r->row->run_workload,
			r->row->run_machine, r->row->run_policy, why.text);
	f->figures[i] = published_figure(r->row, scratch, f->iterations);
	return f->figures[i] > 0
		       ? 0
		       : error_set(f->err, ERANGE, "%s on %s, %s: %s is %g, expected more",
				 r->row->run_workload, r->row->run_machine, r->row->run_policy,
				 r->row->run_metric, f->figures[i]);
}

static double sum_up(struct fit *f)
{
	double sum = 0;

	for (int i = 0; i < f->nr_rows; i++) {
		const struct fit_row *r = &f->rows[i];
		double model = f->figures[i], published = r->row->value;

		if (r->base >= 0) {
			model /= f->figures[r->base];
			published /= f->rows[r->base].row->value;
		}
		f->errors[i] = log(model / published);
		sum += f->errors[i] * f->errors[i];
	}
	return sum;
}

static int measure_rows(
	struct fit *f, struct measure *m, char **texts, const struct fit_trial *values, double *ret)
{
	double *scratch = calloc((size_t)f->iterations, sizeof(*scratch));
	int rc = scratch ? 0 : -ENOMEM;

	for (int i = 0; i < f->nr_rows && !rc; i++) {
		struct fit_row *r = &f->rows[i];

		texts[2 * i] = specification(f, r, true, values);
		texts[2 * i + 1] = specification(f, r, false, values);
		if (!texts[2 * i] || !texts[2 * i + 1]) {
			rc = -ENOMEM;
			break;
		}
		r->configuration = measure_add(m, texts[2 * i], texts[2 * i + 1],
			r->row->run_policy, f->iterations, f->err);
		rc = r->configuration < 0 ? r->configuration : 0;
	}
	if (rc == -ENOMEM)
		error_set(f->err, ENOMEM, "out of memory");
	rc = rc ? rc : measure_run(m, &f->options, f->err);
	for (int i = 0; i < f->nr_rows && !rc; i++)
		rc = figure(f, m, i, scratch);
	if (!rc)
		*ret = sum_up(f);
	free(scratch);
	return rc;
}

static int evaluate(struct fit *f, const struct fit_trial *values, double *ret)
{
	struct measure m = { 0 };
	char **texts = calloc(2 * (size_t)f->nr_rows, sizeof(*texts));
	int rc = texts ? measure_rows(f, &m, texts, values, ret)
		       : error_set(f->err, ENOMEM, "out of memory");

	measure_release(&m);
	for (int i = 0; texts && i < 2 * f->nr_rows; i++)
		free(texts[i]);
	free(texts);
	return rc;
}

/* ---- search ---------------------------------------------------------------------------------- */

static const struct fit_trial *tried(const struct fit *f, const struct fit_trial *trial)
{
	for (int i = 0; i < f->nr_trials; i++)
		if (!memcmp(f->trials[i].values, trial->values, sizeof(trial->values)))
			return &f->trials[i];
	return NULL;
}

static void keep_best(struct fit *f, const struct fit_trial *trial)
{
	if (f->objective <= trial->objective)
		return;
	f->objective = trial->objective;
	for (int k = 0; k < f->nr_parameters; k++)
		strcpy(f->parameters[k].value, trial->values[k]);
	for (int i = 0; i < f->nr_rows; i++) {
		f->rows[i].fitted = f->figures[i];
		f->rows[i].error = f->errors[i];
	}
}

static void show_progress(const struct fit *f)
{
	fprintf(stderr, "\r\033[K%d evaluations, root mean square %.4f, before %.4f",
		f->evaluations, fit_rms(f, f->objective), fit_rms(f, f->before));
	fflush(stderr);
}

static int objective(void *ctx, const double *at, double *ret)
{
	struct fit *f = ctx;
	struct fit_trial trial = { 0 }, *trials;
	const struct fit_trial *known;
	int rc;

	for (int k = 0; k < f->nr_parameters; k++)
		from_unit(&f->parameters[k], at[k], trial.values[k]);
	known = tried(f, &trial);
	if (known) {
		*ret = known->objective;
		return 0;
	}
	rc = evaluate(f, &trial, &trial.objective);
	if (rc)
		return rc;
	f->evaluations++;
	keep_best(f, &trial);
	trials = array_grow(f->trials, (size_t)f->nr_trials, sizeof(*trials));
	if (!trials)
		return error_set(f->err, ENOMEM, "out of memory");
	f->trials = trials;
	trials[f->nr_trials++] = trial;
	*ret = trial.objective;
	if (f->progress)
		show_progress(f);
	return 0;
}

/* The i-th of points that fill the unit interval evenly, for each base another (Halton, 1960). */
static double spread_point(int i, int base)
{
	double share = 1, point = 0;

	for (; i; i /= base) {
		share /= base;
		point += share * (i % base);
	}
	return point;
}

/*
 * Where the search begins: the best of the start and of a few points all over the ranges, for the
 * simplex finds no way out of a hollow.
 */
static int scout(struct fit *f, double *ret)
{
	static const int bases[FIT_PARAMETERS_MAX] = { 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37,
		41, 43, 47, 53 };
	double at[FIT_PARAMETERS_MAX], value, best;
	int rc;

	for (int k = 0; k < f->nr_parameters; k++)
		ret[k] = to_unit(&f->parameters[k]);
	rc = objective(f, ret, &best);
	for (int i = 1; i <= SCOUTS * f->nr_parameters && !rc; i++) {
		if (f->evaluations >= f->evaluations_max / 2)
			break;
		for (int k = 0; k < f->nr_parameters; k++)
			at[k] = spread_point(i, bases[k]);
		rc = objective(f, at, &value);
		if (rc || value >= best)
			continue;
		best = value;
		memcpy(ret, at, sizeof(at));
	}
	return rc;
}

/* A simplex that has collapsed on its way begins anew where it ended, with a smaller one. */
static int search(struct fit *f)
{
	struct simplex s = { .nr = f->nr_parameters, .tolerance = last_size };
	int rc = scout(f, s.at);

	for (size_t i = 0; i < ARRAY_LEN(first_steps) && !rc; i++) {
		s.step = first_steps[i];
		s.calls_max = f->evaluations_max - f->evaluations;
		error_set(f->err, ENOMEM, "out of memory"); /* unless the objective says why */
		rc = simplex_minimize(&s, objective, f);
		f->converged = s.converged;
	}
	return rc;
}

int fit_run(struct fit *f, struct error *err)
{
	int rc;

	_Static_assert(
		(int)SIMPLEX_MAX >= (int)FIT_PARAMETERS_MAX, "the search must take all parameters");
	f->err = err;
	f->before = f->objective = NAN;
	f->evaluations = 0;
	rc = evaluate(f, NULL, &f->before);
	if (rc)
		return rc;
	for (int i = 0; i < f->nr_rows; i++) {
		f->rows[i].before = f->figures[i];
		f->rows[i].before_error = f->errors[i];
	}
	rc = search(f);
	if (f->progress)
		fprintf(stderr, "\r\033[K");
	return rc;
}

void fit_release(struct fit *f)
{
	published_release(&f->published);
	free(f->rows);
	free(f->figures);
	free(f->errors);
	free(f->trials);
}
