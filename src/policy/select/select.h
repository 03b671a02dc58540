/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which cpufreq driver a kernel ends up with on a machine, and why each other one does not. One
 * pure function over facts: the simulator resolves driver=auto with it, the doctor explains with
 * the very same one. It walks the drivers in the order in which their init calls run (built-in
 * device_initcall, built-in late_initcall in link order, then modules); the first that registers
 * wins, and those after it skip.
 *
 * Facts that are not known stay 0 (FACT_UNKNOWN and so on); where one decides, the usual case is
 * assumed and the try is marked as not certain.
 *
 * Sources: drivers/cpufreq of linux 6.1 and the changes that name a version below.
 */
#pragma once

#include "corepace/policy.h"

#include <stdbool.h>
#include <stdint.h>

enum fact { FACT_UNKNOWN, FACT_NO, FACT_YES };

/* CPUID bits by the names of /proc/cpuinfo. */
enum cpu_feature {
	CPU_HWP = 1 << 0,
	CPU_HWP_EPP = 1 << 1,
	CPU_APERFMPERF = 1 << 2,
	CPU_CPPC = 1 << 3,
	CPU_HW_PSTATE = 1 << 4,
	CPU_IDA = 1 << 5,
	CPU_CPB = 1 << 6,
	CPU_HYBRID = 1 << 7,
	CPU_EST = 1 << 8,
	CPU_HYPERVISOR = 1 << 9,
};

/* ACPI FADT, preferred power management profile. -1: not known. */
enum pm_profile {
	PROFILE_NOT_KNOWN = -1,
	PROFILE_UNSPECIFIED,
	PROFILE_DESKTOP,
	PROFILE_MOBILE,
	PROFILE_WORKSTATION,
	PROFILE_ENTERPRISE_SERVER,
	PROFILE_SOHO_SERVER,
	PROFILE_APPLIANCE_PC,
	PROFILE_PERFORMANCE_SERVER,
	PROFILE_TABLET,
};

enum hypervisor { HYPERVISOR_NONE, HYPERVISOR_GUEST, HYPERVISOR_XEN_DOM0 };

enum built { BUILT_UNKNOWN, BUILT_NOT, BUILT_IN, BUILT_MODULE };

enum amd_mode {
	AMD_MODE_UNSET,
	AMD_MODE_DISABLE,
	AMD_MODE_PASSIVE,
	AMD_MODE_ACTIVE,
	AMD_MODE_GUIDED
};

enum select_driver {
	SELECT_NONE,
	SELECT_INTEL_PSTATE,
	SELECT_AMD_PSTATE,
	SELECT_ACPI_CPUFREQ,
	SELECT_PCC_CPUFREQ,
	SELECT_DRIVERS,
};

struct select_facts {
	enum cpu_vendor vendor;
	bool vendor_known;
	int family, model; /* 0: not known */
	unsigned features; /* enum cpu_feature */
	bool features_known;
	int present_cpus; /* 0: not known */
	enum fact acpi;	  /* NO: acpi=off or none */
	enum fact pss, ppc, cpc, pcch;
	char fadt_oem_id[7], fadt_oem_table_id[9]; /* trailing blanks cut */
	bool fadt_known;
	enum pm_profile pm_profile;
	enum fact hwp_enabled;	  /* firmware left IA32_PM_ENABLE (0x770) bit 0 set */
	enum fact out_of_band;	  /* MISC_PWR_MGMT (0x1aa) bit 8 or 18 */
	enum fact turbo_disabled; /* IA32_MISC_ENABLE (0x1a0) bit 38 */
	enum fact pstate_msrs;	  /* NO: PLATFORM_INFO reads as 0, as in many guests */
	enum hypervisor hypervisor;
	int kernel; /* KERNEL(6, 1); 0: not known, taken as the newest */
	const char *cmdline;
	enum built built[SELECT_DRIVERS];
	enum amd_mode amd_default_mode; /* CONFIG_X86_AMD_PSTATE_DEFAULT_MODE; UNSET: the usual */
	const char *default_governor;	/* of the kernel's configuration; NULL: not known */
};

