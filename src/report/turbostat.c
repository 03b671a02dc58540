// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * turbostat's table. A header line names the columns and may be repeated. Of the lines below it
 * only the one of the whole system counts: its CPU and Core columns hold "-", in old versions
 * nothing. MMTests puts "SECONDS ... -- " before each line.
 */
#include "report/others.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAMP_WORDS = 4 };

enum column_kind {
	COLUMN_OTHER,
	COLUMN_ID,
	COLUMN_METRIC,
	COLUMN_USEC,
	COLUMN_TIME,
	COLUMN_JOULES
};

struct column {
	enum column_kind kind;
	char metric[24];
	const char *unit;
	int better;
};

struct reader {
	struct samples *samples;
	struct log *log;
	const char *workload, *config;
	int nr, nr_ids;
	struct column columns[LOG_WORDS_MAX];
	bool first;			       /* the next line is the first below a header */
	double stamp, previous_stamp, seconds; /* of the coming interval; 0: not known */
	double sum_w, sum_j;
	struct turbostat_sums sums;
};

static bool is_id(const char *name)
{
	static const char *const ids[] = { "Package", "Pkg", "pk", "Node", "Die", "Core", "cor",
		"CPU", "APIC", "X2APIC", "L3", "Module" };

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		if (!strcmp(name, ids[i]))
			return true;
	return false;
}

static void set_metric(struct column *c, const char *metric, const char *unit, int better)
{
	c->kind = COLUMN_METRIC;
	snprintf(c->metric, sizeof(c->metric), "%s", metric);
	c->unit = unit;
	c->better = better;
}

/* "C1E%" and "POLL%" are the states that the kernel asked for, "CPU%c6" what the hardware did. */
static void set_residency(struct column *c, const char *name)
{
	char metric[24];
	size_t n = strlen(name);
	bool hardware = !strncmp(name, "CPU%c", 5) || !strncmp(name, "Pkg%pc", 6);

	if (hardware)
		snprintf(metric, sizeof(metric), "%s%.8s_pct", *name == 'C' ? "hw_c" : "hw_pc",
			name + (*name == 'C' ? 5 : 6));
	else if (n > 1 && n < 16 && name[n - 1] == '%' && (*name == 'C' || !strcmp(name, "POLL%")))
		snprintf(metric, sizeof(metric), "%.*s_pct", (int)n - 1, name);
	else
		return;
	set_metric(c, metric, "%", 0);
}

static struct column column_named(const char *name)
{
	struct column c = { .kind = COLUMN_OTHER };

	if (is_id(name))
		c.kind = COLUMN_ID;
	else if (!strcmp(name, "PkgWatt") || !strcmp(name, "Pkg_W"))
		set_metric(&c, "package_w", "W", -1);
	else if (!strcmp(name, "CorWatt") || !strcmp(name, "Cor_W"))
		set_metric(&c, "cores_w", "W", -1);
	else if (!strcmp(name, "GFXWatt"))
		set_metric(&c, "gpu_w", "W", -1);
	else if (!strcmp(name, "RAMWatt"))
		set_metric(&c, "ram_w", "W", -1);
	else if (!strcmp(name, "Avg_MHz"))
		set_metric(&c, "avg_mhz", "MHz", 0);
	else if (!strcmp(name, "Busy%") || !strcmp(name, "%Busy"))
		set_metric(&c, "busy_pct", "%", 0);
	else if (!strcmp(name, "usec"))
		c.kind = COLUMN_USEC;
	else if (!strcmp(name, "Time_Of_Day_Seconds"))
		c.kind = COLUMN_TIME;
	else if (!strcmp(name, "Pkg_J"))
		c.kind = COLUMN_JOULES;
	else
		set_residency(&c, name);
	return c;
}

static bool is_header(char *words[], int nr)
{
	static const char *const sure[] = { "Avg_MHz", "PkgWatt", "Pkg_J", "Busy%", "%Busy",
		"Bzy_MHz" };

	for (int i = 0; i < nr; i++)
		for (size_t k = 0; k < sizeof(sure) / sizeof(sure[0]); k++)
			if (!strcmp(words[i], sure[k]))
				return true;
	return false;
}

static void take_header(struct reader *r, char *words[], int nr)
{
	r->nr = nr;
	r->nr_ids = 0;
	r->first = true;
	for (int i = 0; i < nr; i++) {
		r->columns[i] = column_named(words[i]);
		r->nr_ids += r->columns[i].kind == COLUMN_ID;
	}
}

static bool is_whole_system(const struct reader *r, char *words[], int nr)
{
	if (r->first && nr == r->nr - r->nr_ids)
		return true;
	if (nr != r->nr)
		return false;
	for (int i = 0; i < nr; i++)
		if (r->columns[i].kind == COLUMN_ID && strcmp(words[i], "-"))
			return false;
	return true;
}

