/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How well published rows were predicted. What is judged is each row's ratio to its group's
 * baseline, beside a null model that predicts that nothing ever changes (ratio 1). Pure.
 *
 * A published difference counts when it exceeds twice the larger published standard deviation of
 * the two, or 2 % where none is published; then the direction is to be right, else ours is to stay
 * within the same limit. The error of a ratio is |ln(ours / published)|. A row that failed is wrong
 * and has twice the null model's error, at least FAILED_ERROR_MIN.
 */
#pragma once

#include "published/rows.h"

#define FAILED_ERROR_MIN 0.1

/* Each kind has figures of its own; only PREDICTED rows make the model look good or bad. */
enum row_kind {
	ROW_BASELINE, /* nothing to judge */
	ROW_PREDICTED,
	ROW_FITTED,    /* parameters may be fitted on it */
	ROW_STDDEV,    /* standard deviations, coefficients of variation */
	ROW_EXTREME,   /* minima and maxima */
	ROW_RESIDENCY, /* table T15, and all residencies of idle states */
	ROW_KINDS
};

struct judgement {
	enum row_kind kind;
	double ours; /* the figure, NaN: failed */
	bool failed; /* it, or its baseline, has no figure; or ours has no ratio */
	bool judged; /* has a published ratio: no baseline, and nothing is divided by zero */
	double published_ratio, ratio; /* to the baseline; NaN where not judged or failed */
	double limit;		       /* of ratio - 1, to be different */
	int direction;		       /* -1, 1: the published ratio is lower, higher; 0: neutral */
	bool right;		       /* so is ours */
	double error, null_error;
};

/* figures, ret: p->nr of them. A figure that there is none of is NaN. */
void judge(const struct published *p, const double *figures, struct judgement *ret);

struct tally {
	int rows, failed_rows;
	int direction_rows, direction_right, neutral_rows, neutral_right;
	double mean_error, median_error, p90_error, null_mean_error; /* NaN without rows */
};

/* Of the judged rows of a kind in a table, NULL: in all. scratch: room for p->nr. */
void tally_rows(const struct published *p, const struct judgement *j, enum row_kind kind,
	const char *table, double *scratch, struct tally *ret);
