// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/spec.h"
#include "base/units.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *text;
	const char *name;
	const char *keys; /* "key=value|key=value" */
} good[] = {
	{ "i7-2600k", "i7-2600k", "" },
	{ "a:k=v", "a", "k=v" },
	{ "a:k=v,l=w", "a", "k=v|l=w" },
	{ "dl580-gen8:online=N0123/120", "dl580-gen8", "online=N0123/120" },
	{ "p:idle=state:1", "p", "idle=state:1" },
	{ "p:idle=menu@6.1,boost=hwp-dynamic", "p", "idle=menu@6.1|boost=hwp-dynamic" },
	{ "m:online=0,2,4-7,khz=2400000", "m", "online=0,2,4-7|khz=2400000" },
	{ "m:empty=", "m", "empty=" },
	{ "m:a=b=c", "m", "a=b=c" },
	{ "./dir/file.cpw", "./dir/file.cpw", "" },
};

static void test_good(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		struct error err = { "" };
		struct spec spec;
		char keys[SPEC_TEXT_MAX] = "";

		print_message("%s\n", good[i].text);
		assert_int_equal(spec_parse(&spec, good[i].text, &err), 0);
		assert_string_equal(spec.text, good[i].text);
		assert_string_equal(spec.name, good[i].name);
		for (int k = 0; k < spec.nr_keys; k++) {
			strcat(keys, k ? "|" : "");
			strcat(keys, spec.keys[k].key);
			strcat(keys, "=");
			strcat(keys, spec.keys[k].value);
		}
		assert_string_equal(keys, good[i].keys);
	}
}

static const char *const bad[] = { "", ":", ":k=v", "a:", "a:k", "a:=v", "a:k,l=w" };

static void test_bad(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct error err = { "" };
		struct spec spec;

		print_message("'%s'\n", bad[i]);
		assert_int_equal(spec_parse(&spec, bad[i], &err), -EINVAL);
		assert_non_null(strstr(err.text, "expected"));
	}
}

static void test_limits(void **state)
{
	char text[SPEC_TEXT_MAX + 1];
	struct error err = { "" };
	struct spec spec;

	memset(text, 'a', sizeof(text));
	text[SPEC_TEXT_MAX] = 0;
	assert_int_equal(spec_parse(&spec, text, &err), -EINVAL);
	text[SPEC_TEXT_MAX - 1] = 0;
	assert_int_equal(spec_parse(&spec, text, &err), 0);

	strcpy(text, "a:k=v");
	for (int i = 1; i < SPEC_KEYS_MAX; i++)
		strcat(text, ",k=v");
	assert_int_equal(spec_parse(&spec, text, &err), 0);
	assert_int_equal(spec.nr_keys, SPEC_KEYS_MAX);
	strcat(text, ",k=v");
	assert_int_equal(spec_parse(&spec, text, &err), -EINVAL);
}

static void test_get(void **state)
{
	struct error err;
	struct spec spec;

	assert_int_equal(spec_parse(&spec, "a:k=v,l=w", &err), 0);
	assert_string_equal(spec_get(&spec, "l"), "w");
	assert_null(spec_get(&spec, "m"));
}

static const struct {
	const char *text;
	int rc;
	unsigned long long value;
} numbers[] = {
	{ "5", 0, 5 },
	{ "10", 0, 10 },
	{ "4", -EINVAL, 0 },
	{ "11", -EINVAL, 0 },
	{ "", -EINVAL, 0 },
	{ "-5", -EINVAL, 0 },
	{ "+5", -EINVAL, 0 },
	{ " 5", -EINVAL, 0 },
	{ "5 ", -EINVAL, 0 },
	{ "5x", -EINVAL, 0 },
	{ "0x5", -EINVAL, 0 },
	{ "99999999999999999999999", -EINVAL, 0 },
};

static void test_numbers(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		unsigned long long value = 77;
		struct error err;

		print_message("'%s'\n", numbers[i].text);
		assert_int_equal(
			parse_u64(numbers[i].text, 5, 10, "-j", &value, &err), numbers[i].rc);
		assert_int_equal(value, numbers[i].rc ? 77 : numbers[i].value);
	}
}

static void test_plugin(void **state)
{
	static const struct {
		const char *value;
		size_t length;
	} rows[] = { { "a.so", 4 }, { "./a.so:7", 6 }, { "d.so/a.so", 9 }, { "a.so:b:c", 4 },
		{ "menu@6.1", 0 }, { ".so", 0 }, { "state:1", 0 }, { "a.sob", 0 }, { "", 0 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (spec_plugin_length(rows[i].value) != rows[i].length)
			fail_msg("'%s': %zu", rows[i].value, spec_plugin_length(rows[i].value));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_get),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_plugin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
