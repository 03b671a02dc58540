// SPDX-License-Identifier: GPL-2.0-or-later
/* The environment of a made-up machine, and what a bare tree gives. */
#include "host/environ.h"

#include "base/units.h"
#include "host/readfile.h"

#include "../cmocka_all.h"
#include "tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define CPU "/sys/devices/system/cpu/"

static void put_config_gz(struct tree *t, const char *text)
{
	char path[128];
	gzFile file;

	tree_put(t, "/proc/config.gz", "");
	snprintf(path, sizeof(path), "%s/proc/config.gz", t->root);
	file = gzopen(path, "w");
	assert_non_null(file);
	assert_true(gzputs(file, text) > 0);
	gzclose(file);
}

static void put_guest(struct tree *t)
{
	tree_put(t, "/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
	tree_put(t, "/proc/cpuinfo",
		"processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC 9354\n");
	tree_put(t, "/proc/cmdline", "quiet haltpoll.force=1\n");
	tree_put(t, CPU "cpuidle/current_driver", "haltpoll\n");
	tree_put(t, CPU "cpuidle/current_governor_ro", "haltpoll\n");
	tree_put(t, CPU "online", "0-2,6\n");
	tree_put(t, CPU "cpufreq/policy0/scaling_driver", "acpi-cpufreq\n");
	tree_put(t, "/sys/module/haltpoll/parameters/guest_halt_poll_ns", "200000\n");
	tree_put(t, "/sys/module/haltpoll/parameters/guest_halt_poll_grow", "2\n");
}

static void whole_machine(void **state)
{
	struct workload_env env = { 0 };
	struct tree t;

	tree_make(&t);
	put_guest(&t);
	put_config_gz(&t, "CONFIG_HZ_250=y\n# CONFIG_HZ_1000 is not set\nCONFIG_HZ=250\n");
	host_env_read(t.root, &env);
	host_env_read_cmdline(t.root, &env);
	assert_string_equal(env.kernel, "6.1.0-18-amd64");
	assert_string_equal(env.machine, "AMD EPYC 9354");
	assert_string_equal(env.cpuidle_driver, "haltpoll");
	assert_string_equal(env.cpuidle_governor, "haltpoll");
	assert_int_equal(env.hz, 250);
	assert_int_equal(env.nr_cpus, 4);
	assert_string_equal(env.settings,
		"cpus.online=0-2,6\ncpufreq.driver=acpi-cpufreq\n"
		"haltpoll.guest_halt_poll_grow=2\nhaltpoll.guest_halt_poll_ns=200000\n"
		"cmdline=quiet haltpoll.force=1\n");
	tree_remove(&t);
}

static void tick_rate_sources(void **state)
{
	static const struct {
		const char *name, *gz, *boot;
		int hz;
	} rows[] = {
		{ "config.gz", "CONFIG_HZ=1000\n", NULL, 1000 },
		{ "config in /boot", NULL, "CONFIG_HZ=100\n", 100 },
		{ "config.gz stands before /boot", "CONFIG_HZ=300\n", "CONFIG_HZ=100\n", 300 },
		{ "config.gz says nothing", "CONFIG_X=y\n", "CONFIG_HZ=100\n", 100 },
		{ "nonsense", "CONFIG_HZ=-5\nCONFIG_HZ=9999999\n", NULL, 0 },
		{ "none", NULL, NULL, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct workload_env env = { 0 };
		struct tree t;

		tree_make(&t);
		tree_put(&t, "/proc/sys/kernel/osrelease", "1.2.3\n");
		if (rows[i].gz)
			put_config_gz(&t, rows[i].gz);
		if (rows[i].boot)
			tree_put(&t, "/boot/config-1.2.3", rows[i].boot);
		host_env_read(t.root, &env);
		if (env.hz != rows[i].hz)
			fail_msg("%s: %d, expected %d", rows[i].name, env.hz, rows[i].hz);
		tree_remove(&t);
	}
}

static void bare_tree(void **state)
{
	struct workload_env env = { 0 }, zero = { 0 };
	struct tree t;

	tree_make(&t);
	host_env_read(t.root, &env);
	host_env_read_cmdline(t.root, &env);
	assert_memory_equal(&env, &zero, sizeof(env));
	tree_remove(&t);
}

/* What does not fit is left out whole, and a newline inside a value cannot make a second line. */
static void settings_stay_lines(void **state)
{
	struct workload_env env = { 0 };
	char long_text[900];
	struct tree t;

	tree_make(&t);
	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	tree_put(&t, "/sys/module/haltpoll/parameters/a", "one\ntwo\n");
	tree_put(&t, "/sys/module/haltpoll/parameters/b", long_text);
	tree_put(&t, "/sys/module/haltpoll/parameters/c", long_text);
	tree_put(&t, "/sys/module/haltpoll/parameters/d", long_text);
	tree_put(&t, "/sys/module/haltpoll/parameters/e", "last");
	host_env_read(t.root, &env);
	assert_true(strstr(env.settings, "haltpoll.a=one two\n") == env.settings);
	assert_non_null(strstr(env.settings, "\nhaltpoll.c="));
	assert_null(strstr(env.settings, "\nhaltpoll.d="));
	assert_non_null(strstr(env.settings, "\nhaltpoll.e=last\n"));
	tree_remove(&t);
}

static void measured(void **state)
{
	struct workload_env env = { 0 }, given = { .hz = 77, .khz = 88 };

	host_env_measure(&env);
	assert_in_range(env.hz, 24, 10000);
#ifdef __x86_64__
	assert_in_range(env.khz, 100000, 20000000);
	assert_string_equal(env.khz_source, "tsc");
#endif
	host_env_measure(&given);
	assert_int_equal(given.hz, 77);
	assert_int_equal(given.khz, 88);
}

static void numbers(void **state)
{
	static const struct {
		const char *text;
		int code;
		uint64_t value;
	} rows[] = {
		{ "0\n", 0, 0 },
		{ "18446744073709551615\n", 0, UINT64_MAX },
		{ "18446744073709551616\n", -EINVAL, 0 },
		{ "-1\n", -EINVAL, 0 },
		{ "12 34\n", -EINVAL, 0 },
		{ "\n", -EINVAL, 0 },
		{ "<unknown>\n", -EINVAL, 0 },
	};
	struct tree t;
	uint64_t value;

	tree_make(&t);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int code;

		tree_put(&t, "/n", rows[i].text);
		value = 4711;
		code = host_read_u64(t.root, "/n", &value);
		if (code != rows[i].code || value != (code ? 4711 : rows[i].value))
			fail_msg("'%s': %d", rows[i].text, code);
	}
	assert_int_equal(host_read_u64(t.root, "/none", &value), -ENOENT);
	tree_remove(&t);
}

static void whole_files(void **state)
{
	static char big[100000];
	struct tree t;
	size_t len;
	char *text;

	tree_make(&t);
	memset(big, 'y', sizeof(big));
	tree_put_bytes(&t, "/big", big, sizeof(big));
	assert_int_equal(host_read_all(t.root, "/big", sizeof(big), &text, &len), 0);
	assert_int_equal(len, sizeof(big));
	assert_memory_equal(text, big, sizeof(big));
	assert_int_equal(text[len], '\0');
	free(text);
	assert_int_equal(host_read_all(t.root, "/big", sizeof(big) - 1, &text, &len), -EFBIG);
	tree_remove(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_machine),
		cmocka_unit_test(tick_rate_sources),
		cmocka_unit_test(bare_tree),
		cmocka_unit_test(settings_stay_lines),
		cmocka_unit_test(measured),
		cmocka_unit_test(numbers),
		cmocka_unit_test(whole_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