static int add(struct reader *r, const char *metric, const char *unit, int better, double value)
{
	int rc = samples_measured(r->samples, r->workload, r->config, metric, unit, better, value);

	return rc == -EEXIST ? log_wrong(r->log, metric, unit, "the unit of its other samples")
			     : rc;
}

/* How long the interval was: by its own columns, else by what stood before. */
static double interval_seconds(struct reader *r, double usec, double time)
{
	double seconds = r->seconds;

	if (!isnan(time) && isnan(r->stamp))
		r->stamp = time;
	if (!isnan(r->stamp) && !isnan(r->previous_stamp))
		seconds = r->stamp - r->previous_stamp;
	if (!isnan(r->stamp))
		r->previous_stamp = r->stamp;
	if (usec > 0)
		seconds = usec / 1e6;
	r->seconds = 0;
	return seconds > 0 ? seconds : NAN;
}

static int take_row(struct reader *r, char *words[], int nr)
{
	double usec = NAN, time = NAN, watts = NAN, joules = NAN, seconds, value;
	int word = 0, rc = 0;

	for (int i = 0; i < r->nr && !rc; i++) {
		const struct column *c = &r->columns[i];

		if (c->kind == COLUMN_ID && nr < r->nr)
			continue;
		if (c->kind == COLUMN_OTHER || c->kind == COLUMN_ID) {
			word++;
			continue;
		}
		rc = log_number(r->log, c->kind == COLUMN_METRIC ? c->metric : "time or energy",
			words[word++], &value);
		if (rc)
			return rc;
		if (c->kind == COLUMN_METRIC) {
			rc = add(r, c->metric, c->unit, c->better, value);
			if (!strcmp(c->metric, "package_w"))
				watts = value;
		} else {
			*(c->kind == COLUMN_USEC	 ? &usec
				: c->kind == COLUMN_TIME ? &time
							 : &joules) = value;
		}
	}
	seconds = interval_seconds(r, usec, time);
	if (isnan(watts))
		watts = joules / seconds;
	r->sums.intervals++;
	r->sums.seconds += seconds; /* NaN stays */
	r->sum_w += watts;
	r->sum_j += isnan(joules) ? watts * seconds : joules;
	return rc;
}

static int take_line(struct reader *r, char *line)
{
	char *words[LOG_WORDS_MAX], **from = words, *end;
	int nr = log_words(line, words), rc = 0;

	r->stamp = NAN;
	if (nr > STAMP_WORDS && !strcmp(words[STAMP_WORDS - 1], "--")) {
		double stamp = strtod(words[0], &end);

		if (end != words[0] && !*end && isfinite(stamp))
			r->stamp = stamp;
		from += STAMP_WORDS;
		nr -= STAMP_WORDS;
	}
	if (nr == 2 && !strcmp(from[1], "sec")) {
		r->seconds = strtod(from[0], &end);
		return 0;
	}
	if (is_header(from, nr)) {
		take_header(r, from, nr);
		return 0;
	}
	if (r->nr && nr && is_whole_system(r, from, nr))
		rc = take_row(r, from, nr);
	r->first = false;
	return rc;
}

int turbostat_sum(struct samples *samples, struct log *log, const char *workload,
	const char *config, struct turbostat_sums *ret)
{
	struct reader *r = calloc(1, sizeof(*r));
	char *line;
	int rc = 0;

	if (!r)
		return error_set(log->err, ENOMEM, "%s: out of memory", log->path);
	r->samples = samples;
	r->log = log;
	r->workload = workload;
	r->config = config;
	r->previous_stamp = NAN;
	while (!rc && (line = log_line(log)))
		rc = take_line(r, line);
	if (rc == -ENOMEM || rc == -E2BIG)
		error_set(log->err, -rc, "%s:%lu: %s", log->path, log->line, strerror(-rc));
	if (!rc && !r->sums.intervals)
		rc = error_set(log->err, EINVAL,
			"%s:%lu: expected turbostat's header with Avg_MHz or PkgWatt and a line of "
			"the whole system below it",
			log->path, log->line + 1);
	*ret = r->sums;
	ret->package_w = r->sum_w / r->sums.intervals;
	ret->package_j = r->sum_j;
	free(r);
	return rc;
}

int turbostat_parse(
	struct samples *samples, struct log *log, const char *workload, const char *config)
{
	struct turbostat_sums sums;
	int rc = turbostat_sum(samples, log, workload, config, &sums);

	if (!rc && isfinite(sums.package_j))
		rc = samples_measured(
			samples, workload, config, "package_j", "J", -1, sums.package_j);
	return rc;
}

int turbostat_read(struct samples *samples, const char *path, const char *config, struct error *err)
{
	struct log log;
	int rc = log_read(path, &log, err);

	if (rc)
		return rc;
	rc = turbostat_parse(samples, &log, "", config ? config : path);
	log_release(&log);
	return rc;
}
