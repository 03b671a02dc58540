/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Free parameters of machines and workloads adjusted to published rows that may be fitted on.
 *
 * Each row gives one term: of a row whose baseline is fitted on too, the logarithm of the ratio to
 * it over the published ratio; of others, baselines too, that of the figure over the published one.
 * The objective is the sum of their squares.
 *
 * Order of calls: fit_init, fit_add_parameter for each, fit_select for each of the tables,
 * fit_prepare; fit_run; then read, fit_release.
 */
#pragma once

#include "cmd/measure.h"
#include "published/rows.h"

enum { FIT_PARAMETERS_MAX = 16, FIT_NAME_MAX = 128, FIT_VALUE_MAX = 32 };

struct fit_parameter {
	char name[FIT_NAME_MAX]; /* of a machine or workload, as rows call it */
	char key[FIT_NAME_MAX];	 /* path in the machine's file, or key of the workload */
	char unit[12];
	bool of_machine;
	bool factor; /* of a curve or list: 1 is what the file has */
	bool ranged; /* low and high were given */
	double low, high;
	double start;
	char value[FIT_VALUE_MAX]; /* the best so far, as in a specification */
	int rows;		   /* that use it */
};

struct fit_row {
	const struct published_row *row;
	int base; /* index of the fit_row that it is a ratio to; -1: none, an absolute figure */
	int configuration;	    /* of the measure, of the last evaluation */
	unsigned parameters;	    /* a bit for each that it uses */
	double before, fitted;	    /* figures */
	double before_error, error; /* of its term: ln */
};

struct fit {
	struct published published;
	int nr_rows, nr_parameters;
	struct fit_row *rows;
	struct fit_parameter parameters[FIT_PARAMETERS_MAX];
	int iterations, evaluations_max;
	struct measure_options options; /* of each evaluation */
	bool progress;			/* of the search, on stderr */
	/* Out: */
	int evaluations;
	bool converged;
	double before, objective; /* with the parameters as they are, and the best; NaN: none yet */
	/* Implementation. */
	struct fit_trial *trials;
	int nr_trials;
	struct error *err;
	double *figures, *errors; /* of the last evaluation, by row */
};

/* NAME:KEY[=LOW..HIGH]; a key with a dot is a path of a machine's file. */
int fit_add_parameter(struct fit *f, const char *text, struct error *err);

/* TABLE[:WORKLOAD]: its rows that may be fitted on. -ENOENT: there are none. */
int fit_select(struct fit *f, const char *text, struct error *err);

/*
 * Drops rows that no parameter bears on, and refuses parameters that bear on nothing, or are more
 * than the rows of their machine or workload, or than all rows.
 */
int fit_prepare(struct fit *f, struct error *err);

/* -EINTR: options.stop was set; the best so far is there. */
int fit_run(struct fit *f, struct error *err);

void fit_release(struct fit *f);

/* Root of the mean square of the terms. */
double fit_rms(const struct fit *f, double objective);

/* Is its best value at an end of its range? */
bool fit_at_bound(const struct fit_parameter *p);

/*
 * Puts the best values of machines' parameters into their files, with source and confidence; each
 * file as a whole or not at all. tables: "T1" or "T9,T10".
 */
int fit_write(const struct fit *f, const char *tables, const char *source, struct error *err);
