// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/paths.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU "/sys/devices/system/cpu"
#define POLICY CPU "/cpufreq/policy#"
#define CPUFREQ CPU "/cpu#/cpufreq"
#define IDLE CPU "/cpu#/cpuidle/state#"
#define CPPC CPU "/cpu#/acpi_cppc"
#define RAPL "/sys/class/powercap/intel-rapl:#"
#define RAPL_SUB "/sys/class/powercap/intel-rapl:#:#"
#define RAPL_MMIO "/sys/class/powercap/intel-rapl-mmio:#"

#define MEGABYTES(n) ((size_t)(n) << 20)

static const char tells_tables[] = "which P-state and idle objects the firmware offers, and the "
				   "platform's profile";
static const char tells_energy[] = "how much power the packages draw";
static const char tells_max_cstate[] = "how deep idle states may be";
static const char tells_dma_latency[] = "whether a latency limit is held";

/* Byte order: bsearch. */
static const struct path_rule rules[] = {
	{ "/boot/config-*", MEGABYTES(1), .filter = FILTER_CONFIG },
	{ "/dev/cpu_dma_latency" },
	{ "/etc/auto-cpufreq.conf", .filter = FILTER_SETTINGS },
	{ "/etc/default/cpufrequtils", .filter = FILTER_SETTINGS },
	{ "/etc/default/cpupower", .filter = FILTER_SETTINGS },
	{ "/etc/laptop-mode/conf.d/*", .filter = FILTER_SETTINGS },
	{ "/etc/laptop-mode/laptop-mode.conf", .filter = FILTER_SETTINGS },
	{ "/etc/modprobe.d/*", .filter = FILTER_MODPROBE },
	{ "/etc/sysconfig/cpupower", .filter = FILTER_SETTINGS },
	{ "/etc/sysconfig/cpuspeed", .filter = FILTER_SETTINGS },
	{ "/etc/sysfs.conf", .filter = FILTER_SETTINGS },
	{ "/etc/throttled.conf", .filter = FILTER_SETTINGS },
	{ "/etc/tlp.conf", .filter = FILTER_SETTINGS },
	{ "/etc/tlp.d/*", .filter = FILTER_SETTINGS },
	{ "/etc/tuned/active_profile" },
	{ "/proc/cmdline", .filter = FILTER_CMDLINE },
	{ "/proc/cpuinfo", MEGABYTES(8), .filter = FILTER_CPUINFO },
	{ "/proc/interrupts", MEGABYTES(8) },
	{ "/proc/loadavg" },
	{ "/proc/pressure/cpu" },
	{ "/proc/pressure/io" },
	{ "/proc/stat", MEGABYTES(8) },
	{ "/proc/sys/kernel/osrelease" },
	{ "/proc/version", .filter = FILTER_VERSION },
	{ "/proc/xen/capabilities" },
	{ "/sys/class/dmi/id/bios_version" },
	{ "/sys/class/dmi/id/board_name" },
	{ "/sys/class/dmi/id/board_vendor" },
	{ "/sys/class/dmi/id/product_name" },
	{ "/sys/class/dmi/id/sys_vendor" },
	{ RAPL_MMIO "/constraint_#_max_power_uw" },
	{ RAPL_MMIO "/constraint_#_name" },
	{ RAPL_MMIO "/constraint_#_power_limit_uw" },
	{ RAPL_MMIO "/constraint_#_time_window_us" },
	{ RAPL_MMIO "/enabled" },
	{ RAPL_MMIO "/name" },
	{ RAPL "/constraint_#_max_power_uw" },
	{ RAPL "/constraint_#_name" },
	{ RAPL "/constraint_#_power_limit_uw" },
	{ RAPL "/constraint_#_time_window_us" },
	{ RAPL "/enabled" },
	{ RAPL "/energy_uj", 0, tells_energy },
	{ RAPL "/max_energy_range_uj" },
	{ RAPL "/name" },
	{ RAPL_SUB "/constraint_#_max_power_uw" },
	{ RAPL_SUB "/constraint_#_name" },
	{ RAPL_SUB "/constraint_#_power_limit_uw" },
	{ RAPL_SUB "/constraint_#_time_window_us" },
	{ RAPL_SUB "/enabled" },
	{ RAPL_SUB "/energy_uj", 0, tells_energy },
	{ RAPL_SUB "/max_energy_range_uj" },
	{ RAPL_SUB "/name" },
	{ "/sys/devices/cpu_atom/cpus" },
	{ "/sys/devices/cpu_core/cpus" },
	{ "/sys/devices/cpu_lowpower/cpus" },
	{ CPU "/amd_pstate/prefcore" },
	{ CPU "/amd_pstate/status" },
	{ CPPC "/guaranteed_perf" },
	{ CPPC "/highest_perf" },
	{ CPPC "/lowest_freq" },
	{ CPPC "/lowest_nonlinear_perf" },
	{ CPPC "/lowest_perf" },
	{ CPPC "/nominal_freq" },
	{ CPPC "/nominal_perf" },
	{ CPU "/cpu#/cache/index#/id" },
	{ CPU "/cpu#/cache/index#/shared_cpu_list" },
	{ CPUFREQ "/bios_limit" },
	{ CPUFREQ "/cpuinfo_cur_freq", 0, "the frequency that the hardware reports" },
	{ CPUFREQ "/cpuinfo_max_freq" },
	{ CPUFREQ "/cpuinfo_min_freq" },
	{ CPUFREQ "/cpuinfo_transition_latency" },
	{ CPUFREQ "/energy_performance_preference" },
	{ CPUFREQ "/scaling_available_governors" },
	{ CPUFREQ "/scaling_cur_freq" },
	{ CPUFREQ "/scaling_driver" },
	{ CPUFREQ "/scaling_governor" },
	{ CPUFREQ "/scaling_max_freq" },
	{ CPUFREQ "/scaling_min_freq" },
	{ IDLE "/above" },
	{ IDLE "/below" },
	{ IDLE "/default_status" },
	{ IDLE "/desc" },
	{ IDLE "/disable" },
	{ IDLE "/latency" },
	{ IDLE "/name" },
	{ IDLE "/power" },
	{ IDLE "/residency" },
	{ IDLE "/time" },
	{ IDLE "/usage" },
	{ CPU "/cpu#/online" },
	{ CPU "/cpu#/power/energy_perf_bias" },
	{ CPU "/cpu#/power/pm_qos_resume_latency_us" },
	{ CPU "/cpu#/thermal_throttle/core_power_limit_count" },
	{ CPU "/cpu#/thermal_throttle/core_throttle_count" },
	{ CPU "/cpu#/thermal_throttle/package_power_limit_count" },
	{ CPU "/cpu#/thermal_throttle/package_throttle_count" },
	{ CPU "/cpu#/topology/core_id" },
	{ CPU "/cpu#/topology/die_id" },
	{ CPU "/cpu#/topology/physical_package_id" },
	{ CPU "/cpufreq/boost" },
	{ POLICY "/amd_pstate_highest_perf" },
	{ POLICY "/amd_pstate_lowest_nonlinear_freq" },
	{ POLICY "/amd_pstate_max_freq" },
	{ POLICY "/base_frequency" },
	{ POLICY "/bios_limit" },
	{ POLICY "/boost" },
	{ POLICY "/cpb" },
	{ POLICY "/cpuinfo_cur_freq", 0, "the frequency that the hardware reports" },
	{ POLICY "/cpuinfo_max_freq" },
	{ POLICY "/cpuinfo_min_freq" },
	{ POLICY "/cpuinfo_transition_latency" },
	{ POLICY "/energy_performance_preference" },
	{ POLICY "/scaling_available_frequencies" },
	{ POLICY "/scaling_available_governors" },
	{ POLICY "/scaling_cur_freq" },
	{ POLICY "/scaling_driver" },
	{ POLICY "/scaling_governor" },
	{ POLICY "/scaling_max_freq" },
	{ POLICY "/scaling_min_freq" },
	{ CPU "/cpuidle/current_driver" },
	{ CPU "/cpuidle/current_governor" },
	{ CPU "/cpuidle/current_governor_ro" },
	{ CPU "/intel_pstate/hwp_dynamic_boost" },
	{ CPU "/intel_pstate/max_perf_pct" },
	{ CPU "/intel_pstate/min_perf_pct" },
	{ CPU "/intel_pstate/no_turbo" },
	{ CPU "/intel_pstate/num_pstates" },
	{ CPU "/intel_pstate/status" },
	{ CPU "/intel_pstate/turbo_pct" },
	{ CPU "/nohz_full" },
	{ CPU "/online" },
	{ CPU "/possible" },
	{ CPU "/present" },
	{ CPU "/smt/active" },
	{ CPU "/smt/control" },
	{ "/sys/devices/system/node/node#/cpulist" },
	{ "/sys/firmware/acpi/platform_profile" },
	{ "/sys/firmware/acpi/pm_profile" },
	{ "/sys/firmware/acpi/tables/DSDT", MEGABYTES(4), tells_tables, .filter = FILTER_TABLES },
	{ "/sys/firmware/acpi/tables/FACP", 0, tells_tables, .filter = FILTER_TABLES },
	{ "/sys/firmware/acpi/tables/SSDT", MEGABYTES(4), tells_tables, .filter = FILTER_TABLES },
	{ "/sys/firmware/acpi/tables/SSDT#", MEGABYTES(4), tells_tables, .filter = FILTER_TABLES },
	{ "/sys/firmware/acpi/tables/dynamic/SSDT#", MEGABYTES(4), tells_tables,
		.filter = FILTER_TABLES },
	{ "/sys/hypervisor/type" },
	{ "/sys/kernel/debug/pm_qos/cpu_dma_latency", 0, tells_dma_latency },
	{ "/sys/module/haltpoll/parameters/guest_halt_poll_grow_start" },
	{ "/sys/module/haltpoll/parameters/guest_halt_poll_ns" },
	{ "/sys/module/intel_idle/parameters/max_cstate" },
	{ "/sys/module/processor/parameters/ignore_ppc" },
	{ "/sys/module/processor/parameters/max_cstate", 0, tells_max_cstate },
};

