// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every file of a machine in turn is made empty, garbage, huge, unreadable, a folder, a link that
 * loops or leads out, or a fifo. Whatever it is, the doctor diagnoses what is left, a model that is
 * written loads, nothing outside is read, and nothing blocks. Arguments: folder of machine models,
 * and 1 for all of it, 3 for a third.
 */
#include "fixture.h"

#include "../cmocka_all.h"
#include "doctor/capture.h"
#include "doctor/diagnosis.h"
#include "doctor/model.h"
#include "doctor/paths.h"
#include "doctor/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define CPU "/sys/devices/system/cpu"
#define OUTSIDE "outside-of-the-tree"

enum { SECONDS_MAX = 300, HUGE = 9 << 20 };

static struct machine *nearest;
static int every = 1;

/* By the end of a path; what is not here holds 1. */
static const struct {
	const char *end, *text;
} contents[] = {
	{ "/proc/cpuinfo",
		"processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 94\n"
		"model name\t: Intel(R) Core(TM) i7-6700 CPU @ 3.40GHz\nphysical id\t: 0\n"
		"core id\t\t: 0\nflags\t\t: hwp hwp_epp aperfmperf est ida epb\n\n" },
	{ "/proc/cmdline", "ro intel_pstate=active processor.max_cstate=9\n" },
	{ "/proc/version", "Linux version 6.1.0-1 (a@b) (gcc) #1 SMP\n" },
	{ "/present", "0\n" },
	{ "/online", "0\n" },
	{ "/possible", "0-1\n" },
	{ "/scaling_driver", "intel_pstate\n" },
	{ "/scaling_governor", "powersave\n" },
	{ "/scaling_available_governors", "performance powersave\n" },
	{ "/scaling_available_frequencies", "3401000 3400000 800000\n" },
	{ "/cpuinfo_max_freq", "4000000\n" },
	{ "/cpuinfo_min_freq", "800000\n" },
	{ "/scaling_max_freq", "4000000\n" },
	{ "/scaling_min_freq", "800000\n" },
	{ "/base_frequency", "3400000\n" },
	{ "/energy_performance_preference", "balance_performance\n" },
	{ "/intel_pstate/status", "active\n" },
	{ "/max_perf_pct", "100\n" },
	{ "/no_turbo", "0\n" },
	{ "/state0/name", "POLL\n" },
	{ "/disable", "0\n" },
	{ "/current_driver", "intel_idle\n" },
	{ "/current_governor", "menu\n" },
	{ "intel-rapl:0/name", "package-0\n" },
	{ "/constraint_0_name", "long_term\n" },
	{ "/constraint_0_power_limit_uw", "65000000\n" },
	{ "_list", "0\n" },
	{ "/tlp.conf", "CPU_SCALING_MAX_FREQ_ON_AC=2000000\n" },
	{ "dmesg.txt", "[1.0] intel_pstate: Intel P-state driver initializing\n" },
	{ "msr.txt", "1aa:0|100\n1ad:0|2527282a\nce:0|80838f1012200\n771:0|1082228\n" },
	{ "acpi.txt", "present _PSS\nfadt_oem HP ProLiant\npss 3400 65000 10\n" },
	{ "errors.txt", "EBUSY sys/devices/system/cpu/nohz_full\n" },
};

static const char *const beside[] = { "dmesg.txt", "msr.txt", "acpi.txt", "errors.txt" };

static const char *content_of(const char *name)
{
	for (size_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
		size_t len = strlen(contents[i].end);

		if (strlen(name) >= len && !strcmp(name + strlen(name) - len, contents[i].end))
			return contents[i].text;
	}
	return "1\n";
}

/* The i-th file of the machine: one for each rule, then those beside. False: no more. */
static bool nth_name(size_t i, char *name, size_t size)
{
	size_t nr;
	const struct path_rule *rules = path_rules(&nr);

	if (i >= nr + sizeof(beside) / sizeof(beside[0]))
		return false;
	if (i >= nr) {
		snprintf(name, size, "%s", beside[i - nr]);
		return true;
	}
	snprintf(name, size, "root%s", rules[i].pattern);
	for (char *p = name; *p; p++) {
		if (*p == '#' || *p == '*')
			*p = '0';
	}
	return true;
}

/* ---- damage ------------------------------------------------------------------------------ */

enum damage {
	EMPTY,
	GARBAGE,
	LONG_LINE,
	HUGE_FILE,
	NUMBERS,
	UNREADABLE,
	FOLDER,
	LOOP,
	LINK_OUT,
	LINK_OUT_BY_ROOT,
	FIFO,
	MISSING,
	DAMAGES,
};

static void make_huge(struct made *m, const char *name)
{
	char path[512];

	made_file(m, name, "1\n");
	/* All zeroes, and no space on the disk. */
	assert_int_equal(truncate(made_name(m, name, path, sizeof(path)), HUGE), 0);
}

static void damage(struct made *m, const char *name, enum damage kind)
{
	static const char garbage[] = "\xff\xfe\x01\x80 -9|:%s%n\n\n=\x7f,,--0x\t\0more\n";
	char path[512], line[6000];

	unlink(made_name(m, name, path, sizeof(path)));
	memset(line, '7', sizeof(line));
	line[sizeof(line) - 1] = '\0';
	switch (kind) {
	case EMPTY:
		made_file(m, name, "");
		break;
	case GARBAGE:
		made_bytes(m, name, garbage, sizeof(garbage));
		break;
	case LONG_LINE:
		made_file(m, name, line);
		break;
	case HUGE_FILE:
		make_huge(m, name);
		break;
	case NUMBERS:
		made_file(m, name, "-9223372036854775808 99999999999999999999\n");
		break;
	case UNREADABLE:
		made_file(m, name, "1\n");
		assert_int_equal(chmod(path, 0), 0);
		break;
	case FOLDER:
		assert_int_equal(mkdir(path, 0755), 0);
		break;
	case LOOP:
		assert_int_equal(symlink(strrchr(path, '/') + 1, path), 0);
		break;
	case LINK_OUT:
		assert_int_equal(symlink("../../../../../../../../../../tmp/" OUTSIDE, path), 0);
		break;
	case LINK_OUT_BY_ROOT:
		assert_int_equal(symlink("/tmp/" OUTSIDE, path), 0);
		break;
	case FIFO:
		made_fifo(m, name);
		break;
	case MISSING:
	case DAMAGES:
		break;
	}
}

