// SPDX-License-Identifier: GPL-2.0-or-later
/* Machines in archives: at any depth, in each compression, and with what a stranger may put in. */
#include "fixture.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define ARRAY_SIZE(x) (sizeof(x) / sizeof((x)[0]))
#define CPU "sys/devices/system/cpu"

static int setup(void **state)
{
	static struct made made;

	made_init(&made);
	*state = &made;
	return 0;
}

static int teardown(void **state)
{
	made_remove(*state);
	return 0;
}

static struct tree *pack_and_open(
	void **state, const char *compression, const struct made_entry *entries, size_t nr)
{
	char path[128];

	made_name(*state, "a.tar", path, sizeof(path));
	made_archive(path, compression, entries, nr);
	return made_open(path);
}

static void expect_refused(
	void **state, const struct made_entry *entries, size_t nr, const char *part)
{
	char path[128];
	const struct tree_sources from = { .where = path };
	struct tree *tree;
	struct error err = { "" };

	made_name(*state, "a.tar", path, sizeof(path));
	made_archive(path, "zstd", entries, nr);
	assert_true(tree_open(&from, &tree, &err) < 0);
	if (!strstr(err.text, part) || strchr(err.text, '\n'))
		fail_msg("\"%s\" lacks \"%s\"", err.text, part);
}

static const struct made_entry report[] = {
	{ "sosreport-1/sos_commands/kernel/dmesg", "one line\n" },
	{ "sosreport-1/sys/devices/system/cpu/present", "0-3\n" },
	{ "sosreport-1/sys/devices/system/cpu/cpufreq/policy0/scaling_driver", "acpi-cpufreq\n" },
	{ "sosreport-1/sys/devices/system/cpu/cpu0/cpufreq", "../cpufreq/policy0", MADE_LINK },
	{ "sosreport-1/sys/devices/virtual/dmi/id/sys_vendor", "HP\n" },
	{ "sosreport-1/sys/class/dmi/id", "../../devices/virtual/dmi/id", MADE_LINK },
	{ "sosreport-1/proc/cpuinfo", "processor\t: 0\n" },
	{ "sosreport-1/var/lib/containers/x/proc/cpuinfo", "not this one\n" },
	{ "sosreport-1/var/log/messages", NULL, MADE_FILE, 200000 },
};

static void test_report(void **state)
{
	static const char *const compressions[] = { "none", "gzip", "xz", "zstd" };

	for (size_t i = 0; i < ARRAY_SIZE(compressions); i++) {
		struct tree *tree =
			pack_and_open(state, compressions[i], report, ARRAY_SIZE(report));
		struct tree_names names;
		const char *log;
		size_t len, nr;

		expect_text(tree, "/" CPU "/present", "0-3");
		expect_text(tree, "/" CPU "/cpu0/cpufreq/scaling_driver", "acpi-cpufreq");
		expect_text(tree, "/sys/class/dmi/id/sys_vendor", "HP");
		expect_text(tree, "/proc/cpuinfo", "processor\t: 0");
		expect_error(tree, "/" CPU "/online", -ENOENT);
		expect_error(tree, "/etc/tlp.conf", -ENOENT);
		assert_int_equal(tree_list(tree, &names, "/%s", CPU), 0);
		assert_int_equal(names.nr, 3);
		assert_string_equal(names.name[0], "cpu0");
		tree_names_release(&names);
		assert_int_equal(tree_list(tree, &names, "/%s/cpu0/cpufreq", CPU), 0);
		assert_int_equal(names.nr, 1);
		tree_names_release(&names);
		assert_int_equal(tree_dmesg(tree, &log, &len), 0);
		assert_string_equal(log, "one line\n");
		tree_failures(tree, &nr);
		assert_int_equal(nr, 0);
		tree_free(tree);
	}
}

