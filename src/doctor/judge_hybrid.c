// SPDX-License-Identifier: GPL-2.0-or-later
/* Cores of two types, and policies of like CPUs that differ. */
#include "base/units.h"
#include "doctor/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one step of HWP performance is worth on a P-core, kHz; the same as on others: 100000. */
static int p_core_step(int model)
{
	switch (model) {
	case 0x97:
	case 0x9a:
	case 0xb7:
	case 0xba:
	case 0xbf:
		return 78741; /* Alder and Raptor Lake */
	case 0xaa:
	case 0xac:
	case 0xb5:
	case 0xc5:
	case 0xc6:
		return 86957; /* Meteor and Arrow Lake */
	case 0xbd:
		return 80000; /* Lunar Lake */
	}
	return 0;
}

static const struct policy_facts *policy_of(const struct facts *f, int cpu)
{
	for (size_t i = 0; i < f->nr_policies; i++)
		if (f->policies[i].number == cpu)
			return &f->policies[i];
	return NULL;
}

/* Firmware's pair of nominal frequency and performance gives a step that no such core has. */
static bool odd_step(const struct cppc_facts *c, int expected, int64_t *step)
{
	if (!good(c->nominal) || !good(c->nominal_mhz) || c->nominal.number <= 0)
		return false;
	*step = c->nominal_mhz.number * 1000 / c->nominal.number;
	return expected && (*step < expected * 85 / 100 || *step > expected * 115 / 100);
}

/*
 * The shown maximum against what else tells: the frequency that was measured, the turbo ratios. On
 * Alder and Raptor Lake the step itself is certain; on later parts firmware may use another one.
 */
static bool wrong_maximum(const struct judge *j, const struct policy_facts *p, int64_t top)
{
	int64_t shown = p->cpuinfo_max.number, turbo;
	bool certain = p_core_step(j->f->machine.model) == 78741;
	uint64_t v;
	int cpu;

	if (llabs(shown - top) < top / 12)
		return false;
	if (facts_msr(j->f, 0x1ad, &cpu, &v) && v & 0xff) {
		turbo = (int64_t)(v & 0xff) * 100000;
		return llabs(shown - turbo) > turbo / 12;
	}
	if (good(p->cur) && p->cur.number > shown + shown / 20)
		return true;
	return certain || shown > top;
}

static void judge_scaling(struct judge *j)
{
	const struct facts *f = j->f;
	int expected = p_core_step(f->machine.model);

	if (f->machine.family != 6 || !expected || strncmp(j->d->driver, "intel", 5))
		return;
	for (size_t i = 0; i < f->nr_cppc; i++) {
		const struct cppc_facts *c = &f->cppc[i];
		const struct policy_facts *p = policy_of(f, c->cpu);
		int64_t step = 0, top;
		struct finding *g;
		bool odd;

		if (f->p_cores.known && !cpu_numbers_has(&f->p_cores, c->cpu))
			continue;
		if (!f->p_cores.known || !p || !good(p->cpuinfo_max) || !good(c->highest))
			continue;
		odd = odd_step(c, expected, &step);
		top = c->highest.number * expected;
		if (!wrong_maximum(j, p, top))
			continue;
		if (good(f->no_turbo) && f->no_turbo.number)
			continue;
		g = add(j, FINDING_HYBRID_MISMATCH, SEVERITY_PROBLEM);
		evidence_number(g, p->dir, "cpuinfo_max_freq", p->cpuinfo_max.number);
		evidence(g, "acpi_cppc",
			"CPU %d: highest_perf %lld; nominal_freq %lld / nominal_perf %lld", c->cpu,
			(long long)c->highest.number, (long long)c->nominal_mhz.number,
			(long long)c->nominal.number);
		detail(g, "%.1f MHz per step%s where the part uses about %.1f MHz",
			(double)(odd ? step : p->cpuinfo_max.number / c->highest.number) / 1000,
			odd ? " by firmware's nominal pair" : "", (double)expected / 1000);
		g = add(j, FINDING_BOOST_CEILING, SEVERITY_WARN);
		evidence_number(g, p->dir, "cpuinfo_max_freq", p->cpuinfo_max.number);
		detail(g, "the P-cores' limits are computed with a wrong step");
		return;
	}
}

static void judge_types(struct judge *j)
{
	const struct facts *f = j->f;
	struct finding *g;

	if (!f->p_cores.nr || !f->e_cores.nr)
		return;
	g = add(j, FINDING_HYBRID, SEVERITY_INFO);
	evidence(g, "/sys/devices/cpu_core/cpus", "%d CPUs", f->p_cores.nr);
	evidence(g, "/sys/devices/cpu_atom/cpus", "%d CPUs", f->e_cores.nr);
	detail(g, "compare frequencies within one type only");
}

/* ---- like CPUs, unlike policies ------------------------------------------------------- */

static bool alike(const struct facts *f, const struct policy_facts *a, const struct policy_facts *b)
{
	if (f->p_cores.known &&
		cpu_numbers_has(&f->p_cores, a->number) != cpu_numbers_has(&f->p_cores, b->number))
		return false;
	return !good(a->cpuinfo_max) || !good(b->cpuinfo_max) ||
	       a->cpuinfo_max.number == b->cpuinfo_max.number;
}

/* The file in which they differ, or NULL. */
static const char *difference(const struct policy_facts *a, const struct policy_facts *b)
{
	if (has(&a->driver) && has(&b->driver) && strcmp(a->driver.s, b->driver.s))
		return "scaling_driver";
	if (has(&a->governor) && has(&b->governor) && strcmp(a->governor.s, b->governor.s))
		return "scaling_governor";
	if (policy_plausible(a) && policy_plausible(b) && a->max.number != b->max.number)
		return "scaling_max_freq";
	if (good(a->min) && good(b->min) && a->min.number != b->min.number)
		return "scaling_min_freq";
	if (has(&a->epp) && has(&b->epp) && strcmp(a->epp.s, b->epp.s))
		return "energy_performance_preference";
	return NULL;
}

static void show(struct finding *g, const struct policy_facts *p, const char *file)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", p->dir, file);
	if (!strcmp(file, "scaling_driver"))
		evidence(g, path, "%s", p->driver.s);
	else if (!strcmp(file, "scaling_governor"))
		evidence(g, path, "%s", p->governor.s);
	else if (!strcmp(file, "scaling_max_freq"))
		evidence(g, path, "%lld", (long long)p->max.number);
	else if (!strcmp(file, "scaling_min_freq"))
		evidence(g, path, "%lld", (long long)p->min.number);
	else
		evidence(g, path, "%s", p->epp.s);
}

static void judge_disagree(struct judge *j)
{
	const struct facts *f = j->f;

	for (size_t i = 1; i < f->nr_policies; i++) {
		const struct policy_facts *a = &f->policies[0], *b = &f->policies[i];
		const char *file;
		struct finding *g;

		/* Against the first of the same type. */
		for (size_t k = 0; k < i && !alike(f, a, b); k++)
			a = &f->policies[k];
		if (!alike(f, a, b))
			continue;
		file = difference(a, b);
		if (!file)
			continue;
		g = add(j, FINDING_DISAGREE,
			found(j, FINDING_BIOS_LIMIT) ||
					!strcmp(file, "energy_performance_preference")
				? SEVERITY_INFO
				: SEVERITY_WARN);
		show(g, a, file);
		show(g, b, file);
		detail(g, "like CPUs differ in %s", file);
		return;
	}
}

void judge_hybrid(struct judge *j)
{
	judge_types(j);
	judge_scaling(j);
	judge_disagree(j);
}
