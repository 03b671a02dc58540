// SPDX-License-Identifier: GPL-2.0-or-later
/* The state of the input, and of the set of CPUs. */
#include "doctor/findings_text.h"

const struct finding_text findings_input[FINDINGS_NR] = {
	[FINDING_SMT] = {
		"SMT siblings were not brought up",
		"nosmt, smt/control or nr_cpus= keep them off. Siblings that were never started keep their "
		"first frequency request, and some drivers' checks look at them.",
		"A shared limit may stay at what firmware left; amd-pstate may refuse.",
		"smt/control reads on, or the driver's check passes.",
		"kernel/cpu.c; drivers/acpi/cppc_acpi.c",
		{ { "nosmt, nr_cpus=, maxcpus=", "cmdline", "remove" },
			{ "smt/control", "sysfs", "on (off again after boot, if wanted)" } },
	},
	[FINDING_DISAGREE] = {
		"policies of like CPUs differ",
		"Governor or limits are not the same, though the CPUs are.",
		"Speed depends on where a task runs.",
		"All policies show the same.",
		"Documentation/admin-guide/pm/cpufreq.rst",
		{ { "scaling_governor, scaling_max_freq", "sysfs", "the same on all policies" } },
	},
	[FINDING_TRUNCATED] = {
		"a captured file is empty or cut off",
		"Its value must not be trusted.",
		"Findings that would need it are left out.",
		"Capture again: `corepace capture`.",
		"this capture",
		{ { "capture", "tool", "take it again" } },
	},
	[FINDING_IMPLAUSIBLE] = {
		"a value cannot be true",
		"It is no number, negative, or outside what the kernel allows.",
		"Findings that would need it are left out.",
		"Read it again on the machine.",
		"this capture",
		{ { NULL, NULL, NULL } },
	},
	[FINDING_UNREADABLE] = {
		"files could not be read",
		"They exist; reading failed for lack of rights, or because the device was busy or off "
		"(EBUSY of an offline CPU's policy is no fault).",
		"What they would have told is not known.",
		"Run as root, or with the CPU online.",
		"this capture",
		{ { NULL, NULL, NULL } },
	},
	[FINDING_OFFLINE] = {
		"some CPUs are offline",
		"Their policies are missing or inactive; that is not an error.",
		"Fewer CPUs.",
		"online equals present.",
		"Documentation/core-api/cpu_hotplug.rst",
		{ { "cpuN/online", "sysfs", "1 (if not wanted offline)" } },
	},
	[FINDING_HYBRID] = {
		"the processor has cores of two types",
		"P- and E-cores have different frequency ranges and steps.",
		"Nothing; compare within one type.",
		NULL,
		"/sys/devices/cpu_core, /sys/devices/cpu_atom",
		{ { NULL, NULL, NULL } },
	},
	[FINDING_EVIDENCE] = {
		"this capture cannot tell the cause",
		"A symptom is there, what would decide between its causes is not.",
		"The cause is open.",
		"Read what the finding names, then run the doctor again.",
		"this capture",
		{ { "what the finding names", "tool", "read it and run the doctor again" } },
	},
};
