// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/inference.h"
#include "base/rng.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { RESAMPLES_MIN = 200, DRAWS_MAX = 4 * 1000 * 1000, ITERATIONS_LIMIT = 1000 * 1000 };

/* A mean of n values drawn from values, with replacement. */
static long double resampled_mean(struct rng *rng, const double *values, size_t n, bool harmonic)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++) {
		double value = values[rng_below(rng, n)];

		sum += harmonic ? 1 / (long double)value : (long double)value;
	}
	return harmonic ? (long double)n / sum : sum / (long double)n;
}

static bool has_nonpositive(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(values[i] > 0))
			return true;
	return false;
}

void bootstrap_ratio(const double *base, size_t base_n, const double *values, size_t n, int better,
	double *ret_low, double *ret_high)
{
	double ratios[RESAMPLES_MAX];
	bool harmonic = better > 0;
	size_t resamples, tail;
	struct rng rng;

	*ret_low = *ret_high = NAN;
	if (base_n < 2 || n < 2 || has_nonpositive(base, base_n) ||
		(harmonic && has_nonpositive(values, n)))
		return;
	resamples = DRAWS_MAX / (base_n + n);
	resamples = resamples > RESAMPLES_MAX	? RESAMPLES_MAX
		    : resamples < RESAMPLES_MIN ? RESAMPLES_MIN
						: resamples;
	rng_init(&rng, 1, 0);
	for (size_t i = 0; i < resamples; i++) {
		long double from = resampled_mean(&rng, base, base_n, harmonic);

		ratios[i] = (double)(resampled_mean(&rng, values, n, harmonic) / from);
	}
	qsort(ratios, resamples, sizeof(*ratios), compare_doubles);
	tail = resamples * (100 - INTERVAL_PERCENT) / 200;
	*ret_low = ratios[tail];
	*ret_high = ratios[resamples - 1 - tail];
}

double iterations_needed(const struct summary *base, const struct summary *s, double percent)
{
	long double a = base->stddev, b = s->stddev, d = base->amean * (percent / 100), spread;
	double level = 1 - LEVEL_PERCENT / 200.0, power = POWER_PERCENT / 100.0, z;

	a = isnan((double)a) ? b : a;
	b = isnan((double)b) ? a : b;
	if (isnan((double)a) || !(fabsl(d) > 0))
		return NAN;
	spread = (a / d) * (a / d) + (b / d) * (b / d);
	z = gsl_cdf_ugaussian_Pinv(level) + gsl_cdf_ugaussian_Pinv(power);
	if (!(z * z * spread < ITERATIONS_LIMIT))
		return INFINITY;
	/* Normal quantiles are below those of t: the search goes up from there. */
	for (double n = fmax(2, ceil((double)(z * z * spread)));; n++) {
		double freedom = 2 * n - 2;
		double t = gsl_cdf_tdist_Pinv(level, freedom) + gsl_cdf_tdist_Pinv(power, freedom);

		if (n >= t * t * spread)
			return n;
	}
}
