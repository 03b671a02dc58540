/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The least value of a function of a few numbers between 0 and 1, by the simplex algorithm of
 * Nelder and Mead in GSL's version nmsimplex2. It starts from one point and finds a minimum near
 * it, which need not be the lowest one. Deterministic.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SIMPLEX_MAX = 16 };

struct simplex {
	int nr;
	double at[SIMPLEX_MAX]; /* in: where to start; out: the best point */
	double step;		/* size of the first simplex */
	double tolerance;	/* it ends when the simplex is smaller */
	int calls_max;
	/* Out: */
	int calls;
	double value;
	bool converged;
};

/*
 * f returns 0 and the value at a point, whose numbers are inside 0..1; anything else ends the
 * search and is returned, with the best point so far. Beyond the bounds the function is taken to
 * rise from its value there. -ENOMEM.
 */
int simplex_minimize(
	struct simplex *s, int (*f)(void *ctx, const double *at, double *ret), void *ctx);
