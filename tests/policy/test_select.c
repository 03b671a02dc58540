/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Driver selection: machines x kernels, each with the driver that registers and the sentence that
 * says why another one did not.
 */
#include "base/units.h"
#include "policy/registry.h"
#include "policy/select/select.h"
#include "../cmocka_all.h"

#include <stdio.h>
#include <string.h>

enum {
	HWP = CPU_HWP | CPU_HWP_EPP,
	CORE = CPU_APERFMPERF | CPU_IDA | CPU_EST,
	ZEN = CPU_CPB | CPU_HW_PSTATE | CPU_APERFMPERF,
};

struct row {
	const char *name;
	struct select_facts facts;
	const char *driver, *mode, *governor; /* governor NULL: the configuration is not given */
	enum select_driver other;	      /* the one that did not register */
	const char *why;
};

#define INTEL(m, f)                                                                                \
	.vendor = VENDOR_INTEL, .vendor_known = true, .family = 6, .model = (m), .features = (f),  \
	.features_known = true
#define AMD(fam, m, f)                                                                             \
	.vendor = VENDOR_AMD, .vendor_known = true, .family = (fam), .model = (m),                 \
	.features = (f), .features_known = true
#define ACPI(p, c) .acpi = FACT_YES, .pss = (p), .pcch = (c), .pm_profile = PROFILE_DESKTOP
#define NO FACT_NO
#define YES FACT_YES
#define K(major, minor) .kernel = KERNEL(major, minor)
#define PROLIANT .fadt_known = true, .fadt_oem_id = "HP", .fadt_oem_table_id = "ProLiant"
#define ORACLE(t) .fadt_known = true, .fadt_oem_id = "ORACLE", .fadt_oem_table_id = (t)
#define GOV(g) .default_governor = (g)

#define OEM_BOTH "HP ProLiant firmware with neither _PSS nor PCCH keeps P-states to itself"
#define OEM_417                                                                                    \
	"HP ProLiant firmware without _PSS: before 4.18 the driver does not look for PCCH and "    \
	"leaves P-states to the firmware"
#define SKIPS "another driver had registered before"
#define NO_PSS "firmware offers no _PSS: no CPU gets a P-state table"
#define NO_PCCH "firmware offers no \\_SB.PCCH"
#define NOT_LISTED "the processor has no HWP and its model is not on the driver's list"
#define HIDDEN                                                                                     \
	"the model can do HWP, but firmware hides it, and without HWP it is not on the driver's "  \
	"list"
#define WAITS "in this kernel it waits for amd_pstate=MODE on the command line"
#define WAITS_SERVER "on servers (ACPI profile) before family 1Ah it waits for amd_pstate=MODE"
#define WAITS_UNDEFINED                                                                            \
	"the ACPI power-management profile is undefined: it waits for amd_pstate=MODE"
#define WAITS_SHARED "from 6.5 to 6.10 parts with CPPC by shared memory wait for amd_pstate=MODE"
#define BLACKLIST "initcall_blacklist= on the command line stops its init"

