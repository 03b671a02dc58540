// SPDX-License-Identifier: GPL-2.0-or-later
#include "../cmocka_all.h"

#include "base/units.h"
#include "host/plugin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *file;
	int result;
	const char *says; /* after the file name */
} rows[] = {
	{ "good.so", 0, "" },
	{ "skeleton.so", 0, "" },
	{ "not_there.so", -ENOENT, ": No such file or directory" },
	{ ".", -ENOEXEC, ": not a regular file" },
	{ "test_plugin.p", -ENOEXEC, ": not a regular file" },
	{ "text.so", -ENOEXEC, ": cannot be loaded: file too short" },
	{ "no_symbol.so", -ENOEXEC, ": not a plug-in: it does not export 'corepace_plugin'" },
	{ "other_abi.so", -ENOEXEC,
		": built for plug-in interface 3, this corepace has 2: build it again" },
	{ "no_policy.so", -EINVAL,
		": offers no policy: neither an idle governor nor a governor nor a boost" },
	{ "no_select.so", -EINVAL, ": idle governor 'lame' lacks the hook 'select'" },
	{ "no_name.so", -EINVAL, ": the idle governor has no name" },
	{ "huge_state.so", -EINVAL,
		": idle governor 'huge' wants 1099511627776 bytes of state, at most 16777216" },
};

static void loads_or_says_why(void **state)
{
	int failed = 0;
	FILE *text = fopen(PLUGIN_DIR "/text.so", "w");

	assert_non_null(text);
	fputs("no ELF\n", text);
	fclose(text);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct corepace_plugin *plugin = NULL;
		struct error err = { "" };
		void *handle = NULL;
		char path[512], want[600];
		int r;

		snprintf(path, sizeof(path), "%s/%s", PLUGIN_DIR, rows[i].file);
		snprintf(want, sizeof(want), "%s%s", path, rows[i].says);
		r = plugin_load(path, &plugin, &handle, &err);
		if (r != rows[i].result || (r && strcmp(err.text, want)) || !r != !!plugin) {
			print_error("%s: %d '%s'\n", rows[i].file, r, err.text);
			failed++;
		}
		plugin_unload(handle);
	}
	assert_int_equal(failed, 0);
}

static int select_once(const struct corepace_plugin *plugin, int *count)
{
	struct idle_cpu cpu = { .governor = plugin->idle, .state = count };
	struct idle_snapshot snapshot = { 0 };
	struct idle_choice choice = { 0 };

	plugin->idle->select(&cpu, &snapshot, &choice);
	return choice.state;
}

/* Twice the same file: parameters of one do not show in the other. */
static void each_load_is_an_image(void **state)
{
	const struct corepace_plugin *plugin[3];
	struct error err = { "" };
	void *handle[3];
	int count[3] = { 0 };

	for (int i = 0; i < 3; i++)
		if (plugin_load(PLUGIN_DIR "/good.so", &plugin[i], &handle[i], &err))
			fail_msg("%s", err.text);
	plugin[1]->idle->tune(NULL, "step", "5");
	plugin[2]->idle->tune(NULL, "step", "7");
	assert_int_equal(select_once(plugin[0], &count[0]), 1);
	assert_int_equal(select_once(plugin[1], &count[1]), 5);
	assert_int_equal(select_once(plugin[2], &count[2]), 7);
	plugin_unload(handle[1]);
	/* A descriptor that is free again must not bring back the old image. */
	assert_int_equal(plugin_load(PLUGIN_DIR "/good.so", &plugin[1], &handle[1], &err), 0);
	count[1] = 0;
	assert_int_equal(select_once(plugin[1], &count[1]), 1);
	assert_int_equal(select_once(plugin[2], &count[2]), 14);
	for (int i = 0; i < 3; i++)
		plugin_unload(handle[i]);
}

/* A bare name is a file in the current folder, not a library of the system. */
static void bare_name(void **state)
{
	const struct corepace_plugin *plugin = NULL;
	struct error err = { "" };
	void *handle = NULL;

	assert_int_equal(chdir(PLUGIN_DIR), 0);
	assert_int_equal(plugin_load("good.so", &plugin, &handle, &err), 0);
	plugin_unload(handle);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_or_says_why),
		cmocka_unit_test(each_load_is_an_image),
		cmocka_unit_test(bare_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
