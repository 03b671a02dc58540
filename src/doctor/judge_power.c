// SPDX-License-Identifier: GPL-2.0-or-later
/* Power limits and throttling. */
#include "base/units.h"
#include "doctor/judge.h"

#include <stdio.h>
#include <string.h>

static const char *long_term_file(
	const struct power_domain *d, struct value *limit, struct value *max)
{
	static const char *const files[CONSTRAINTS_MAX] = { "constraint_0_power_limit_uw",
		"constraint_1_power_limit_uw", "constraint_2_power_limit_uw",
		"constraint_3_power_limit_uw" };

	for (int c = 0; c < CONSTRAINTS_MAX; c++) {
		if (!text_is(&d->constraint[c].name, "long_term") &&
			(c || has(&d->constraint[c].name)))
			continue;
		*limit = d->constraint[c].limit_uw;
		*max = d->constraint[c].max_uw;
		return good(*limit) && limit->number > 0 ? files[c] : NULL;
	}
	return NULL;
}

static bool is_package(const struct power_domain *d)
{
	return !has(&d->name) || !strncmp(d->name.s, "package", 7);
}

static bool switched_off(const struct power_domain *d)
{
	return good(d->enabled) && !d->enabled.number;
}

/* Rated power of client parts by the end of their name, W; 0: not known. */
static int rated_watts(const char *name)
{
	static const struct {
		const char *end;
		int watts;
	} ends[] = { { "U", 15 }, { "P", 28 }, { "H", 45 }, { "HK", 45 }, { "HX", 55 },
		{ "HS", 35 }, { "G7", 15 }, { "G4", 15 }, { "G1", 15 } };
	char word[64];
	const char *at = strstr(name, "-");

	/* The word that holds the number: "i7-1260P", "Ultra 7 155H". */
	while (at && (at[1] < '0' || at[1] > '9'))
		at = strstr(at + 1, "-");
	if (!at)
		at = strstr(name, "Ultra");
	if (!at)
		return 0;
	if (*at != '-') {
		int n = 0;

		if (sscanf(at, "Ultra %*d %63s%n", word, &n) != 1)
			return 0;
	} else if (sscanf(at + 1, "%63s", word) != 1) {
		return 0;
	}
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		size_t len = strlen(word), n = strlen(ends[i].end);

		if (len > n && !strcmp(word + len - n, ends[i].end) && word[len - n - 1] >= '0' &&
			word[len - n - 1] <= '9')
			return ends[i].watts;
	}
	return 0;
}

static void add_low(struct judge *j, const char *dir, const char *file, int64_t uw, int64_t rated)
{
	bool absurd = uw < 4000000 && (!rated || rated > 8000000);
	struct finding *g;

	if (!absurd && (!rated || uw * 100 >= rated * 75))
		return;
	g = add(j, FINDING_POWER_LOW,
		absurd || uw * 100 < rated * 35 ? SEVERITY_PROBLEM : SEVERITY_WARN);
	evidence_number(g, dir, file, uw);
	if (rated) {
		detail(g, "%.1f W of rated %.0f W", (double)uw / 1e6, (double)rated / 1e6);
		if (!g->nr_advice)
			advise(g, "constraint_0_power_limit_uw", "sysfs", "%lld", (long long)rated);
	} else {
		detail(g, "%.3f W", (double)uw / 1e6);
	}
	if (g->nr_advice == 1)
		advise(g, "thermald", "tool", "update or stop to confirm");
}

static void judge_domains(struct judge *j)
{
	const struct facts *f = j->f;
	const struct power_domain *msr = NULL, *mmio = NULL;
	struct value msr_limit = { 0 }, mmio_limit = { 0 };

	for (size_t i = 0; i < f->nr_domains; i++) {
		const struct power_domain *d = &f->domains[i];
		struct value limit, max;
		const char *file;
		int64_t rated;

		if (!is_package(d) || switched_off(d))
			continue;
		file = long_term_file(d, &limit, &max);
		if (!file)
			continue;
		rated = good(max) && max.number > 0 ? max.number
						    : rated_watts(f->model_name) * 1000000LL;
		add_low(j, d->dir, file, limit.number, rated);
		if (d->mmio && !mmio) {
			mmio = d;
			mmio_limit = limit;
		} else if (!d->mmio && !msr) {
			msr = d;
			msr_limit = limit;
		}
	}
	if (msr && mmio && mmio_limit.number * 100 < msr_limit.number * 95) {
		struct finding *g = add(j, FINDING_POWER_MMIO, SEVERITY_PROBLEM);

		evidence_number(g, mmio->dir, "constraint_0_power_limit_uw", mmio_limit.number);
		evidence_number(g, msr->dir, "constraint_0_power_limit_uw", msr_limit.number);
		detail(g, "%.1f W by memory-mapped register, %.1f W by MSR: the lower one rules",
			(double)mmio_limit.number / 1e6, (double)msr_limit.number / 1e6);
	}
}

