// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/plausible.h"
#include "stats/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double plausible_ratio(double base, double candidate)
{
	return base == candidate ? 1 : candidate / base;
}

enum conclusion plausible_conclude(double ratio, int better)
{
	if (fabs(ratio - 1) <= PLAUSIBLE_THRESHOLD)
		return CONCLUSION_SAME;
	return (ratio > 1) == (better > 0) ? CONCLUSION_BETTER : CONCLUSION_WORSE;
}

const char *conclusion_name(enum conclusion conclusion)
{
	static const char *const names[] = { "no difference", "better", "worse" };

	return names[conclusion];
}

static double quantile(const double *sorted, size_t n, double q)
{
	double at = q * (double)(n - 1), share = at - floor(at);
	size_t i = (size_t)at;

	if (share <= 0 || sorted[i] == sorted[i + 1])
		return sorted[i];
	return sorted[i] * (1 - share) + sorted[i + 1] * share;
}

void plausible_summarize(double *ratios, size_t n, int better, struct plausible *ret)
{
	*ret = (struct plausible){ .n = n, .median = NAN, .p5 = NAN, .p95 = NAN };
	if (!n)
		return;
	qsort(ratios, n, sizeof(*ratios), compare_doubles);
	for (size_t i = 0; i < n; i++)
		ret->count[plausible_conclude(ratios[i], better)]++;
	for (enum conclusion c = 0; c < CONCLUSIONS; c++)
		if (ret->count[c] > ret->count[ret->conclusion])
			ret->conclusion = c;
	ret->share = (double)ret->count[ret->conclusion] / (double)n;
	ret->median = quantile(ratios, n, 0.5);
	ret->p5 = quantile(ratios, n, 0.05);
	ret->p95 = quantile(ratios, n, 0.95);
}