static void test_case_layout(void **state)
{
	static const struct made_entry entries[] = {
		{ "./case/msr.txt", "1aa:0|100\n1aa:1|fe 2|3\nnonsense\n" },
		{ "./case/errors.txt", "EBUSY " CPU "/online\nEWHAT " CPU "/offline\n" },
		{ "./case/root/" CPU "/online", "" },
		{ "./case/root/" CPU "/present", "0-1\n" },
	};
	struct tree *tree = pack_and_open(state, "gzip", entries, ARRAY_SIZE(entries));
	const struct tree_failure *failures;
	uint64_t value;
	size_t nr;

	assert_int_equal(tree_msr(tree, 0, 0x1aa, &value), 0);
	assert_int_equal(value, 0x100);
	assert_int_equal(tree_msr(tree, 2, 0x1aa, &value), 0);
	assert_int_equal(value, 3);
	assert_int_equal(tree_msr(tree, 3, 0x1aa, &value), -ENOENT);
	expect_error(tree, "/" CPU "/online", -EBUSY);
	expect_text(tree, "/" CPU "/present", "0-1");
	failures = tree_failures(tree, &nr);
	assert_int_equal(nr, 3);
	assert_string_equal(failures[0].path, "errors.txt:2");
	assert_string_equal(failures[1].path, "msr.txt:3");
	assert_string_equal(failures[2].path, "/" CPU "/online");
	assert_int_equal(failures[2].error, EBUSY);
	tree_free(tree);
}

static void test_list_of_values(void **state)
{
	static const struct made_entry entries[] = {
		{ "m/sys/inlinefiles.txt",
			"# Format\nro|/" CPU "/present|0-7\nrw|/" CPU
			"/cpufreq/policy0/scaling_available_frequencies|2\nrw|/" CPU
			"/cpufreq/policy0/scaling_available_frequencies|1\n"
			"ro|/etc/shadow|x\nro|no\nrw>|/" CPU "/online|\n" },
		{ "m/proc/version", "Linux version 6.1\n" },
	};
	struct tree *tree = pack_and_open(state, "none", entries, ARRAY_SIZE(entries));

	expect_text(tree, "/" CPU "/present", "0-7");
	expect_text(tree, "/" CPU "/cpufreq/policy0/scaling_available_frequencies", "2\n1");
	expect_text(tree, "/" CPU "/online", "");
	expect_text(tree, "/proc/version", "Linux version 6.1");
	tree_free(tree);
}

static void test_links(void **state)
{
	static const struct made_entry entries[] = {
		{ CPU "/present", "0-1\n" },
		{ CPU "/online", "present", MADE_LINK },
		{ "proc/xen/capabilities", "../../../etc/passwd", MADE_LINK },
		{ CPU "/possible", "/" CPU "/present", MADE_LINK },
		{ CPU "/nohz_full", "nohz_full", MADE_LINK },
		{ "proc/cmdline", CPU "/present", MADE_HARD_LINK },
		{ CPU "/cpu0", "cpu1", MADE_LINK },
		{ CPU "/cpu1", "cpu0", MADE_LINK },
		{ CPU "/cpu2", "..", MADE_LINK },
		{ "proc/version", "", MADE_FIFO },
	};
	struct tree *tree = pack_and_open(state, "none", entries, ARRAY_SIZE(entries));
	struct tree_names names;

	expect_text(tree, "/" CPU "/online", "0-1");
	expect_text(tree, "/proc/cmdline", "0-1");
	expect_error(tree, "/proc/xen/capabilities", -EXDEV);
	expect_error(tree, "/" CPU "/possible", -EXDEV);
	expect_error(tree, "/" CPU "/nohz_full", -ELOOP);
	expect_error(tree, "/" CPU "/cpu0/online", -ELOOP);
	expect_error(tree, "/" CPU "/cpu2/cpuidle/state0/name", -ENOENT);
	expect_error(tree, "/proc/version", -EINVAL);
	assert_int_equal(tree_list(tree, &names, "/%s/cpu0", CPU), -ELOOP);
	tree_free(tree);
}

