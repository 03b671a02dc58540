// SPDX-License-Identifier: GPL-2.0-or-later
/* The text table, whole, against table_*.txt: what is printed is what people read. */
#include "report/comparison.h"
#include "fixture.h"

#include "../cmocka_all.h"

static char *table_of(const struct samples *samples, const char *metric, bool all_rows)
{
	struct comparisons c;
	struct error err;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_int_equal(compare_samples(samples, &c, &err), 0);
	assert_int_equal(comparisons_print(&c, metric, all_rows, f, &err), 0);
	fclose(f);
	comparisons_release(&c);
	return text;
}

static void check_table(const char *name, const char *text)
{
	char path[512], expected[8192];
	size_t size;
	FILE *f;

	snprintf(path, sizeof(path), "%s/table_%s.txt", TEST_DIR, name);
	f = fopen(path, "r");
	assert_non_null(f);
	size = fread(expected, 1, sizeof(expected) - 1, f);
	expected[size] = 0;
	fclose(f);
	if (strcmp(text, expected)) {
		printf("%s\n", text);
		fail_msg("differs from %s", path);
	}
}

static void test_simulated_runs(void **state)
{
	struct run_result runs[] = { make_result(
					     "performance:idle=menu@6.1,tick=periodic", 4, 4000000),
		make_result("idle=state:1", 3, 4400000), make_result("poll", 5, 8000000) };
	struct samples samples = { 0 };
	struct error err;
	char *text;

	runs[2].operations = 900;
	assert_int_equal(samples_add_results(&samples, runs, 3, NULL, &err), 0);
	text = table_of(&samples, NULL, false);
	check_table("simulated", text);
	free(text);
	samples_release(&samples);
	for (int i = 0; i < 3; i++)
		result_release(&runs[i]);
}

static void test_measured_samples(void **state)
{
	static const char csv[] = "config,metric,unit,better,value\n"
				  "base,tx,1/s,higher,100\nbase,tx,1/s,higher,102\n"
				  "new,tx,1/s,higher,140\nnew,tx,1/s,higher,141\n"
				  "base,lat,ms,lower,0.5\nbase,lat,ms,lower,0.6\n"
				  "new,lat,ms,lower,0\nnew,lat,ms,lower,0\n";
	FILE *f = fmemopen((void *)csv, strlen(csv), "r");
	struct samples samples = { 0 };
	struct error err;
	char *text;

	assert_int_equal(samples_parse_csv(&samples, "in.csv", f, &err), 0);
	fclose(f);
	text = table_of(&samples, NULL, true);
	check_table("measured", text);
	free(text);
	samples_release(&samples);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_simulated_runs),
		cmocka_unit_test(test_measured_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
