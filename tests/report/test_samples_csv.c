// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/samples.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "config,metric,unit,better,value\n"
#define ROW "a,tx,1/s,higher,1\n"

static int parse(const char *text, size_t size, struct samples *samples, struct error *err)
{
	FILE *f = fmemopen((void *)text, size, "r");
	int rc;

	assert_non_null(f);
	rc = samples_parse_csv(samples, "in.csv", f, err);
	fclose(f);
	return rc;
}

static const struct {
	const char *name, *text, *config;
	double value;
} good[] = {
	{ "plain", HEADER ROW, "a", 1 },
	{ "no line feed at the end", HEADER "a,tx,1/s,higher,2", "a", 2 },
	{ "carriage returns", "config,metric,unit,better,value\r\na,tx,1/s,lower,3\r\n", "a", 3 },
	{ "quoted comma", HEADER "\"p:k=v,l=w\",tx,1/s,higher,4\n", "p:k=v,l=w", 4 },
	{ "quoted quote", HEADER "\"a \"\"b\"\"\",tx,1/s,higher,5\n", "a \"b\"", 5 },
	{ "empty lines", HEADER "\n" ROW "\n", "a", 1 },
	{ "empty unit", HEADER "a,tx,,higher,6\n", "a", 6 },
	{ "byte order mark", "\xef\xbb\xbf" HEADER ROW, "a", 1 },
	{ "exponent", HEADER "a,tx,,higher,-1.5e-3\n", "a", -0.0015 },
	{ "quoted value", HEADER "a,tx,,higher,\"7\"\n", "a", 7 },
};

static void test_good(void **state)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct samples samples = { 0 };
		struct error err = { "" };

		print_message("%s\n", good[i].name);
		assert_int_equal(parse(good[i].text, strlen(good[i].text), &samples, &err), 0);
		assert_int_equal(samples.nr_groups, 1);
		assert_false(samples.groups[0].configs[0].simulated);
		assert_string_equal(samples.groups[0].configs[0].name, good[i].config);
		assert_int_equal(samples.groups[0].nr_samples, 1);
		assert_true(samples.groups[0].samples[0].value == good[i].value);
		samples_release(&samples);
	}
}

static const struct {
	const char *name, *text, *message;
} bad[] = {
	{ "empty", "\n", "in.csv:1: " },
	{ "no header", ROW, "in.csv:1: config: found 'a', expected the header" },
	{ "no rows", HEADER, "in.csv:2: expected the header" },
	{ "four fields", HEADER ROW "a,tx,1/s,higher\n",
		"in.csv:3: value: found '', expected five fields" },
	{ "six fields", HEADER "a,tx,1/s,higher,1,2\n", "in.csv:2: value: found ',2'" },
	{ "open quote", HEADER "\"a,tx,1/s,higher,1\n", "in.csv:2: config: found" },
	{ "text after quote", HEADER "\"a\"b,tx,1/s,higher,1\n", "in.csv:2: config: found 'b" },
	{ "no config", HEADER ",tx,1/s,higher,1\n", "in.csv:2: config: " },
	{ "no metric", HEADER "a,,1/s,higher,1\n", "in.csv:2: metric: " },
	{ "long unit", HEADER "a,tx,1234567890123456,higher,1\n", "in.csv:2: unit: " },
	{ "direction", HEADER "a,tx,1/s,more,1\n",
		"in.csv:2: better: found 'more', expected lower or higher" },
	{ "no number", HEADER "a,tx,1/s,higher,1x\n", "in.csv:2: value: found '1x'" },
	{ "no value", HEADER "a,tx,1/s,higher,\n", "in.csv:2: value: found ''" },
	{ "not finite", HEADER "a,tx,1/s,higher,inf\n", "in.csv:2: value: found 'inf'" },
	{ "too large", HEADER "a,tx,1/s,higher,1e999\n", "in.csv:2: value: " },
	{ "hexadecimal", HEADER "a,tx,1/s,higher,0x10\n", "in.csv:2: value: " },
	{ "another unit", HEADER ROW "b,tx,ms,higher,1\n",
		"in.csv:3: metric: found 'tx', expected the unit and better of its first row" },
	{ "another direction", HEADER ROW "b,tx,1/s,lower,1\n", "in.csv:3: metric: " },
	{ "control character", HEADER "a\x1b[2J,tx,1/s,higher,1\n", "in.csv:2: line: " },
};

