// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The frequency that was measured against the limits: above what is allowed, or held below it from
 * outside. A snapshot alone proves a clamp only where the CPU runs below its own lower limit or a
 * register or power limit tells of one; otherwise two snapshots must decide.
 */
#include "base/units.h"
#include "doctor/judge.h"
#include "policy/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t measured(const struct judge *j, const struct policy_facts *p, const char **file)
{
	*file = "scaling_cur_freq";
	if (good(p->cur) && p->cur.number > 0)
		return p->cur.number;
	*file = "cpuinfo_cur_freq";
	if (good(p->cpuinfo_cur) && p->cpuinfo_cur.number > 0 &&
		strcmp(j->d->driver, "pcc-cpufreq"))
		return p->cpuinfo_cur.number;
	return 0;
}

/* The limit in force: the policy's, and base when turbo is off. */
static int64_t limit_of(const struct judge *j, const struct policy_facts *p)
{
	int64_t limit = policy_plausible(p)    ? p->max.number
			: good(p->cpuinfo_max) ? p->cpuinfo_max.number
					       : 0;

	if (good(j->f->no_turbo) && j->f->no_turbo.number && good(p->base) &&
		(!limit || p->base.number < limit))
		limit = p->base.number;
	return limit;
}

/* Table drivers cannot express boost: above the highest entry is where boost runs. */
static bool boost_unnamed(const struct judge *j, const struct policy_facts *p, int64_t limit)
{
	bool boost_off = good(j->f->boost) && !j->f->boost.number;
	bool table = !strcmp(j->d->driver, "acpi-cpufreq") || !strcmp(j->d->driver, "pcc-cpufreq");

	return table && !boost_off && policy_top(j, p) && limit >= policy_top(j, p);
}

/* The machine slept since it was booted. */
static bool resumed(const struct judge *j)
{
	char line[256];

	return facts_log(j->f, "PM: suspend exit", line, sizeof(line)) ||
	       facts_log(j->f, "PM: resume", line, sizeof(line));
}

static void judge_above(struct judge *j)
{
	for (size_t i = 0; i < j->f->nr_policies; i++) {
		const struct policy_facts *p = &j->f->policies[i];
		const char *file;
		int64_t khz = measured(j, p, &file), limit = limit_of(j, p);
		bool stale, lowered;
		struct finding *g;

		if (!khz || !limit || khz <= limit + limit / 20 || khz > 7500000 ||
			boost_unnamed(j, p, limit))
			continue;
		if (good(p->max) && !policy_plausible(p))
			continue; /* damaged: nothing can be said against it */
		lowered = !good(p->cpuinfo_max) || limit < p->cpuinfo_max.number ||
			  (good(j->f->boost) && !j->f->boost.number) ||
			  (good(j->f->no_turbo) && j->f->no_turbo.number);
		g = add(j, FINDING_CUR_ABOVE, lowered ? SEVERITY_PROBLEM : SEVERITY_WARN);
		evidence_number(g, p->dir, file, khz);
		evidence_number(
			g, p->dir, good(p->max) ? "scaling_max_freq" : "cpuinfo_max_freq", limit);
		detail(g, "%lld MHz measured, %lld MHz allowed", (long long)khz / 1000,
			(long long)limit / 1000);
		stale = lowered;
		if (!stale) {
			g = add(j, FINDING_BOOST_CEILING, SEVERITY_WARN);
			evidence_number(g, p->dir, file, khz);
			evidence_number(g, p->dir, "cpuinfo_max_freq", limit);
			continue;
		}
		g = add(j, FINDING_LIMITS_STALE,
			found(j, FINDING_BOOST_OFF) || resumed(j) ? SEVERITY_PROBLEM
								  : SEVERITY_WARN);
		evidence_number(g, p->dir, file, khz);
		evidence_number(g, p->dir, "scaling_max_freq", limit);
		detail(g, "the hardware's limit is not the one that sysfs shows");
		if (found(j, FINDING_BOOST_OFF) && !g->nr_advice) {
			advise(g, "kernel", "tool", "update to one that rewrites limits on resume");
			advise(g, "cpufreq/boost", "sysfs", "write 1 then 0 after resume");
		}
	}
}

/* ---- held down from outside ------------------------------------------------------------ */

static bool limit_reasons(const struct facts *f, uint32_t *reg, int *cpu, uint64_t *v)
{
	*reg = 0x64f;
	if (facts_msr(f, 0x64f, cpu, v))
		return true;
	*reg = 0x690;
	return facts_msr(f, 0x690, cpu, v);
}