static void test_way_out(void **state)
{
	static const struct made_entry entries[] = {
		{ "a/../../" CPU "/online", "0\n" },
		{ "a/" CPU "/present", "0-1\n" },
		{ "/a/" CPU "/possible", "0-1\n" },
	};
	struct tree *tree = pack_and_open(state, "none", entries, ARRAY_SIZE(entries));
	size_t nr;

	expect_text(tree, "/" CPU "/possible", "0-1");
	expect_error(tree, "/" CPU "/online", -ENOENT);
	assert_int_equal(tree_failures(tree, &nr)[0].error, EXDEV);
	assert_int_equal(nr, 1);
	tree_free(tree);
}

static void test_sizes(void **state)
{
	static const struct made_entry large_file[] = {
		{ CPU "/present", "0-1\n" },
		{ CPU "/online", NULL, MADE_FILE, 1 << 20 },
	};
	static const struct made_entry bomb[] = {
		{ CPU "/present", "0-1\n" },
		{ "x", NULL, MADE_FILE, 300 << 20 },
	};
	struct tree *tree = pack_and_open(state, "zstd", large_file, ARRAY_SIZE(large_file));

	expect_error(tree, "/" CPU "/online", -EFBIG);
	tree_free(tree);
	expect_refused(state, bomb, ARRAY_SIZE(bomb), "unpacks to more");
}

static void test_many_files(void **state)
{
	static struct made_entry many[70];
	static char names[ARRAY_SIZE(many)][32];

	for (size_t i = 0; i < ARRAY_SIZE(many); i++) {
		snprintf(names[i], sizeof(names[i]), "%zu/proc/cpuinfo", i);
		many[i] = (struct made_entry){ names[i], NULL, MADE_FILE, (1 << 20) - 1 };
	}
	expect_refused(state, many, ARRAY_SIZE(many), "more machines or files");
}

static void test_which(void **state)
{
	static const struct made_entry two[] = {
		{ "a/" CPU "/present", "0-1\n" },
		{ "b/" CPU "/present", "0-1\n" },
	};
	static const struct made_entry none[] = {
		{ "a/etc/tlp.conf", "\n" },
		{ "b/sys/class/net/eth0/address", "0-1\n" },
	};
	char path[128];
	const struct tree_sources from = { .where = path };
	struct tree *tree;
	struct error err = { "" };

	expect_refused(state, two, ARRAY_SIZE(two), "several machines (a/, b/)");
	expect_refused(state, none, ARRAY_SIZE(none), "holds no file");
	made_file(*state, "a.tar", "no archive, but long enough to be looked at");
	made_name(*state, "a.tar", path, sizeof(path));
	assert_int_equal(tree_open(&from, &tree, &err), -EINVAL);
	assert_non_null(strstr(err.text, "neither a folder nor a tar"));
}

/* Cut anywhere, an archive is refused or gives what it has; nothing else happens. */
static void test_cut_short(void **state)
{
	static const char *const compressions[] = { "none", "gzip", "xz", "zstd" };

	for (size_t i = 0; i < ARRAY_SIZE(compressions); i++) {
		char path[128], cut[128], bytes[16384];
		const struct tree_sources from = { .where = cut };
		size_t len;
		FILE *f;

		made_name(*state, "a.tar", path, sizeof(path));
		made_archive(path, compressions[i], report, ARRAY_SIZE(report));
		f = fopen(path, "rb");
		assert_non_null(f);
		len = fread(bytes, 1, sizeof(bytes), f);
		fclose(f);
		for (size_t at = 0; at < len; at += len / 40 + 1) {
			struct tree *tree = NULL;
			struct error err = { "" };

			made_bytes(*state, "cut", bytes, at);
			made_name(*state, "cut", cut, sizeof(cut));
			if (tree_open(&from, &tree, &err))
				assert_true(*err.text && !strchr(err.text, '\n'));
			tree_free(tree);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_case_layout),
		cmocka_unit_test(test_list_of_values),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_way_out),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_many_files),
		cmocka_unit_test(test_which),
		cmocka_unit_test(test_cut_short),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