enum { NR_RULES = sizeof(rules) / sizeof(rules[0]) };

const struct path_rule *path_rules(size_t *ret_nr)
{
	*ret_nr = NR_RULES;
	return rules;
}

size_t path_rule_max(const struct path_rule *rule)
{
	return rule->max ? rule->max : PATH_RULE_MAX;
}

/* Runs of digits become '#'. False when the path is too long to be one of ours. */
static bool pattern_of(const char *path, char *buf, size_t size)
{
	size_t n = 0;

	while (*path) {
		if (n + 1 >= size)
			return false;
		if (isdigit((unsigned char)*path)) {
			while (isdigit((unsigned char)*path))
				path++;
			buf[n++] = '#';
		} else {
			buf[n++] = *path++;
		}
	}
	buf[n] = '\0';
	return true;
}

static int compare(const void *key, const void *element)
{
	return strcmp(key, ((const struct path_rule *)element)->pattern);
}

static const struct path_rule *find(const char *pattern)
{
	return bsearch(pattern, rules, NR_RULES, sizeof(rules[0]), compare);
}

const struct path_rule *path_rule_of(const char *path)
{
	char pattern[PATH_LEN_MAX], *slash;
	const struct path_rule *rule;

	if (!pattern_of(path, pattern, sizeof(pattern) - 1))
		return NULL;
	rule = find(pattern);
	if (rule)
		return rule;
	slash = strrchr(pattern, '/');
	if (!slash || !slash[1] || !strcmp(slash + 1, ".") || !strcmp(slash + 1, ".."))
		return NULL;
	strcpy(slash + 1, strncmp(slash + 1, "config-", 7) ? "*" : "config-*");
	return find(pattern);
}

