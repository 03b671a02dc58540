// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/result_json.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Where in the document we are, for messages: "FILE: runs[3].metrics.tx_per_s". */
struct place {
	const char *path;
	char field[160];
	struct error *err;
};

static int wrong(const struct place *at, const char *key, const char *expected)
{
	return error_set(at->err, EINVAL, "%s: %s%s%s: expected %s", at->path, at->field,
		*at->field && *key ? "." : "", key, expected);
}

/* Such text ends in tables on terminals. */
static bool printable(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
			return false;
	return true;
}

static int get_text(
	const struct place *at, const json_t *object, const char *key, char *ret, size_t size)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_string(value) || json_string_length(value) >= size ||
		!printable(json_string_value(value), json_string_length(value)))
		return wrong(at, key, "printable text of moderate length");
	strcpy(ret, json_string_value(value));
	return 0;
}

/* A missing count stays zero unless it is required. */
static int get_count(
	const struct place *at, const json_t *object, const char *key, bool required, uint64_t *ret)
{
	const json_t *value = json_object_get(object, key);

	if (!value && !required)
		return 0;
	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return wrong(at, key, "a whole number, 0 or more");
	*ret = (uint64_t)json_integer_value(value);
	return 0;
}

static int get_share(const struct place *at, const json_t *object, const char *key, double *ret)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_number(value) ||
		!(json_number_value(value) > 0 && json_number_value(value) <= 1))
		return wrong(at, key, "a share above 0, at most 1");
	*ret = json_number_value(value);
	return 0;
}

static int get_choice(const struct place *at, const json_t *object, const char *key,
	const char *const *names, const char *expected, int *ret)
{
	const char *text = json_string_value(json_object_get(object, key));

	for (int i = 0; text && names[i]; i++)
		if (!strcmp(text, names[i])) {
			*ret = i;
			return 0;
		}
	return wrong(at, key, expected);
}

static int parse_metric(
	const struct place *at, const char *name, const json_t *json, struct run_result *r)
{
	static const char *const directions[] = { "lower", "neither", "higher", NULL };
	const json_t *value = json_object_get(json, "value");
	char unit[sizeof(r->metrics[0].unit)];
	int direction, rc;

	if (!json_is_object(json))
		return wrong(at, "", "an object with value, unit, better");
	if (!json_is_number(value) && !json_is_null(value))
		return wrong(at, "value", "a number or null");
	rc = get_text(at, json, "unit", unit, sizeof(unit));
	if (!rc)
		rc = get_choice(
			at, json, "better", directions, "lower, higher or neither", &direction);
	if (rc)
		return rc;
	result_metric(
		r, name, unit, json_is_null(value) ? NAN : json_number_value(value), direction - 1);
	return 0;
}

static int parse_metrics(const struct place *run, const json_t *json, struct run_result *r)
{
	const json_t *all = json_object_get(json, "metrics");
	struct place at = *run;
	const char *name;
	json_t *metric;
	int rc;

	if (!json_is_object(all) || json_object_size(all) > RESULT_METRICS_MAX)
		return wrong(run, "metrics", "an object of at most 24 metrics");
	json_object_foreach((json_t *)all, name, metric)
	{
		if (!*name || strlen(name) >= sizeof(r->metrics[0].name) ||
			!printable(name, strlen(name)))
			return wrong(run, "metrics", "printable names of 1 to 31 characters");
		snprintf(at.field, sizeof(at.field), "%s.metrics.%s", run->field, name);
		rc = parse_metric(&at, name, metric, r);
		if (rc)
			return rc;
	}
	return 0;
}