enum select_reason {
	REASON_REGISTERED,
	REASON_OTHER_REGISTERED,
	REASON_CPUFREQ_OFF,
	REASON_XEN,
	REASON_NOT_BUILT,
	REASON_NOT_YET, /* this kernel is older than the driver */
	REASON_INITCALL_BLACKLIST,
	REASON_MODULE_BLACKLIST,
	REASON_ACPI_OFF,
	REASON_OTHER_VENDOR,
	REASON_INTEL_DISABLED,
	REASON_INTEL_MODEL,
	REASON_INTEL_MODEL_NO_HWP,
	REASON_INTEL_MSRS,
	REASON_INTEL_OUT_OF_BAND,
	REASON_INTEL_OEM_PSS,
	REASON_INTEL_OEM_PSS_PCCH, /* before 4.18 */
	REASON_INTEL_OEM_PPC,
	REASON_INTEL_HWP_ONLY,
	REASON_AMD_NOT_ASKED,
	REASON_AMD_DISABLED,
	REASON_AMD_MODE_TOO_NEW,
	REASON_AMD_SHARED_MEM,
	REASON_AMD_SHARED_MEM_DEFAULT,
	REASON_AMD_SERVER,
	REASON_AMD_UNDEFINED_PROFILE,
	REASON_AMD_UNSUPPORTED,
	REASON_AMD_NO_CPC,
	REASON_ACPI_NO_PSS,
	REASON_ACPI_ERRATUM,
	REASON_PCC_NO_PCCH,
	REASON_POWERNOW_K8,
	SELECT_REASONS,
};

enum { SELECT_TRIES_MAX = SELECT_DRIVERS, SELECT_NOTES_MAX = 4 };

struct select_try {
	enum select_driver driver;
	enum select_reason reason;
	bool certain; /* false: a fact that decides was not known */
};

struct selection {
	enum select_driver driver;
	const char *scaling_driver; /* as sysfs prints it; "none" */
	const char *mode;	    /* active, passive, guided, table, firmware, none */
	bool certain;
	bool hwp;
	bool hwp_dynamic_boost;	    /* on by default */
	bool turbo;		    /* boost above base is offered */
	bool cppc_msr;		    /* amd-pstate by MSR, else by shared memory */
	bool energy_efficiency_off; /* the driver clears MSR_POWER_CTL's energy-efficiency bit */
	const char *governor;	    /* NULL: depends on a configuration that is not known */
	bool dynamic_refused;	    /* pcc-cpufreq on more than 4 CPUs, since 4.18 */
	int nr_tries;
	struct select_try tries[SELECT_TRIES_MAX];
	int nr_notes;
	const char *notes[SELECT_NOTES_MAX]; /* what else follows, in the kernel's terms */
};

/* Fills *ret. Never fails; facts is not kept, but cmdline and default_governor may be pointed at.
 */
void select_driver(const struct select_facts *facts, struct selection *ret);

/* "intel_pstate": the driver's own name. */
const char *select_driver_name(enum select_driver driver);

/* One sentence: why the driver registered or did not. */
const char *select_reason_text(enum select_reason reason);

/* What the kernel logs at that point, "" if nothing (or only at debug level). */
const char *select_reason_log(enum select_reason reason);

/* Models of family 6 that can do HWP (hardware P-states) when firmware lets them. */
bool select_model_has_hwp(int family, int model);

/* intel_pstate takes this model without HWP, in that kernel. */
bool select_model_listed(int family, int model, int kernel);

/* The kernel checks MISC_PWR_MGMT on this model. */
bool select_model_out_of_band(int family, int model, int kernel);

/* AMD: what the part can do, whatever firmware lets through. */
enum amd_cppc { AMD_CPPC_NONE, AMD_CPPC_SHARED, AMD_CPPC_MSR };
enum amd_cppc select_amd_cppc(int family, int model);

/*
 * HPE ProLiant's settings as ACPI objects: what "Power Regulator" and "Collaborative Power Control"
 * do to _PSS and PCCH.
 */
enum power_regulator {
	REGULATOR_OS_CONTROL,
	REGULATOR_DYNAMIC,
	REGULATOR_STATIC_LOW,
	REGULATOR_STATIC_HIGH
};
void select_proliant(
	enum power_regulator regulator, bool collaborative, struct select_facts *facts);
