// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The directories of MMTests, of all ages:
 *
 *	work/log/RUN/iter-0/BENCH/logs/   work/log/RUN/iter-0/turbostat-BENCH
 *	work/log/RUN/BENCH/noprofile/     work/log/RUN/turbostat-BENCH
 *	work/log/BENCH-RUN/noprofile/     work/log/turbostat-RUN-BENCH   (tests-timestamp-RUN)
 */
#include "report/mmtests.h"
#include "report/others.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef int (*trace_reader)(void *ctx, struct samples *samples, const char *path,
	const char *workload, const char *config, struct error *err);

struct reader {
	struct samples *samples;
	trace_reader trace;
	void *ctx;
	struct error *err;
	char config[256]; /* the run's name */
	const char *name; /* given by the caller, or NULL */
	int nr_runs, nr_benches;
};

/* ---- directories ----------------------------------------------------------------------------- */

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static int not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int by_number(const struct dirent **a, const struct dirent **b)
{
	return strverscmp((*a)->d_name, (*b)->d_name);
}

static void free_list(struct dirent **list, int nr)
{
	for (int i = 0; i < nr; i++)
		free(list[i]);
	free(list);
}

static int list_dir(struct reader *r, const char *path, struct dirent ***ret)
{
	int nr = scandir(path, ret, not_hidden, by_number);

	return nr < 0 ? error_set(r->err, errno, "%s: %s", path, strerror(errno)) : nr;
}

static bool join(char *ret, const char *dir, const char *name)
{
	return snprintf(ret, PATH_MAX, "%s/%s", dir, name) < PATH_MAX;
}

/* Where a benchmark's directory has its logs; false: it is none. */
static bool logs_of(const char *dir, const char *name, char *ret)
{
	static const char *const names[] = { "logs", "noprofile", "fine-profile-timer" };
	char bench[PATH_MAX];

	if (!join(bench, dir, name))
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (join(ret, bench, names[i]) && is_dir(ret))
			return true;
	return false;
}

/* ---- one benchmark --------------------------------------------------------------------------- */

/* The name without the ending of a compressed file. */
static size_t plain_length(const char *name)
{
	static const char *const endings[] = { ".gz", ".xz", ".zst", ".bz2" };
	size_t n = strlen(name);

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t m = strlen(endings[i]);

		if (n > m && !strcmp(name + n - m, endings[i]))
			return n - m;
	}
	return n;
}

/* PREFIX NUMBER [-ITERATION] SUFFIX: sets the number's length, 0 for PREFIX alone. */
static bool matches(const struct mmtests_format *f, const char *name, int *ret_digits)
{
	size_t n = plain_length(name), prefix = strlen(f->prefix), suffix = strlen(f->suffix);

	if (strncmp(name, f->prefix, prefix) || n < prefix + suffix)
		return false;
	if (strncmp(name + n - suffix, f->suffix, suffix))
		return false;
	n -= prefix + suffix;
	name += prefix;
	*ret_digits = (int)strspn(name, "0123456789");
	if (f->prefix[prefix - 1] != '-')
		return n == 0;
	return *ret_digits && *ret_digits < 10 && strspn(name, "0123456789-") >= n;
}

static int read_file(struct reader *r, const struct mmtests_format *f, const char *path,
	const char *name, int digits, struct mmtests_values *values)
{
	char workload[64];
	struct log log;
	int rc = log_read(path, &log, r->err);

	if (rc)
		return rc;
	if (f->key)
		snprintf(workload, sizeof(workload), "%s:%s=%.*s", f->workload, f->key, digits,
			name + strlen(f->prefix));
	else
		snprintf(workload, sizeof(workload), "%s", f->workload);
	rc = f->parse(&log, workload, values);
	log_release(&log);
	return rc;
}

