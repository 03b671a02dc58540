/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays files of decision vectors (what an unmodified kernel decided, event by event) against our
 * policies. One kind of file per .c file here; vectors.c knows them all.
 */
#pragma once

#include "base/error.h"
#include "corepace/policy.h"
#include "vectors/csv.h"

enum { VECTORS_TEXT_MAX = 256 };

struct vectors_options {
	/* Replaces the governor that the file names: from the registry or a plug-in. */
	const struct idle_governor *idle;
	const char *idle_arg;
	const struct freq_governor *governor; /* likewise */
	/* Compares the governor's private state too (columns dbg_*), where it shows it. */
	bool private_state;
};

struct vectors_result {
	char policy[64]; /* what was checked */
	uint64_t rows;
	uint64_t mismatches; /* rows with at least one wrong column */
	struct {
		uint64_t row; /* the file's own number of the row */
		char column[32];
		char want[VECTORS_TEXT_MAX], got[VECTORS_TEXT_MAX];
	} first; /* valid if mismatches > 0 */
};

/* Checks one file. 0 also when rows differ; negative errno when it could not be checked. */
int vectors_check(const char *path, const struct vectors_options *options,
	struct vectors_result *ret, struct error *err);

/* ---- for the kinds ---- */

/* Runs the rows of an opened file. result is zeroed before. */
typedef int vectors_kind_check(struct csv *csv, const struct vectors_options *options,
	struct vectors_result *result, struct error *err);

vectors_kind_check vectors_check_idle, vectors_check_poll, vectors_check_hwp_boost,
	vectors_check_ondemand, vectors_check_schedutil;

/* One row's comparisons: begin, then the columns, then end. */
struct vectors_row {
	struct vectors_result *result;
	int64_t row;
	bool wrong;
};

void vectors_row_begin(struct vectors_row *row, struct vectors_result *result, int64_t number);
void vectors_row_end(struct vectors_row *row);

/* Compares a field with what we decided; a column that is missing or empty matches anything. */
void vectors_compare(struct vectors_row *row, const struct csv *csv, int column, const char *got);
void vectors_compare_i64(struct vectors_row *row, const struct csv *csv, int column, int64_t got);