static const struct row rows[] = {
	/* Intel with HWP. */
	{ "E3-1240 v5, 4.17", { INTEL(0x5e, CORE | HWP), ACPI(YES, NO), K(4, 17), GOV("ondemand") },
		"intel_pstate", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "E3-1240 v5, 6.1", { INTEL(0x5e, CORE | HWP), ACPI(YES, NO), K(6, 1), GOV("schedutil") },
		"intel_pstate", "active", "powersave", SELECT_PCC_CPUFREQ, SKIPS },
	{ "performance by configuration",
		{ INTEL(0x55, CORE | HWP), ACPI(YES, NO), K(6, 1), GOV("performance") },
		"intel_pstate", "active", "performance", SELECT_AMD_PSTATE,
		"the processor is of another vendor" },
	{ "performance by command line",
		{ INTEL(0x55, CORE | HWP), ACPI(YES, NO), K(6, 1), GOV("schedutil"),
			.cmdline = "quiet cpufreq.default_governor=performance" },
		"intel_pstate", "active", "performance", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "default governor came with 5.9",
		{ INTEL(0x55, CORE | HWP), ACPI(YES, NO), K(5, 8), GOV("schedutil"),
			.cmdline = "cpufreq.default_governor=performance" },
		"intel_pstate", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "passive asked, 6.1",
		{ INTEL(0x55, CORE | HWP), ACPI(YES, NO), K(6, 1), GOV("schedutil"),
			.cmdline = "intel_pstate=passive" },
		"intel_cpufreq", "passive", "schedutil", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "passive asked before it existed",
		{ INTEL(0x55, CORE | HWP), ACPI(YES, NO), K(4, 9), GOV("ondemand"),
			.cmdline = "intel_pstate=passive" },
		"intel_pstate", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "passive drops HWP in 5.8, listed",
		{ INTEL(0x55, CORE | HWP), ACPI(YES, NO), K(5, 8), GOV("schedutil"),
			.cmdline = "intel_pstate=passive" },
		"intel_cpufreq", "passive", "schedutil", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "no_hwp, not listed but HWP-capable, 6.1",
		{ INTEL(0x9e, CORE | HWP), ACPI(YES, NO), K(6, 1), GOV("schedutil"),
			.cmdline = "intel_pstate=no_hwp" },
		"intel_cpufreq", "passive", "schedutil", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "no_hwp, not listed, before 4.20",
		{ INTEL(0x9e, CORE | HWP), ACPI(YES, NO), K(4, 18), GOV("ondemand"),
			.cmdline = "intel_pstate=no_hwp" },
		"acpi-cpufreq", "table", "ondemand", SELECT_INTEL_PSTATE, NOT_LISTED },
	{ "no_hwp and active",
		{ INTEL(0x55, CORE | HWP), ACPI(YES, NO), K(6, 1), GOV("schedutil"),
			.cmdline = "intel_pstate=no_hwp intel_pstate=active" },
		"intel_pstate", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "no_hwp against firmware's HWP, 6.1",
		{ INTEL(0x55, CORE | HWP), ACPI(YES, NO), K(6, 1), GOV("schedutil"),
			.hwp_enabled = YES, .cmdline = "intel_pstate=no_hwp" },
		"intel_pstate", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "disable against firmware's HWP, 6.1",
		{ INTEL(0x55, CORE | HWP), ACPI(YES, NO), K(6, 1), GOV("schedutil"),
			.hwp_enabled = YES, .cmdline = "intel_pstate=disable" },
		"intel_pstate", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "disable against firmware's HWP, 5.15",
		{ INTEL(0x55, CORE | HWP), ACPI(YES, NO), K(5, 15), GOV("schedutil"),
			.hwp_enabled = YES, .cmdline = "intel_pstate=disable" },
		"acpi-cpufreq", "table", "schedutil", SELECT_INTEL_PSTATE,
		"intel_pstate=disable on the command line" },
	{ "disable",
		{ INTEL(0x9e, CORE | HWP), ACPI(YES, NO), K(6, 8), GOV("schedutil"),
			.cmdline = "ro intel_pstate=disable quiet" },
		"acpi-cpufreq", "table", "schedutil", SELECT_INTEL_PSTATE,
		"intel_pstate=disable on the command line" },
	{ "disable, no _PSS",
		{ INTEL(0x9e, CORE | HWP), ACPI(NO, NO), K(6, 8), GOV("schedutil"),
			.cmdline = "intel_pstate=disable" },
		"none", "none", NULL, SELECT_ACPI_CPUFREQ, NO_PSS },
	{ "HWP without EPP, 5.8",
		{ INTEL(0x5e, CORE | CPU_HWP), ACPI(YES, NO), K(5, 8), GOV("schedutil") },
		"intel_pstate", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "HWP without EPP, 5.9",
		{ INTEL(0x5e, CORE | CPU_HWP), ACPI(YES, NO), K(5, 9), GOV("schedutil") },
		"intel_cpufreq", "passive", "schedutil", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "HWP before the driver knew it",
		{ INTEL(0x4f, CORE | HWP), ACPI(YES, NO), K(3, 18), GOV("ondemand") },
		"intel_pstate", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "Alder Lake",
		{ INTEL(0x9a, CORE | HWP | CPU_HYBRID), ACPI(YES, NO), K(6, 1), GOV("schedutil") },
		"intel_pstate", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "Comet Lake, Speed Shift off, 5.13",
		{ INTEL(0xa5, CORE), ACPI(YES, NO), K(5, 13), GOV("schedutil") }, "acpi-cpufreq",
		"table", "schedutil", SELECT_INTEL_PSTATE, HIDDEN },
	{ "Comet Lake, Speed Shift off, 5.14",
		{ INTEL(0xa5, CORE), ACPI(YES, NO), K(5, 14), GOV("schedutil") }, "intel_cpufreq",
		"passive", "schedutil", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "Ice Lake-D, HWP off, 7.0",
		{ INTEL(0x6c, CORE), ACPI(YES, NO), K(7, 0), GOV("schedutil") }, "acpi-cpufreq",
		"table", "schedutil", SELECT_INTEL_PSTATE, HIDDEN },
	{ "Tiger Lake-H, HWP off, 6.0",
		{ INTEL(0x8d, CORE), ACPI(YES, NO), K(6, 0), GOV("schedutil") }, "acpi-cpufreq",
		"table", "schedutil", SELECT_INTEL_PSTATE, HIDDEN },
	{ "Sapphire Rapids, HWP off, 6.1",
		{ INTEL(0x8f, CORE), ACPI(YES, NO), K(6, 1), GOV("schedutil") }, "acpi-cpufreq",
		"table", "schedutil", SELECT_INTEL_PSTATE, HIDDEN },
	{ "Sapphire Rapids, HWP off, 6.2",
		{ INTEL(0x8f, CORE), ACPI(YES, NO), K(6, 2), GOV("schedutil") }, "intel_cpufreq",
		"passive", "schedutil", SELECT_ACPI_CPUFREQ, SKIPS },
	/* Intel without HWP. */
	{ "i7-2600K, 3.8", { INTEL(0x2a, CORE), ACPI(YES, NO), K(3, 8), GOV("ondemand") },
		"acpi-cpufreq", "table", "ondemand", SELECT_INTEL_PSTATE,
		"this kernel is older than the driver" },
	{ "i7-2600K, 4.17", { INTEL(0x2a, CORE), ACPI(YES, NO), K(4, 17), GOV("ondemand") },
		"intel_pstate", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "i7-2600K, 5.7", { INTEL(0x2a, CORE), ACPI(YES, NO), K(5, 7), GOV("schedutil") },
		"intel_pstate", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "i7-2600K, 5.8", { INTEL(0x2a, CORE), ACPI(YES, NO), K(5, 8), GOV("schedutil") },
		"intel_cpufreq", "passive", "schedutil", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "i7-2600K, 6.1, active",
		{ INTEL(0x2a, CORE), ACPI(YES, NO), K(6, 1), GOV("schedutil"),
			.cmdline = "intel_pstate=active" },
		"intel_pstate", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "i7-2600K, hwp_only",
		{ INTEL(0x2a, CORE), ACPI(YES, NO), K(6, 1), GOV("schedutil"),
			.cmdline = "intel_pstate=hwp_only" },
		"acpi-cpufreq", "table", "schedutil", SELECT_INTEL_PSTATE,
		"intel_pstate=hwp_only and no HWP" },
	{ "Westmere", { INTEL(0x2c, CORE), ACPI(YES, NO), K(6, 1), GOV("schedutil") },
		"acpi-cpufreq", "table", "schedutil", SELECT_INTEL_PSTATE, NOT_LISTED },
	{ "Denverton", { INTEL(0x5f, CORE), ACPI(YES, NO), K(7, 0), GOV("schedutil") },
		"acpi-cpufreq", "table", "schedutil", SELECT_INTEL_PSTATE, NOT_LISTED },
	{ "Haswell-EP, 6.18", { INTEL(0x3f, CORE), ACPI(YES, NO), K(6, 18), GOV("schedutil") },
		"intel_cpufreq", "passive", "schedutil", SELECT_PCC_CPUFREQ, SKIPS },
	{ "Knights Landing", { INTEL(0x57, CORE), ACPI(YES, NO), K(7, 0), GOV("schedutil") },
		"intel_cpufreq", "passive", "schedutil", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "intel_pstate left out of the kernel",
		{ INTEL(0x3c, CORE), ACPI(YES, NO), K(6, 1), GOV("ondemand"),
			.built = { [SELECT_INTEL_PSTATE] = BUILT_NOT } },
		"acpi-cpufreq", "table", "ondemand", SELECT_INTEL_PSTATE,
		"this kernel was built without it" },
	{ "Xeon 7140M",
		{ .vendor = VENDOR_INTEL,
			.vendor_known = true,
			.family = 15,
			.model = 6,
			.features = CPU_EST,
			.features_known = true,
			ACPI(YES, NO),
			K(6, 1),
			GOV("ondemand") },
		"none", "none", NULL, SELECT_ACPI_CPUFREQ,
		"Xeon 7100 erratum AL30 forbids frequency changes" },
	/* The firmware of case B is tested by its settings below; here its neighbours. */
	{ "out-of-band control",
		{ INTEL(0x55, CORE | HWP), ACPI(YES, NO), K(6, 1), GOV("schedutil"),
			.out_of_band = YES },
		"acpi-cpufreq", "table", "schedutil", SELECT_INTEL_PSTATE,
		"MISC_PWR_MGMT bit 8 or 18: P-states are controlled out of band by the platform" },
	{ "out-of-band control, no _PSS",
		{ INTEL(0xcf, CORE | HWP), ACPI(NO, NO), K(6, 9), GOV("schedutil"),
			.out_of_band = YES },
		"none", "none", NULL, SELECT_INTEL_PSTATE,
		"MISC_PWR_MGMT bit 8 or 18: P-states are controlled out of band by the platform" },
	{ "out-of-band bit on a model where nobody looks",
		{ INTEL(0xcf, CORE | HWP), ACPI(YES, NO), K(6, 8), GOV("schedutil"),
			.out_of_band = YES },
		"intel_pstate", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "Oracle X4-2",
		{ INTEL(0x3e, CORE), ACPI(YES, NO), .ppc = YES, ORACLE("X4-2"), K(4, 18),
			GOV("ondemand") },
		"acpi-cpufreq", "table", "ondemand", SELECT_INTEL_PSTATE,
		"this Oracle firmware manages power through _PPC; intel_pstate=force would "
		"override" },
	{ "Oracle X4-2, force",
		{ INTEL(0x3e, CORE), ACPI(YES, NO), .ppc = YES, ORACLE("X4-2"), K(4, 18),
			GOV("ondemand"), .cmdline = "intel_pstate=force" },
		"intel_pstate", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "Oracle X4-2 without _PPC",
		{ INTEL(0x3e, CORE), ACPI(YES, NO), .ppc = NO, ORACLE("X4-2"), K(4, 18),
			GOV("ondemand") },
		"intel_pstate", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "Oracle of another name",
		{ INTEL(0x3e, CORE), ACPI(YES, NO), .ppc = YES, ORACLE("X5-2"), K(4, 18),
			GOV("ondemand") },
		"intel_pstate", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "PCCH on Westmere, 24 CPUs, 4.17",
		{ INTEL(0x2c, CORE), ACPI(NO, YES), PROLIANT, .present_cpus = 24, K(4, 17),
			GOV("ondemand") },
		"pcc-cpufreq", "firmware", "ondemand", SELECT_ACPI_CPUFREQ, NO_PSS },
	{ "PCCH on Westmere, 24 CPUs, 4.18",
		{ INTEL(0x2c, CORE), ACPI(NO, YES), PROLIANT, .present_cpus = 24, K(4, 18),
			GOV("ondemand") },
		"pcc-cpufreq", "firmware", "performance", SELECT_INTEL_PSTATE, NOT_LISTED },
	{ "PCCH on Westmere, 4 CPUs, 4.18",
		{ INTEL(0x2c, CORE), ACPI(NO, YES), PROLIANT, .present_cpus = 4, K(4, 18),
			GOV("ondemand") },
		"pcc-cpufreq", "firmware", "ondemand", SELECT_INTEL_PSTATE, NOT_LISTED },
	{ "PCCH, 24 CPUs, userspace is not dynamic",
		{ INTEL(0x2c, CORE), ACPI(NO, YES), .present_cpus = 24, K(6, 1), GOV("userspace") },
		"pcc-cpufreq", "firmware", "userspace", SELECT_INTEL_PSTATE, NOT_LISTED },
	{ "PCCH beside _PSS", { INTEL(0x2c, CORE), ACPI(YES, YES), K(6, 1), GOV("ondemand") },
		"acpi-cpufreq", "table", "ondemand", SELECT_PCC_CPUFREQ, SKIPS },
	{ "PCCH beside _PSS, pcc built in, acpi a module",
		{ INTEL(0x2c, CORE), ACPI(YES, YES), K(6, 1), GOV("ondemand"), .present_cpus = 2,
			.built = { [SELECT_PCC_CPUFREQ] = BUILT_IN,
				[SELECT_ACPI_CPUFREQ] = BUILT_MODULE } },
		"pcc-cpufreq", "firmware", "ondemand", SELECT_ACPI_CPUFREQ, SKIPS },
	/* AMD. */
	{ "EPYC 7351 (Zen), 6.12",
		{ AMD(0x17, 0x01, ZEN), ACPI(YES, NO), .cpc = NO, K(6, 12), GOV("schedutil") },
		"acpi-cpufreq", "table", "schedutil", SELECT_AMD_PSTATE,
		"the processor has no CPPC (Zen+ and older)" },
	{ "Ryzen 2700, 6.8",
		{ AMD(0x17, 0x08, ZEN), ACPI(YES, NO), .cpc = YES, K(6, 8), GOV("schedutil") },
		"acpi-cpufreq", "table", "schedutil", SELECT_AMD_PSTATE, WAITS_SHARED },
	{ "Ryzen 3950X, 5.16",
		{ AMD(0x17, 0x71, ZEN), ACPI(YES, NO), .cpc = YES, K(5, 16), GOV("schedutil") },
		"acpi-cpufreq", "table", "schedutil", SELECT_AMD_PSTATE,
		"this kernel is older than the driver" },
	{ "Ryzen 3950X, 5.17",
		{ AMD(0x17, 0x71, ZEN), ACPI(YES, NO), .cpc = YES, K(5, 17), GOV("schedutil") },
		"acpi-cpufreq", "table", "schedutil", SELECT_AMD_PSTATE,
		"CPPC by shared memory needs amd_pstate.shared_mem=1 up to 6.0" },
	{ "Ryzen 3950X, 6.0, shared_mem, built in",
		{ AMD(0x17, 0x71, ZEN), ACPI(YES, NO), .cpc = YES, K(6, 0), GOV("schedutil"),
			.built = { [SELECT_AMD_PSTATE] = BUILT_IN },
			.cmdline = "amd_pstate.shared_mem=1" },
		"amd-pstate", "passive", "schedutil", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "Ryzen 3950X, 6.0, shared_mem, module after a built-in acpi-cpufreq",
		{ AMD(0x17, 0x71, ZEN), ACPI(YES, NO), .cpc = YES, K(6, 0), GOV("schedutil"),
			.built = { [SELECT_ACPI_CPUFREQ] = BUILT_IN },
			.cmdline = "amd-pstate.shared_mem=1" },
		"acpi-cpufreq", "table", "schedutil", SELECT_AMD_PSTATE, SKIPS },
	{ "Ryzen 3950X, 6.0, shared_mem, acpi-cpufreq blacklisted",
		{ AMD(0x17, 0x71, ZEN), ACPI(YES, NO), .cpc = YES, K(6, 0), GOV("schedutil"),
			.built = { [SELECT_ACPI_CPUFREQ] = BUILT_IN },
			.cmdline = "initcall_blacklist=acpi_cpufreq_init amd_pstate.shared_mem=1" },
		"amd-pstate", "passive", "schedutil", SELECT_ACPI_CPUFREQ, BLACKLIST },
	{ "Ryzen 3950X, 6.1, the same command line",
		{ AMD(0x17, 0x71, ZEN), ACPI(YES, NO), .cpc = YES, K(6, 1), GOV("schedutil"),
			.cmdline = "initcall_blacklist=acpi_cpufreq_init amd_pstate.shared_mem=1" },
		"none", "none", NULL, SELECT_AMD_PSTATE, WAITS },
	{ "Ryzen 5800H, 6.1",
		{ AMD(0x19, 0x50, ZEN | CPU_CPPC), ACPI(YES, NO), .cpc = YES, K(6, 1),
			GOV("schedutil") },
		"acpi-cpufreq", "table", "schedutil", SELECT_AMD_PSTATE, WAITS },
	{ "Ryzen 5800H, 6.1, passive",
		{ AMD(0x19, 0x50, ZEN | CPU_CPPC), ACPI(YES, NO), .cpc = YES, K(6, 1),
			GOV("schedutil"), .cmdline = "amd_pstate=passive" },
		"amd-pstate", "passive", "schedutil", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "active before 6.3",
		{ AMD(0x19, 0x50, ZEN | CPU_CPPC), ACPI(YES, NO), .cpc = YES, K(6, 2),
			GOV("schedutil"), .cmdline = "amd_pstate=active" },
		"acpi-cpufreq", "table", "schedutil", SELECT_AMD_PSTATE,
		"this kernel does not know the mode that amd_pstate= asks for" },
	{ "active, 6.3",
		{ AMD(0x19, 0x50, ZEN | CPU_CPPC), ACPI(YES, NO), .cpc = YES, K(6, 3),
			GOV("schedutil"), .cmdline = "amd_pstate=active" },
		"amd-pstate-epp", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "guided before 6.4",
		{ AMD(0x19, 0x50, ZEN | CPU_CPPC), ACPI(YES, NO), .cpc = YES, K(6, 3),
			GOV("schedutil"), .cmdline = "amd_pstate=guided" },
		"acpi-cpufreq", "table", "schedutil", SELECT_AMD_PSTATE,
		"this kernel does not know the mode that amd_pstate= asks for" },
	{ "guided, 6.4",
		{ AMD(0x19, 0x50, ZEN | CPU_CPPC), ACPI(YES, NO), .cpc = YES, K(6, 4),
			GOV("schedutil"), .cmdline = "amd_pstate=guided" },
		"amd-pstate", "guided", "schedutil", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "Ryzen 7950X, 6.4",
		{ AMD(0x19, 0x61, ZEN | CPU_CPPC), ACPI(YES, NO), .cpc = YES, K(6, 4),
			GOV("schedutil") },
		"acpi-cpufreq", "table", "schedutil", SELECT_AMD_PSTATE, WAITS },
	{ "Ryzen 7950X, 6.5",
		{ AMD(0x19, 0x61, ZEN | CPU_CPPC), ACPI(YES, NO), .cpc = YES, K(6, 5),
			GOV("schedutil"), .amd_default_mode = AMD_MODE_ACTIVE },
		"amd-pstate-epp", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "Ryzen 7950X, 6.5, profile undefined",
		{ AMD(0x19, 0x61, ZEN | CPU_CPPC), .pss = YES, .pcch = NO, .cpc = YES, K(6, 5),
			GOV("schedutil"), .pm_profile = PROFILE_UNSPECIFIED },
		"acpi-cpufreq", "table", "schedutil", SELECT_AMD_PSTATE, WAITS_UNDEFINED },
	{ "Ryzen 5950X (shared memory), 6.8",
		{ AMD(0x19, 0x21, ZEN), ACPI(YES, NO), .cpc = YES, K(6, 8), GOV("schedutil") },
		"acpi-cpufreq", "table", "schedutil", SELECT_AMD_PSTATE, WAITS_SHARED },
	{ "Ryzen 5950X (shared memory), 6.11",
		{ AMD(0x19, 0x21, ZEN), ACPI(YES, NO), .cpc = YES, K(6, 11), GOV("schedutil") },
		"amd-pstate-epp", "active", "powersave", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "amd_pstate=disable",
		{ AMD(0x19, 0x61, ZEN | CPU_CPPC), ACPI(YES, NO), .cpc = YES, K(6, 12),
			GOV("schedutil"), .cmdline = "amd_pstate=disable" },
		"acpi-cpufreq", "table", "schedutil", SELECT_AMD_PSTATE,
		"amd_pstate=disable on the command line or in the configuration" },
	{ "EPYC 9354, 7.0",
		{ AMD(0x19, 0x11, ZEN | CPU_CPPC), .pss = YES, .cpc = YES, K(7, 0),
			GOV("schedutil"), .pm_profile = PROFILE_ENTERPRISE_SERVER },
		"acpi-cpufreq", "table", "schedutil", SELECT_AMD_PSTATE, WAITS_SERVER },
	{ "EPYC 9354, 7.0, active",
		{ AMD(0x19, 0x11, ZEN | CPU_CPPC), .pss = YES, .cpc = YES, K(7, 0),
			GOV("schedutil"), .pm_profile = PROFILE_ENTERPRISE_SERVER,
			.cmdline = "amd_pstate=active" },
		"amd-pstate-epp", "active", "performance", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "EPYC 9755, 6.12",
		{ AMD(0x1a, 0x02, ZEN | CPU_CPPC), .pss = YES, .cpc = YES, K(6, 12),
			GOV("schedutil"), .pm_profile = PROFILE_PERFORMANCE_SERVER },
		"acpi-cpufreq", "table", "schedutil", SELECT_AMD_PSTATE, WAITS_SERVER },
	{ "EPYC 9755, 6.13",
		{ AMD(0x1a, 0x02, ZEN | CPU_CPPC), .pss = YES, .cpc = YES, K(6, 13),
			GOV("schedutil"), .pm_profile = PROFILE_PERFORMANCE_SERVER },
		"amd-pstate-epp", "active", "performance", SELECT_ACPI_CPUFREQ, SKIPS },
	{ "EPYC 9174F without _CPC",
		{ AMD(0x19, 0x11, ZEN | CPU_CPPC), .pss = YES, .cpc = NO, K(6, 12),
			GOV("schedutil"), .pm_profile = PROFILE_ENTERPRISE_SERVER },
		"acpi-cpufreq", "table", "schedutil", SELECT_AMD_PSTATE,
		"a CPU has no valid _CPC object" },
	{ "K8",
		{ AMD(0x0f, 0x41, CPU_HW_PSTATE), ACPI(YES, NO), .cpc = NO, K(4, 18),
			GOV("ondemand") },
		"none", "none", NULL, SELECT_ACPI_CPUFREQ,
		"K8 processors have a driver of their own, powernow-k8" },
	/* Guests and switched-off cores. */
	{ "KVM guest, 6.1",
		{ INTEL(0x8f, CPU_HYPERVISOR), .acpi = YES, .pss = NO, .pcch = NO, K(6, 1),
			.hypervisor = HYPERVISOR_GUEST },
		"none", "none", NULL, SELECT_INTEL_PSTATE, NOT_LISTED },
	{ "KVM guest with APERF/MPERF but no PLATFORM_INFO",
		{ INTEL(0x55, CPU_HYPERVISOR | CPU_APERFMPERF), .acpi = YES, .pss = NO, .pcch = NO,
			K(6, 1), .hypervisor = HYPERVISOR_GUEST, .pstate_msrs = NO },
		"none", "none", NULL, SELECT_INTEL_PSTATE, "the P-state registers read as zero" },
	{ "Xen dom0",
		{ INTEL(0x8e, CORE), ACPI(YES, NO), K(4, 19), GOV("ondemand"),
			.hypervisor = HYPERVISOR_XEN_DOM0 },
		"none", "none", NULL, SELECT_ACPI_CPUFREQ,
		"in Xen's dom0 the kernel turns cpufreq off: the hypervisor scales" },
	{ "cpufreq.off=1",
		{ INTEL(0x9e, CORE | HWP), ACPI(YES, NO), K(6, 1), GOV("schedutil"),
			.cmdline = "cpufreq.off=1" },
		"none", "none", NULL, SELECT_INTEL_PSTATE,
		"cpufreq.off=1 on the command line turns the cpufreq core off" },
	{ "acpi=off",
		{ INTEL(0x2c, CORE), .acpi = NO, K(6, 1), GOV("schedutil"), .cmdline = "acpi=off" },
		"none", "none", NULL, SELECT_ACPI_CPUFREQ, "ACPI is off" },
	{ "modprobe.blacklist",
		{ INTEL(0x2c, CORE), ACPI(YES, NO), K(6, 1), GOV("schedutil"),
			.cmdline = "modprobe.blacklist=nouveau,acpi-cpufreq" },
		"none", "none", NULL, SELECT_ACPI_CPUFREQ,
		"its module is blacklisted on the command line" },
	{ "modprobe.blacklist of a built-in",
		{ INTEL(0x2c, CORE), ACPI(YES, NO), K(6, 1), GOV("schedutil"),
			.built = { [SELECT_ACPI_CPUFREQ] = BUILT_IN },
			.cmdline = "modprobe.blacklist=acpi_cpufreq" },
		"acpi-cpufreq", "table", "schedutil", SELECT_PCC_CPUFREQ, SKIPS },
	{ "initcall_blacklist=intel_pstate_init",
		{ INTEL(0x9e, CORE | HWP), ACPI(YES, NO), K(6, 1), GOV("schedutil"),
			.cmdline = "initcall_blacklist=foo,intel_pstate_init" },
		"acpi-cpufreq", "table", "schedutil", SELECT_INTEL_PSTATE, BLACKLIST },
};