/* PROCHOT without a thermal event of the core itself: another device pulls the line. */
static void judge_prochot(struct judge *j)
{
	uint64_t v, thermal = 0;
	uint32_t reg;
	int cpu, cpu_thermal;
	bool own, have = facts_msr(j->f, 0x19c, &cpu_thermal, &thermal);
	struct finding *g;

	own = have && thermal & 1;
	if (limit_reasons(j->f, &reg, &cpu, &v) && v & 1 && !(v & 2) && !own) {
		g = add(j, FINDING_PROCHOT, SEVERITY_PROBLEM);
		evidence_msr(g, reg, cpu, v);
		detail(g, "PROCHOT is active and the core reports no temperature event");
	}
	if (have && thermal & 4 && !own) {
		g = add(j, FINDING_PROCHOT, SEVERITY_PROBLEM);
		evidence_msr(g, 0x19c, cpu_thermal, thermal);
	}
}

/* Ground for believing that a low frequency is no idleness. */
static bool clamp_evidence(const struct judge *j)
{
	const struct finding *power = diagnosis_find(j->d, FINDING_POWER_LOW);

	return found(j, FINDING_PROCHOT) || (power && power->severity == SEVERITY_PROBLEM);
}

/* Every CPU that tells is at the bottom although performance asks for the top. */
static bool all_low_under_performance(const struct judge *j)
{
	int low = 0, told = 0;

	for (size_t i = 0; i < j->f->nr_policies; i++) {
		const struct policy_facts *p = &j->f->policies[i];
		const char *file;
		int64_t khz = measured(j, p, &file);

		if (!khz || !text_is(&p->governor, "performance") || !policy_plausible(p))
			continue;
		told++;
		low += khz * 2 < p->max.number && good(p->cpuinfo_min) &&
		       khz * 10 <= p->cpuinfo_min.number * 11;
	}
	return told && low == told;
}

/* Every CPU that tells is far below its limit, and the governor is none that keeps it there. */
static bool all_low(const struct judge *j)
{
	int low = 0, told = 0;

	if (j->guest || found(j, FINDING_GOVERNOR_POWERSAVE))
		return false;
	for (size_t i = 0; i < j->f->nr_policies; i++) {
		const struct policy_facts *p = &j->f->policies[i];
		const char *file;
		int64_t khz = measured(j, p, &file);

		if (!khz || !policy_plausible(p))
			continue;
		told++;
		low += khz * 2 < p->max.number;
	}
	return told && low == told;
}

static void add_clamped(struct judge *j, const struct policy_facts *p, const char *file,
	int64_t khz, enum severity severity)
{
	struct finding *g = add(j, FINDING_CLAMPED, severity);

	evidence_number(g, p->dir, file, khz);
	if (policy_plausible(p))
		evidence_number(g, p->dir, "scaling_max_freq", p->max.number);
	detail(g, "%lld MHz, and no limit of the operating system asks for it",
		(long long)khz / 1000);
}

static void judge_clamped(struct judge *j)
{
	bool evident = clamp_evidence(j), performance = all_low_under_performance(j);
	bool loaded = j->f->load_percent >= 50 && all_low(j);

	for (size_t i = 0; i < j->f->nr_policies && !j->guest; i++) {
		const struct policy_facts *p = &j->f->policies[i];
		const char *file;
		int64_t khz = measured(j, p, &file), top;
		bool below_min;

		if (!khz)
			continue;
		top = policy_plausible(p)    ? p->max.number
		      : good(p->cpuinfo_max) ? p->cpuinfo_max.number
					     : 0;
		below_min = good(p->cpuinfo_min) && khz < p->cpuinfo_min.number * 95 / 100;
		if (below_min || (evident && (!top || khz * 2 < top) && khz <= 1000000) ||
			(evident && top && khz * 2 < top))
			add_clamped(j, p, file, khz, SEVERITY_PROBLEM);
		else if (loaded)
			add_clamped(j, p, file, khz, SEVERITY_PROBLEM);
		else if (performance)
			add_clamped(j, p, file, khz, SEVERITY_WARN);
	}
	if (found(j, FINDING_CLAMPED) || j->f->nr_policies || !j->f->cpu_mhz || !evident)
		return;
	if (j->f->cpu_mhz <= 1000) {
		struct finding *g = add(j, FINDING_CLAMPED, SEVERITY_PROBLEM);

		evidence(g, "/proc/cpuinfo", "cpu MHz %lld", (long long)j->f->cpu_mhz);
	}
}

void judge_frequency(struct judge *j)
{
	if (!j->guest)
		judge_prochot(j);
	judge_above(j);
	judge_clamped(j);
}