/* PKG_POWER_LIMIT against PKG_POWER_INFO, in units of RAPL_POWER_UNIT. */
static void judge_registers(struct judge *j)
{
	uint64_t unit, limit, info;
	int cpu;
	double watts, rated;
	struct finding *g;

	if (!facts_msr(j->f, 0x606, &cpu, &unit) || !facts_msr(j->f, 0x610, &cpu, &limit) ||
		!facts_msr(j->f, 0x614, &cpu, &info))
		return;
	watts = (double)(limit & 0x7fff) / (double)(1 << (unit & 15));
	rated = (double)(info & 0x7fff) / (double)(1 << (unit & 15));
	if (!(limit & 1 << 15) || watts <= 0 || rated <= 0 || watts >= rated * 0.75)
		return;
	g = add(j, FINDING_POWER_LOW, watts < rated * 0.35 ? SEVERITY_PROBLEM : SEVERITY_WARN);
	evidence_msr(g, 0x610, cpu, limit);
	evidence_msr(g, 0x614, cpu, info);
	detail(g, "%.1f W of rated %.0f W", watts, rated);
}

static void judge_logged(struct judge *j)
{
	static const char *const power[] = { "Core power limit notification",
		"Package power limit notification", "power limit notification (total events" };
	static const char *const thermal[] = { "cpu clock throttled", "cpu clock is throttled" };

	for (size_t i = 0; i < ARRAY_LEN(power); i++)
		add_logged(j, FINDING_POWER_THROTTLED, SEVERITY_PROBLEM, power[i]);
	for (size_t i = 0; i < ARRAY_LEN(thermal); i++)
		add_logged(j, FINDING_THERMAL, SEVERITY_PROBLEM, thermal[i]);
}

/* Counters since boot: that it happened, not that it matters now. */
static void judge_counters(struct judge *j)
{
	const struct throttle_facts *t = &j->f->throttle;
	struct finding *g;

	if (t->core.number + t->package.number > 0) {
		g = add(j, FINDING_THERMAL,
			t->core.number + t->package.number > 1000 ? SEVERITY_PROBLEM
								  : SEVERITY_WARN);
		evidence(g, "thermal_throttle",
			"core_throttle_count %lld, package_throttle_count %lld",
			(long long)t->core.number, (long long)t->package.number);
	}
	if (t->core_power.number + t->package_power.number > 0) {
		g = add(j, FINDING_POWER_THROTTLED, SEVERITY_WARN);
		evidence(g, "thermal_throttle",
			"core_power_limit_count %lld, package_power_limit_count %lld",
			(long long)t->core_power.number, (long long)t->package_power.number);
	}
}

static void judge_status(struct judge *j)
{
	struct finding *g;
	uint64_t v;
	int cpu;

	if (facts_msr(j->f, 0x19c, &cpu, &v) && v & 1) {
		g = add(j, FINDING_THERMAL, SEVERITY_PROBLEM);
		evidence_msr(g, 0x19c, cpu, v);
	}
	if (facts_msr(j->f, 0x1b1, &cpu, &v) && v & 1) {
		g = add(j, FINDING_THERMAL, SEVERITY_PROBLEM);
		evidence_msr(g, 0x1b1, cpu, v);
	}
	if (!facts_msr(j->f, 0x64f, &cpu, &v) && !facts_msr(j->f, 0x690, &cpu, &v))
		return;
	if (v & 2) {
		g = add(j, FINDING_THERMAL, SEVERITY_PROBLEM);
		evidence_msr(g, 0x64f, cpu, v);
	}
	if (v & (1 << 10 | 1 << 11)) {
		g = add(j, FINDING_POWER_THROTTLED, SEVERITY_WARN);
		evidence_msr(g, 0x64f, cpu, v);
	}
}

static void judge_profile(struct judge *j)
{
	const struct text *p = &j->f->platform_profile;
	struct finding *g;

	if (!text_is(p, "low-power") && !text_is(p, "quiet"))
		return;
	g = add(j, FINDING_PLATFORM_PROFILE, SEVERITY_PROBLEM);
	evidence(g, "/sys/firmware/acpi/platform_profile", "%s", p->s);
}

void judge_power(struct judge *j)
{
	judge_domains(j);
	judge_registers(j);
	judge_logged(j);
	judge_counters(j);
	judge_status(j);
	judge_profile(j);
}
