// SPDX-License-Identifier: GPL-2.0-or-later
/* Captures: nothing that names a machine gets in, what matters does, and again gives the same. */
#include "fixture.h"

#include "../cmocka_all.h"
#include "doctor/capture.h"
#include "doctor/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CPU "sys/devices/system/cpu"
#define SECRET "sesame" /* stands for names, serials, addresses */

static void make_machine(struct made *m)
{
	made_file(m, "root/proc/cmdline",
		"BOOT_IMAGE=http://" SECRET "/vmlinuz root=UUID=" SECRET " ro intel_pstate=passive "
		"processor.max_cstate=1 ip=10.0.0.1::" SECRET " hostname=" SECRET " -- " SECRET
		"\n");
	made_file(m, "root/proc/version",
		"Linux version 6.1.0 (root@" SECRET ") (gcc (" SECRET ") 12, ld) #1 SMP Mon\n");
	made_file(m, "root/proc/cpuinfo",
		"processor\t: 0\nflags\t: hwp serialize\nSerial\t: " SECRET
		"\n\nprocessor\t: 1\n\n");
	made_file(m, "root/etc/tlp.conf",
		"# " SECRET "\nCPU_SCALING_MAX_FREQ_ON_AC=2000000\nUSB_DENYLIST=\"" SECRET "\"\n");
	made_file(m, "root/etc/modprobe.d/local.conf",
		"blacklist intel_pstate\noptions nfs " SECRET "\n# pstate " SECRET "\n");
	made_file(m, "root/etc/hostname", SECRET "\n");
	made_file(m, "root/sys/class/dmi/id/product_serial", SECRET "\n");
	made_file(m, "root/sys/class/dmi/id/product_name", "Laptop\n");
	made_file(m, "root/sys/class/net/eth0/address", SECRET "\n");
	made_file(m, "root/" CPU "/present", "0-1\n");
	made_file(m, "root/" CPU "/online", "");
	made_file(m, "root/" CPU "/cpufreq/policy0/scaling_driver", "intel_pstate\n");
	made_file(m, "root/" CPU "/cpufreq/policy0/related_cpus", "0 1\n");
	made_link(m, "root/" CPU "/cpu0/cpufreq", "../cpufreq/policy0");
	made_link(m, "root/" CPU "/cpu1/cpufreq", "../../../../../../etc");
	made_file(m, "root/" CPU "/cpu1/cpuidle/state0/name", "POLL\n");
	made_file(m, "dmesg.txt",
		"[0.0] Command line: intel_pstate=passive " SECRET "\n[0.1] " SECRET ": eth0 up\n"
		"[0.2] intel_pstate: CPU model not supported\n"
		"[0.2] Unknown kernel command line parameters \"" SECRET
		" amd_pstate=passive\", will be passed to user space.\n"
		"[0.3] unchecked MSR access error: RDMSR from 0x771 at rIP: 0xffffffff817d2250\n");
	made_file(m, "msr.txt", "1aa:0|100 1|fe\n10:0|1\n774:900|3\n");
	made_file(m, "errors.txt", "EBUSY " CPU "/online\n");
	made_file(m, "acpi.txt", "present \\_SB.PCCH\nabsent _PSS\nfadt_oem HP ProLiant\n");
}

static void collect(const char *where, struct capture *ret)
{
	struct tree *tree = made_open(where);
	struct error err;

	if (capture_collect(tree, ret, &err))
		fail_msg("%s", err.text);
	tree_free(tree);
}

static const char *text_of(const struct capture *capture, const char *path)
{
	for (size_t i = 0; i < capture->nr; i++) {
		if (!strcmp(capture->files[i].path, path))
			return capture->files[i].text;
	}
	return "(none)";
}

static void expect(const struct capture *capture, const char *path, const char *text)
{
	const char *got = text_of(capture, path);

	if (strcmp(got, text))
		fail_msg("%s: \"%s\", expected \"%s\"", path, got, text);
}

