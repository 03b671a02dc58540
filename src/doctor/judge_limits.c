// SPDX-License-Identifier: GPL-2.0-or-later
/* Limits that somebody set: firmware, a percentage, a policy's maximum; and the governor. */
#include "base/units.h"
#include "doctor/judge.h"
#include "policy/registry.h"

#include <stdio.h>
#include <string.h>

static const struct policy_facts *each(const struct judge *j, size_t i)
{
	return i < j->f->nr_policies ? &j->f->policies[i] : NULL;
}

static bool limited_by_bios(const struct judge *j, const struct policy_facts *p)
{
	int64_t top = policy_top(j, p);

	if (!good(p->bios_limit) || p->bios_limit.number <= 0 || !top)
		return false;
	if (p->bios_limit.number >= top)
		return false;
	/* A limit in force holds the policy's maximum down. */
	return !good(p->max) || p->max.number <= p->bios_limit.number;
}

static void judge_bios_limit(struct judge *j)
{
	const struct policy_facts *p;
	struct finding *g;

	for (size_t i = 0; (p = each(j, i)); i++) {
		if (!limited_by_bios(j, p))
			continue;
		g = add(j, FINDING_BIOS_LIMIT, SEVERITY_PROBLEM);
		evidence_number(g, p->dir, "bios_limit", p->bios_limit.number);
		evidence_number(g, p->dir, "cpuinfo_max_freq", p->cpuinfo_max.number);
		detail(g, "firmware (_PPC) allows %lld of %lld MHz",
			(long long)p->bios_limit.number / 1000,
			(long long)p->cpuinfo_max.number / 1000);
	}
}

static void judge_pct(struct judge *j)
{
	const struct facts *f = j->f;
	struct finding *g;

	if (!good(f->max_perf_pct) || f->max_perf_pct.number >= 100)
		return;
	if (f->max_perf_pct.number <= 0)
		return;
	g = add(j, FINDING_MAX_PERF_PCT,
		f->max_perf_pct.number < 90 ? SEVERITY_PROBLEM : SEVERITY_WARN);
	evidence_number(
		g, "/sys/devices/system/cpu/intel_pstate", "max_perf_pct", f->max_perf_pct.number);
	advise(g, "intel_pstate/max_perf_pct", "sysfs", "100");
}

/* In passive mode the percentage is a request for a maximum, and shows in scaling_max_freq. */
static bool explained_by_pct(const struct judge *j, const struct policy_facts *p)
{
	int64_t pct = j->f->max_perf_pct.number, at = policy_top(j, p) * pct / 100;

	return good(j->f->max_perf_pct) && pct < 100 && p->max.number >= at - at / 50;
}

/* Boost or turbo off: the maximum is then the highest that is left. */
static bool explained_by_boost(const struct judge *j, const struct policy_facts *p)
{
	bool off = (good(j->f->boost) && !j->f->boost.number) ||
		   (good(p->boost) && !p->boost.number) ||
		   (good(j->f->no_turbo) && j->f->no_turbo.number);

	if (!off)
		return false;
	if (good(p->base))
		return p->max.number >= p->base.number;
	return p->table_second && p->max.number >= p->table_second;
}

/* The maximum is below what can be asked for, by more than rounding. */
static bool lowered(const struct judge *j, const struct policy_facts *p)
{
	int64_t top = policy_top(j, p), gap = top - p->max.number;

	if (!policy_plausible(p) || !top)
		return false;
	return gap > top / 50 || (gap == 1000 && is_turbo_marker(top));
}

static void judge_scaling_max(struct judge *j)
{
	const struct policy_facts *p;
	bool others = found(j, FINDING_BIOS_LIMIT);
	struct finding *g;

	for (size_t i = 0; (p = each(j, i)); i++) {
		enum severity severity = others ? SEVERITY_WARN : SEVERITY_PROBLEM;

		if (!lowered(j, p) || limited_by_bios(j, p))
			continue;
		if (explained_by_pct(j, p) || explained_by_boost(j, p))
			severity = SEVERITY_INFO;
		else if (good(j->f->boost) && !j->f->boost.number)
			severity = SEVERITY_WARN; /* nominal frequency is not captured */
		else if (p->max.number > policy_top(j, p) * 9 / 10)
			severity = SEVERITY_WARN;
		g = add(j, FINDING_SCALING_MAX, severity);
		evidence_number(g, p->dir, "scaling_max_freq", p->max.number);
		evidence_number(g, p->dir, "cpuinfo_max_freq", p->cpuinfo_max.number);
		detail(g, "%lld of %lld MHz are allowed", (long long)p->max.number / 1000,
			(long long)p->cpuinfo_max.number / 1000);
		if (!g->nr_advice)
			advise(g, "scaling_max_freq", "sysfs", "%lld", (long long)policy_top(j, p));
	}
}

