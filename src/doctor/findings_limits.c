// SPDX-License-Identifier: GPL-2.0-or-later
/* What holds the frequency down or up. */
#include "doctor/findings_text.h"

const struct finding_text findings_limits[FINDINGS_NR] = {
	[FINDING_PROCHOT] = {
		"another device pulls PROCHOT",
		"PROCHOT# is a line that the voltage regulator, charger or embedded controller can pull "
		"(BD PROCHOT). The core then runs at its lowest clock although it is not hot.",
		"400 to 800 MHz whatever the governor asks.",
		"MSR 0x64f bit 0 (0x19c bit 2) reads 0.",
		"Intel SDM volume 4: 0x64f, 0x19c, 0x1fc; turbostat",
		{ { "power adapter, battery, embedded controller", "bios",
			  "check the adapter's rating, reset and update the EC firmware" },
			{ "MSR 0x1fc bit 0", "tool", "clear (turns BD PROCHOT off; last resort)" } },
	},
	[FINDING_CLAMPED] = {
		"the CPU runs below every limit of the operating system",
		"Nothing that cpufreq knows asks for this frequency: an embedded controller, an adapter "
		"that was not recognised, PROCHOT or a power limit does.",
		"As slow as it looks.",
		"scaling_cur_freq reaches scaling_max_freq under load; `corepace doctor --for 10s`.",
		"Intel SDM volume 4: 0x64f; turbostat",
		{ { "power adapter, battery, EC firmware", "bios", "check and update" },
			{ "MSR 0x64f, 0x19c, powercap", "tool", "read which of them limits" } },
	},
	[FINDING_LIMITS_STALE] = {
		"the limits in force are not those that are shown",
		"After resume, CPU hot-plug or a failed write the register was not programmed again.",
		"The CPU runs slower or faster than configured.",
		"Measured frequency and scaling_max_freq agree.",
		"suspend and online paths of the drivers",
		{ { "scaling_max_freq", "sysfs", "write it again" },
			{ "kernel", "tool", "update to one that restores limits" } },
	},
	[FINDING_CUR_ABOVE] = {
		"the measured frequency is above the limit in force",
		"The limit was not programmed, or it cannot express boost.",
		"A limit that was set for noise, heat or fairness does not hold.",
		"scaling_cur_freq stays at or below scaling_max_freq.",
		"drivers/cpufreq",
		{ { "scaling_max_freq", "sysfs", "write it again" },
			{ "kernel", "tool", "update" } },
	},
	[FINDING_MAX_PERF_PCT] = {
		"max_perf_pct caps all CPUs",
		"intel_pstate's own limit, in per cent of the maximum turbo P-state; power tools set it.",
		"That share of the frequency range is out of reach.",
		"intel_pstate/max_perf_pct reads 100.",
		"Documentation/admin-guide/pm/intel_pstate.rst",
		{ { "intel_pstate/max_perf_pct", "sysfs", "100" } },
	},
	[FINDING_PINNED] = {
		"minimum and maximum are equal",
		"The policy (or the HWP request) leaves nothing to choose.",
		"A governor has no effect; at the minimum the machine is slow, at the maximum it burns "
		"power.",
		"scaling_min_freq is below scaling_max_freq.",
		"drivers/cpufreq/cpufreq.c",
		{ { "scaling_min_freq, scaling_max_freq", "sysfs",
			"cpuinfo_min_freq, cpuinfo_max_freq" } },
	},
	[FINDING_BIOS_LIMIT] = {
		"firmware imposes a ceiling (_PPC)",
		"_PPC says how many of the highest P-states are barred: a power cap, a power supply "
		"without its twin, an adapter that is too small.",
		"The frequencies above are out of reach.",
		"bios_limit equals the highest P-state.",
		"drivers/acpi/processor_perflib.c",
		{ { "power cap / power profile / power supply", "bios", "remove the P-state cap" },
			{ "processor.ignore_ppc=1", "cmdline", "to test" } },
	},
	[FINDING_SCALING_MAX] = {
		"scaling_max_freq is below what the hardware can do",
		"User space wrote it, or a tool did; a limit outlives the tool that set it.",
		"The CPU never runs faster.",
		"scaling_max_freq equals cpuinfo_max_freq.",
		"Documentation/admin-guide/pm/cpufreq.rst",
		{ { "scaling_max_freq", "sysfs", "cpuinfo_max_freq" } },
	},
	[FINDING_LEFT_BY_TOOL] = {
		"a power tool's configuration explains the limit",
		"TLP, auto-cpufreq, laptop-mode-tools and others write limits at boot or on battery, and "
		"some do not take them back.",
		"As the limit says.",
		"The limit is gone after the tool was restarted with the new configuration.",
		"the tool's documentation",
		{ { "the tool's setting", "tool", "remove or correct it" } },
	},
	[FINDING_NO_TURBO] = {
		"turbo was turned off by software",
		"intel_pstate/no_turbo is 1 while firmware allows turbo. In newer kernels cpuinfo_max_freq "
		"follows it.",
		"Nothing above base frequency.",
		"no_turbo reads 0, cpuinfo_max_freq shows the turbo frequency.",
		"Documentation/admin-guide/pm/intel_pstate.rst",
		{ { "intel_pstate/no_turbo", "sysfs", "0" },
			{ "TLP: CPU_BOOST_ON_AC, CPU_BOOST_ON_BAT", "tool", "1" } },
	},
	[FINDING_TURBO_BIOS] = {
		"turbo is off in firmware",
		"IA32_MISC_ENABLE bit 38, or no turbo bit in CPUID: the driver says disabled by BIOS or "
		"unavailable.",
		"Nothing above base frequency, and no_turbo cannot be cleared.",
		"MSR 0x1a0 bit 38 reads 0; /proc/cpuinfo shows ida.",
		"intel_pstate.c: turbo_is_disabled; Intel SDM volume 4",
		{ { "Turbo Boost", "bios", "Enabled" } },
	},
	[FINDING_BOOST_OFF] = {
		"boost is off",
		"cpufreq/boost (or a policy's boost) is 0.",
		"Nothing above nominal frequency.",
		"cpufreq/boost reads 1.",
		"Documentation/admin-guide/pm/cpufreq.rst",
		{ { "cpufreq/boost", "sysfs", "1" } },
	},
	[FINDING_GOVERNOR_POWERSAVE] = {
		"the generic powersave governor holds the lowest frequency",
		"Only under intel_pstate and amd-pstate-epp in active mode is powersave a governor that "
		"scales. Under any other driver it means scaling_min_freq.",
		"The lowest frequency, always.",
		"scaling_governor is another one and scaling_cur_freq rises under load.",
		"drivers/cpufreq/cpufreq_powersave.c",
		{ { "scaling_governor", "sysfs", "schedutil (or ondemand)" } },
	},
	[FINDING_EPP_LOCKED] = {
		"the performance governor fixes EPP",
		"In active mode the performance governor sets EPP to performance; writes of other values "
		"return EBUSY.",
		"EPP settings of tools and users have no effect.",
		"energy_performance_preference can be written.",
		"intel_pstate.c: store_energy_performance_preference",
		{ { "scaling_governor", "sysfs", "powersave (then set EPP)" },
			{ "TLP: CPU_SCALING_GOVERNOR_ON_AC, CPU_SCALING_GOVERNOR_ON_BAT", "tool",
				"powersave" } },
	},
	[FINDING_POWER_MMIO] = {
		"the memory-mapped power limit is lower than the MSR's",
		"Both registers hold a package limit; the lower one rules. Firmware and thermald write the "
		"memory-mapped one.",
		"The package is held at the lower power.",
		"Both domains show the same limit.",
		"drivers/powercap, intel-rapl-mmio; Intel SDM",
		{ { "intel-rapl-mmio:0/constraint_0_power_limit_uw", "sysfs", "the part's rated power" },
			{ "platform_profile", "sysfs", "performance" },
			{ "thermald", "tool", "update or stop to confirm" } },
	},
	[FINDING_POWER_LOW] = {
		"the long-term power limit is well below the part's rating",
		"PL1 is what the package may draw for long. Firmware lowers it on battery, for thin "
		"cases, or by mistake.",
		"Sustained load runs far below turbo.",
		"constraint_0_power_limit_uw shows the rated power.",
		"Documentation/power/powercap; Intel SDM",
		{ { "constraint_0_power_limit_uw", "sysfs", "the part's rated power" },
			{ "thermald", "tool", "update or stop to confirm" } },
	},
	[FINDING_POWER_THROTTLED] = {
		"a power limit throttled the CPUs",
		"Logged by the kernel or counted since boot. Reaching PL1 under load is normal; a server's "
		"cap is not.",
		"Lower clocks while it lasts.",
		"The counters stop: `corepace doctor --for 10s`.",
		"arch/x86/kernel/cpu/mce/therm_throt.c; drivers/thermal/intel",
		{ { "System Profile", "bios", "Performance" },
			{ "power cap / power budget of the service processor", "bios", "raise or disable" } },
	},
	[FINDING_THERMAL] = {
		"the CPUs are throttled by temperature",
		"The core or package reached its limit; the kernel counts and logs it.",
		"Lower clocks until it cools.",
		"The counters stop: `corepace doctor --for 10s`.",
		"drivers/thermal/intel/therm_throt.c; MSR 0x19c, 0x1b1",
		{ { "cooling", "tool", "clean fans, renew thermal paste, check the mounting" },
			{ "fan profile", "bios", "performance" } },
	},
	[FINDING_PLATFORM_PROFILE] = {
		"the platform profile asks firmware to save power",
		"low-power and quiet make firmware lower power limits and fan speed; desktop power modes "
		"set it.",
		"Lower power limits.",
		"platform_profile reads balanced or performance.",
		"Documentation/ABI/testing/sysfs-platform_profile",
		{ { "platform_profile", "sysfs", "balanced or performance" } },
	},
	[FINDING_HYBRID_MISMATCH] = {
		"P-core limits are computed with a wrong step",
		"On hybrid parts a step of HWP performance is worth 78.7 to 90.9 MHz on P-cores and 100 "
		"MHz on E-cores. The kernel derives it from the model or from firmware's nominal pair; "
		"wrong numbers give wrong limits.",
		"Limits written in kHz ask for another frequency; shown maxima are wrong.",
		"cpuinfo_max_freq of a P-core is its real turbo frequency.",
		"intel_pstate.c: hybrid_get_cpu_scaling",
		{ { "system firmware / microcode", "bios", "update" },
			{ "kernel", "tool", "one that knows the model" } },
	},
	[FINDING_BOOST_CEILING] = {
		"the advertised maximum is lower than the part can reach",
		"_PSS shows turbo as one MHz above nominal; CPPC's highest performance can be wrong.",
		"Limits and tools that work with the advertised maximum mislead.",
		"scaling_cur_freq under load shows the real maximum.",
		"acpi-cpufreq.c; amd-pstate.c",
		{ { "kernel", "tool", "newer, with the highest_perf fix (AMD)" },
			{ "amd_pstate", "cmdline", "disable (acpi-cpufreq until then)" } },
	},
	[FINDING_ENERGY_BIAS] = {
		"EPP or EPB leans to saving power",
		"EPP balance_power or power, or an energy-performance bias above 6: hardware ramps later "
		"and avoids turbo.",
		"Slower reaction; often what a laptop on battery wants.",
		"energy_performance_preference reads balance_performance.",
		"Documentation/admin-guide/pm/intel_epb.rst, intel_pstate.rst",
		{ { "energy_performance_preference", "sysfs", "balance_performance" } },
	},
	[FINDING_DYNAMIC_BOOST] = {
		"hwp_dynamic_boost is off",
		"With it a task that wakes from I/O gets a higher HWP minimum for some milliseconds. On by "
		"default on servers.",
		"Up to half of the throughput of fsync-bound work (databases, mail).",
		"hwp_dynamic_boost reads 1; measure.",
		"Documentation/admin-guide/pm/intel_pstate.rst",
		{ { "intel_pstate/hwp_dynamic_boost", "sysfs", "1, for servers with I/O-bound work" } },
	},
};