static void check(const char *name, const struct row *r, const struct selection *s)
{
	bool tried = false;

	if (strcmp(s->scaling_driver, r->driver) || strcmp(s->mode, r->mode))
		fail_msg("%s: %s %s, expected %s %s", name, s->scaling_driver, s->mode, r->driver,
			r->mode);
	if (!s->governor != !r->governor || (s->governor && strcmp(s->governor, r->governor)))
		fail_msg("%s: governor %s, expected %s", name, s->governor, r->governor);
	for (int i = 0; i < s->nr_tries; i++) {
		if (s->tries[i].driver != r->other)
			continue;
		tried = true;
		if (strcmp(select_reason_text(s->tries[i].reason), r->why))
			fail_msg("%s: %s refused because \"%s\", expected \"%s\"", name,
				select_driver_name(r->other),
				select_reason_text(s->tries[i].reason), r->why);
	}
	if (!tried)
		fail_msg("%s: %s was not tried", name, select_driver_name(r->other));
}

static void test_machines(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct selection s;

		select_driver(&rows[i].facts, &s);
		check(rows[i].name, &rows[i], &s);
	}
	assert_true(sizeof(rows) / sizeof(rows[0]) >= 60);
}

/* What a 120-CPU E7 v2 does with each setting; the other columns: expected in 4.17 and 4.18. */
struct setting {
	const char *name;
	enum power_regulator regulator;
	bool collaborative, proliant;
	const char *driver[2], *governor[2];
	enum select_driver other;
	const char *why[2];
};

