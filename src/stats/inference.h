/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What two sets of measured samples say beyond their summaries. Not for simulated runs: their seeds
 * are no evidence. No state; the same samples give the same figures.
 */
#pragma once

#include "stats/summary.h"

/* Confidence of the interval, power and level of iterations_needed. */
#define INTERVAL_PERCENT 95
#define POWER_PERCENT 80
#define LEVEL_PERCENT 5

enum { RESAMPLES_MAX = 2000 };

/*
 * Percentile bootstrap of new's mean / base's mean (Efron and Tibshirani, "An introduction to the
 * bootstrap", 1993, chapter 13), the means being of the kind that `better` calls for
 * (summary_mean). 2000 resamples, fewer (at least 200) when base_n + n is above 2,000. NaN when
 * one has fewer than two samples, or when base, or for harmonic means any, has a sample that is not
 * positive.
 */
void bootstrap_ratio(const double *base, size_t base_n, const double *values, size_t n, int better,
	double *ret_low, double *ret_high);

/*
 * How many samples of each would show, with POWER_PERCENT probability at LEVEL_PERCENT, a
 * difference of the arithmetic means of `percent` of base's: the smallest n of at least 2 for which
 * n >= (t(1 - level/2) + t(power))^2 (sd_a^2 + sd_b^2) / d^2, t with 2n-2 degrees of freedom. The
 * deviation of fewer than two samples is taken as that of the other. NaN when neither has one, or
 * the mean is zero; infinite above a million.
 */
double iterations_needed(const struct summary *base, const struct summary *s, double percent);
