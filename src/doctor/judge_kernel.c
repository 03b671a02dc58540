// SPDX-License-Identifier: GPL-2.0-or-later
/* Symptoms that a known change of the kernel explains: each entry with its range of versions. */
#include "base/units.h"
#include "doctor/judge.h"
#include "policy/registry.h"

#include <stdio.h>
#include <string.h>

struct issue {
	const char *text;    /* what went wrong and where it was mended */
	int64_t from, to;    /* kernel_number(); to is the first good one, 0: no end */
	bool version_needed; /* without a version nothing is said */
	enum severity severity;
	bool (*match)(const struct judge *j);
	const char *needle; /* a log line that must be there, or NULL */
};

static bool without_hwp(const struct judge *j)
{
	return !(j->f->machine.features & CPU_HWP);
}

/* The driver blames firmware, the register does not. */
static bool turbo_flag(const struct judge *j)
{
	return found(j, FINDING_TURBO_BIOS) && j->f->machine.turbo_disabled != FACT_YES &&
	       j->f->machine.vendor != VENDOR_AMD;
}

static bool amd_resume(const struct judge *j)
{
	return found(j, FINDING_LIMITS_STALE) && !strncmp(j->d->driver, "amd-pstate", 10);
}

static bool amd_highest(const struct judge *j)
{
	const struct finding *g = diagnosis_find(j->d, FINDING_BOOST_CEILING);

	return g && g->severity == SEVERITY_PROBLEM && !strncmp(j->d->driver, "amd-pstate", 10);
}

static bool cpc_there(const struct judge *j)
{
	return found(j, FINDING_CPC_MISSING) && j->f->acpi.cpc == FACT_YES;
}

static bool caps_zero(const struct judge *j)
{
	return found(j, FINDING_CAPS_INVALID) && found(j, FINDING_CPPC_DISABLED);
}

static bool cst_drops(const struct judge *j)
{
	const struct finding *g = diagnosis_find(j->d, FINDING_STATE_OFF_DEFAULT);

	return g && g->severity == SEVERITY_PROBLEM && text_is(&j->f->idle.driver, "intel_idle");
}

static bool smt_cpc(const struct judge *j)
{
	return found(j, FINDING_CPC_MISSING) && found(j, FINDING_SMT);
}

static bool pcc_dynamic(const struct judge *j)
{
	return found(j, FINDING_PCC_TOO_MANY) && j->f->kernel.known &&
	       (!strcmp(j->d->governor, "ondemand") || !strcmp(j->d->governor, "conservative") ||
		       !strcmp(j->d->governor, "schedutil"));
}

#define V(major, minor, sub) ((int64_t)KERNEL(major, minor) * 1000 + (sub))

static const struct issue issues[] = {
	{ "intel_pstate reads the HWP capability register after an ACPI notification on a CPU "
	  "without HWP and stores garbage limits (6.10-rc1, mended before 6.10)",
		V(6, 10, 0), V(6, 11, 0), false, SEVERITY_WARN, without_hwp,
		"MSR access error: RDMSR from 0x771" },
	{ "a missing CPUID turbo bit is taken as turbo disabled at boot: firmware that starts with "
	  "it cleared never gets turbo back, though writing no_turbo=0 used to work",
		V(6, 8, 0), V(6, 16, 0), true, SEVERITY_WARN, turbo_flag, NULL },
	{ "amd-pstate does not rewrite its limit on resume: after suspend the hardware's limit is "
	  "back at boost while boost is off",
		V(6, 1, 0), V(6, 17, 0), false, SEVERITY_WARN, amd_resume, NULL },
	{ "amd-pstate takes highest_perf 166 for parts with CPPC by shared memory, and the wrong "
	  "limit takes effect (6.6.44 has half of the series; the follow-up commits correct it)",
		V(5, 17, 0), V(6, 12, 0), false, SEVERITY_PROBLEM, amd_highest, NULL },
	{ "the check for _CPC trips over CPUs that are possible or present but whose _CPC is not "
	  "usable; newer kernels look at online CPUs",
		V(5, 17, 0), 0, false, SEVERITY_PROBLEM, cpc_there, NULL },
	{ "the check for _CPC includes CPUs that were never brought up; newer kernels look at "
	  "online "
	  "CPUs",
		V(5, 17, 0), 0, false, SEVERITY_WARN, smt_cpc, NULL },
	{ "6.11-rc1 tries to register amd-pstate although CPPC is off, and prints errors; later "
	  "kernels stop after the first message",
		V(6, 11, 0), V(6, 12, 0), true, SEVERITY_INFO, caps_zero, NULL },
	{ "5.6 to 5.9 use _CST even where control of it could not be taken, and switch off states "
	  "that it leaves out; later kernels fall back to the driver's table",
		V(5, 6, 0), V(5, 10, 0), true, SEVERITY_WARN, cst_drops, NULL },
	{ "before 4.18 pcc-cpufreq lets dynamic governors run on any number of CPUs, which from "
	  "4.17 "
	  "on sample on ticks of idle CPUs too",
		V(2, 6, 0), V(4, 18, 0), true, SEVERITY_WARN, pcc_dynamic, NULL },
};

void judge_kernel(struct judge *j)
{
	char line[256];

	for (size_t i = 0; i < ARRAY_LEN(issues); i++) {
		const struct issue *k = &issues[i];
		struct finding *g;

		if (j->guest || !k->match(j))
			continue;
		if (k->needle && !facts_log(j->f, k->needle, line, sizeof(line)))
			continue;
		if (j->f->kernel.known
				? !facts_kernel_in(j->f, k->from, k->to ? k->to : V(98, 0, 0))
				: k->version_needed)
			continue;
		g = add(j, FINDING_KERNEL_ISSUE, k->severity);
		detail(g, "%s", k->text);
		if (j->f->kernel.known)
			evidence(g, j->f->kernel.path, "%s", j->f->kernel.release);
		if (k->needle)
			evidence(g, "dmesg", "%s", line);
	}
}