static void judge_pinned(struct judge *j)
{
	const struct policy_facts *p;
	struct finding *g;

	for (size_t i = 0; (p = each(j, i)); i++) {
		bool top, pulled;

		if (!policy_plausible(p) || !good(p->min) || p->min.number != p->max.number)
			continue;
		if (good(p->cpuinfo_min) && good(p->cpuinfo_max) &&
			p->cpuinfo_min.number == p->cpuinfo_max.number)
			continue;
		top = policy_top(j, p) && p->max.number >= policy_top(j, p);
		/* Nobody raised the lower limit: it is the upper one that is wrong. */
		pulled = good(p->cpuinfo_min) && p->min.number <= p->cpuinfo_min.number;
		g = add(j, FINDING_PINNED, top || pulled ? SEVERITY_WARN : SEVERITY_PROBLEM);
		evidence_number(g, p->dir, "scaling_min_freq", p->min.number);
		evidence_number(g, p->dir, "scaling_max_freq", p->max.number);
		if (!g->nr_advice && good(p->cpuinfo_min) && good(p->cpuinfo_max))
			advise(g, "scaling_min_freq, scaling_max_freq", "sysfs", "%lld, %lld",
				(long long)p->cpuinfo_min.number, (long long)p->cpuinfo_max.number);
	}
}

static const struct policy_facts *policy_of_cpu(const struct facts *f, int cpu)
{
	for (size_t i = 0; i < f->nr_policies; i++)
		if (f->policies[i].number == cpu)
			return &f->policies[i];
	return NULL;
}

/*
 * The request register: equal limits under another governor than performance (which sets them
 * equal itself), or a maximum far from what the policy says.
 */
static void judge_request(struct judge *j)
{
	uint64_t request, caps;
	int cpu, cpu_caps;
	unsigned min, max, highest;
	struct finding *g;
	const struct policy_facts *p;

	if (!facts_msr(j->f, 0x774, &cpu, &request) || j->d->hwp != FACT_YES)
		return;
	min = request & 0xff;
	max = request >> 8 & 0xff;
	if (min == max && max && strcmp(j->d->governor, "performance")) {
		bool have = facts_msr(j->f, 0x771, &cpu_caps, &caps);

		highest = have ? caps & 0xff : 0;
		if (highest && max >= highest && !*j->d->governor)
			return;
		g = add(j, FINDING_PINNED,
			highest && max >= highest ? SEVERITY_WARN : SEVERITY_PROBLEM);
		evidence_msr(g, 0x774, cpu, request);
		detail(g, "the HWP request asks for %u at least and at most", max);
	}
	if (!facts_msr(j->f, 0x771, &cpu_caps, &caps) || cpu != cpu_caps)
		return;
	p = policy_of_cpu(j->f, cpu);
	highest = caps & 0xff;
	if (!highest || !p || !policy_plausible(p) || !good(p->cpuinfo_max) || lowered(j, p) ||
		found(j, FINDING_MAX_PERF_PCT) || found(j, FINDING_NO_TURBO) ||
		found(j, FINDING_TURBO_BIOS) ||
		(!good(j->f->no_turbo) && max >= (caps >> 8 & 0xff)))
		return;
	if (max * 100 < highest * 85) {
		g = add(j, FINDING_LIMITS_STALE, SEVERITY_PROBLEM);
		evidence_msr(g, 0x774, cpu, request);
		evidence_msr(g, 0x771, cpu, caps);
		evidence_number(g, p->dir, "scaling_max_freq", p->max.number);
		detail(g, "the register asks for %u of %u although no limit is configured", max,
			highest);
	}
}

