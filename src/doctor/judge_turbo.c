// SPDX-License-Identifier: GPL-2.0-or-later
/* Turbo and boost: who turned them off, and what the advertised maximum leaves out. */
#include "base/units.h"
#include "doctor/judge.h"
#include "policy/registry.h"

#include <stdio.h>
#include <string.h>

#define INTEL_DIR "/sys/devices/system/cpu/intel_pstate"

/* Firmware, by the driver's word or by the register. */
static void judge_bios(struct judge *j)
{
	static const char *const lines[] = { "Turbo disabled by BIOS or unavailable",
		"intel_pstate: Turbo is disabled" };
	const struct facts *f = j->f;
	struct finding *g;
	uint64_t v;
	int cpu;

	if (j->guest || f->machine.vendor == VENDOR_AMD)
		return;
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		add_logged(j, FINDING_TURBO_BIOS, SEVERITY_PROBLEM, lines[i]);
	if (facts_msr(f, 0x1a0, &cpu, &v) && v >> 38 & 1) {
		g = add(j, FINDING_TURBO_BIOS, SEVERITY_PROBLEM);
		evidence_msr(g, 0x1a0, cpu, v);
		detail(g, "bit 38 of IA32_MISC_ENABLE is set");
	}
}

/* no_turbo is also 1 when the driver found turbo off in firmware. */
static void judge_no_turbo(struct judge *j)
{
	const struct facts *f = j->f;
	bool flag_gone = f->machine.features_known && !(f->machine.features & CPU_IDA);
	struct finding *g;

	if (!good(f->no_turbo) || !f->no_turbo.number || found(j, FINDING_TURBO_BIOS))
		return;
	if (flag_gone && f->machine.turbo_disabled != FACT_NO) {
		g = add(j, FINDING_TURBO_BIOS, SEVERITY_WARN);
		evidence(g, "/proc/cpuinfo", "no ida flag");
		evidence_number(g, INTEL_DIR, "no_turbo", f->no_turbo.number);
		return;
	}
	g = add(j, FINDING_NO_TURBO, SEVERITY_PROBLEM);
	evidence_number(g, INTEL_DIR, "no_turbo", f->no_turbo.number);
	for (size_t i = 0; i < f->nr_policies; i++) {
		const struct policy_facts *p = &f->policies[i];

		if (good(p->base) && good(p->cpuinfo_max) &&
			p->base.number == p->cpuinfo_max.number) {
			evidence_number(g, p->dir, "cpuinfo_max_freq", p->cpuinfo_max.number);
			detail(g, "in this kernel cpuinfo_max_freq follows it down to base");
			break;
		}
	}
}

static void judge_boost(struct judge *j)
{
	const struct facts *f = j->f;
	struct finding *g;

	if (good(f->boost) && !f->boost.number) {
		g = add(j, FINDING_BOOST_OFF, SEVERITY_WARN);
		evidence_number(g, "/sys/devices/system/cpu/cpufreq", "boost", 0);
	}
	for (size_t i = 0; i < f->nr_policies; i++) {
		const struct policy_facts *p = &f->policies[i];

		if (!good(p->boost) || p->boost.number)
			continue;
		g = add(j, FINDING_BOOST_OFF, SEVERITY_WARN);
		evidence_number(g, p->dir, "boost", 0);
		if (!good(f->boost) && !g->nr_advice)
			advise(g, "cpufreq/policyN/boost", "sysfs", "1");
	}
}

/* acpi-cpufreq's table: one MHz above nominal stands for all of turbo. */
static void judge_marker(struct judge *j)
{
	const struct facts *f = j->f;

	if (strcmp(j->d->driver, "acpi-cpufreq") || f->machine.vendor == VENDOR_AMD)
		return;
	for (size_t i = 0; i < f->nr_policies; i++) {
		const struct policy_facts *p = &f->policies[i];
		struct finding *g;

		if (!good(p->cpuinfo_max) || !is_turbo_marker(p->cpuinfo_max.number))
			continue;
		if (p->table_second && p->table_max - p->table_second != 1000)
			continue;
		g = add(j, FINDING_BOOST_CEILING, SEVERITY_INFO);
		evidence_number(g, p->dir, "cpuinfo_max_freq", p->cpuinfo_max.number);
		detail(g, "the odd MHz is _PSS's marker for turbo, not a frequency");
		break;
	}
}

/*
 * Shared-memory parts (Zen 2, and Zen 3 without APUs) boost to far more than 166 / nominal of
 * their nominal frequency: 166 is a number that the kernel once took for all of them.
 */
static void judge_amd_ceiling(struct judge *j)
{
	const struct facts *f = j->f;
	const struct select_facts *m = &f->machine;
	bool off = good(f->boost) && !f->boost.number;

	if (strncmp(j->d->driver, "amd-pstate", 10) || off ||
		select_amd_cppc(m->family, m->model) != AMD_CPPC_SHARED)
		return;
	for (size_t i = 0; i < f->nr_cppc; i++) {
		const struct cppc_facts *c = &f->cppc[i];
		const struct policy_facts *p = NULL;
		struct finding *g;
		int64_t khz;

		for (size_t k = 0; k < f->nr_policies; k++)
			if (f->policies[k].number == c->cpu)
				p = &f->policies[k];
		if (!p || !good(p->cpuinfo_max) || !good(c->highest) || !good(c->nominal) ||
			!good(c->nominal_mhz) || c->nominal.number <= 0)
			continue;
		khz = c->nominal_mhz.number * 1000 * c->highest.number / c->nominal.number;
		if (c->highest.number > 166 || c->highest.number * 100 > c->nominal.number * 125 ||
			p->cpuinfo_max.number > khz + khz / 50)
			continue;
		g = add(j, FINDING_BOOST_CEILING, SEVERITY_PROBLEM);
		evidence_number(g, p->dir, "cpuinfo_max_freq", p->cpuinfo_max.number);
		evidence(g, "acpi_cppc", "CPU %d: highest_perf %lld, nominal_perf %lld at %lld MHz",
			c->cpu, (long long)c->highest.number, (long long)c->nominal.number,
			(long long)c->nominal_mhz.number);
		detail(g, "the maximum comes from a highest_perf that is not the part's own");
		return;
	}
}

void judge_turbo(struct judge *j)
{
	judge_bios(j);
	judge_no_turbo(j);
	judge_boost(j);
	judge_marker(j);
	judge_amd_ceiling(j);
}