static int parse_idle(const struct place *run, const json_t *all, struct result_idle *ret, int *nr)
{
	struct place at = *run;
	size_t i;
	json_t *state;
	int rc = 0;

	if (!all)
		return 0;
	if (!json_is_array(all) || json_array_size(all) > IDLE_STATES_MAX)
		return wrong(run, "idle", "a list of at most 10 states");
	json_array_foreach(all, i, state)
	{
		snprintf(at.field, sizeof(at.field), "%s.idle[%zu]", run->field, i);
		rc = get_text(&at, state, "state", ret[i].state, sizeof(ret[i].state));
		rc = rc ? rc : get_count(&at, state, "time_ns", true, &ret[i].time_ns);
		rc = rc ? rc : get_count(&at, state, "usage", false, &ret[i].usage);
		rc = rc ? rc : get_count(&at, state, "above", false, &ret[i].above);
		rc = rc ? rc : get_count(&at, state, "below", false, &ret[i].below);
		rc = rc ? rc : get_count(&at, state, "rejected", false, &ret[i].rejected);
		if (rc)
			return rc;
	}
	*nr = (int)json_array_size(all);
	return 0;
}

static int parse_cpus(const struct place *run, const json_t *json, struct run_result *r)
{
	const json_t *all = json_object_get(json, "cpus");
	struct place at = *run;
	size_t i;
	json_t *cpu;
	int rc, nr;

	if (!all)
		return 0;
	if (!json_is_array(all) || json_array_size(all) > 1024)
		return wrong(run, "cpus", "a list of at most 1024 CPUs");
	r->cpus = calloc(json_array_size(all) + 1, sizeof(*r->cpus));
	if (!r->cpus)
		return error_set(run->err, ENOMEM, "%s: out of memory", run->path);
	r->nr_cpus = (int)json_array_size(all);
	json_array_foreach(all, i, cpu)
	{
		snprintf(at.field, sizeof(at.field), "%s.cpus[%zu]", run->field, i);
		rc = get_count(&at, cpu, "busy_ns", true, &r->cpus[i].busy_ns);
		rc = rc ? rc : get_count(&at, cpu, "user_ns", false, &r->cpus[i].user_ns);
		rc = rc ? rc : get_count(&at, cpu, "system_ns", false, &r->cpus[i].system_ns);
		rc = rc ? rc : get_count(&at, cpu, "irq_ns", false, &r->cpus[i].irq_ns);
		rc = rc ? rc : parse_idle(&at, json_object_get(cpu, "idle"), r->cpus[i].idle, &nr);
		if (rc)
			return rc;
	}
	return 0;
}

static int parse_freqs(const struct place *run, const json_t *json, struct run_result *r)
{
	const json_t *all = json_object_get(json, "freq");
	struct place at = *run;
	size_t i;
	json_t *freq;

	if (!all)
		return 0;
	if (!json_is_array(all) || json_array_size(all) > RESULT_FREQS_MAX)
		return wrong(run, "freq", "a list of at most 64 frequencies");
	json_array_foreach(all, i, freq)
	{
		uint64_t khz = 0;
		int rc;

		snprintf(at.field, sizeof(at.field), "%s.freq[%zu]", run->field, i);
		rc = get_count(&at, freq, "khz", true, &khz);
		rc = rc ? rc : get_count(&at, freq, "time_ns", true, &r->freqs[i].time_ns);
		if (rc)
			return rc;
		if (khz > UINT32_MAX)
			return wrong(&at, "khz", "a frequency in kHz");
		r->freqs[i].khz = (uint32_t)khz;
	}
	r->nr_freqs = (int)json_array_size(all);
	return 0;
}

static int parse_buckets(const struct place *at, const json_t *all, struct run_result *r)
{
	static const char expected[] = "a list of [power of two, count]";
	size_t i;
	json_t *bucket;

	if (all && !json_is_array(all))
		return wrong(at, "buckets", expected);
	json_array_foreach(all, i, bucket)
	{
		json_int_t upper = json_integer_value(json_array_get(bucket, 0));
		const json_t *count = json_array_get(bucket, 1);
		int power = upper > 0 ? __builtin_ctzll((unsigned long long)upper) : 0;

		if (upper != 1LL << power || power >= WAKE_BUCKETS || !json_is_integer(count) ||
			json_integer_value(count) < 0)
			return wrong(at, "buckets", expected);
		r->wake_buckets[power] = (uint64_t)json_integer_value(count);
	}
	return 0;
}

