// SPDX-License-Identifier: GPL-2.0-or-later
/* Policy specifications and presets: each shipped one loads, and what is wrong is said. */
#include "machine/names.h"
#include "machine/preset.h"
#include "../cmocka_all.h"
#include "base/units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *spec;
	const char *driver, *governor, *idle, *arg, *tick;
} good[] = {
	{ "performance", "table", "performance", "menu@6.1", "", "select-first" },
	{ "powersave", "table", "powersave", "menu@6.1", "", "select-first" },
	{ "performance-pstate", "intel_pstate", "performance", "menu@6.1", "", "select-first" },
	{ "guest-menu", "none", "performance", "menu@6.1", "", "select-first" },
	{ "guest-haltpoll", "none", "performance", "haltpoll@6.1", "", "select-first" },
	{ "performance-pstate:idle=menu@4.5,tick=stop-first,tick-rate-limit=1", "intel_pstate",
		"performance", "menu@4.5", "", "stop-first" },
	{ "powersave:idle=state:1", "table", "powersave", "state", "1", "select-first" },
	{ "idle=state:1", "none", "performance", "state", "1", "select-first" },
	{ "idle=poll,driver=table", "table", "performance", "poll", "", "select-first" },
	{ "default:idle=menu@6.1", "none", "performance", "menu@6.1", "", "select-first" },
	{ POLICIES_DIR "/powersave.yaml:idle=poll", "table", "powersave", "poll", "",
		"select-first" },
};

static void test_specifications(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		struct policy p;
		struct error err;

		printf("%s\n", good[i].spec);
		if (policy_load(good[i].spec, POLICIES_DIR, NULL, &p, &err))
			fail_msg("%s", err.text);
		assert_string_equal(p.text, good[i].spec);
		assert_string_equal(p.driver->name, good[i].driver);
		assert_string_equal(p.governor->name, good[i].governor);
		assert_string_equal(p.idle->name, good[i].idle);
		assert_string_equal(p.idle_arg, good[i].arg);
		assert_string_equal(p.tick->name, good[i].tick);
	}
}

static const struct {
	const char *spec;
	int code;
	const char *says;
} bad[] = {
	{ "nope", -ENOENT, "no policy 'nope' in " },
	{ "nope", -ENOENT,
		"known: acpi-ondemand, guest-haltpoll, guest-menu, pcc-ondemand, performance, "
		"performance-pstate, powersave, powersave-hwp, powersave-pstate, schedutil" },
	{ "performance:idle=nope", -ENOENT, "policy 'performance:idle=nope': " },
	{ "performance:foo=1", -ENOENT, "policy 'performance:foo=1': " },
	{ "performance:idle", -EINVAL, "expected key=value after 'performance'" },
	{ "performance:idle=poll,idle=menu@6.1", -EINVAL, "key 'idle' twice, expected once" },
	{ "idle=menu@6.1,idle=poll", -EINVAL, "key 'idle' twice, expected once" },
	{ "idle=x.so", -EINVAL, "idle: 'x.so', expected a built-in name here" },
	{ "=x", -EINVAL, "" },
	{ "", -EINVAL, "expected NAME" },
	{ "./nothing.yaml", -ENOENT, "No such file" },
};

static void test_bad_specifications(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct policy p, untouched;
		struct error err = { "" };

		memset(&p, 0x5a, sizeof(p));
		untouched = p;
		printf("'%s'\n", bad[i].spec);
		assert_int_equal(
			policy_load(bad[i].spec, POLICIES_DIR, NULL, &p, &err), bad[i].code);
		assert_non_null(strstr(err.text, bad[i].says));
		assert_memory_equal(&p, &untouched, sizeof(p));
	}
}

#define HEAD "schema: 1\ndescription: x\n"

static const struct {
	const char *text, *says;
} files[] = {
	{ HEAD, NULL },
	{ HEAD "idle: menu@4.5\ntick-rate-limit: yes\nlatency-limit: 20us\n", NULL },
	{ HEAD "select-idle-sibling: no\nsched: fair\n", NULL },
	{ HEAD "tunables:\n  - {name: x, value: 1}\n", NULL },
	{ "description: x\n", "p:1: no field 'schema', expected it here" },
	{ "schema: 1\n", "no field 'description'" },
	{ "schema: 2\ndescription: x\n", "p:1: schema: '2', expected 1" },
	{ HEAD "idle: nope\n", "p:3: idle: " },
	{ HEAD "idel: poll\n", "unknown field 'idel'" },
	{ HEAD "tick: [a]\n", "tick: expected one value" },
	{ HEAD "idle: poll\nidle: poll\n", ": idle: given twice, expected once" },
	{ HEAD "tunables: 3\n", "tunables: expected a list" },
	{ HEAD "driver: table\n---\n", "a second document" },
};

static void test_files(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		struct error err = { "" };
		struct policy p;
		int r;

		policy_defaults(&p);
		printf("'%s'\n", files[i].text);
		r = preset_apply_text("p", files[i].text, strlen(files[i].text), &p, &err);
		assert_int_equal(r, files[i].says ? -EINVAL : 0);
		if (files[i].says && !strstr(err.text, files[i].says))
			fail_msg("'%s', want '%s'", err.text, files[i].says);
	}
}

/* The switches of sched survive it, in whatever order the file has them. */
static void test_sched_order(void **state)
{
	static const char text[] = HEAD "select-idle-sibling: no\nsched: fair\n";
	struct error err;
	struct policy p;

	policy_defaults(&p);
	assert_int_equal(preset_apply_text("p", text, strlen(text), &p, &err), 0);
	assert_false(p.sched.select_idle_sibling);
}

static void test_shipped(void **state)
{
	struct names names;

	names_read(&names, POLICIES_DIR);
	assert_true(names.nr >= 5);
	for (int i = 0; i < names.nr; i++) {
		char description[PRESET_DESCRIPTION_MAX];
		struct error err;
		struct policy p;

		printf("%s\n", names.name[i]);
		assert_int_equal(policy_load(names.name[i], POLICIES_DIR, NULL, &p, &err), 0);
		assert_int_equal(preset_description(names.name[i], POLICIES_DIR, description,
					 sizeof(description), &err),
			0);
		assert_true(*description);
	}
}

/* A key of presets that policies do not know would end up as a tunable that nobody knows. */
static void test_keys_are_known(void **state)
{
	for (int i = 0; preset_keys[i]; i++) {
		struct error err;
		struct policy p;

		policy_defaults(&p);
		policy_set(&p, preset_keys[i], "1", &err);
		printf("%s\n", preset_keys[i]);
		assert_int_equal(p.nr_tunables, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_specifications),
		cmocka_unit_test(test_bad_specifications),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_sched_order),
		cmocka_unit_test(test_shipped),
		cmocka_unit_test(test_keys_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
