/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Summaries of samples as MMTests defines them, and comparisons of two summaries. What is not
 * defined (a mean of nothing, a harmonic mean with a zero, a deviation of one sample, a percentage
 * of zero) is NaN, never a number that looks like one. No state: call in any order.
 *
 * `better` is -1 when lower values are better, 1 when higher ones are, 0 when neither (ordered like
 * lower, compared not at all).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { BEST_FRACTIONS = 5, PERCENTILES = 4 };

/* 50, 75, 90, 95, 99 and 50, 90, 95, 99. */
extern const int best_fractions[BEST_FRACTIONS];
extern const int percentiles[PERCENTILES];

struct summary {
	int better;
	size_t n;
	double min, max;
	double amean, hmean, gmean; /* hmean, gmean: of positive samples only */
	double stddev;		    /* of n-1 degrees of freedom */
	double hstddev;		    /* sqrt(H^4 * sum((1/x - 1/H)^2) / n) */
	double coeffvar;	    /* 100 * stddev / amean; 0 when either is not there */
	/* Mean, of the kind that `better` calls for, of the best P % (at least one). */
	double best_mean[BEST_FRACTIONS];
	/* The worst of the best P % (at least one). */
	double percentile[PERCENTILES];
};

/* For qsort of doubles. */
int compare_doubles(const void *a, const void *b);

/* Sorts values best first. */
void summarize(double *values, size_t n, int better, struct summary *ret);

/* The mean that a table shows: harmonic when higher is better (rates), else arithmetic. */
double summary_mean(const struct summary *s);

/* The deviation that goes with it. */
double summary_deviation(const struct summary *s);

/*
 * By how many per cent value is better than base: positive is better. 0 when both are equal, NaN
 * when base alone is zero, when one is NaN, or when neither direction is better.
 */
double percent_better(double base, double value, int better);

/* MMTests' conservative marker: the means differ by more than 1.96 * the sum of the deviations. */
bool clearly_different(const struct summary *base, const struct summary *s);

/* Geometric mean of the ratios to base, for equal n that of the pairs in any pairing. */
double gmean_ratio(const struct summary *base, const struct summary *s);

/*
 * Two-sided p-value of Welch's t-test. For samples that were really measured: simulated seeds are
 * no evidence. NaN with fewer than two samples, or none of them spread.
 */
double welch_p(const struct summary *base, const struct summary *s);