static int read_files(struct reader *r, const char *bench, const char *logs, bool fallback,
	struct mmtests_values *values)
{
	struct dirent **list;
	int nr = list_dir(r, logs, &list), rc = nr < 0 ? nr : 0, digits;
	char path[PATH_MAX];

	for (const struct mmtests_format *f = mmtests_formats; f->bench && !rc; f++) {
		if (f->fallback != fallback || strncmp(bench, f->bench, strlen(f->bench)))
			continue;
		for (int i = 0; i < nr && !rc; i++)
			if (matches(f, list[i]->d_name, &digits) &&
				join(path, logs, list[i]->d_name))
				rc = read_file(r, f, path, list[i]->d_name, digits, values);
	}
	if (nr >= 0)
		free_list(list, nr);
	return rc;
}

static bool known(const char *bench)
{
	for (const struct mmtests_format *f = mmtests_formats; f->bench; f++)
		if (!strncmp(bench, f->bench, strlen(f->bench)))
			return true;
	return false;
}

static bool has_fixed_time(const char *bench)
{
	for (const struct mmtests_format *f = mmtests_formats; f->bench; f++)
		if (!strncmp(bench, f->bench, strlen(f->bench)))
			return f->fixed_time;
	return false;
}

static int measured(struct reader *r, const char *workload, const char *metric, const char *unit,
	int better, double value)
{
	int rc = samples_measured(r->samples, workload, r->config, metric, unit, better, value);

	return rc ? error_set(r->err, -rc, "%s: %s: %s", r->config, metric, strerror(-rc)) : 0;
}

/* What an iteration comes to at the mean power. */
static int add_energy(struct reader *r, const struct mmtests_value *v, double watts)
{
	int rc = 0;

	if (!strcmp(v->metric, "elapsed_s") && v->value > 0) {
		rc = measured(r, v->workload, "package_j", "J", -1, watts * v->value);
		rc = rc ? rc
			: measured(r, v->workload, "ops_per_j", "1/J", 1, 1 / (watts * v->value));
	} else if (!strcmp(v->metric, "tx_per_s")) {
		rc = measured(r, v->workload, "ops_per_j", "1/J", 1, v->value / watts);
	} else if (!strcmp(v->metric, "mb_per_s")) {
		rc = measured(r, v->workload, "mb_per_j", "MB/J", 1, v->value / watts);
	}
	return rc;
}

static int add_values(
	struct reader *r, const char *bench, const struct mmtests_values *values, double watts)
{
	struct sample_group *group;
	int rc = 0;

	for (size_t i = 0; i < values->nr && !rc; i++) {
		const struct mmtests_value *v = &values->list[i];

		rc = measured(r, v->workload, v->metric, v->unit, v->better, v->value);
		if (!rc && watts > 0)
			rc = add_energy(r, v, watts);
		if (!rc && !samples_group(r->samples, "", v->workload, "", &group))
			group->fixed_time = has_fixed_time(bench);
	}
	return rc;
}

/* The workload that all values are of, else the benchmark itself. */
static const char *only_workload(const char *bench, const struct mmtests_values *values)
{
	for (size_t i = 1; i < values->nr; i++)
		if (strcmp(values->list[i].workload, values->list[0].workload))
			return bench;
	return values->nr ? values->list[0].workload : bench;
}

/* ---- monitors -------------------------------------------------------------------------------- */

/* MONITOR-BENCH or MONITOR-RUN-BENCH, with whatever the monitor adds behind it. */
static bool is_monitor(const struct reader *r, const char *name, const char *monitor,
	const char *run, const char *bench)
{
	size_t n = strlen(monitor), m;

	if (strncmp(name, monitor, n) || name[n] != '-')
		return false;
	name += n + 1;
	m = strlen(run);
	if (!strncmp(name, run, m) && name[m] == '-' && strncmp(name, bench, strlen(bench)))
		name += m + 1;
	m = strlen(bench);
	if (strncmp(name, bench, m))
		return false;
	name += m;
	return !*name || *name == '.' || !strncmp(name, "-trace-cmd-", 11);
}

