// SPDX-License-Identifier: GPL-2.0-or-later
/* Facts of a small root: values, and what is not there. */
#include "doctor/facts.h"
#include "policy/registry.h"
#include "../cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[] = "/tmp/facts.XXXXXX";

static void put(const char *path, const char *text)
{
	char name[256];
	FILE *f;

	snprintf(name, sizeof(name), "%s%s", root, path);
	for (char *p = name + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(name, 0755);
		*p = '/';
	}
	f = fopen(name, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int setup(void **state)
{
	if (!mkdtemp(root))
		return -1;
	put("/root/proc/version", "Linux version 6.11.0-rc1 (a@b)\n");
	put("/root/proc/cmdline", "ro intel_pstate=passive intel_pstate=no_hwp quiet\n");
	put("/root/proc/cpuinfo", "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n"
				  "model name\t: X\nflags\t\t: fpu hwp_epp ida hypervisor\n\n"
				  "vendor_id\t: Other\n");
	put("/root/sys/devices/system/cpu/present", "0-3,8\n");
	put("/root/sys/devices/system/cpu/cpufreq/policy0/scaling_max_freq", "2000000\n");
	put("/root/sys/devices/system/cpu/cpufreq/policy0/scaling_min_freq", "<unknown>\n");
	put("/root/sys/devices/system/cpu/cpufreq/policy0/scaling_driver", "intel_cpufreq\n");
	put("/root/sys/devices/system/cpu/cpufreq/policy0/base_frequency", "");
	put("/acpi.txt", "present \\_SB.PCCH\nabsent _PSS\nfadt_oem HP ProLiant\n");
	put("/msr.txt", "1aa:0|100\n");
	put("/errors.txt", "EBUSY sys/devices/system/cpu/cpufreq/policy0/scaling_cur_freq\n");
	put("/root/etc/tlp.conf", "#CPU_BOOST_ON_AC=1\nCPU_SCALING_MAX_FREQ_ON_BAT=\"1800\"\n");
	return 0;
}

static int teardown(void **state)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static void test_values(void **state)
{
	struct tree_sources from = { .where = root };
	struct tree *tree;
	struct facts f;
	char word[32];

	assert_int_equal(tree_open(&from, &tree, NULL), 0);
	assert_int_equal(facts_gather(tree, &f, NULL), 0);
	assert_int_equal(f.kernel.version, KERNEL(6, 11));
	assert_int_equal(f.kernel.rc, 1);
	assert_true(facts_kernel_in(&f, kernel_number(6, 11, 0), kernel_number(6, 12, 0)));
	assert_false(facts_kernel_in(&f, kernel_number(6, 12, 0), kernel_number(7, 0, 0)));
	assert_true(facts_param(&f, "intel_pstate", word, sizeof(word)));
	assert_string_equal(word, "no_hwp");
	assert_true(facts_param(&f, "quiet", word, sizeof(word)));
	assert_false(facts_param(&f, "intel", word, sizeof(word)));
	assert_int_equal(f.machine.vendor, VENDOR_INTEL);
	assert_int_equal(f.machine.model, 85);
	assert_int_equal(f.machine.features, CPU_HWP_EPP | CPU_IDA | CPU_HYPERVISOR);
	assert_true(f.guest);
	assert_int_equal(f.present.nr, 5);
	assert_int_equal(f.nr_policies, 1);
	assert_int_equal(f.policies[0].max.number, 2000000);
	assert_int_equal(f.policies[0].min.state, VALUE_BAD);
	assert_int_equal(f.policies[0].base.state, VALUE_EMPTY);
	assert_int_equal(f.policies[0].cur.state, VALUE_UNREADABLE);
	assert_int_equal(f.policies[0].cpuinfo_max.state, VALUE_ABSENT);
	assert_int_equal(f.acpi.pcch, FACT_YES);
	assert_int_equal(f.machine.pss, FACT_NO);
	assert_string_equal(f.machine.fadt_oem_id, "HP");
	assert_string_equal(f.machine.fadt_oem_table_id, "ProLiant");
	assert_int_equal(f.machine.out_of_band, FACT_YES);
	assert_int_equal(f.nr_settings, 1);
	assert_string_equal(f.settings[0].value, "1800");
	facts_drop(&f);
	tree_free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
