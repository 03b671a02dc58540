// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/environ.h"
#include "base/units.h"
#include "host/readfile.h"
#include "workload/cpu_list.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#define CPUIDLE "/sys/devices/system/cpu/cpuidle/"
#define CPUFREQ "/sys/devices/system/cpu/cpufreq/policy0/"

/* Of a kernel list such as "0-3,8"; 0 when it is none. */
static int count_cpus(const char *list)
{
	uint64_t allowed[CPU_LIST_WORDS] = { 0 };
	int count = 0;

	if (cpu_list_parse(list, "online", allowed, NULL))
		return 0;
	for (int i = 0; i < CPU_LIST_WORDS; i++)
		count += __builtin_popcountll(allowed[i]);
	return count;
}

/* Appends "KEY=VALUE\n" as long as there is room; control characters would break the lines. */
static void add_setting(struct workload_env *env, const char *key, const char *value)
{
	size_t len = strlen(env->settings), room = sizeof(env->settings) - len;
	int n = snprintf(env->settings + len, room, "%s=%s\n", key, value);

	if (n < 0 || (size_t)n >= room) {
		env->settings[len] = '\0';
		return;
	}
	for (char *c = env->settings + len; c < env->settings + len + n - 1; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
}

static void add_setting_file(
	struct workload_env *env, const char *key, const char *root, const char *path)
{
	char text[1024];

	if (host_read_text(root, path, text, sizeof(text)) > 0)
		add_setting(env, key, text);
}

/* CONFIG_HZ from a kernel configuration, compressed or not; 0 when it is not there. */
static int config_hz(const char *root, const char *path)
{
	char full[PATH_MAX], line[512];
	gzFile file;
	int hz = 0;

	snprintf(full, sizeof(full), "%s%s", root, path);
	file = gzopen(full, "re");
	if (!file)
		return 0;
	while (!hz && gzgets(file, line, sizeof(line)))
		if (sscanf(line, "CONFIG_HZ=%d", &hz) == 1 && (hz < 1 || hz > 100000))
			hz = 0;
	gzclose_r(file);
	return hz;
}

static void read_cpu_model(const char *root, struct workload_env *env)
{
	char text[4096], *line, *save;

	if (host_read_text(root, "/proc/cpuinfo", text, sizeof(text)) < 0)
		return;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		const char *value = strchr(line, ':');

		if (!value || strncmp(line, "model name", 10))
			continue;
		value += strspn(value, ": \t");
		snprintf(env->machine, sizeof(env->machine), "%s", value);
		return;
	}
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Parameters of the modules that decide about idling, sorted so that two runs can be compared. */
static void read_parameters(const char *root, struct workload_env *env)
{
	static const char *const modules[] = { "haltpoll", "cpuidle_haltpoll", "cpuidle",
		"intel_idle", "processor" };

	for (size_t m = 0; m < ARRAY_LEN(modules); m++) {
		struct dirent **list;
		char dir[PATH_MAX], path[PATH_MAX], key[256];
		int n;

		snprintf(path, sizeof(path), "/sys/module/%s/parameters", modules[m]);
		snprintf(dir, sizeof(dir), "%s%s", root, path);
		n = scandir(dir, &list, not_hidden, by_name);
		for (int i = 0; i < n; i++) {
			snprintf(path, sizeof(path), "/sys/module/%s/parameters/%s", modules[m],
				list[i]->d_name);
			snprintf(key, sizeof(key), "%s.%s", modules[m], list[i]->d_name);
			add_setting_file(env, key, root, path);
			free(list[i]);
		}
		if (n >= 0)
			free(list);
	}
}

void host_env_read(const char *root, struct workload_env *env)
{
	char path[128], list[1024];

	host_read_text(root, "/proc/sys/kernel/osrelease", env->kernel, sizeof(env->kernel));
	host_read_text(
		root, CPUIDLE "current_driver", env->cpuidle_driver, sizeof(env->cpuidle_driver));
	if (host_read_text(root, CPUIDLE "current_governor", env->cpuidle_governor,
		    sizeof(env->cpuidle_governor)) < 0)
		host_read_text(root, CPUIDLE "current_governor_ro", env->cpuidle_governor,
			sizeof(env->cpuidle_governor));
	read_cpu_model(root, env);

	env->hz = config_hz(root, "/proc/config.gz");
	if (!env->hz) {
		snprintf(path, sizeof(path), "/boot/config-%s", env->kernel);
		env->hz = config_hz(root, path);
	}
	if (host_read_text(root, "/sys/devices/system/cpu/online", list, sizeof(list)) > 0) {
		env->nr_cpus = count_cpus(list);
		add_setting(env, "cpus.online", list);
	}
	add_setting_file(env, "cpufreq.driver", root, CPUFREQ "scaling_driver");
	add_setting_file(env, "cpufreq.governor", root, CPUFREQ "scaling_governor");
	add_setting_file(env, "clocksource", root,
		"/sys/devices/system/clocksource/clocksource0/current_clocksource");
	read_parameters(root, env);
}

void host_env_read_cmdline(const char *root, struct workload_env *env)
{
	add_setting_file(env, "cmdline", root, "/proc/cmdline");
}

#ifdef __x86_64__
/*
 * The clock and the TSC at one moment. Between the two readings anything may happen, so the
 * tightest of some attempts is taken.
 */
static void read_both(uint64_t *ret_ns, uint64_t *ret_tsc)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 20; i++) {
		struct timespec ts;
		uint64_t from = __builtin_ia32_rdtsc(), to;

		clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
		to = __builtin_ia32_rdtsc();
		if (to - from >= best)
			continue;
		best = to - from;
		*ret_tsc = from + (to - from) / 2;
		*ret_ns = (uint64_t)ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
	}
}

static uint64_t tsc_khz(void)
{
	struct timespec pause = { .tv_nsec = 20 * NSEC_PER_MSEC };
	uint64_t ns[2], tsc[2];

	read_both(&ns[0], &tsc[0]);
	nanosleep(&pause, NULL);
	read_both(&ns[1], &tsc[1]);
	return (uint64_t)((unsigned __int128)(tsc[1] - tsc[0]) * 1000000 / (ns[1] - ns[0]));
}
#else
static uint64_t tsc_khz(void)
{
	return 0;
}
#endif

void host_env_measure(struct workload_env *env)
{
	struct timespec res;

	/* The coarse clock advances with the tick, so its resolution is the tick's length. */
	if (!env->hz && !clock_getres(CLOCK_MONOTONIC_COARSE, &res) && !res.tv_sec && res.tv_nsec)
		env->hz = (NSEC_PER_SEC + res.tv_nsec / 2) / res.tv_nsec;
	if (env->khz)
		return;
	env->khz = tsc_khz();
	if (env->khz)
		snprintf(env->khz_source, sizeof(env->khz_source), "tsc");
}
