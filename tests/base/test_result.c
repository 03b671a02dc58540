// SPDX-License-Identifier: GPL-2.0-or-later
#include "corepace/result.h"

#include "../cmocka_all.h"

#include <stdlib.h>
#include <string.h>

static void test_note_is_kept_once(void **state)
{
	struct run_result r = { 0 };

	result_note(&r, "a %d", 1);
	result_note(&r, "a %d", 1);
	result_note(&r, "a %d", 2);
	assert_int_equal(r.nr_notes, 2);
	assert_string_equal(r.notes[1], "a 2");
}

static void test_too_many_notes_say_so(void **state)
{
	struct run_result r = { 0 };

	for (int i = 0; i < 2 * RESULT_NOTES_MAX; i++)
		result_note(&r, "%d", i);
	assert_int_equal(r.nr_notes, RESULT_NOTES_MAX);
	assert_string_equal(r.notes[RESULT_NOTES_MAX - 2], "14");
	assert_string_equal(r.notes[RESULT_NOTES_MAX - 1], "further notes did not fit");
}

static void test_long_note_is_cut(void **state)
{
	struct run_result r = { 0 };
	char text[1000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	result_note(&r, "%s", text);
	assert_int_equal(strlen(r.notes[0]), sizeof(r.notes[0]) - 1);
}

static void test_metric_is_set_again(void **state)
{
	struct run_result r = { 0 };

	result_metric(&r, "a", "s", 1.5, -1);
	result_metric(&r, "b", "s", 2, 1);
	result_metric(&r, "a", "ms", 3, 0);
	assert_int_equal(r.nr_metrics, 2);
	assert_string_equal(r.metrics[0].unit, "ms");
	assert_true(r.metrics[0].value == 3 && r.metrics[0].better == 0);
}

static void test_derive(void **state)
{
	struct run_result r = {
		.package_uj = 3000000,
		.elapsed_ns = 2000000000,
		.operations = 600,
		.nr_idle = 2,
		.idle = { { .time_ns = 500000000 }, { .time_ns = 2000000000 } },
	};
	struct run_result empty = { 0 };

	result_derive(&r);
	result_derive(&r);
	assert_int_equal(r.nr_metrics, 6);
	assert_string_equal(r.metrics[0].name, "package_w");
	assert_true(r.metrics[0].value == 1.5 && r.metrics[0].better == -1);
	assert_string_equal(r.metrics[1].name, "package_j");
	assert_true(r.metrics[1].value == 3 && r.metrics[1].better == -1);
	assert_string_equal(r.metrics[2].name, "ops_per_j");
	assert_true(r.metrics[2].value == 200 && r.metrics[2].better == 1);
	assert_string_equal(r.metrics[4].name, "idle_s:1");
	assert_true(r.metrics[4].value == 2 && !r.metrics[4].better);
	assert_string_equal(r.metrics[5].name, "idle_s:total");
	assert_true(r.metrics[5].value == 2.5 && !r.metrics[5].better);

	result_derive(&empty);
	assert_int_equal(empty.nr_metrics, 1);
	assert_true(empty.metrics[0].value == 0);
}

static void test_release_takes_all(void **state)
{
	struct run_result r = { .nr_cpus = 1, .cpus = calloc(1, sizeof(*r.cpus)) };

	result_release(&r);
	assert_null(r.cpus);
	result_release(&r);
	result_release(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_note_is_kept_once),
		cmocka_unit_test(test_too_many_notes_say_so),
		cmocka_unit_test(test_long_note_is_cut),
		cmocka_unit_test(test_metric_is_set_again),
		cmocka_unit_test(test_derive),
		cmocka_unit_test(test_release_takes_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
