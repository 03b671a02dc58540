/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples by group, metric and configuration: what tables and comparisons are made of, whether they
 * come from simulated runs or from a CSV of measured samples. A group is what can be compared: one
 * workload, and for a recorded one, one end of frequency scaling. Groups, metrics and
 * configurations keep the order in which they were first seen; the first configuration is the
 * baseline.
 *
 * Order of calls: zero it, any of the readers (also report/others.h), then read, samples_release.
 */
#pragma once

#include "base/error.h"
#include "corepace/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A table with more is a mistake in the input, not a comparison. */
enum { CONFIGS_MAX = 1024, METRICS_MAX = 1024 };

enum sample_section { SECTION_WORK, SECTION_ENERGY, SECTION_WAKE, SECTION_CPU, SECTIONS };

struct sample_metric {
	char name[48], unit[16];
	int better; /* -1 lower, 1 higher, 0 neither */
	enum sample_section section;
};

struct sample_config {
	char *name;
	/* Of the runs behind it; unknown (0, -1) for measured samples. */
	size_t runs;
	double operations;  /* sum over the runs */
	double energy_band; /* as in struct run_result; 0 for measured samples */
	bool simulated;	    /* no p-values for it: seeds are no evidence */
};

struct sample {
	int metric, config;
	double value;
};

struct sample_group {
	char *machine, *workload; /* "" for measured samples; machine "" when it varies */
	char scaling[8];
	int fixed_time; /* 1: time was fixed, 0: work was, -1: not known */
	int nr_metrics, nr_configs;
	size_t nr_samples;
	struct sample_metric *metrics;
	struct sample_config *configs;
	struct sample *samples;
};

struct samples {
	bool by_machine; /* set by the caller: runs on different machines are different groups */
	bool one_table;	 /* set by the caller: all in one group, whatever the workload */
	/* Set by the caller: where samples go that name no workload, or NULL. */
	const char *anonymous, *anonymous_scaling;
	int nr_groups, nr_notes;
	struct sample_group *groups;
	char **notes; /* of all runs, each once */
};

/*
 * Adds the samples of a CSV file with the header config,metric,unit,better,value, fields quoted
 * with
 * "" where they hold a comma. An error names file, line and field.
 */
int samples_read_csv(struct samples *samples, const char *path, struct error *err);
int samples_parse_csv(struct samples *samples, const char *path, FILE *f, struct error *err);

/*
 * Adds runs. files[i] is the file that run i came from, files NULL when all came from one: a
 * configuration is named by the policy, and by machine and file where these tell runs apart.
 */
int samples_add_results(struct samples *samples, const struct run_result *runs, int nr,
	const char *const *files, struct error *err);
/* The same, but only runs[first] up to before runs[end] are added; names are chosen among all. */
int samples_add_some_results(struct samples *samples, const struct run_result *runs, int nr,
	const char *const *files, int first, int end, struct error *err);

/* Adds one run, of a configuration with this name. */
int samples_add_result(
	struct samples *samples, const struct run_result *r, const char *name, struct error *err);

void samples_release(struct samples *samples);

/* ---- for the readers ------------------------------------------------------------------------- */

int samples_group(struct samples *samples, const char *machine, const char *workload,
	const char *scaling, struct sample_group **ret);
/* Index of the configuration or metric, added when new; -EEXIST: known with another unit or better.
 */
int group_config(struct sample_group *group, const char *name);
int group_metric(struct sample_group *group, const struct sample_metric *metric);
int group_add(struct sample_group *group, int metric, int config, double value);
int samples_note(struct samples *samples, const char *text);
/* The section of a table in which a metric of this name and unit belongs. */
enum sample_section section_of_metric(const char *name, const char *unit);
/*
 * One measured sample; NaN: one that is missing. Group, configuration and metric are added when
 * new. 0, -ENOMEM, -EEXIST, -E2BIG as above.
 */
int samples_measured(struct samples *samples, const char *workload, const char *config,
	const char *metric, const char *unit, int better, double value);
