// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/summary.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

const int best_fractions[BEST_FRACTIONS] = { 50, 75, 90, 95, 99 };
const int percentiles[PERCENTILES] = { 50, 90, 95, 99 };

int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int descending(const void *a, const void *b)
{
	return compare_doubles(b, a);
}

/* How many samples are the best percent of n. */
static size_t best_count(size_t n, int percent)
{
	size_t count = n * (size_t)percent / 100;

	return count ? count : 1;
}

static bool all_positive(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(values[i] > 0))
			return false;
	return n > 0;
}

static long double harmonic_mean(const double *values, size_t n)
{
	long double sum = 0;

	if (!all_positive(values, n))
		return NAN;
	for (size_t i = 0; i < n; i++)
		sum += 1 / (long double)values[i];
	return (long double)n / sum;
}

static double geometric_mean(const double *values, size_t n)
{
	double sum = 0;

	if (!all_positive(values, n))
		return NAN;
	for (size_t i = 0; i < n; i++)
		sum += log(values[i]);
	return exp(sum / (double)n);
}

/*
 * GSL's deviation squares in double and overflows from 1e154 on; its mean does not. Two passes in
 * long double hold whatever a double does.
 */
static double deviation(const double *values, size_t n)
{
	long double sum = 0, mean = 0;

	if (n < 2)
		return NAN;
	for (size_t i = 0; i < n; i++)
		mean += values[i] / (long double)n;
	for (size_t i = 0; i < n; i++) {
		long double d = values[i] - mean;

		sum += d * d;
	}
	return (double)sqrtl(sum / (long double)(n - 1));
}

/* H^2 (1/x - 1/H) is H (H/x - 1): H^4 would overflow where H does not. */
static double harmonic_deviation(const double *values, size_t n, long double hmean)
{
	long double sum = 0;

	if (n < 2 || isnan(hmean))
		return NAN;
	for (size_t i = 0; i < n; i++) {
		long double d = hmean / values[i] - 1;

		sum += d * d;
	}
	return (double)(hmean * sqrtl(sum / (long double)n));
}

static double mean_for(const double *values, size_t n, int better)
{
	return better > 0 ? (double)harmonic_mean(values, n) : gsl_stats_mean(values, 1, n);
}

void summarize(double *values, size_t n, int better, struct summary *ret)
{
	struct summary s = { .better = better, .n = n };
	long double hmean;

	s.min = s.max = s.amean = s.hmean = s.gmean = s.stddev = s.hstddev = s.coeffvar = NAN;
	for (int i = 0; i < BEST_FRACTIONS; i++)
		s.best_mean[i] = NAN;
	for (int i = 0; i < PERCENTILES; i++)
		s.percentile[i] = NAN;
	*ret = s;
	if (!n)
		return;

	qsort(values, n, sizeof(*values), better > 0 ? descending : compare_doubles);
	s.min = better > 0 ? values[n - 1] : values[0];
	s.max = better > 0 ? values[0] : values[n - 1];
	s.amean = gsl_stats_mean(values, 1, n);
	hmean = harmonic_mean(values, n);
	s.hmean = (double)hmean;
	s.gmean = geometric_mean(values, n);
	s.stddev = deviation(values, n);
	s.hstddev = harmonic_deviation(values, n, hmean);
	s.coeffvar = n > 1 && s.amean != 0 ? (double)(100.0L * s.stddev / s.amean) : 0;
	for (int i = 0; i < BEST_FRACTIONS; i++)
		s.best_mean[i] = mean_for(values, best_count(n, best_fractions[i]), better);
	for (int i = 0; i < PERCENTILES; i++)
		s.percentile[i] = values[best_count(n, percentiles[i]) - 1];
	*ret = s;
}

double summary_mean(const struct summary *s)
{
	return s->better > 0 ? s->hmean : s->amean;
}

double summary_deviation(const struct summary *s)
{
	return s->better > 0 ? s->hstddev : s->stddev;
}

double percent_better(double base, double value, int better)
{
	if (!better || isnan(base) || isnan(value))
		return NAN;
	if (base == value)
		return 0;
	if (base == 0)
		return NAN;
	return (double)(better > 0 ? 100.0L * value / base - 100 : 100 - 100.0L * value / base);
}

bool clearly_different(const struct summary *base, const struct summary *s)
{
	long double difference = fabsl((long double)summary_mean(base) - summary_mean(s));

	/* False also when one of them is NaN. */
	return difference > 1.96L * ((long double)summary_deviation(base) + summary_deviation(s));
}

double gmean_ratio(const struct summary *base, const struct summary *s)
{
	return s->gmean / base->gmean;
}

double welch_p(const struct summary *base, const struct summary *s)
{
	long double a, b, t, share, freedom;

	if (base->n < 2 || s->n < 2)
		return NAN;
	a = (long double)base->stddev * base->stddev / (long double)base->n;
	b = (long double)s->stddev * s->stddev / (long double)s->n;
	if (!(a + b > 0) || isinf(a + b))
		return NAN;
	t = fabsl((long double)base->amean - s->amean) / sqrtl(a + b);
	share = a / (a + b); /* the squares of a and b themselves may overflow */
	freedom = 1 / (share * share / (long double)(base->n - 1) +
			      (1 - share) * (1 - share) / (long double)(s->n - 1));
	return 2 * gsl_cdf_tdist_Q((double)t, (double)freedom);
}
