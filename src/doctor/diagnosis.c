// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- findings under construction ------------------------------------------------------- */

struct finding *add(struct judge *j, enum finding_id id, enum severity severity)
{
	struct finding *g = (struct finding *)diagnosis_find(j->d, id);

	if (g) {
		if (severity > g->severity)
			g->severity = severity;
		return g;
	}
	g = &j->d->findings[j->d->nr++];
	memset(g, 0, sizeof(*g));
	g->id = id;
	g->severity = severity;
	return g;
}

void detail(struct finding *g, const char *fmt, ...)
{
	va_list ap;

	if (*g->detail)
		return;
	va_start(ap, fmt);
	vsnprintf(g->detail, sizeof(g->detail), fmt, ap);
	va_end(ap);
}

void evidence(struct finding *g, const char *path, const char *fmt, ...)
{
	struct evidence *e = &g->evidence[g->nr_evidence];
	va_list ap;

	if (g->nr_evidence == EVIDENCE_MAX)
		return;
	snprintf(e->path, sizeof(e->path), "%s", path);
	va_start(ap, fmt);
	vsnprintf(e->value, sizeof(e->value), fmt, ap);
	va_end(ap);
	for (char *c = e->value; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = '?';
	for (int i = 0; i < g->nr_evidence; i++)
		if (!strcmp(g->evidence[i].path, e->path) &&
			!strcmp(g->evidence[i].value, e->value))
			return;
	g->nr_evidence++;
}

void evidence_number(struct finding *g, const char *dir, const char *file, int64_t number)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	evidence(g, path, "%lld", (long long)number);
}

void evidence_msr(struct finding *g, uint32_t reg, int cpu, uint64_t value)
{
	char path[40];

	snprintf(path, sizeof(path), "MSR 0x%x, CPU %d", reg, cpu);
	evidence(g, path, "0x%llx", (unsigned long long)value);
}

void advise(struct finding *g, const char *setting, const char *where, const char *fmt, ...)
{
	va_list ap;

	g->own_advice = true;
	if (g->nr_advice == ADVICE_MAX)
		return;
	g->advice[g->nr_advice].setting = setting;
	g->advice[g->nr_advice].where = where;
	va_start(ap, fmt);
	vsnprintf(g->advice[g->nr_advice].value, sizeof(g->advice[0].value), fmt, ap);
	va_end(ap);
	g->nr_advice++;
}

bool found(const struct judge *j, enum finding_id id)
{
	return diagnosis_find(j->d, id);
}

struct finding *add_logged(
	struct judge *j, enum finding_id id, enum severity severity, const char *needle)
{
	char line[256];
	struct finding *g;

	if (!facts_log(j->f, needle, line, sizeof(line)))
		return NULL;
	g = add(j, id, severity);
	evidence(g, "dmesg", "%s", line);
	return g;
}

bool policy_plausible(const struct policy_facts *p)
{
	if (!good(p->max) || p->max.number <= 0)
		return false;
	if (good(p->cpuinfo_min) && p->max.number < p->cpuinfo_min.number)
		return false; /* the kernel never allows it: the file is damaged */
	return true;
}

bool is_turbo_marker(int64_t khz)
{
	return khz % 10000 == 1000;
}

int64_t policy_top(const struct judge *j, const struct policy_facts *p)
{
	int64_t top = good(p->cpuinfo_max) ? p->cpuinfo_max.number : 0;

	if (strcmp(j->d->driver, "acpi-cpufreq"))
		return top;
	if (p->table_max)
		return p->table_max;
	if (j->f->machine.vendor == VENDOR_AMD && good(p->bios_limit) && p->bios_limit.number > 0 &&
		p->bios_limit.number < top)
		return p->bios_limit.number;
	return top;
}

const struct finding *diagnosis_find(const struct diagnosis *d, enum finding_id id)
{
	for (int i = 0; i < d->nr; i++)
		if (d->findings[i].id == id)
			return &d->findings[i];
	return NULL;
}

int diagnosis_count(const struct diagnosis *d, enum severity severity)
{
	int n = 0;

	for (int i = 0; i < d->nr; i++)
		n += d->findings[i].severity == severity;
	return n;
}

/* ---- what is there --------------------------------------------------------------------- */

static const struct policy_facts *first_with_driver(const struct facts *f)
{
	for (size_t i = 0; i < f->nr_policies; i++)
		if (has(&f->policies[i].driver) && strcmp(f->policies[i].driver.s, "<unknown>"))
			return &f->policies[i];
	return NULL;
}

static const char *find_driver(const struct facts *f)
{
	const struct policy_facts *p = first_with_driver(f);

	if (p)
		return p->driver.s;
	if (text_is(&f->intel_status, "active"))
		return "intel_pstate";
	if (text_is(&f->intel_status, "passive"))
		return "intel_cpufreq";
	if (text_is(&f->amd_status, "active"))
		return "amd-pstate-epp";
	if (text_is(&f->amd_status, "passive") || text_is(&f->amd_status, "guided"))
		return "amd-pstate";
	return f->nr_policies || !f->present.known ? "unknown" : "none";
}

