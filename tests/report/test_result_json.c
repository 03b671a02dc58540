// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/result_json.h"
#include "fixture.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <math.h>

static char *to_text(const struct run_result *runs, int nr)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	struct error err;

	assert_int_equal(json_write(results_to_json(runs, nr), f, &err), 0);
	fclose(f);
	return text;
}

static int parse(const char *text, struct results *ret, struct error *err)
{
	FILE *f = fmemopen((void *)text, strlen(text), "r");
	int rc = results_parse("r.json", f, ret, err);

	fclose(f);
	return rc;
}

static void test_round_trip_loses_nothing(void **state)
{
	struct run_result runs[2] = { make_result("menu", 1.0 / 3, 1234567), { "m", "w", "p" } };
	struct results back;
	struct error err;
	char *text, *again;

	runs[1].energy_band = -1;
	runs[1].scale = 0.02;
	strcpy(runs[1].scaling, "none");
	runs[1].fixed_time = 1;
	result_metric(&runs[1], "undefined", "", NAN, 0);
	text = to_text(runs, 2);
	assert_int_equal(parse(text, &back, &err), 0);
	again = to_text(back.runs, back.nr);
	assert_string_equal(text, again);
	assert_true(isnan(back.runs[1].metrics[0].value));
	assert_true(back.runs[1].scale == 0.02 && !back.runs[0].scale);
	assert_true(back.runs[0].cpus[0].idle[1].below == 5);
	free(text);
	free(again);
	results_release(&back);
	result_release(&runs[0]);
}

static void test_one_run_as_text(void **state)
{
	struct run_result r = make_result("menu", 1.0 / 3, 1234567), back;
	struct error err;
	char *text = result_text(&r), *again;

	assert_null(strchr(text, '\n'));
	assert_int_equal(result_parse_text("r.db: run 1", text, &back, &err), 0);
	again = result_text(&back);
	assert_string_equal(text, again);
	result_release(&back);
	text[strlen(text) / 2] = 0;
	assert_int_equal(result_parse_text("r.db: run 1", text, &back, &err), -EINVAL);
	assert_int_equal(strncmp(err.text, "r.db: run 1: no JSON: ", 22), 0);
	assert_int_equal(result_parse_text("r.db: run 1", "{}", &back, &err), -EINVAL);
	assert_int_equal(strncmp(err.text, "r.db: run 1: machine: expected ", 31), 0);
	free(text);
	free(again);
	result_release(&r);
}

/* The names of schema 1 that other programs rely on, in their order. */
static void test_names_of_the_schema(void **state)
{
	static const char *const names[] = { "\"schema\": 1", "\"version\"", "\"runs\"",
		"\"machine\": \"m4\"", "\"workload\": \"pipe-test\"", "\"policy\": \"menu\"",
		"\"seed\": 7", "\"iteration\": 2", "\"metrics\"", "\"usecs_per_loop\"",
		"\"value\": 4.5", "\"unit\": \"us\"", "\"better\": \"lower\"", "\"energy_uj\"",
		"\"package\": 1000000", "\"cores\": 500000", "\"gpu\": 5",
		"\"elapsed_ns\": 2000000000", "\"idle\"", "\"state\": \"POLL\"",
		"\"time_ns\": 100000000", "\"usage\": 10", "\"above\": 1", "\"below\": 2",
		"\"rejected\": 3", "\"freq\"", "\"khz\": 1600000", "\"cpus\"", "\"cpu\": 0",
		"\"busy_ns\": 1000000000", "\"user_ns\": 600000000", "\"system_ns\": 300000000",
		"\"irq_ns\": 100000000", "\"wake_latency_ns\"", "\"p50\": 1500", "\"p90\": 2500",
		"\"p99\": 4500", "\"p999\": 5500", "\"max\": 6000", "\"buckets\"", "2048", "20",
		"\"counters\"", "\"boosts\": 12", "\"notes\"", "\"a note\"" };
	struct run_result r = make_result("menu", 4.5, 1000000);
	char *text = to_text(&r, 1), *at = text;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		at = strstr(at, names[i]);
		if (!at)
			fail_msg("%s is not there, or not in its place", names[i]);
	}
	free(text);
	result_release(&r);
}