static int parse_wake(const struct place *run, const json_t *json, struct run_result *r)
{
	const json_t *wake = json_object_get(json, "wake_latency_ns");
	struct place at = *run;
	int rc;

	if (!wake)
		return 0;
	snprintf(at.field, sizeof(at.field), "%s.wake_latency_ns", run->field);
	if (!json_is_object(wake))
		return wrong(run, "wake_latency_ns", "an object");
	rc = get_count(&at, wake, "p50", true, &r->wake_p50_ns);
	rc = rc ? rc : get_count(&at, wake, "p90", false, &r->wake_p90_ns);
	rc = rc ? rc : get_count(&at, wake, "p99", true, &r->wake_p99_ns);
	rc = rc ? rc : get_count(&at, wake, "p999", false, &r->wake_p999_ns);
	rc = rc ? rc : get_count(&at, wake, "max", false, &r->wake_max_ns);
	/* Written since the first version; a document without it had latencies. */
	r->wake_count = 1;
	rc = rc ? rc : get_count(&at, wake, "count", false, &r->wake_count);
	return rc ? rc : parse_buckets(&at, json_object_get(wake, "buckets"), r);
}

static int parse_counters(const struct place *run, const json_t *json, struct run_result *r)
{
	const json_t *all = json_object_get(json, "counters");
	struct place at = *run;

	snprintf(at.field, sizeof(at.field), "%s.counters", run->field);
	for (const struct counter_name *n = counter_names; n->name; n++) {
		uint64_t value = 0;
		int rc = get_count(&at, all, n->name, false, &value);

		if (rc)
			return rc;
		memcpy((char *)&r->counters + n->offset, &value, sizeof(value));
	}
	return 0;
}

static int parse_energy(const struct place *run, const json_t *json, struct run_result *r)
{
	const json_t *energy = json_object_get(json, "energy_uj");
	const json_t *band = json_object_get(json, "energy_band");
	struct place at = *run;
	int rc;

	snprintf(at.field, sizeof(at.field), "%s.energy_uj", run->field);
	if (!json_is_object(energy))
		return wrong(run, "energy_uj", "an object");
	rc = get_count(&at, energy, "package", true, &r->package_uj);
	rc = rc ? rc : get_count(&at, energy, "cores", false, &r->cores_uj);
	rc = rc ? rc : get_count(&at, energy, "gpu", false, &r->gpu_uj);
	rc = rc ? rc : get_count(&at, energy, "devices", false, &r->devices_uj);
	if (rc)
		return rc;
	r->energy_band = -1;
	if (!band || json_is_null(band))
		return 0;
	if (!json_is_number(band) || json_number_value(band) < 0)
		return wrong(run, "energy_band", "a share, 0 or more, or null");
	r->energy_band = json_number_value(band);
	return 0;
}

static int parse_notes(const struct place *run, const json_t *json, struct run_result *r)
{
	const json_t *all = json_object_get(json, "notes");
	size_t i;
	json_t *note;

	if (!all)
		return 0;
	if (!json_is_array(all))
		return wrong(run, "notes", "a list of strings");
	json_array_foreach(all, i, note)
	{
		if (!json_is_string(note) ||
			!printable(json_string_value(note), json_string_length(note)))
			return wrong(run, "notes", "a list of printable texts");
		result_note(r, "%s", json_string_value(note));
	}
	return 0;
}

