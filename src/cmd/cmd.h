/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verbs. Commands print and choose the exit status; libraries do neither. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum exit_status { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_AGAINST = 3 };

struct verb {
	const char *name;
	const char *summary; /* for `corepace --help` */
	const char *help;    /* whole text of `corepace NAME --help`, at most 80 columns */
	int (*run)(int argc, char **argv); /* argv[0] is the verb; getopt's state is fresh */
};

/* One per file cmd_NAME.c, listed in main.c. */
extern const struct verb verb_bisect;
extern const struct verb verb_capture;
extern const struct verb verb_check_vectors;
extern const struct verb verb_compare;
extern const struct verb verb_doctor;
extern const struct verb verb_fit;
extern const struct verb verb_governor;
extern const struct verb verb_import;
extern const struct verb verb_import_machine;
extern const struct verb verb_list;
extern const struct verb verb_record;
extern const struct verb verb_report;
extern const struct verb verb_run;
extern const struct verb verb_runs;
extern const struct verb verb_score;
extern const struct verb verb_show;
extern const struct verb verb_sweep;
extern const struct verb verb_validate;

/* Prints "corepace VERB: TEXT" and returns EXIT_FAILED. */
int fail(const char *verb, const struct error *err);

/* Prints "corepace VERB: TEXT" and where help is, returns EXIT_USAGE. */
int usage(const char *verb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Where data files of a kind ("machines", "policies", "workloads") are: in $COREPACE_DATA, the
 * source tree, or the installation prefix, in that order; the first that exists.
 */
const char *data_dir(const char *kind, char *buf, size_t size);

struct workload;

/*
 * workload_open for what a user names: also a recording of the data folder by its name, with or
 * without .cpw, when there is no such file here.
 */
int open_workload(const char *spec, struct workload **ret, struct error *err);

/* The file of the recording that a specification names; "" when it names a generator. */
int workload_file(const char *spec, char *path, size_t size, struct error *err);
