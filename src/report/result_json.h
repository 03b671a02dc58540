/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of runs as JSON, schema 1 (corepace-run(1)), and back. */
#pragma once

#include "corepace/result.h"
#include "report/json.h"

/* The document of `run --json`. */
json_t *results_to_json(const struct run_result *runs, int nr);

/*
 * One run of it, an element of "runs", as text on one line; to be freed. NULL: out of memory.
 */
char *result_text(const struct run_result *r);

/* Reads such a text. where stands in errors. */
int result_parse_text(
	const char *where, const char *text, struct run_result *ret, struct error *err);

struct results {
	int nr;
	struct run_result *runs;
};

/*
 * Reads such a document. An error names the file and the field, or the line when it is no JSON.
 * Fields that schema 1 gained later may be missing; unknown ones are skipped.
 */
int results_read(const char *path, struct results *ret, struct error *err);
int results_parse(const char *path, FILE *f, struct results *ret, struct error *err);
void results_release(struct results *results);

/* Names of the counters, for both directions; ends with a NULL name. */
struct counter_name {
	const char *name;
	size_t offset; /* of a uint64_t in struct result_counters */
};
extern const struct counter_name counter_names[];
