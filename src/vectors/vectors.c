// SPDX-License-Identifier: GPL-2.0-or-later
#include "vectors/vectors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kind is known by a column that no other kind has. */
static const struct {
	const char *column;
	vectors_kind_check *check;
} kinds[] = {
	{ "sel_state", vectors_check_idle },
	{ "relaxes", vectors_check_poll },
	{ "hwp_boost_min_after", vectors_check_hwp_boost },
	{ "set_freq_khz", vectors_check_schedutil },
	{ "rate_mult", vectors_check_ondemand },
};

int vectors_check(const char *path, const struct vectors_options *options,
	struct vectors_result *ret, struct error *err)
{
	struct csv *csv;
	int r = csv_open(path, &csv, err);

	if (r < 0)
		return r;
	memset(ret, 0, sizeof(*ret));
	r = 1;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && r == 1; i++)
		if (csv_find(csv, kinds[i].column) >= 0)
			r = kinds[i].check(csv, options, ret, err);
	if (r == 1)
		r = csv_error(csv, -1, err,
			"no kind of vectors that is known: expected a column sel_state (idle "
			"governor), relaxes (polling), hwp_boost_min_after (HWP boost), "
			"set_freq_khz (schedutil) or rate_mult (ondemand)");
	csv_close(csv);
	return r;
}

void vectors_row_begin(struct vectors_row *row, struct vectors_result *result, int64_t number)
{
	*row = (struct vectors_row){ .result = result, .row = number };
	result->rows++;
}

void vectors_row_end(struct vectors_row *row)
{
	row->result->mismatches += row->wrong;
}

static void differs(struct vectors_row *row, const struct csv *csv, int column, const char *got)
{
	struct vectors_result *result = row->result;

	if (!result->mismatches && !row->wrong) {
		result->first.row = (uint64_t)row->row;
		snprintf(result->first.column, sizeof(result->first.column), "%s",
			csv_name(csv, column));
		snprintf(result->first.want, sizeof(result->first.want), "%s",
			csv_text(csv, column));
		snprintf(result->first.got, sizeof(result->first.got), "%s", got);
	}
	row->wrong = true;
}

void vectors_compare(struct vectors_row *row, const struct csv *csv, int column, const char *got)
{
	if (!csv_empty(csv, column) && strcmp(csv_text(csv, column), got))
		differs(row, csv, column, got);
}

void vectors_compare_i64(struct vectors_row *row, const struct csv *csv, int column, int64_t got)
{
	char text[24], *end;

	if (csv_empty(csv, column))
		return;
	if (strtoll(csv_text(csv, column), &end, 10) == got && !*end)
		return;
	snprintf(text, sizeof(text), "%" PRId64, got);
	differs(row, csv, column, text);
}
