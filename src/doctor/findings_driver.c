// SPDX-License-Identifier: GPL-2.0-or-later
/* Which driver, and why. */
#include "doctor/findings_text.h"

const struct finding_text findings_driver[FINDINGS_NR] = {
	[FINDING_PCC_IN_USE] = {
		"pcc-cpufreq drives the CPUs: each request is a firmware call under one lock",
		"Processor Clocking Control: firmware offers a mailbox (ACPI PCCH) instead of P-state "
		"tables. A request is written to shared memory and a doorbell rung; the kernel spins "
		"until firmware is done, under one lock for all CPUs.",
		"With dynamic governors on many CPUs most system time goes into waiting for the lock: a "
		"kernel build on 120 CPUs took 5 to 18 times as long.",
		"scaling_driver says intel_pstate or acpi-cpufreq after the change.",
		"drivers/cpufreq/pcc-cpufreq.c; Documentation/admin-guide/pm/cpufreq_drivers.rst",
		{ { "Power Regulator", "bios", "OS Control Mode" } },
	},
	[FINDING_REGULATOR] = {
		"the server's BIOS power regulator is not in OS control mode",
		"Servers let firmware do the power saving (HPE: Power Regulator, Dell and others: System "
		"Profile). Firmware then hides _PSS from the kernel (HPE shows it as XPSS) and at most "
		"offers the PCC mailbox.",
		"The kernel gets the slow driver or none; even with intel_pstate loaded firmware's own "
		"saving costs up to 9 % of elapsed time.",
		"ACPI offers _PSS (`corepace doctor --acpi`), and the driver is a native one.",
		"intel_pstate.c, platform list; HPE server documentation, Power Regulator",
		{ { "Power Regulator", "bios", "OS Control Mode" },
			{ "Collaborative Power Control", "bios", "Enabled" },
			{ "System Profile / CPU power management", "bios", "OS DBPM" } },
	},
	[FINDING_PCC_TOO_MANY] = {
		"more than 4 CPUs share the one PCC mailbox",
		"From 4.18 on the driver forbids dynamic governors with more than 4 present CPUs: "
		"ondemand is accepted and performance shown. Older kernels let them run.",
		"Either no scaling at all, or a system that is busy waiting for its firmware.",
		"scaling_driver is another one.",
		"drivers/cpufreq/pcc-cpufreq.c, change of 4.18",
		{ { "Power Regulator", "bios", "OS Control Mode" },
			{ "scaling_governor", "sysfs", "performance, until the BIOS is changed" } },
	},
	[FINDING_NO_DRIVER] = {
		"no frequency driver is bound to any CPU",
		"The kernel has no cpufreq policy. Each driver refused, or none was there to try; what the "
		"selection says of each stands above.",
		"The operating system cannot ask for a frequency: hardware or firmware decide alone.",
		"/sys/devices/system/cpu/cpufreq/policy0/scaling_driver exists.",
		"drivers/cpufreq/cpufreq.c",
		{ { NULL, NULL, NULL } },
	},
	[FINDING_BLACKLISTED] = {
		"a frequency driver is shut out",
		"initcall_blacklist= stops a built-in driver's init, modprobe's blacklists keep a module "
		"from loading, cpufreq.off=1 turns the whole core off. Guides to amd-pstate for kernels "
		"before 6.1 told users to set the first.",
		"When no other driver takes its place the machine has none.",
		"scaling_driver exists after the reboot.",
		"kernel-parameters.txt; init/main.c",
		{ { "initcall_blacklist=, modprobe.blacklist=, cpufreq.off=", "cmdline", "remove" },
			{ "blacklist line", "module", "remove from /etc/modprobe.d" } },
	},
	[FINDING_HYPERVISOR] = {
		"the hypervisor owns the frequency",
		"In a guest, and in Xen's dom0, P-states belong to the hypervisor. A missing driver is "
		"normal there.",
		"Nothing can be set from here; what the host does shows only as speed.",
		"Read the same on the host.",
		"arch/x86/xen; Documentation/virt",
		{ { "frequency governor", "tool", "set it on the host" } },
	},
	[FINDING_INTEL_DISABLED] = {
		"intel_pstate is kept out by the command line",
		"intel_pstate=disable, typed or built into the kernel. acpi-cpufreq takes over when there "
		"is a _PSS; HWP then stays off.",
		"Slower reaction (no HWP), no EPP, coarser P-states.",
		"scaling_driver says intel_pstate or intel_cpufreq.",
		"Documentation/admin-guide/pm/intel_pstate.rst",
		{ { "intel_pstate=disable", "cmdline", "remove" } },
	},
	[FINDING_HWP_HIDDEN] = {
		"the processor can do HWP, and firmware hides it",
		"With Speed Shift (HWP) switched off in firmware the hwp flags are absent. Models that "
		"intel_pstate takes only with HWP then get acpi-cpufreq.",
		"The kernel picks P-states every few milliseconds instead of hardware within one.",
		"/proc/cpuinfo shows hwp and hwp_epp.",
		"intel_pstate.c: list of models without HWP; Intel SDM volume 3, HWP",
		{ { "Intel Speed Shift Technology / Hardware P-states", "bios", "Enabled" } },
	},
	[FINDING_INTEL_UNSUPPORTED] = {
		"intel_pstate looked at this processor and declined",
		"Without HWP the driver wants a model that is on its list; newer models are there only "
		"as far as their servers need it.",
		"acpi-cpufreq is used when firmware offers _PSS, else nothing.",
		"scaling_driver says intel_pstate or intel_cpufreq.",
		"intel_pstate.c: intel_pstate_cpu_ids",
		{ { "Intel Speed Shift Technology", "bios", "Enabled, where the model has it" },
			{ "kernel", "tool", "a newer one, whose list has the model" } },
	},
	[FINDING_HWP_FORCED] = {
		"firmware handed over with HWP enabled",
		"IA32_PM_ENABLE cannot be cleared until reset. From 5.16 on intel_pstate then loads with "
		"HWP whatever the command line says.",
		"no_hwp and disable do nothing; P-state requests of acpi-cpufreq have no effect.",
		"MSR 0x770 reads 0 when firmware is set otherwise.",
		"intel_pstate.c: intel_pstate_hwp_is_enabled",
		{ { "Speed Shift / HWP native mode", "bios", "Disabled or native, if HWP is not wanted" },
			{ "intel_pstate=no_hwp or disable", "cmdline", "remove: it has no effect" } },
	},
	[FINDING_OUT_OF_BAND] = {
		"P-states are controlled out of band by the platform",
		"MISC_PWR_MGMT (MSR 0x1aa) bit 8 or 18: a service processor or hypervisor sets P-states; "
		"the driver must stay away.",
		"The operating system's governor is without effect by design.",
		"The bits read 0, when that is wanted.",
		"intel_pstate.c: intel_pstate_cpu_oob_ids",
		{ { "CPU power management / hardware-controlled P-states", "bios",
			"native or OS control, if the kernel shall scale" } },
	},
	[FINDING_OEM_FIRMWARE] = {
		"this maker's firmware keeps P-states to itself",
		"intel_pstate knows tables of HP ProLiant (no _PSS and no PCCH) and Oracle servers (_PPC "
		"present) as platforms with a power management of their own.",
		"No driver, or the PCC mailbox.",
		"intel_pstate registers after the BIOS setting is changed.",
		"intel_pstate.c: plat_info",
		{ { "Power Regulator", "bios", "OS Control Mode" },
			{ "intel_pstate=force", "cmdline", "on Oracle servers, at own risk" } },
	},
	[FINDING_PSS_MISSING] = {
		"firmware offers no _PSS: acpi-cpufreq has no table",
		"_PSS lists the P-states; acpi-cpufreq reads nothing else. It is left out when SpeedStep "
		"or Cool'n'Quiet is off, under some power profiles, and in guests that get a part of the "
		"objects.",
		"Where no native driver fits there is no frequency scaling.",
		"scaling_driver exists; acpidump shows _PSS.",
		"drivers/acpi/processor_perflib.c",
		{ { "SpeedStep / Cool'n'Quiet / P-states", "bios", "Enabled" },
			{ "system firmware", "bios", "update" } },
	},
	[FINDING_XPSS_ONLY] = {
		"firmware offers XPSS but no _PSS",
		"XPSS is an extended table that Linux does not read. HPE firmware renames _PSS to it "
		"while its own power regulator is at work.",
		"As if _PSS were missing.",
		"acpidump shows _PSS.",
		"drivers/acpi/processor_perflib.c reads _PSS alone",
		{ { "Power Regulator", "bios", "OS Control Mode" } },
	},
	[FINDING_MODULE_MISSING] = {
		"the driver that this machine needs is not in this kernel",
		"It was not built, its module is absent, or the parameter on the command line belongs to a "
		"driver that this kernel does not have.",
		"The fallback is used, or none.",
		"The kernel log no longer calls the parameter unknown; scaling_driver shows the driver.",
		"drivers/cpufreq/Kconfig.x86",
		{ { "kernel", "tool", "one that has the driver (amd-pstate: 5.17 and later)" },
			{ "acpi_cpufreq", "module", "install the kernel's modules package" } },
	},
	[FINDING_CPPC_DISABLED] = {
		"the processor can do CPPC, and firmware has it off",
		"On parts with CPPC registers the cppc flag is then absent; the kernel says so from 6.11 "
		"on.",
		"amd-pstate does not work, acpi-cpufreq's three P-states remain.",
		"/proc/cpuinfo shows cppc.",
		"amd-pstate.c: amd_cppc_supported",
		{ { "CPPC (AMD CBS, NBIO, SMU options)", "bios", "Enabled" } },
	},
	[FINDING_CPC_MISSING] = {
		"amd-pstate finds no valid _CPC object",
		"It wants a _CPC for each CPU that it looks at. Old firmware leaves it out, some for CPUs "
		"that are not there.",
		"amd-pstate does not load, acpi-cpufreq's few P-states remain.",
		"scaling_driver says amd-pstate or amd-pstate-epp.",
		"drivers/acpi/cppc_acpi.c: acpi_cpc_valid",
		{ { "system firmware", "bios", "update to a release with _CPC" },
			{ "CPU power management / CPPC", "bios", "Enabled (Dell: OS DBPM)" },
			{ "kernel", "tool", "a newer one, which looks at online CPUs only" } },
	},
	[FINDING_CPPC_UNSUPPORTED] = {
		"this AMD processor has no CPPC: acpi-cpufreq is right",
		"Zen, Zen+ and older.",
		"Nothing; amd-pstate is not for this part.",
		NULL,
		"amd-pstate.c: amd_cppc_supported",
		{ { "amd_pstate=", "cmdline", "remove: it has no effect here" } },
	},
	[FINDING_AMD_PARAM] = {
		"amd-pstate is there and waits for a mode on the command line",
		"5.17 to 6.0: parts with CPPC by shared memory want amd_pstate.shared_mem=1. 6.1 to 6.4: a "
		"mode must be given. From 6.5 on the kernel has a default mode, but not on servers before "
		"family 1Ah, with an undefined ACPI profile, or (to 6.10) with shared memory.",
		"acpi-cpufreq's few P-states are used, or nothing when that is shut out.",
		"scaling_driver says amd-pstate or amd-pstate-epp.",
		"amd-pstate.c; Documentation/admin-guide/pm/amd-pstate.rst",
		{ { "amd_pstate", "cmdline", "amd_pstate=active or amd_pstate=passive" } },
	},
	[FINDING_CAPS_INVALID] = {
		"amd-pstate read impossible CPPC capabilities",
		"Lowest, nominal or highest performance are zero or out of order, so that the driver "
		"refuses the CPU.",
		"No driver, or wrong limits.",
		"acpi_cppc/* show values that rise from lowest to highest.",
		"amd-pstate.c: amd_pstate_init_freq",
		{ { "CPPC", "bios", "Enabled" }, { "system firmware", "bios", "update" } },
	},
	[FINDING_ACPI_FALLBACK] = {
		"acpi-cpufreq is at work although a native driver exists",
		"intel_pstate and amd-pstate come first in init order; acpi-cpufreq registers when they "
		"refused.",
		"Coarser P-states, slower reaction, no EPP; sometimes exactly what was wanted.",
		"scaling_driver names the native driver.",
		"init order of drivers/cpufreq",
		{ { NULL, NULL, NULL } },
	},
	[FINDING_PASSIVE_NO_HWP] = {
		"intel_pstate is passive because the processor has no HWP",
		"From 5.8 on the driver starts passive (scaling_driver intel_cpufreq) without HWP; generic "
		"governors decide.",
		"powersave here means the lowest frequency.",
		NULL,
		"intel_pstate.c, change of 5.8",
		{ { "intel_pstate", "cmdline",
			"intel_pstate=active, if the driver's own governors are wanted" } },
	},
	[FINDING_CONTRADICTED] = {
		"the facts lead to another driver than the one that is there",
		"The kernel's rules, applied to what was captured, give another result. Something that was "
		"not captured decided, a file is from another boot, or somebody switched at run time.",
		"Conclusions about the driver are weaker.",
		NULL,
		"`corepace doctor`: the list of drivers and reasons",
		{ { NULL, NULL, NULL } },
	},
	[FINDING_KERNEL_ISSUE] = {
		"a known change of the kernel explains the symptom",
		"The versions with the fault and the first without stand beside the finding.",
		"As the symptom says.",
		"The symptom is gone with the other kernel.",
		"history of drivers/cpufreq, drivers/idle, drivers/acpi",
		{ { "kernel", "tool", "update to one with the fix" } },
	},
};
