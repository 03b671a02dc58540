// SPDX-License-Identifier: GPL-2.0-or-later
#include "published/judge.h"
#include "stats/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIFFERENT_PERMILLE = 20 };

static enum row_kind kind_of(const struct published_row *row, bool is_base)
{
	if (is_base)
		return ROW_BASELINE;
	if (!strcmp(row->table, "T15") || !strncmp(row->run_metric, "idle_s:", 7))
		return ROW_RESIDENCY;
	if (row->kind == STAT_STDDEV || row->kind == STAT_COEFFVAR)
		return ROW_STDDEV;
	if (row->kind == STAT_MIN || row->kind == STAT_MAX)
		return ROW_EXTREME;
	return row->fit ? ROW_FITTED : ROW_PREDICTED;
}

static double ratio_of(const struct published_row *row, double value, double base)
{
	double ratio = row->is_ratio ? 1 + value / 100 : value / base;

	return isfinite(ratio) && ratio > 0 ? ratio : NAN;
}

/* How much a ratio must differ from 1. Deviations of a deviation are not published. */
static double limit_of(const struct published_row *row, const struct published_row *base)
{
	double deviation = NAN;

	if (!row->is_ratio && row->kind != STAT_STDDEV && row->kind != STAT_COEFFVAR)
		deviation = fmax(row->stddev, base->stddev); /* the other one when one is NaN */
	if (isnan(deviation))
		return DIFFERENT_PERMILLE / 1000.0;
	return 2 * deviation / fabs(base->value);
}

static void judge_row(const struct published_row *row, const struct published_row *base,
	double figure, double base_figure, struct judgement *j)
{
	double shift;

	j->published_ratio = ratio_of(row, row->value, base->value);
	j->judged = !isnan(j->published_ratio);
	if (!j->judged)
		return;
	j->limit = limit_of(row, base);
	shift = j->published_ratio - 1;
	j->direction = fabs(shift) <= j->limit ? 0 : shift > 0 ? 1 : -1;
	j->null_error = fabs(log(j->published_ratio));
	j->ratio = ratio_of(row, figure, base_figure);
	j->failed = isnan(j->ratio);
	if (j->failed) {
		j->error = fmax(2 * j->null_error, FAILED_ERROR_MIN);
		return;
	}
	j->error = fabs(log(j->ratio / j->published_ratio));
	shift = j->ratio - 1;
	j->right = j->direction ? shift * j->direction > 0 : fabs(shift) <= j->limit;
}

void judge(const struct published *p, const double *figures, struct judgement *ret)
{
	for (int i = 0; i < p->nr; i++) {
		const struct published_row *row = &p->rows[i];
		int base = row->is_ratio ? i : row->base;

		ret[i] = (struct judgement){
			.kind = kind_of(row, row->base == i),
			.ours = figures[i],
			.failed = isnan(figures[i]),
			.published_ratio = NAN,
			.ratio = NAN,
			.error = NAN,
			.null_error = NAN,
		};
		if (ret[i].kind != ROW_BASELINE)
			judge_row(row, &p->rows[base], figures[i], figures[base], &ret[i]);
	}
}

/* The worst of the best P %, as percentiles of samples are; the median is in the middle of two. */
static double worst_of_best(const double *sorted, int nr, int percent)
{
	int rank = (nr * percent + 99) / 100;

	return sorted[rank ? rank - 1 : 0];
}

static void count(struct tally *t, const struct judgement *j)
{
	t->rows++;
	t->failed_rows += j->failed;
	if (j->direction) {
		t->direction_rows++;
		t->direction_right += j->right;
	} else {
		t->neutral_rows++;
		t->neutral_right += j->right;
	}
}

void tally_rows(const struct published *p, const struct judgement *j, enum row_kind kind,
	const char *table, double *scratch, struct tally *ret)
{
	struct tally t = { .rows = 0 };
	double sum = 0, null_sum = 0;

	t.mean_error = t.median_error = t.p90_error = t.null_mean_error = NAN;
	for (int i = 0; i < p->nr; i++) {
		if (j[i].kind != kind || !j[i].judged || (table && strcmp(p->rows[i].table, table)))
			continue;
		scratch[t.rows] = j[i].error;
		sum += j[i].error;
		null_sum += j[i].null_error;
		count(&t, &j[i]);
	}
	if (t.rows) {
		qsort(scratch, (size_t)t.rows, sizeof(*scratch), compare_doubles);
		t.mean_error = sum / t.rows;
		t.null_mean_error = null_sum / t.rows;
		t.median_error = (scratch[(t.rows - 1) / 2] + scratch[t.rows / 2]) / 2;
		t.p90_error = worst_of_best(scratch, t.rows, 90);
	}
	*ret = t;
}
