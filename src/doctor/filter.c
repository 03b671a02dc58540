// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/filter.h"
#include "base/units.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Beginnings of command line parameters. */
static const char *const parameters[] = { "acpi", "amd_pstate", "clocksource=", "cpu0_hotplug",
	"cpufreq.", "cpuidle", "dyntick", "guest_halt_poll", "haltpoll.",
	"highres=", "hpet=", "idle=", "initcall_blacklist=", "intel_idle.", "intel_pstate",
	"isolcpus=", "kvm.",
	"l1tf=", "maxcpus=", "mitigations=", "modprobe.blacklist=", "module_blacklist=", "msr.",
	"nmi_watchdog=", "no_turbo", "nohlt", "nohz", "nosmt", "notsc", "nowatchdog",
	"nr_cpus=", "pcc_cpufreq", "pcie_aspm", "possible_cpus=", "preempt=", "processor.",
	"rcu_nocb", "skew_tick", "thermal.", "tsc=", "workqueue.power_efficient", "xen", "dom0_" };

/* Words in a key of a power tool's configuration. */
static const char *const key_words[] = { "freq", "perf", "boost", "turbo", "governor", "speed",
	"energy", "epp", "cstate", "latency", "profile", "cpu", "pl1", "pl2" };

static const char *const module_words[] = { "pstate", "cpufreq", "cppc", "intel_idle", "haltpoll",
	"processor", "rapl", "thermal" };

/* Words in a line of the kernel log, lower case. */
static const char *const log_words[] = { "pstate", "p-state", "cpufreq", "cpu frequency", "cppc",
	"_cpc", "_pss", "_ppc", "_pct", "_psd", "_cst", "pcch", "perf counters", "hwp", "cpuidle",
	"intel_idle", "acpi_idle", "haltpoll", "c-state", "cstate", "mwait", "throttl",
	"power limit", "temperature above", "prochot", "turbo", "smt:", "smpboot: allowing",
	"smp: brought up", "hypervisor detected", "msr access error", "energy_perf_bias", "x86/cpu",
	"epb", "rapl", "platform_profile", "clocksource: switched", "marking tsc unstable" };

static const char *const config_words[] = { "CONFIG_CPU_FREQ", "CONFIG_CPU_IDLE", "CPUFREQ",
	"PSTATE", "CONFIG_INTEL_IDLE", "HALTPOLL", "CONFIG_HZ", "CONFIG_NO_HZ" };

static bool any_in(const char *const *words, size_t nr, const char *line)
{
	for (size_t i = 0; i < nr; i++) {
		if (strcasestr(line, words[i]))
			return true;
	}
	return false;
}

static bool is_wanted_parameter(const char *word)
{
	for (size_t i = 0; i < ARRAY_LEN(parameters); i++) {
		if (!strncmp(word, parameters[i], strlen(parameters[i])))
			return true;
	}
	return false;
}

/*
 * Parameters are copied one by one; what stands behind "--" is for init. Dots stand for what was
 * left out, so that a line of which nothing is left is not taken for an empty file.
 */
static void filter_cmdline(char *text, char *out)
{
	char *next = text, *word;

	while ((word = strsep(&next, " \t\n"))) {
		if (!strcmp(word, "--"))
			break;
		if (is_wanted_parameter(word))
			out += sprintf(out, "%s ", word);
	}
	strcpy(out, "...\n");
}

/* What stands in parentheses names people and machines; they lie in each other. out may be text. */
static void filter_version(const char *text, char *out)
{
	int depth = 0;

	for (; *text; text++) {
		depth += *text == '(';
		if (!depth && !(*text == ' ' && text[1] == '('))
			*out++ = *text;
		depth -= *text == ')' && depth;
	}
	*out = '\0';
}

/* Kernel addresses of the log become one and the same. */
static void hide_addresses(char *line)
{
	for (char *at = strstr(line, "0x"); at; at = strstr(at + 2, "0x")) {
		size_t digits = strspn(at + 2, "0123456789abcdefABCDEF");

		if (digits > 8)
			memset(at + 2, '?', digits);
	}
}