static int parse_run(const struct place *at, const json_t *json, struct run_result *r)
{
	static const char *const scalings[] = { "known", "all", "none", NULL };
	static const char *const kinds[] = { "work", "time", NULL };
	uint64_t iteration = 0;
	int scaling = 0, rc;

	if (!json_is_object(json))
		return wrong(at, "", "an object");
	rc = get_text(at, json, "machine", r->machine, sizeof(r->machine));
	rc = rc ? rc : get_text(at, json, "workload", r->workload, sizeof(r->workload));
	rc = rc ? rc : get_text(at, json, "policy", r->policy, sizeof(r->policy));
	rc = rc ? rc : get_count(at, json, "seed", false, &r->seed);
	rc = rc ? rc : get_count(at, json, "iteration", false, &iteration);
	r->iteration = (int)iteration;
	if (!rc && json_object_get(json, "scaling"))
		rc = get_choice(at, json, "scaling", scalings, "all, none or known", &scaling);
	strcpy(r->scaling, scalings[scaling]);
	if (!rc && json_object_get(json, "scale"))
		rc = get_share(at, json, "scale", &r->scale);
	rc = rc ? rc : parse_metrics(at, json, r);
	rc = rc ? rc : parse_energy(at, json, r);
	rc = rc ? rc : get_count(at, json, "elapsed_ns", true, &r->elapsed_ns);
	rc = rc ? rc : get_count(at, json, "operations", false, &r->operations);
	if (!rc && json_object_get(json, "fixed"))
		rc = get_choice(at, json, "fixed", kinds, "work or time", &r->fixed_time);
	rc = rc ? rc : parse_idle(at, json_object_get(json, "idle"), r->idle, &r->nr_idle);
	rc = rc ? rc : parse_freqs(at, json, r);
	rc = rc ? rc : parse_cpus(at, json, r);
	rc = rc ? rc : parse_wake(at, json, r);
	rc = rc ? rc : parse_counters(at, json, r);
	return rc ? rc : parse_notes(at, json, r);
}

static int parse_document(
	const char *path, const json_t *document, struct results *results, struct error *err)
{
	const json_t *runs = json_object_get(document, "runs");
	const json_t *schema = json_object_get(document, "schema");
	struct place at = { .path = path, .err = err };
	size_t i;
	json_t *run;

	if (!json_is_integer(schema) || json_integer_value(schema) != 1)
		return wrong(&at, "schema", "1 (results of 'corepace run --json')");
	if (!json_is_array(runs) || !json_array_size(runs))
		return wrong(&at, "runs", "a list of at least one run");
	results->runs = calloc(json_array_size(runs), sizeof(*results->runs));
	if (!results->runs)
		return error_set(err, ENOMEM, "%s: out of memory", path);
	json_array_foreach(runs, i, run)
	{
		int rc;

		snprintf(at.field, sizeof(at.field), "runs[%zu]", i);
		results->nr++;
		rc = parse_run(&at, run, &results->runs[i]);
		if (rc)
			return rc;
	}
	return 0;
}

int result_parse_text(
	const char *where, const char *text, struct run_result *ret, struct error *err)
{
	struct place at = { .path = where, .err = err };
	struct run_result r = { .iteration = 0 };
	json_error_t json_err;
	json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &json_err);
	int rc;

	if (!json)
		return error_set(err, EINVAL, "%s: no JSON: %s", where, json_err.text);
	rc = parse_run(&at, json, &r);
	json_decref(json);
	if (rc)
		result_release(&r);
	else
		*ret = r;
	return rc;
}

int results_parse(const char *path, FILE *f, struct results *ret, struct error *err)
{
	struct results results = { 0 };
	json_error_t json_err;
	json_t *document = json_loadf(f, JSON_REJECT_DUPLICATES, &json_err);
	int rc;

	if (!document)
		return error_set(err, EINVAL, "%s:%d: column %d: no JSON: %s", path, json_err.line,
			json_err.column, json_err.text);
	rc = parse_document(path, document, &results, err);
	json_decref(document);
	if (rc)
		results_release(&results);
	else
		*ret = results;
	return rc;
}

int results_read(const char *path, struct results *ret, struct error *err)
{
	FILE *f = fopen(path, "r");
	int rc;

	if (!f)
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	rc = results_parse(path, f, ret, err);
	fclose(f);
	return rc;
}

void results_release(struct results *results)
{
	for (int i = 0; i < results->nr; i++)
		result_release(&results->runs[i]);
	free(results->runs);
	*results = (struct results){ 0 };
}