static int read_turbostat(struct reader *r, const char *path, const char *bench,
	const char *workload, double *ret_watts)
{
	struct turbostat_sums sums;
	char note[256];
	struct log log;
	int rc = log_read(path, &log, r->err);

	if (rc)
		return rc;
	rc = turbostat_sum(r->samples, &log, workload, r->config, &sums);
	log_release(&log);
	if (rc || isnan(sums.package_w))
		return rc;
	if (strcmp(workload, bench)) {
		*ret_watts = sums.package_w;
		snprintf(note, sizeof(note),
			"%.80s: energy of a sample is turbostat's mean power over the whole "
			"benchmark times the sample's time",
			bench);
	} else {
		snprintf(note, sizeof(note),
			"%.80s: turbostat ran over several workloads: no energy for each of them",
			bench);
	}
	return samples_note(r->samples, note) ? error_set(r->err, ENOMEM, "out of memory") : 0;
}

static int read_monitors(struct reader *r, const char *dir, const char *run, const char *bench,
	const char *workload, double *ret_watts)
{
	struct dirent **list;
	int nr = list_dir(r, dir, &list), rc = nr < 0 ? nr : 0;
	char path[PATH_MAX];

	for (int i = 0; i < nr && !rc; i++) {
		const char *name = list[i]->d_name;

		if (!join(path, dir, name))
			continue;
		if (is_monitor(r, name, "turbostat", run, bench))
			rc = read_turbostat(r, path, bench, workload, ret_watts);
		else if (r->trace && (is_monitor(r, name, "trace-cmd", run, bench) ||
					     is_monitor(r, name, "perf-sched", run, bench)))
			rc = r->trace(r->ctx, r->samples, path, workload, r->config, r->err);
	}
	if (nr >= 0)
		free_list(list, nr);
	return rc;
}

static int read_bench(
	struct reader *r, const char *dir, const char *run, const char *bench, const char *logs)
{
	struct mmtests_values values = { 0 };
	const char *workload;
	double watts = NAN;
	int rc;