#define BOTH(x)                                                                                    \
	{                                                                                          \
		x, x                                                                               \
	}

static const struct setting settings[] = {
	{ "OS Control", REGULATOR_OS_CONTROL, true, true, BOTH("intel_pstate"), BOTH("powersave"),
		SELECT_PCC_CPUFREQ, BOTH(SKIPS) },
	{ "Dynamic Power Savings", REGULATOR_DYNAMIC, true, true, { "pcc-cpufreq", "intel_pstate" },
		{ "ondemand", "powersave" }, SELECT_INTEL_PSTATE, { OEM_417, "it registered" } },
	{ "Static Low Power", REGULATOR_STATIC_LOW, true, true, { "pcc-cpufreq", "intel_pstate" },
		{ "ondemand", "powersave" }, SELECT_PCC_CPUFREQ, { "it registered", SKIPS } },
	{ "Static High Performance", REGULATOR_STATIC_HIGH, true, true,
		{ "pcc-cpufreq", "intel_pstate" }, { "ondemand", "powersave" }, SELECT_ACPI_CPUFREQ,
		{ NO_PSS, SKIPS } },
	{ "OS Control, no collaboration", REGULATOR_OS_CONTROL, false, true, BOTH("none"),
		BOTH(NULL), SELECT_INTEL_PSTATE, BOTH(OEM_BOTH) },
	{ "Dynamic Power Savings, no collaboration", REGULATOR_DYNAMIC, false, true, BOTH("none"),
		BOTH(NULL), SELECT_PCC_CPUFREQ, BOTH(NO_PCCH) },
	{ "Static Low Power, no collaboration", REGULATOR_STATIC_LOW, false, true, BOTH("none"),
		BOTH(NULL), SELECT_ACPI_CPUFREQ, BOTH(NO_PSS) },
	{ "Static High Performance, no collaboration", REGULATOR_STATIC_HIGH, false, true,
		BOTH("none"), BOTH(NULL), SELECT_INTEL_PSTATE, BOTH(OEM_BOTH) },
	/* The same objects under another name: nothing keeps intel_pstate away. */
	{ "not a ProLiant, OS Control", REGULATOR_OS_CONTROL, true, false, BOTH("intel_pstate"),
		BOTH("powersave"), SELECT_PCC_CPUFREQ, BOTH(SKIPS) },
	{ "not a ProLiant, dynamic", REGULATOR_DYNAMIC, true, false, BOTH("intel_pstate"),
		BOTH("powersave"), SELECT_PCC_CPUFREQ, BOTH(SKIPS) },
	{ "not a ProLiant, static low", REGULATOR_STATIC_LOW, true, false, BOTH("intel_pstate"),
		BOTH("powersave"), SELECT_PCC_CPUFREQ, BOTH(SKIPS) },
	{ "not a ProLiant, static high", REGULATOR_STATIC_HIGH, true, false, BOTH("intel_pstate"),
		BOTH("powersave"), SELECT_PCC_CPUFREQ, BOTH(SKIPS) },
	{ "not a ProLiant, OS Control, no collaboration", REGULATOR_OS_CONTROL, false, false,
		BOTH("intel_pstate"), BOTH("powersave"), SELECT_ACPI_CPUFREQ, BOTH(SKIPS) },
	{ "not a ProLiant, dynamic, no collaboration", REGULATOR_DYNAMIC, false, false,
		BOTH("intel_pstate"), BOTH("powersave"), SELECT_ACPI_CPUFREQ, BOTH(SKIPS) },
	{ "not a ProLiant, static low, no collaboration", REGULATOR_STATIC_LOW, false, false,
		BOTH("intel_pstate"), BOTH("powersave"), SELECT_ACPI_CPUFREQ, BOTH(SKIPS) },
	{ "not a ProLiant, static high, no collaboration", REGULATOR_STATIC_HIGH, false, false,
		BOTH("intel_pstate"), BOTH("powersave"), SELECT_ACPI_CPUFREQ, BOTH(SKIPS) },
};