static void repair(struct made *m, const char *name)
{
	char path[512];

	if (remove(made_name(m, name, path, sizeof(path))))
		assert_int_equal(errno, ENOENT);
	made_file(m, name, content_of(name));
}

/* ---- looking ----------------------------------------------------------------------------- */

static void expect_line(const char *text)
{
	if (!*text || strchr(text, '\n'))
		fail_msg("no one line: \"%s\"", text);
}

static void expect_inside(char *text, const char *what)
{
	if (strstr(text, OUTSIDE " was read"))
		fail_msg("%s shows what lies outside: %s", what, text);
	free(text);
}

static void diagnose_it(const struct facts *facts)
{
	static struct diagnosis diagnosis;
	struct error err;
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	diagnose(facts, &diagnosis);
	report_text(&diagnosis, false, f);
	assert_int_equal(report_json(&diagnosis, NULL, f, &err), 0);
	fclose(f);
	assert_true(len > 100);
	expect_inside(text, "the diagnosis");
}

static void model_it(struct tree *tree, const struct facts *facts)
{
	static struct model model;
	struct machine *loaded;
	struct error err = { "" };
	char *text;
	size_t len;
	FILE *f;

	if (model_read(tree, facts, &model, &err)) {
		expect_line(err.text);
		return;
	}
	model.nearest = model.nearest_hwp = nearest;
	f = open_memstream(&text, &len);
	assert_non_null(f);
	model_write(&model, f);
	fclose(f);
	if (machine_load_text("model", text, len, &loaded, &err))
		fail_msg("%s", err.text);
	machine_free(loaded);
	expect_inside(text, "the model");
}

static void look(struct made *m)
{
	static struct facts facts;
	const struct tree_sources from = { .where = m->path };
	struct tree *tree;
	struct error err = { "" };

	if (tree_open(&from, &tree, &err)) {
		expect_line(err.text);
		return;
	}
	assert_int_equal(facts_gather(tree, &facts, &err), 0);
	diagnose_it(&facts);
	model_it(tree, &facts);
	facts_drop(&facts);
	tree_free(tree);
}

static void test_each_file(void **state)
{
	struct made *m = *state;
	char name[PATH_LEN_MAX + 8];

	look(m);
	for (size_t i = 0; nth_name(i, name, sizeof(name)); i++) {
		for (int kind = 0; kind < DAMAGES; kind++) {
			if (((int)i + kind) % every)
				continue;
			/* Kept for the reader of a failure. */
			snprintf(m->note, sizeof(m->note), "%s, damage %d", name, kind);
			damage(m, name, kind);
			look(m);
			repair(m, name);
		}
	}
	m->note[0] = '\0';
}

/* All at once. */
static void test_all_files(void **state)
{
	struct made *m = *state;
	char name[PATH_LEN_MAX + 8];

	for (int kind = 0; kind < DAMAGES; kind++) {
		struct capture capture;
		struct tree *tree;
		struct error err;

		for (size_t i = 0; nth_name(i, name, sizeof(name)); i++)
			damage(m, name, kind);
		look(m);
		tree = made_open(m->path);
		if (!capture_collect(tree, &capture, &err)) {
			for (size_t i = 0; i < capture.nr; i++)
				assert_null(strstr(capture.files[i].text, OUTSIDE " was read"));
			capture_release(&capture);
		}
		tree_free(tree);
		for (size_t i = 0; nth_name(i, name, sizeof(name)); i++)
			repair(m, name);
	}
}

static int setup(void **state)
{
	static struct made m;
	char name[PATH_LEN_MAX + 8];
	FILE *f;

	made_init(&m);
	assert_int_equal(chmod(m.path, 0777), 0);
	for (size_t i = 0; nth_name(i, name, sizeof(name)); i++)
		made_file(&m, name, content_of(name));
	f = fopen("/tmp/" OUTSIDE, "w");
	assert_non_null(f);
	fprintf(f, OUTSIDE " was read\n");
	fclose(f);
	*state = &m;
	/* A hang is a failure, too. */
	alarm(SECONDS_MAX);
	return 0;
}

static int teardown(void **state)
{
	struct made *m = *state;

	if (*m->note)
		print_error("at %s\n", m->note);
	unlink("/tmp/" OUTSIDE);
	made_remove(m);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_file),
		cmocka_unit_test(test_all_files),
	};
	struct error err;
	bool root;
	int failed;

	if (argc != 3 || machine_load("xeon-e3-1240v5", argv[1], &nearest, &err))
		return 2;
	every = *argv[2] == '1' ? 1 : 3;
	/* Root may read everything: so as somebody else. */
	root = !geteuid();
	if (root && seteuid(65534))
		return 2;
	failed = cmocka_run_group_tests(tests, setup, teardown);
	/* A search for leaks at the end attaches to the process. */
	if (root && (seteuid(0) || prctl(PR_SET_DUMPABLE, 1)))
		return 2;
	machine_free(nearest);
	return failed;
}
