// SPDX-License-Identifier: GPL-2.0-or-later
/* Idle states. */
#include "doctor/findings_text.h"

const struct finding_text findings_idle[FINDINGS_NR] = {
	[FINDING_LATENCY_QOS] = {
		"a latency limit forbids idle states",
		"Somebody holds a request in /dev/cpu_dma_latency, or wrote a CPU's "
		"pm_qos_resume_latency_us, that is below the exit latency of a state.",
		"Those states are never used: more power, less room for turbo of other cores.",
		"usage of the deep states grows: `corepace doctor --for 10s`.",
		"Documentation/admin-guide/pm/cpuidle.rst",
		{ { "latency request", "tool",
			  "end or configure its holder (fuser /dev/cpu_dma_latency shows it)" },
			{ "pm_qos_resume_latency_us", "sysfs", "0" } },
	},
	[FINDING_TUNED] = {
		"a latency profile of TuneD is active",
		"latency-performance, network-latency and those built on them hold a latency request and "
		"set the performance governor.",
		"Deep idle states are not used.",
		"tuned-adm active shows another profile.",
		"TuneD profiles",
		{ { "TuneD profile", "tool",
			"tuned-adm profile throughput-performance or balanced" } },
	},
	[FINDING_STATE_OFF_DEFAULT] = {
		"an idle state is off by default",
		"intel_idle lists it, but firmware's _CST does not offer it (or the table marks it off).",
		"More power in idle; the highest turbo bins need neighbours in deep states.",
		"default_status reads enabled, or disable 0 and usage grows.",
		"drivers/idle/intel_idle.c",
		{ { "C6 / deep C-states", "bios", "Enabled" },
			{ "intel_idle.no_acpi", "cmdline", "intel_idle.no_acpi=1" },
			{ "cpuidle/stateN/disable", "sysfs", "0" } },
	},
	[FINDING_STATE_OFF_USER] = {
		"an idle state was turned off at run time",
		"Somebody wrote 1 to its disable file; the default is enabled.",
		"More power in idle, less turbo for neighbours.",
		"disable reads 0.",
		"Documentation/admin-guide/pm/cpuidle.rst",
		{ { "cpuidle/stateN/disable", "sysfs", "0" } },
	},
	[FINDING_MAX_CSTATE] = {
		"the command line limits idle states",
		"intel_idle.max_cstate=N keeps the first N states, 0 turns intel_idle off; "
		"processor.max_cstate=N limits acpi_idle.",
		"More power in idle, shorter battery life, less turbo.",
		"cpuidle shows the deeper states.",
		"kernel-parameters.txt",
		{ { "intel_idle.max_cstate=, processor.max_cstate=", "cmdline", "remove" } },
	},
	[FINDING_IDLE_POLL] = {
		"idle= bypasses cpuidle",
		"poll never halts, halt uses HLT alone, nomwait keeps to what ACPI offers without MWAIT.",
		"poll: full power in idle, and SMT siblings lose speed.",
		"The parameter is gone; cpuidle's states are used.",
		"kernel-parameters.txt",
		{ { "idle=", "cmdline", "remove" } },
	},
	[FINDING_DEPTH_TURBO] = {
		"without deep idle states the highest turbo bins are out of reach",
		"A core that only halts counts as active. Power and the number of active cores decide the "
		"turbo bin of the others.",
		"Single-threaded work runs some hundred MHz slower.",
		"turbostat shows the one-core turbo frequency.",
		"Intel SDM: turbo ratio limits by active cores",
		{ { "deep C-states", "bios", "Enabled" }, { "idle limits", "cmdline", "remove" } },
	},
	[FINDING_IDLE_ACPI] = {
		"idle states come from firmware's _CST",
		"intel_idle has no table for this model in this kernel and takes what ACPI offers. Depth is "
		"in the MWAIT hint, not in the name: C3_ACPI with 0x60 is C10.",
		"Usually nothing.",
		NULL,
		"drivers/idle/intel_idle.c",
		{ { NULL, NULL, NULL } },
	},
	[FINDING_HALTPOLL] = {
		"the guest polls before it halts (haltpoll)",
		"A KVM guest spins for up to guest_halt_poll_ns, so that a quick wake-up needs no exit to "
		"the host.",
		"Wake-ups cost less, the host sees CPU use that is only waiting.",
		"Host CPU use of the idle guest.",
		"Documentation/virt/guest-halt-polling.rst",
		{ { "guest_halt_poll_ns", "sysfs",
			"lower (or 0) if CPU use in idle matters more than wake-up time" } },
	},
};
