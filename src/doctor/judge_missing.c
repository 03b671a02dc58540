// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a symptom is there and its cause cannot be told from this capture: what to read next. */
#include "base/units.h"
#include "doctor/judge.h"

#include <stdio.h>
#include <string.h>

/* Who lowered the maximum: firmware's limit and the tools' files would tell. */
static void judge_unknown_limit(struct judge *j)
{
	const struct finding *max = diagnosis_find(j->d, FINDING_SCALING_MAX);
	struct finding *g;

	if (!max || max->severity != SEVERITY_PROBLEM || found(j, FINDING_LEFT_BY_TOOL))
		return;
	for (size_t i = 0; i < j->f->nr_policies; i++)
		if (good(j->f->policies[i].bios_limit))
			return;
	g = add(j, FINDING_EVIDENCE, SEVERITY_INFO);
	evidence(g, max->evidence[0].path, "%s", max->evidence[0].value);
	detail(g, "nothing shows who lowered the maximum: read bios_limit and the power tools' "
		  "files");
}

/* A part that must have turbo shows a maximum that looks like its base. */
static void judge_unknown_turbo(struct judge *j)
{
	const struct facts *f = j->f;
	static const char *const parts[] = { "Core(TM) i5", "Core(TM) i7", "Core(TM) i9",
		"Core(TM) Ultra" };
	bool client = false;
	struct finding *g;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		client = client || strstr(f->model_name, parts[i]);
	if (!client || good(f->no_turbo) || found(j, FINDING_TURBO_BIOS) || j->d->hwp != FACT_YES)
		return;
	for (size_t i = 0; i < f->nr_policies; i++) {
		const struct policy_facts *p = &f->policies[i];

		if (!good(p->cpuinfo_max) || p->cpuinfo_max.number > 3000000)
			continue;
		if (f->e_cores.known && cpu_numbers_has(&f->e_cores, p->number))
			continue;
		g = add(j, FINDING_EVIDENCE, SEVERITY_INFO);
		evidence_number(g, p->dir, "cpuinfo_max_freq", p->cpuinfo_max.number);
		detail(g, "this is no turbo frequency of the part: read no_turbo and MSR 0x1a0");
		return;
	}
}

/* No driver, and nothing that was found says why. */
static void judge_unknown_driver(struct judge *j)
{
	static const enum finding_id causes[] = { FINDING_BLACKLISTED, FINDING_HYPERVISOR,
		FINDING_PSS_MISSING, FINDING_XPSS_ONLY, FINDING_OEM_FIRMWARE, FINDING_OUT_OF_BAND,
		FINDING_AMD_PARAM, FINDING_CPC_MISSING, FINDING_CPPC_DISABLED, FINDING_CAPS_INVALID,
		FINDING_REGULATOR, FINDING_MODULE_MISSING, FINDING_INTEL_DISABLED };
	struct finding *g;

	if (strcmp(j->d->driver, "none"))
		return;
	for (size_t i = 0; i < ARRAY_LEN(causes); i++)
		if (found(j, causes[i]))
			return;
	g = add(j, FINDING_EVIDENCE, SEVERITY_WARN);
	evidence(g, "/sys/devices/system/cpu/cpufreq", "not there");
	detail(g, "nothing captured says why: read the kernel log, /proc/cmdline, the ACPI tables");
}

/* A frequency at the bottom: idleness or a clamp. */
static void judge_unknown_clamp(struct judge *j)
{
	const struct finding *clamp = diagnosis_find(j->d, FINDING_CLAMPED);

	if (!clamp || found(j, FINDING_PROCHOT) || found(j, FINDING_POWER_LOW))
		return;
	detail(add(j, FINDING_EVIDENCE, SEVERITY_INFO),
		"what holds the frequency down is not captured: read MSR 0x19c, 0x64f and "
		"powercap");
}

void judge_missing(struct judge *j)
{
	judge_unknown_limit(j);
	judge_unknown_turbo(j);
	judge_unknown_driver(j);
	judge_unknown_clamp(j);
}
