// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/simplex.h"

#include <errno.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <string.h>

struct search {
	struct simplex *s;
	int (*f)(void *ctx, const double *at, double *ret);
	void *ctx;
	int rc;
};

/* Outside: as at the nearest point inside, and more the farther it is. */
static double value_at(const gsl_vector *v, void *arg)
{
	struct search *search = arg;
	struct simplex *s = search->s;
	double at[SIMPLEX_MAX], outside = 0, value = INFINITY;

	for (int i = 0; i < s->nr; i++) {
		double x = gsl_vector_get(v, (size_t)i);

		at[i] = fmin(fmax(x, 0), 1);
		outside += (x - at[i]) * (x - at[i]);
	}
	if (search->rc || s->calls == s->calls_max)
		return GSL_POSINF;
	search->rc = search->f(search->ctx, at, &value);
	if (search->rc)
		return GSL_POSINF;
	s->calls++;
	if (value < s->value) {
		s->value = value;
		memcpy(s->at, at, sizeof(at));
	}
	return value * (1 + outside) + outside;
}

static void iterate(struct search *search, gsl_multimin_fminimizer *m)
{
	struct simplex *s = search->s;

	while (!search->rc && s->calls < s->calls_max && !s->converged) {
		if (gsl_multimin_fminimizer_iterate(m))
			return;
		s->converged = gsl_multimin_fminimizer_size(m) < s->tolerance;
	}
}

int simplex_minimize(
	struct simplex *s, int (*f)(void *ctx, const double *at, double *ret), void *ctx)
{
	struct search search = { s, f, ctx, 0 };
	gsl_multimin_function function = { value_at, (size_t)s->nr, &search };
	gsl_error_handler_t *handler = gsl_set_error_handler_off();
	gsl_multimin_fminimizer *m =
		gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, (size_t)s->nr);
	gsl_vector *start = gsl_vector_alloc((size_t)s->nr),
		   *step = gsl_vector_alloc((size_t)s->nr);

	s->calls = 0;
	s->value = INFINITY;
	s->converged = false;
	if (!m || !start || !step) {
		search.rc = -ENOMEM;
	} else {
		/* The first simplex goes inwards, where there is more room. */
		for (int i = 0; i < s->nr; i++) {
			gsl_vector_set(start, (size_t)i, s->at[i]);
			gsl_vector_set(step, (size_t)i, s->at[i] > 0.5 ? -s->step : s->step);
		}
		if (!gsl_multimin_fminimizer_set(m, &function, start, step))
			iterate(&search, m);
	}
	gsl_multimin_fminimizer_free(m);
	gsl_vector_free(start);
	gsl_vector_free(step);
	gsl_set_error_handler(handler);
	return search.rc;
}
