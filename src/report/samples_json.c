// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples out of the JSON of fio and hyperfine. */
#include "report/json.h"
#include "report/others.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct samples *samples;
	const char *path, *workload, *config;
	char where[96]; /* the field, for messages */
	struct error *err;
};

static int wrong(const struct reader *r, const char *field, const char *expected)
{
	return error_set(
		r->err, EINVAL, "%s: %s%s: expected %s", r->path, r->where, field, expected);
}

static int add(struct reader *r, const char *metric, const char *unit, int better, double value)
{
	int rc = samples_measured(r->samples, r->workload, r->config, metric, unit, better, value);

	if (rc == -EEXIST)
		return wrong(r, metric, "the unit of its other samples");
	if (rc == -E2BIG)
		return wrong(r, metric, "at most 1024 configurations and 1024 metrics");
	return rc ? error_set(r->err, -rc, "%s: out of memory", r->path) : 0;
}

/* Warnings may stand before the document: it begins with the first line that begins with '{'. */
static json_t *document(struct log *log)
{
	const char *text = log->text;
	unsigned long before = 0;
	json_error_t at;
	json_t *json;

	while (*text && *text != '{') {
		const char *end = strchr(text, '\n');

		if (!end)
			break;
		text = end + 1;
		before++;
	}
	json = json_loads(text, JSON_DISABLE_EOF_CHECK, &at);
	if (!json)
		error_set(log->err, EINVAL, "%s:%lu: %s", log->path,
			before + (at.line > 0 ? (unsigned long)at.line : 1), at.text);
	return json;
}

static int number(struct reader *r, const json_t *object, const char *field, double *ret)
{
	const json_t *value = json_object_get(object, field);

	if (!json_is_number(value))
		return wrong(r, field, "a number");
	*ret = json_number_value(value);
	return 0;
}

/* ---- fio ------------------------------------------------------------------------------------- */

static int fio_metric(struct reader *r, const char *direction, const char *name, const char *unit,
	int better, double value)
{
	char metric[48];

	snprintf(metric, sizeof(metric), "%s_%s", direction, name);
	return add(r, metric, unit, better, value);
}

static int fio_percentile(struct reader *r, const json_t *latency, const char *direction)
{
	const json_t *p99 = json_object_get(json_object_get(latency, "percentile"), "99.000000");

	if (!json_is_number(p99)) /* fio can be told to leave them out */
		return 0;
	return fio_metric(r, direction, "p99_us", "us", -1, json_number_value(p99) / 1000);
}

static int fio_direction(struct reader *r, const json_t *job, const char *direction)
{
	const json_t *io = json_object_get(job, direction), *latency;
	double ios, iops, bytes, mean;
	int rc;

	if (!io)
		return 0;
	rc = number(r, io, "total_ios", &ios);
	if (rc || !(ios > 0))
		return rc;
	rc = number(r, io, "iops", &iops);
	rc = rc ? rc : number(r, io, "bw_bytes", &bytes);
	rc = rc ? rc : fio_metric(r, direction, "iops", "1/s", 1, iops);
	rc = rc ? rc : fio_metric(r, direction, "mb_per_s", "MB/s", 1, bytes / 1e6);
	latency = json_object_get(io, "lat_ns");
	rc = rc ? rc : number(r, latency, "mean", &mean);
	rc = rc ? rc : fio_metric(r, direction, "lat_us", "us", -1, mean / 1000);
	return rc ? rc : fio_percentile(r, json_object_get(io, "clat_ns"), direction);
}

static int fio_job(struct reader *r, size_t index, const json_t *job, bool only)
{
	static const char *const directions[] = { "read", "write", "trim" };
	const json_t *name = json_object_get(job, "jobname"), *error;
	int rc = 0;

	snprintf(r->where, sizeof(r->where), "jobs[%zu].", index);
	if (!json_is_string(name))
		return wrong(r, "jobname", "text");
	error = json_object_get(job, "error");
	if (json_is_integer(error) && json_integer_value(error))
		return wrong(r, "error", "0: the job failed");
	r->workload = only ? "" : json_string_value(name);
	for (int i = 0; i < 3 && !rc; i++) {
		snprintf(r->where, sizeof(r->where), "jobs[%zu].%s.", index, directions[i]);
		rc = fio_direction(r, job, directions[i]);
	}
	return rc;
}