bool path_is_folder(const char *path)
{
	char pattern[PATH_LEN_MAX];
	size_t low = 0, high = NR_RULES, len;

	if (!pattern_of(path, pattern, sizeof(pattern) - 1))
		return false;
	len = strlen(pattern);
	if (len && pattern[len - 1] == '/')
		return false;
	strcpy(pattern + len++, "/");
	/* The first rule that is not below "FOLDER/" has it as its beginning, or none has. */
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (strcmp(rules[middle].pattern, pattern) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < NR_RULES && !strncmp(rules[low].pattern, pattern, len);
}

const char *path_class_name(const char *path, char *buf, size_t size)
{
	static const char dmi[] = "/sys/devices/virtual/dmi/id/";
	static const char powercap[] = "/sys/devices/virtual/powercap/";
	const char *file, *zone;

	if (!strncmp(path, dmi, strlen(dmi))) {
		snprintf(buf, size, "/sys/class/dmi/id/%s", path + strlen(dmi));
		return buf;
	}
	file = strrchr(path, '/');
	if (strncmp(path, powercap, strlen(powercap)) || !strchr(path + strlen(powercap), '/'))
		return path;
	/* Zones lie within their parent zone; the class shows them side by side. */
	zone = memrchr(path, '/', (size_t)(file - path));
	snprintf(buf, size, "/sys/class/powercap%s", zone);
	return buf;
}