static const char *find_mode(const struct facts *f, const char *driver)
{
	static const struct {
		const char *driver, *mode;
	} modes[] = {
		{ "intel_pstate", "active" },
		{ "intel_cpufreq", "passive" },
		{ "amd-pstate-epp", "active" },
		{ "amd-pstate", "passive" },
		{ "acpi-cpufreq", "table" },
		{ "pcc-cpufreq", "firmware" },
		{ "none", "none" },
	};
	char word[16];

	if (!strcmp(driver, "amd-pstate")) {
		if (text_is(&f->amd_status, "guided"))
			return "guided";
		if (!has(&f->amd_status) && facts_param(f, "amd_pstate", word, sizeof(word)) &&
			!strcmp(word, "guided"))
			return "guided";
	}
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(driver, modes[i].driver))
			return modes[i].mode;
	return "unknown";
}

static void find_governor(const struct facts *f, char *ret, size_t size)
{
	for (size_t i = 0; i < f->nr_policies; i++) {
		if (has(&f->policies[i].governor)) {
			snprintf(ret, size, "%s", f->policies[i].governor.s);
			return;
		}
	}
	*ret = '\0';
}

/* On: EPP files, the boost knob. Off: no flag although flags are known whole. */
static enum fact find_hwp(const struct facts *f, const char *driver)
{
	char word[16];
	bool intel = !strcmp(driver, "intel_pstate") || !strcmp(driver, "intel_cpufreq");

	if (f->machine.vendor == VENDOR_AMD)
		return FACT_NO;
	if (intel && f->nr_policies && has(&f->policies[0].epp))
		return FACT_YES;
	if (good(f->dynamic_boost))
		return FACT_YES;
	if (!strcmp(driver, "acpi-cpufreq") || !strcmp(driver, "pcc-cpufreq"))
		return FACT_NO;
	if (f->machine.features_known && !(f->machine.features & CPU_HWP))
		return FACT_NO;
	if (facts_param(f, "intel_pstate", word, sizeof(word)) && !strcmp(word, "no_hwp"))
		return f->machine.hwp_enabled == FACT_YES ? FACT_YES : FACT_NO;
	if ((intel || !strcmp(driver, "unknown")) && f->machine.features & CPU_HWP &&
		f->machine.features & CPU_HWP_EPP)
		return FACT_YES;
	return FACT_UNKNOWN;
}

static bool governors_generic(const struct facts *f)
{
	for (size_t i = 0; i < f->nr_policies; i++)
		if (strstr(f->policies[i].governors, "userspace") ||
			strstr(f->policies[i].governors, "ondemand") ||
			strstr(f->policies[i].governors, "schedutil"))
			return true;
	return false;
}

static bool is_server(const struct facts *f)
{
	static const int models[] = { 0x2d, 0x3e, 0x3f, 0x4f, 0x56, 0x55, 0x6a, 0x6c, 0x8f, 0xcf,
		0xad, 0xae, 0xaf, 0xb6, 0xdd, 0x57, 0x85, 0x5f };

	if (f->machine.pm_profile == PROFILE_ENTERPRISE_SERVER ||
		f->machine.pm_profile == PROFILE_PERFORMANCE_SERVER)
		return true;
	if (strstr(f->model_name, "EPYC") || strstr(f->model_name, "Xeon"))
		return true;
	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++)
		if (f->machine.vendor == VENDOR_INTEL && f->machine.family == 6 &&
			f->machine.model == models[i])
			return true;
	return strstr(f->product.s, "ProLiant") || strstr(f->product.s, "PowerEdge") ||
	       strstr(f->product.s, "ThinkSystem");
}

static int by_severity(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->severity != y->severity)
		return y->severity > x->severity ? 1 : -1;
	return x->id < y->id ? -1 : 1;
}

void diagnosis_sort(struct diagnosis *d)
{
	qsort(d->findings, (size_t)d->nr, sizeof(d->findings[0]), by_severity);
}

void diagnose(const struct facts *f, struct diagnosis *d)
{
	struct judge j = { .f = f, .d = d };

	memset(d, 0, sizeof(*d));
	d->facts = f;
	snprintf(d->driver, sizeof(d->driver), "%s", find_driver(f));
	snprintf(d->mode, sizeof(d->mode), "%s", find_mode(f, d->driver));
	find_governor(f, d->governor, sizeof(d->governor));
	d->hwp = find_hwp(f, d->driver);
	j.guest = f->guest || f->xen_dom0;
	j.own_policy = !strcmp(d->mode, "active");
	j.generic = !j.own_policy && (strcmp(d->driver, "unknown") ? !!strcmp(d->driver, "none")
								   : governors_generic(f));
	j.server = is_server(f);
	judge_prediction(&j);
	judge_driver(&j);
	judge_amd(&j);
	judge_firmware(&j);
	judge_not_built(&j);
	judge_turbo(&j);
	judge_limits(&j);
	judge_power(&j);
	judge_tools(&j);
	judge_frequency(&j);
	judge_idle(&j);
	judge_latency(&j);
	judge_hybrid(&j);
	judge_kernel(&j);
	judge_input(&j);
	judge_missing(&j);
	diagnosis_sort(d);
}
