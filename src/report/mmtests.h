/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What MMTests' benchmarks leave in their log directories. Metrics are taken as MMTests' own
 * extraction takes them: which lines, which column, which of them are warm-up.
 */
#pragma once

#include "report/log_text.h"

#include <stdbool.h>

struct mmtests_value {
	char workload[64]; /* with the number of clients, groups or jobs, as workloads name them */
	const char *metric, *unit;
	int better;
	double value;
};

struct mmtests_values {
	size_t nr;
	struct mmtests_value *list;
};

/* A kind of file of a benchmark. */
struct mmtests_format {
	const char *bench;  /* beginning of the benchmark's name */
	const char *prefix; /* of the file's name; NUMBER, -ITERATION and suffix follow */
	const char *suffix;
	const char *workload, *key; /* key of NUMBER, or NULL when there is none */
	bool fixed_time;	    /* rather than fixed work */
	bool fallback;		    /* only where the benchmark's other files held nothing */
	int (*parse)(struct log *log, const char *workload, struct mmtests_values *ret);
};

/* Ends with a NULL bench. */
extern const struct mmtests_format mmtests_formats[];

void mmtests_values_release(struct mmtests_values *values);