/* A run with one thing wrong, made by replacing text in a good one. */
static const struct {
	const char *name, *from, *to, *message;
} faults[] = {
	{ "not JSON", "{", "[", "r.json:2: column 11: no JSON: " },
	{ "schema", "\"schema\": 1", "\"schema\": 2", "r.json: schema: expected 1" },
	{ "no runs", "\"runs\"", "\"walks\"", "r.json: runs: expected a list" },
	{ "machine", "\"machine\": \"m4\"", "\"machine\": 4",
		"r.json: runs[0].machine: expected printable text" },
	{ "control characters", "\"m4\"", "\"m\\u001b4\"", "r.json: runs[0].machine: " },
	{ "NUL in text", "\"m4\"", "\"m\\u00004\"", "r.json:" },
	{ "metric", "4.5", "\"4.5\"", "r.json: runs[0].metrics.usecs_per_loop.value: " },
	{ "better", "\"better\": \"lower\"", "\"better\": \"less\"",
		"r.json: runs[0].metrics.usecs_per_loop.better: expected lower, higher" },
	{ "elapsed", "2000000000", "2e9", "r.json: runs[0].elapsed_ns: expected a whole number" },
	{ "negative", "2000000000", "-2", "r.json: runs[0].elapsed_ns: expected a whole number" },
	{ "energy", "\"package\"", "\"parcel\"", "r.json: runs[0].energy_uj.package: " },
	{ "band", "\"energy_band\": 0.25", "\"energy_band\": -1", "r.json: runs[0].energy_band: " },
	{ "scale", "\"scaling\": ", "\"scale\": 1.5, \"scaling\": ",
		"r.json: runs[0].scale: expected a share" },
	{ "scaling", "\"known\"", "\"some\"", "r.json: runs[0].scaling: " },
	{ "idle", "100000000", "true", "r.json: runs[0].idle[0].time_ns: " },
	{ "khz", "3400000", "34000000000", "r.json: runs[0].freq[1].khz: " },
	{ "bucket", "2048", "2047", "r.json: runs[0].wake_latency_ns.buckets: " },
	{ "counter", "\"boosts\": 12", "\"boosts\": []", "r.json: runs[0].counters.boosts: " },
	{ "note", "\"a note\"", "5", "r.json: runs[0].notes: " },
};

static char *replace(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	char *out;

	assert_non_null(at);
	assert_true(asprintf(&out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) > 0);
	return out;
}

static void test_faults_are_named(void **state)
{
	struct run_result r = make_result("menu", 4.5, 1000000);
	char *text = to_text(&r, 1);

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		char *faulty = replace(text, faults[i].from, faults[i].to);
		struct error err = { "" };
		struct results back;

		print_message("%s\n", faults[i].name);
		assert_int_equal(parse(faulty, &back, &err), -EINVAL);
		if (strncmp(err.text, faults[i].message, strlen(faults[i].message)))
			fail_msg("'%s' does not begin with '%s'", err.text, faults[i].message);
		free(faulty);
	}
	free(text);
	result_release(&r);
}

static void test_old_documents_are_read(void **state)
{
	static const char text[] =
		"{\"schema\": 1, \"runs\": [{\"machine\": \"m\", \"workload\": \"w\","
		"\"policy\": \"p\", \"metrics\": {}, \"energy_uj\": {\"package\": 1},"
		"\"elapsed_ns\": 5, \"something_new\": []}]}";
	struct results back;
	struct error err;

	assert_int_equal(parse(text, &back, &err), 0);
	assert_string_equal(back.runs[0].scaling, "known");
	assert_true(back.runs[0].energy_band == -1);
	assert_int_equal(back.runs[0].wake_count, 0);
	results_release(&back);
}

static void test_no_file(void **state)
{
	struct results back;
	struct error err;

	assert_int_equal(results_read("/nonexistent/r.json", &back, &err), -ENOENT);
	assert_string_equal(err.text, "/nonexistent/r.json: No such file or directory");
}

static void test_a_full_disk_is_noticed(void **state)
{
	struct run_result r = make_result("menu", 4.5, 1000000);
	FILE *full = fopen("/dev/full", "w");
	struct error err;

	assert_non_null(full);
	assert_int_equal(json_write(results_to_json(&r, 1), full, &err), -EIO);
	fclose(full);
	result_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip_loses_nothing),
		cmocka_unit_test(test_one_run_as_text),
		cmocka_unit_test(test_names_of_the_schema),
		cmocka_unit_test(test_faults_are_named),
		cmocka_unit_test(test_old_documents_are_read),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_a_full_disk_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