/* By the key: among the flags is one named serialize. */
static bool keep_cpuinfo(char *line)
{
	const char *serial = strcasestr(line, "serial"), *colon = strchr(line, ':');

	return !serial || (colon && colon < serial);
}

static bool keep_setting(char *line)
{
	char *equals = strchr(line, '=');
	bool wanted;

	line += strspn(line, " \t");
	if (!equals || *line == '#' || *line == ';')
		return false;
	*equals = '\0';
	wanted = any_in(key_words, ARRAY_LEN(key_words), line);
	*equals = '=';
	return wanted;
}

static bool keep_modprobe(char *line)
{
	line += strspn(line, " \t");
	return *line != '#' && any_in(module_words, ARRAY_LEN(module_words), line);
}

/* Of a list of parameters up to end ('"' or NUL) others become dots. Whether any is left. */
static bool mask_parameters(char *word, char end)
{
	bool any = false;

	while (*word && *word != end) {
		size_t len = strcspn(word, end ? " \"" : " ");

		if (is_wanted_parameter(word))
			any = true;
		else
			memset(word, '.', len);
		word += len;
		word += strspn(word, " ");
	}
	return any;
}

/* What the kernel logs of its command line, in which a built-in one is seen, too. */
static bool keep_parameters(char *line)
{
	char *list = strcasestr(line, "command line: ");
	char *unknown = strstr(line, "Unknown kernel command line parameters \"");

	if (unknown)
		return mask_parameters(strchr(unknown, '"') + 1, '"');
	return list && mask_parameters(list + strlen("command line: "), '\0');
}

static bool keep_config(char *line)
{
	return any_in(config_words, ARRAY_LEN(config_words), line);
}

static bool keep_log(char *line)
{
	if (strstr(line, "Linux version ")) {
		filter_version(line, line);
		return true;
	}
	if (strcasestr(line, "command line"))
		return keep_parameters(line);
	if (!any_in(log_words, ARRAY_LEN(log_words), line))
		return false;
	hide_addresses(line);
	return true;
}

static void filter_lines(char *text, char *out, bool (*keep)(char *line))
{
	char *next = text, *line;

	while ((line = strsep(&next, "\n"))) {
		/* A line that is cut off stays so. */
		if (*line && keep(line))
			out += sprintf(out, "%s%s", line, next ? "\n" : "");
		else if (!*line && keep == keep_cpuinfo && next)
			out += sprintf(out, "\n"); /* between CPUs */
	}
	*out = '\0';
}

static void filter_into(enum path_filter filter, char *text, char *out)
{
	switch (filter) {
	case FILTER_NONE:
	case FILTER_TABLES:
		*out = '\0';
		break;
	case FILTER_CMDLINE:
		filter_cmdline(text, out);
		break;
	case FILTER_CPUINFO:
		filter_lines(text, out, keep_cpuinfo);
		break;
	case FILTER_VERSION:
		filter_version(text, out);
		break;
	case FILTER_SETTINGS:
		filter_lines(text, out, keep_setting);
		break;
	case FILTER_MODPROBE:
		filter_lines(text, out, keep_modprobe);
		break;
	case FILTER_CONFIG:
		filter_lines(text, out, keep_config);
		break;
	case FILTER_LOG:
		filter_lines(text, out, keep_log);
		break;
	}
}

char *filter_text(enum path_filter filter, const char *text, size_t len, size_t *ret_len)
{
	char *copy = malloc(len + 1), *out = malloc(len + 6);

	if (!copy || !out) {
		free(copy);
		free(out);
		return NULL;
	}
	/* No filter makes a text longer, but for a blank, dots and a line feed at its end. */
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (filter == FILTER_NONE || !len) {
		memcpy(out, text, len);
		out[len] = '\0';
		*ret_len = len;
	} else {
		filter_into(filter, copy, out);
		*ret_len = strlen(out);
	}
	free(copy);
	return out;
}