static void test_content(void **state)
{
	struct capture capture;
	struct made m;

	made_init(&m);
	make_machine(&m);
	collect(m.path, &capture);
	for (size_t i = 0; i < capture.nr; i++) {
		const struct capture_file *f = &capture.files[i];

		if (strstr(f->text, SECRET) || strstr(f->path, SECRET))
			fail_msg("%s: %s", f->path, f->text);
	}
	expect(&capture, "root/proc/cmdline", "intel_pstate=passive processor.max_cstate=1 ...\n");
	expect(&capture, "root/proc/version", "Linux version 6.1.0 #1 SMP Mon\n");
	expect(&capture, "root/proc/cpuinfo",
		"processor\t: 0\nflags\t: hwp serialize\n\nprocessor\t: 1\n\n");
	expect(&capture, "root/etc/tlp.conf", "CPU_SCALING_MAX_FREQ_ON_AC=2000000\n");
	expect(&capture, "root/etc/modprobe.d/local.conf", "blacklist intel_pstate\n");
	expect(&capture, "root/etc/hostname", "(none)");
	expect(&capture, "root/sys/class/dmi/id/product_name", "Laptop\n");
	expect(&capture, "root/sys/class/dmi/id/product_serial", "(none)");
	expect(&capture, "root/" CPU "/online", "");
	expect(&capture, "root/" CPU "/cpu0/cpufreq", "../cpufreq/policy0");
	expect(&capture, "root/" CPU "/cpu1/cpufreq", "(none)");
	expect(&capture, "root/" CPU "/cpufreq/policy0/scaling_driver", "intel_pstate\n");
	expect(&capture, "root/" CPU "/cpu1/cpuidle/state0/name", "POLL\n");
	expect(&capture, "errors.txt", "EBUSY " CPU "/online\n");
	expect(&capture, "msr.txt", "1aa:0|100 1|fe\n774:900|3\n");
	expect(&capture, "acpi.txt", "absent _PSS\npresent \\_SB.PCCH\nfadt_oem HP ProLiant\n");
	expect(&capture, "dmesg.txt",
		"[0.0] Command line: intel_pstate=passive ......\n"
		"[0.2] intel_pstate: CPU model not supported\n"
		"[0.2] Unknown kernel command line parameters \"...... amd_pstate=passive\", will "
		"be passed to user space.\n"
		"[0.3] unchecked MSR access error: RDMSR from 0x771 at rIP: 0x????????????????\n");
	capture_release(&capture);
	made_remove(&m);
}

static void write_to(struct made *m, const char *name, const struct capture *capture)
{
	char path[128];
	struct error err;
	int fd;

	fd = open(made_name(m, name, path, sizeof(path)), O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	if (capture_write(capture, fd, &err))
		fail_msg("%s", err.text);
	close(fd);
}

static void test_again(void **state)
{
	struct capture first, again;
	struct made m;
	char path[128];

	made_init(&m);
	make_machine(&m);
	collect(m.path, &first);
	write_to(&m, "first.tar.zst", &first);
	collect(made_name(&m, "first.tar.zst", path, sizeof(path)), &again);
	assert_int_equal(first.nr, again.nr);
	for (size_t i = 0; i < first.nr; i++) {
		assert_string_equal(first.files[i].path, again.files[i].path);
		assert_int_equal(first.files[i].link, again.files[i].link);
		if (strcmp(first.files[i].text, again.files[i].text))
			fail_msg("%s: \"%s\", then \"%s\"", first.files[i].path,
				first.files[i].text, again.files[i].text);
	}
	capture_release(&first);
	capture_release(&again);
	made_remove(&m);
}

/* Of one file for each rule, all are collected: no rule is out of the collector's reach. */
static void test_all_rules(void **state)
{
	struct capture capture;
	const struct path_rule *rules;
	struct made m;
	size_t nr;

	rules = path_rules(&nr);
	made_init(&m);
	for (size_t i = 0; i < nr; i++) {
		char name[PATH_LEN_MAX + 8];
		int n = snprintf(name, sizeof(name), "root%s", rules[i].pattern);

		for (int k = 0; k < n; k++) {
			if (name[k] == '#' || name[k] == '*')
				name[k] = '7';
		}
		made_file(&m, name, "cpu pstate = 1\n");
	}
	collect(m.path, &capture);
	for (size_t i = 0; i < nr; i++) {
		char name[PATH_LEN_MAX + 8];
		int n = snprintf(name, sizeof(name), "root%s", rules[i].pattern);

		for (int k = 0; k < n; k++) {
			if (name[k] == '#' || name[k] == '*')
				name[k] = '7';
		}
		if (rules[i].filter != FILTER_TABLES && !strcmp(text_of(&capture, name), "(none)"))
			fail_msg("%s is not collected", name);
	}
	capture_release(&capture);
	made_remove(&m);
}

static void test_nothing(void **state)
{
	struct capture capture;
	struct tree *tree;
	struct error err;
	struct made m;

	made_init(&m);
	made_file(&m, "proc/1/comm", "init\n");
	tree = made_open(m.path);
	assert_int_equal(capture_collect(tree, &capture, &err), -ENODATA);
	tree_free(tree);
	made_remove(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_content),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_all_rules),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