int fio_parse(struct samples *samples, struct log *log, const char *config)
{
	struct reader r = {
		.samples = samples, .path = log->path, .config = config, .err = log->err
	};
	json_t *json = document(log), *jobs, *job;
	size_t i;
	int rc = 0;

	if (!json)
		return -EINVAL;
	jobs = json_object_get(json, "jobs");
	if (!json_is_array(jobs) || !json_array_size(jobs))
		rc = wrong(&r, "jobs", "a list of jobs");
	else
		json_array_foreach(jobs, i, job)
		{
			rc = fio_job(&r, i, job, json_array_size(jobs) == 1);
			if (rc)
				break;
		}
	json_decref(json);
	return rc;
}

/* ---- hyperfine ------------------------------------------------------------------------------- */

static int hyperfine_times(struct reader *r, const json_t *result, size_t index)
{
	const json_t *times = json_object_get(result, "times"), *time;
	size_t i;
	int rc = 0;

	if (!json_is_array(times) || !json_array_size(times))
		return wrong(r, "times", "a list of seconds");
	json_array_foreach(times, i, time)
	{
		snprintf(r->where, sizeof(r->where), "results[%zu].times[%zu]", index, i);
		if (!json_is_number(time))
			return wrong(r, "", "a number of seconds");
		rc = add(r, "elapsed_s", "s", -1, json_number_value(time));
		if (rc)
			break;
	}
	return rc;
}

static int hyperfine_result(struct reader *r, size_t index, const json_t *result, bool config_given)
{
	static const struct {
		const char *field, *metric;
	} means[] = { { "user", "user_s" }, { "system", "system_s" } };
	const json_t *command = json_object_get(result, "command");
	int rc;

	snprintf(r->where, sizeof(r->where), "results[%zu].", index);
	if (!json_is_string(command))
		return wrong(r, "command", "text");
	if (!config_given)
		r->config = json_string_value(command);
	else if (index)
		r->workload = json_string_value(command);
	rc = hyperfine_times(r, result, index);
	for (size_t i = 0; i < sizeof(means) / sizeof(means[0]) && !rc; i++) {
		const json_t *mean = json_object_get(result, means[i].field);

		if (json_is_number(mean))
			rc = add(r, means[i].metric, "s", -1, json_number_value(mean));
	}
	return rc;
}

int hyperfine_parse(struct samples *samples, struct log *log, const char *config)
{
	struct reader r = { .samples = samples,
		.path = log->path,
		.workload = "",
		.config = config,
		.err = log->err };
	json_t *json = document(log), *results, *result;
	size_t i;
	int rc = 0;

	if (!json)
		return -EINVAL;
	results = json_object_get(json, "results");
	if (!json_is_array(results) || !json_array_size(results)) {
		rc = wrong(&r, "results", "a list of commands");
	} else {
		/* Several commands of one configuration are its workloads. */
		result = json_array_get(results, 0);
		if (config && json_array_size(results) > 1 &&
			json_is_string(json_object_get(result, "command")))
			r.workload = json_string_value(json_object_get(result, "command"));
		json_array_foreach(results, i, result)
		{
			rc = hyperfine_result(&r, i, result, config != NULL);
			if (rc)
				break;
		}
	}
	json_decref(json);
	return rc;
}

static int read_with(int (*parse)(struct samples *, struct log *, const char *),
	struct samples *samples, const char *path, const char *config, struct error *err)
{
	struct log log;
	int rc = log_read(path, &log, err);

	if (rc)
		return rc;
	rc = parse(samples, &log, config);
	log_release(&log);
	return rc;
}

int fio_read(struct samples *samples, const char *path, const char *config, struct error *err)
{
	return read_with(fio_parse, samples, path, config ? config : path, err);
}

int hyperfine_read(struct samples *samples, const char *path, const char *config, struct error *err)
{
	return read_with(hyperfine_parse, samples, path, config, err);
}