static void judge_governor(struct judge *j)
{
	const struct policy_facts *p;
	struct finding *g;

	for (size_t i = 0; j->generic && (p = each(j, i)); i++) {
		if (!text_is(&p->governor, "powersave"))
			continue;
		g = add(j, FINDING_GOVERNOR_POWERSAVE, SEVERITY_PROBLEM);
		evidence(g, p->dir, "scaling_driver %s, scaling_governor powersave", j->d->driver);
		if (!strcmp(j->d->driver, "intel_cpufreq") && !g->nr_advice) {
			advise(g, "scaling_governor", "sysfs", "schedutil (or ondemand)");
			advise(g, "intel_pstate", "cmdline",
				"intel_pstate=active (where powersave scales)");
		}
		if (!strcmp(j->d->driver, "amd-pstate") && !g->nr_advice) {
			advise(g, "scaling_governor", "sysfs", "schedutil (or ondemand)");
			advise(g, "amd_pstate", "cmdline",
				"amd_pstate=active (where powersave scales)");
		}
		detail(g, "under %s this is the generic governor, which never leaves the minimum",
			j->d->driver);
	}
}

/* EPP files that refused writes, or a tool that wants to write them. */
static bool epp_wanted(const struct judge *j)
{
	size_t nr;
	const struct tree_failure *failures = tree_failures(j->f->tree, &nr);

	for (size_t i = 0; i < nr; i++)
		if (strstr(failures[i].path, "energy_performance_preference"))
			return true;
	for (int i = 0; i < j->f->nr_settings; i++)
		if (strstr(j->f->settings[i].key, "ENERGY_PERF_POLICY") &&
			strcmp(j->f->settings[i].value, "performance"))
			return true;
	return false;
}

static void judge_epp(struct judge *j)
{
	const struct policy_facts *p;
	struct finding *g;

	for (size_t i = 0; j->own_policy && (p = each(j, i)); i++) {
		if (!text_is(&p->governor, "performance") || j->d->hwp == FACT_NO)
			if (!text_is(&p->governor, "performance") ||
				strcmp(j->d->driver, "amd-pstate-epp"))
				continue;
		g = add(j, FINDING_EPP_LOCKED,
			epp_wanted(j) ? SEVERITY_PROBLEM
			: j->server   ? SEVERITY_INFO
				      : SEVERITY_WARN);
		evidence(g, p->dir, "scaling_governor performance%s%s",
			has(&p->epp) ? ", energy_performance_preference " : "",
			has(&p->epp) ? p->epp.s : "");
	}
}

static bool epp_saves(const struct text *epp)
{
	int value;

	if (!has(epp))
		return false;
	if (!strcmp(epp->s, "power") || !strcmp(epp->s, "balance_power"))
		return true;
	return sscanf(epp->s, "%d", &value) == 1 && value >= 0xc0;
}

static void judge_bias(struct judge *j)
{
	const struct facts *f = j->f;
	const struct policy_facts *p;
	struct finding *g;
	uint64_t v;
	int cpu;

	for (size_t i = 0; (p = each(j, i)); i++) {
		if (!epp_saves(&p->epp))
			continue;
		g = add(j, FINDING_ENERGY_BIAS, SEVERITY_INFO);
		evidence(g, p->dir, "energy_performance_preference %s", p->epp.s);
		advise(g, "energy_performance_preference", "sysfs", "balance_performance");
		break;
	}
	if (good(f->epb) && f->epb.number > 6) {
		g = add(j, FINDING_ENERGY_BIAS,
			f->epb.number >= 15 ? SEVERITY_WARN : SEVERITY_INFO);
		evidence(g, "energy_perf_bias", "CPU %d: %lld", f->epb_cpu,
			(long long)f->epb.number);
	} else if (facts_msr(f, 0x1b0, &cpu, &v) && (v & 15) > 6) {
		g = add(j, FINDING_ENERGY_BIAS, (v & 15) == 15 ? SEVERITY_WARN : SEVERITY_INFO);
		evidence_msr(g, 0x1b0, cpu, v);
	}
}

void judge_limits(struct judge *j)
{
	judge_bios_limit(j);
	judge_pct(j);
	judge_scaling_max(j);
	judge_pinned(j);
	judge_request(j);
	judge_governor(j);
	judge_epp(j);
	judge_bias(j);
	if (good(j->f->dynamic_boost) && !j->f->dynamic_boost.number) {
		struct finding *g = add(j, FINDING_DYNAMIC_BOOST, SEVERITY_INFO);

		evidence_number(g, "/sys/devices/system/cpu/intel_pstate", "hwp_dynamic_boost", 0);
	}
}
