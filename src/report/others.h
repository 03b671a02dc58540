/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples out of what other tools wrote: fio, hyperfine, turbostat, MMTests. Metrics get the names
 * that simulated runs use (corepace-compare(1)), so that both can stand in one table.
 *
 * config: the configuration's name; NULL: chosen by the reader. Errors name file and line, or file
 * and field for JSON.
 */
#pragma once

#include "report/log_text.h"
#include "report/samples.h"

enum input_kind {
	INPUT_RESULTS, /* of `run --json` */
	INPUT_CSV,
	INPUT_FIO,
	INPUT_HYPERFINE,
	INPUT_TURBOSTAT,
	INPUT_MMTESTS, /* a directory */
};

/* Looks at the name and the beginning of the contents. Negative errno when it is none of them. */
int input_kind(const char *path, struct error *err);

/* `fio --output-format=json`: rates and latencies of each job; config: else the file's name. */
int fio_read(struct samples *samples, const char *path, const char *config, struct error *err);
int fio_parse(struct samples *samples, struct log *log, const char *config);

/*
 * `hyperfine --export-json`: elapsed_s of each run of each command. Commands are configurations, or
 * workloads when config is given.
 */
int hyperfine_read(
	struct samples *samples, const char *path, const char *config, struct error *err);
int hyperfine_parse(struct samples *samples, struct log *log, const char *config);

/* turbostat's own table: power, frequency and idle residency of each interval. */
int turbostat_read(
	struct samples *samples, const char *path, const char *config, struct error *err);
int turbostat_parse(
	struct samples *samples, struct log *log, const char *workload, const char *config);

/* What one turbostat file comes to. */
struct turbostat_sums {
	unsigned intervals;
	double seconds;		     /* 0: not known */
	double package_w, package_j; /* mean over the intervals; NaN: not known */
};
int turbostat_sum(struct samples *samples, struct log *log, const char *workload,
	const char *config, struct turbostat_sums *ret);

/*
 * A work/log directory of MMTests, or the directory of one run in it. Each run is a configuration;
 * config, when given, must mean a single run.
 */
int mmtests_read(struct samples *samples, const char *dir, const char *config,
	int (*trace)(void *ctx, struct samples *samples, const char *path, const char *workload,
		const char *config, struct error *err),
	void *ctx, struct error *err);