static void test_bad(void **state)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct samples samples = { 0 };
		struct error err = { "" };

		print_message("%s\n", bad[i].name);
		assert_int_equal(parse(bad[i].text, strlen(bad[i].text), &samples, &err), -EINVAL);
		if (strncmp(err.text, bad[i].message, strlen(bad[i].message)))
			fail_msg("'%s' does not begin with '%s'", err.text, bad[i].message);
		samples_release(&samples);
	}
}

static void test_nul_byte_is_refused(void **state)
{
	static const char text[] = HEADER "a\0b,tx,1/s,higher,1\n";
	struct samples samples = { 0 };
	struct error err = { "" };

	assert_int_equal(parse(text, sizeof(text) - 1, &samples, &err), -EINVAL);
	samples_release(&samples);
}

static void test_number_of_names_has_a_bound(void **state)
{
	static const char *const columns[] = { "c%d,m,,lower,1\n", "c,m%d,,lower,1\n" };

	for (int column = 0; column < 2; column++) {
		struct samples samples = { 0 };
		struct error err = { "" };
		char *text = NULL;
		size_t size;
		FILE *f = open_memstream(&text, &size);

		fputs(HEADER, f);
		for (int i = 0; i <= CONFIGS_MAX; i++)
			fprintf(f, columns[column], i);
		fclose(f);
		assert_int_equal(parse(text, size, &samples, &err), -EINVAL);
		assert_non_null(strstr(err.text, "in.csv:1026: "));
		assert_non_null(strstr(err.text, "expected at most 1024"));
		free(text);
		samples_release(&samples);
	}
}

static void test_no_file(void **state)
{
	struct samples samples = { 0 };
	struct error err = { "" };

	assert_int_equal(samples_read_csv(&samples, "/nonexistent/x.csv", &err), -ENOENT);
	assert_string_equal(err.text, "/nonexistent/x.csv: No such file or directory");
}

static void test_order_is_that_of_the_file(void **state)
{
	static const char text[] = HEADER "z,m2,,lower,1\na,m2,,lower,2\nz,m1,,lower,3\n";
	struct samples samples = { 0 };
	struct error err = { "" };
	const struct sample_group *g;

	assert_int_equal(parse(text, sizeof(text) - 1, &samples, &err), 0);
	g = &samples.groups[0];
	assert_string_equal(g->configs[0].name, "z");
	assert_string_equal(g->configs[1].name, "a");
	assert_string_equal(g->metrics[0].name, "m2");
	assert_string_equal(g->metrics[1].name, "m1");
	samples_release(&samples);
}

static void test_nan_is_a_missing_sample(void **state)
{
	static const char text[] =
		HEADER "a,tx,1/s,higher,nan\na,tx,1/s,higher,3\nb,tx,1/s,higher,NaN\n";
	struct samples samples = { 0 };
	struct error err = { "" };

	assert_int_equal(parse(text, sizeof(text) - 1, &samples, &err), 0);
	assert_int_equal(samples.groups[0].nr_samples, 1);
	assert_int_equal(samples.groups[0].nr_configs, 2);
	assert_int_equal(samples.nr_notes, 1);
	assert_non_null(strstr(samples.notes[0], "2 samples are NaN"));
	samples_release(&samples);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_nan_is_a_missing_sample),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_nul_byte_is_refused),
		cmocka_unit_test(test_number_of_names_has_a_bound),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_order_is_that_of_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
