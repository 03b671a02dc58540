/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reasons in words, and the kernel's own words for them where it has some. */
#include "policy/select/steps.h"

static const struct {
	const char *text;
	const char *log;
} reasons[SELECT_REASONS] = {
	[REASON_REGISTERED] = { "it registered", "" },
	[REASON_OTHER_REGISTERED] = { "another driver had registered before", "" },
	[REASON_CPUFREQ_OFF] = { "cpufreq.off=1 on the command line turns the cpufreq core off",
		"" },
	[REASON_XEN] = { "in Xen's dom0 the kernel turns cpufreq off: the hypervisor scales", "" },
	[REASON_NOT_BUILT] = { "this kernel was built without it", "" },
	[REASON_NOT_YET] = { "this kernel is older than the driver", "" },
	[REASON_INITCALL_BLACKLIST] = { "initcall_blacklist= on the command line stops its init",
		"initcall blacklisted" },
	[REASON_MODULE_BLACKLIST] = { "its module is blacklisted on the command line", "" },
	[REASON_ACPI_OFF] = { "ACPI is off", "" },
	[REASON_OTHER_VENDOR] = { "the processor is of another vendor", "" },
	[REASON_INTEL_DISABLED] = { "intel_pstate=disable on the command line", "" },
	[REASON_INTEL_MODEL] = { "the processor has no HWP and its model is not on the driver's "
				 "list",
		"intel_pstate: CPU model not supported" },
	[REASON_INTEL_MODEL_NO_HWP] = { "the model can do HWP, but firmware hides it, and without "
					"HWP it is not on the driver's list",
		"intel_pstate: CPU model not supported" },
	[REASON_INTEL_MSRS] = { "the P-state registers read as zero",
		"intel_pstate: Invalid MSRs" },
	[REASON_INTEL_OUT_OF_BAND] = { "MISC_PWR_MGMT bit 8 or 18: P-states are controlled out of "
				       "band by the platform",
		"intel_pstate: P-states controlled by the platform" },
	[REASON_INTEL_OEM_PSS] = { "HP ProLiant firmware with neither _PSS nor PCCH keeps P-states "
				   "to itself",
		"intel_pstate: P-states controlled by the platform" },
	[REASON_INTEL_OEM_PSS_PCCH] = { "HP ProLiant firmware without _PSS: before 4.18 the driver "
					"does not look for PCCH and leaves P-states to the "
					"firmware",
		"" },
	[REASON_INTEL_OEM_PPC] = { "this Oracle firmware manages power through _PPC; "
				   "intel_pstate=force would override",
		"intel_pstate: P-states controlled by the platform" },
	[REASON_INTEL_HWP_ONLY] = { "intel_pstate=hwp_only and no HWP", "" },
	[REASON_AMD_NOT_ASKED] = { "in this kernel it waits for amd_pstate=MODE on the command "
				   "line",
		"amd_pstate: driver load is disabled, boot with specific mode to enable this" },
	[REASON_AMD_DISABLED] = { "amd_pstate=disable on the command line or in the configuration",
		"amd_pstate: driver is explicitly disabled" },
	[REASON_AMD_MODE_TOO_NEW] = { "this kernel does not know the mode that amd_pstate= asks "
				      "for",
		"" },
	[REASON_AMD_SHARED_MEM] = { "CPPC by shared memory needs amd_pstate.shared_mem=1 up to 6.0",
		"amd_pstate: This processor supports shared memory solution, you can enable it "
		"with amd_pstate.shared_mem=1" },
	[REASON_AMD_SHARED_MEM_DEFAULT] = { "from 6.5 to 6.10 parts with CPPC by shared memory "
					    "wait "
					    "for amd_pstate=MODE",
		"amd_pstate: driver load is disabled, boot with specific mode to enable this" },
	[REASON_AMD_SERVER] = { "on servers (ACPI profile) before family 1Ah it waits for "
				"amd_pstate=MODE",
		"amd_pstate: driver load is disabled, boot with specific mode to enable this" },
	[REASON_AMD_UNDEFINED_PROFILE] = { "the ACPI power-management profile is undefined: it "
					   "waits for amd_pstate=MODE",
		"amd_pstate: driver load is disabled, boot with specific mode to enable this" },
	[REASON_AMD_UNSUPPORTED] = { "the processor has no CPPC (Zen+ and older)", "" },
	[REASON_AMD_NO_CPC] = { "a CPU has no valid _CPC object",
		"amd_pstate: the _CPC object is not present in SBIOS or ACPI disabled" },
	[REASON_ACPI_NO_PSS] = { "firmware offers no _PSS: no CPU gets a P-state table", "" },
	[REASON_ACPI_ERRATUM] = { "Xeon 7100 erratum AL30 forbids frequency changes", "" },
	[REASON_PCC_NO_PCCH] = { "firmware offers no \\_SB.PCCH", "" },
	[REASON_POWERNOW_K8] = { "K8 processors have a driver of their own, powernow-k8", "" },
};

const char *select_reason_text(enum select_reason reason)
{
	return reasons[reason].text;
}

const char *select_reason_log(enum select_reason reason)
{
	return reasons[reason].log;
}