	if (!known(bench)) {
		char note[256];

		snprintf(note, sizeof(note), "%.80s: results of %.80s are not read", run, bench);
		return samples_note(r->samples, note) ? error_set(r->err, ENOMEM, "out of memory")
						      : 0;
	}
	rc = read_files(r, bench, logs, false, &values);
	if (!rc && !values.nr)
		rc = read_files(r, bench, logs, true, &values);
	if (!rc && !values.nr)
		rc = error_set(r->err, EINVAL, "%s: no results of %s in it", logs, bench);
	workload = only_workload(bench, &values);
	rc = rc ? rc : read_monitors(r, dir, run, bench, workload, &watts);
	rc = rc ? rc : add_values(r, bench, &values, watts);
	r->nr_benches++;
	mmtests_values_release(&values);
	return rc;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* The benchmarks in a directory, of which the run's name is the end ("-RUN") or, NULL, no part. */
static int read_benches(struct reader *r, const char *dir, const char *run, bool in_name)
{
	struct dirent **list;
	int nr = list_dir(r, dir, &list), rc = nr < 0 ? nr : 0;
	size_t end = strlen(run) + 1;
	char logs[PATH_MAX], bench[256];

	for (int i = 0; i < nr && !rc; i++) {
		const char *name = list[i]->d_name;
		size_t n = strlen(name);

		if (!logs_of(dir, name, logs))
			continue;
		if (in_name &&
			(n <= end || strcmp(name + n - end + 1, run) || name[n - end] != '-'))
			continue;
		snprintf(bench, sizeof(bench), "%.*s", (int)(in_name ? n - end : n), name);
		rc = read_bench(r, dir, run, bench, logs);
	}
	if (nr >= 0)
		free_list(list, nr);
	return rc;
}

static int begin_run(struct reader *r, const char *dir, const char *run)
{
	if (r->name && r->nr_runs)
		return error_set(r->err, EINVAL,
			"%s: holds several runs, which cannot all be named '%s'", dir, r->name);
	snprintf(r->config, sizeof(r->config), "%s", r->name ? r->name : run);
	r->nr_runs++;
	return 0;
}

/* A directory with iter-N, or with benchmarks. False in ret_is: neither. */
static int read_run(struct reader *r, const char *dir, const char *run, bool *ret_is)
{
	struct dirent **list;
	int nr = list_dir(r, dir, &list), rc = nr < 0 ? nr : 0;
	bool benches = false;
	char path[PATH_MAX];

	*ret_is = false;
	for (int i = 0; i < nr && !rc; i++) {
		benches |= logs_of(dir, list[i]->d_name, path);
		if (strncmp(list[i]->d_name, "iter-", 5) || !join(path, dir, list[i]->d_name) ||
			!is_dir(path))
			continue;
		rc = *ret_is ? 0 : begin_run(r, dir, run);
		rc = rc ? rc : read_benches(r, path, run, false);
		*ret_is = true;
	}
	if (nr >= 0)
		free_list(list, nr);
	if (rc || *ret_is || !benches)
		return rc;
	*ret_is = true;
	rc = begin_run(r, dir, run);
	return rc ? rc : read_benches(r, dir, run, false);
}

static int read_log(struct reader *r, const char *dir)
{
	static const char stamp[] = "tests-timestamp-";
	struct dirent **list;
	int nr = list_dir(r, dir, &list), rc = nr < 0 ? nr : 0;
	char path[PATH_MAX];
	bool is;

	for (int i = 0; i < nr && !rc; i++) {
		const char *name = list[i]->d_name, *run = name + sizeof(stamp) - 1;

		if (!join(path, dir, name))
			continue;
		if (!strncmp(name, stamp, sizeof(stamp) - 1) && *run) {
			rc = begin_run(r, dir, run);
			rc = rc ? rc : read_benches(r, dir, run, true);
		} else if (is_dir(path) && !logs_of(dir, name, (char[PATH_MAX]){ 0 })) {
			rc = read_run(r, path, name, &is);
		}
	}
	if (nr >= 0)
		free_list(list, nr);
	return rc;
}

static bool has_stamp_of_run(const char *dir)
{
	struct dirent **list;
	int nr = scandir(dir, &list, not_hidden, by_number);
	bool found = false;

	for (int i = 0; i < nr; i++)
		found |= !strncmp(list[i]->d_name, "tests-timestamp-", 16) && list[i]->d_name[16];
	if (nr >= 0)
		free_list(list, nr);
	return found;
}

/* The last part of a path, without what "." and ".." would say. */
static void name_of(const char *dir, char *ret, size_t size)
{
	char path[PATH_MAX], *slash;

	snprintf(ret, size, "%s", dir);
	if (!realpath(dir, path))
		return;
	slash = strrchr(path, '/');
	if (slash && slash[1])
		snprintf(ret, size, "%s", slash + 1);
}

int mmtests_read(struct samples *samples, const char *dir, const char *config, trace_reader trace,
	void *ctx, struct error *err)
{
	struct reader r = {
		.samples = samples, .trace = trace, .ctx = ctx, .err = err, .name = config
	};
	char name[256];
	bool is = false;
	int rc = 0;

	name_of(dir, name, sizeof(name));
	if (!has_stamp_of_run(dir))
		rc = read_run(&r, dir, name, &is);
	if (!rc && !is)
		rc = read_log(&r, dir);
	if (!rc && !r.nr_benches)
		rc = error_set(err, EINVAL,
			"%s: no run of MMTests that can be read, expected "
			"RUN/iter-N/BENCHMARK/logs "
			"with kernbench, gitsource, hackbench, sqlite, pgbench, tbench or dbench4",
			dir);
	return rc;
}