static void test_proliant(void **state)
{
	static const int kernels[] = { KERNEL(4, 17), KERNEL(4, 18) };

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		for (int k = 0; k < 2; k++) {
			const struct setting *t = &settings[i];
			struct row r = { t->name,
				{ INTEL(0x3e, CORE), ACPI(YES, NO), GOV("ondemand"),
					.present_cpus = 120, .kernel = kernels[k] },
				t->driver[k], "active", t->governor[k], t->other, t->why[k] };
			struct selection s;
			char name[96];

			if (t->proliant) {
				r.facts.fadt_known = true;
				strcpy(r.facts.fadt_oem_id, "HP");
				strcpy(r.facts.fadt_oem_table_id, "ProLiant");
			}
			if (strcmp(r.driver, "intel_pstate"))
				r.mode = strcmp(r.driver, "none") ? "firmware" : "none";
			select_proliant(t->regulator, t->collaborative, &r.facts);
			select_driver(&r.facts, &s);
			snprintf(name, sizeof(name), "%s, 4.%d", t->name, kernels[k] % 1000);
			check(name, &r, &s);
		}
	}
}

/* hwp_dynamic_boost at start: two models in 4.18, the profile beside them later, then alone. */
static void test_dynamic_boost(void **state)
{
	static const struct {
		int kernel, model;
		enum pm_profile profile;
		bool on;
	} starts[] = {
		{ KERNEL(4, 17), 0x5e, PROFILE_ENTERPRISE_SERVER, false },
		{ KERNEL(4, 18), 0x5e, PROFILE_DESKTOP, true },
		{ KERNEL(4, 18), 0x55, PROFILE_DESKTOP, true },
		{ KERNEL(4, 18), 0x9e, PROFILE_ENTERPRISE_SERVER, false },
		{ KERNEL(4, 19), 0x5e, PROFILE_DESKTOP, false },
		{ KERNEL(4, 19), 0x5e, PROFILE_ENTERPRISE_SERVER, true },
		{ KERNEL(6, 1), 0x9e, PROFILE_ENTERPRISE_SERVER, false },
		{ KERNEL(6, 4), 0x9e, PROFILE_ENTERPRISE_SERVER, true },
		{ KERNEL(6, 4), 0x8f, PROFILE_PERFORMANCE_SERVER, true },
		{ KERNEL(6, 4), 0x55, PROFILE_SOHO_SERVER, false },
		{ KERNEL(6, 12), 0x9a, PROFILE_MOBILE, false },
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		struct select_facts f = { INTEL(starts[i].model, CORE | HWP),
			.pm_profile = starts[i].profile, .kernel = starts[i].kernel };
		struct selection s;

		select_driver(&f, &s);
		assert_true(s.hwp);
		if (s.hwp_dynamic_boost != starts[i].on)
			fail_msg("row %zu: hwp_dynamic_boost %d", i, s.hwp_dynamic_boost);
	}
}

