// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <string.h>

static void test_set_returns_negative_code(void **state)
{
	struct error err;

	assert_int_equal(error_set(&err, EINVAL, "a %d", 1), -EINVAL);
	assert_string_equal(err.text, "a 1");
	assert_int_equal(error_set(NULL, ENOENT, "a"), -ENOENT);
}

static void test_prefix_keeps_code_and_text(void **state)
{
	struct error err;
	int rc = error_set(&err, EINVAL, "line 3");

	assert_int_equal(error_prefix(&err, rc, "%s", "file.yaml"), -EINVAL);
	assert_string_equal(err.text, "file.yaml: line 3");
	assert_int_equal(error_prefix(NULL, -EIO, "x"), -EIO);
}

static void test_one_line_stays_one_line(void **state)
{
	struct error err;

	error_set(&err, EINVAL, "a\nb\tc\x1b[2Jd\x7f");
	assert_string_equal(err.text, "a?b?c?[2Jd?");
	error_prefix(&err, -EINVAL, "x\r");
	assert_string_equal(err.text, "x?: a?b?c?[2Jd?");
}

static void test_long_text_is_cut(void **state)
{
	struct error err;
	char text[2 * sizeof(err.text)];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	error_set(&err, EINVAL, "%s", text);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	error_prefix(&err, -EINVAL, "%s", text);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set_returns_negative_code),
		cmocka_unit_test(test_prefix_keeps_code_and_text),
		cmocka_unit_test(test_one_line_stays_one_line),
		cmocka_unit_test(test_long_text_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
