// SPDX-License-Identifier: GPL-2.0-or-later
#include "../cmocka_all.h"
#include "doctor/paths.h"

#include <string.h>

static void test_order(void **state)
{
	size_t nr;
	const struct path_rule *rules = path_rules(&nr);

	assert_true(nr > 100);
	for (size_t i = 1; i < nr; i++) {
		if (strcmp(rules[i - 1].pattern, rules[i].pattern) >= 0)
			fail_msg("%s after %s", rules[i].pattern, rules[i - 1].pattern);
	}
	for (size_t i = 0; i < nr; i++)
		assert_ptr_equal(path_rule_of(rules[i].pattern), &rules[i]);
}

static const struct {
	const char *path, *pattern; /* pattern NULL: not ours */
} files[] = {
	{ "/proc/cpuinfo", "/proc/cpuinfo" },
	{ "/sys/devices/system/cpu/cpu12/cpuidle/state3/name",
		"/sys/devices/system/cpu/cpu#/cpuidle/state#/name" },
	{ "/sys/class/powercap/intel-rapl:0:1/name", "/sys/class/powercap/intel-rapl:#:#/name" },
	{ "/sys/firmware/acpi/tables/SSDT1", "/sys/firmware/acpi/tables/SSDT#" },
	{ "/sys/firmware/acpi/tables/dynamic/SSDT22", "/sys/firmware/acpi/tables/dynamic/SSDT#" },
	{ "/sys/firmware/acpi/tables/MSDM", NULL },
	{ "/etc/tlp.d/50-mine.conf", "/etc/tlp.d/*" },
	{ "/etc/tlp.d/", NULL },
	{ "/etc/tlp.d/..", NULL },
	{ "/etc/tlp.d/a/b", NULL },
	{ "/etc/passwd", NULL },
	{ "/proc/cpuinfo/", NULL },
	{ "/sys/devices/system/cpu/cpu/online", NULL },
	{ "/sys/devices/system/cpu", NULL },
	{ "", NULL },
};

static void test_files(void **state)
{
	char longer[1000];

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		const struct path_rule *rule = path_rule_of(files[i].path);

		if (!rule != !files[i].pattern || (rule && strcmp(rule->pattern, files[i].pattern)))
			fail_msg("%s: %s", files[i].path, rule ? rule->pattern : "none");
	}
	memset(longer, '/', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	assert_null(path_rule_of(longer));
	assert_false(path_is_folder(longer));
}

static void test_folders(void **state)
{
	assert_true(path_is_folder("/sys"));
	assert_true(path_is_folder("/sys/devices/system/cpu/cpu7/cpufreq"));
	assert_true(path_is_folder("/sys/class/powercap/intel-rapl:0"));
	assert_false(path_is_folder("/sys/class/net"));
	assert_false(path_is_folder("/proc/cpuinfo"));
	assert_false(path_is_folder("/sys/"));
	assert_false(path_is_folder("/zzz"));
}

static void test_class_names(void **state)
{
	char buf[PATH_LEN_MAX];

	assert_string_equal(
		path_class_name("/sys/devices/virtual/dmi/id/sys_vendor", buf, sizeof(buf)),
		"/sys/class/dmi/id/sys_vendor");
	assert_string_equal(path_class_name("/sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/"
					    "intel-rapl:0:1/name",
				    buf, sizeof(buf)),
		"/sys/class/powercap/intel-rapl:0:1/name");
	assert_string_equal(path_class_name("/proc/cpuinfo", buf, sizeof(buf)), "/proc/cpuinfo");
	assert_string_equal(
		path_class_name("/sys/devices/virtual/powercap/uevent", buf, sizeof(buf)),
		"/sys/devices/virtual/powercap/uevent");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_folders),
		cmocka_unit_test(test_class_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