/* A missing fact is assumed, and said. */
static void test_certain(void **state)
{
	struct select_facts f = { INTEL(0x9e, CORE | HWP), K(6, 1) };
	struct selection s;

	f.built[SELECT_INTEL_PSTATE] = BUILT_IN;
	select_driver(&f, &s);
	assert_string_equal(s.scaling_driver, "intel_pstate");
	assert_true(s.certain);
	f = (struct select_facts){ INTEL(0x2c, CORE), K(6, 1) };
	select_driver(&f, &s);
	assert_string_equal(s.scaling_driver, "acpi-cpufreq");
	assert_false(s.certain);
	f = (struct select_facts){ .pm_profile = PROFILE_NOT_KNOWN };
	select_driver(&f, &s);
	assert_false(s.certain);
}

/* All models that Linux 6.1.192 has on its two lists, and no other. */
static void test_lists_of_61(void **state)
{
	static const int listed[] = { 0x2a, 0x2d, 0x37, 0x3a, 0x3c, 0x3d, 0x3e, 0x3f, 0x45, 0x46,
		0x47, 0x4c, 0x4e, 0x4f, 0x55, 0x56, 0x57, 0x5c, 0x5e, 0x6a, 0x7a, 0x85, 0x8d,
		0xa5 };
	static const int out_of_band[] = { 0x4f, 0x55, 0x56, 0x6a, 0x8f };
	size_t l = 0, o = 0;

	for (int model = 0; model < 256; model++) {
		bool on = l < ARRAY_LEN(listed) && listed[l] == model;
		bool watched = o < ARRAY_LEN(out_of_band) && out_of_band[o] == model;

		if (select_model_listed(6, model, KERNEL(6, 1)) != on ||
			select_model_out_of_band(6, model, KERNEL(6, 1)) != watched)
			fail_msg("model 0x%x", (unsigned)model);
		l += on;
		o += watched;
	}
	assert_int_equal(l, ARRAY_LEN(listed));
	assert_int_equal(o, ARRAY_LEN(out_of_band));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_proliant),
		cmocka_unit_test(test_dynamic_boost),
		cmocka_unit_test(test_certain),
		cmocka_unit_test(test_lists_of_61),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
