// SPDX-License-Identifier: GPL-2.0-or-later
/* AMD: CPPC in the processor, in firmware, in the driver's mode. */
#include "base/units.h"
#include "doctor/judge.h"
#include "policy/registry.h"

#include <stdio.h>
#include <string.h>

static bool is_amd_pstate(const struct judge *j)
{
	return !strncmp(j->d->driver, "amd-pstate", 10);
}

static void judge_unsupported(struct judge *j)
{
	const struct select_facts *m = &j->f->machine;
	struct finding *g;

	if (!m->family || select_amd_cppc(m->family, m->model) != AMD_CPPC_NONE || is_amd_pstate(j))
		return;
	g = add(j, FINDING_CPPC_UNSUPPORTED, SEVERITY_INFO);
	evidence(g, "/proc/cpuinfo", "family %d, model %d (%s)", m->family, m->model,
		j->f->model_name);
}

static void judge_disabled(struct judge *j)
{
	const struct select_facts *m = &j->f->machine;
	struct finding *g;

	g = add_logged(j, FINDING_CPPC_DISABLED, SEVERITY_PROBLEM,
		"CPPC feature is supported but currently disabled by the BIOS");
	if (g || !m->model || !m->features_known || m->features & CPU_CPPC ||
		select_amd_cppc(m->family, m->model) != AMD_CPPC_MSR)
		return;
	g = add(j, FINDING_CPPC_DISABLED, is_amd_pstate(j) ? SEVERITY_WARN : SEVERITY_PROBLEM);
	evidence(g, "/proc/cpuinfo", "%s, no cppc flag", j->f->model_name);
}

static void judge_cpc(struct judge *j)
{
	const struct select_facts *m = &j->f->machine;
	bool capable = !m->family || select_amd_cppc(m->family, m->model) != AMD_CPPC_NONE;
	struct finding *g;

	g = add_logged(j, FINDING_CPC_MISSING, capable ? SEVERITY_PROBLEM : SEVERITY_INFO,
		"the _CPC object is not present");
	if (!g && j->f->acpi.cpc == FACT_NO && !is_amd_pstate(j) && m->family) {
		g = add(j, FINDING_CPC_MISSING, capable ? SEVERITY_PROBLEM : SEVERITY_INFO);
		evidence(g, "ACPI", "_CPC absent");
	}
	if (g && j->f->acpi.cpc == FACT_YES) {
		evidence(g, "ACPI", "_CPC present");
		detail(g, "firmware has _CPC objects, but not a usable one for each CPU that the "
			  "driver looks at");
		advise(g, "kernel", "tool", "update to one with the CPPC fix");
		advise(g, "system firmware", "bios", "update");
	}
}

/* The word on the command line does nothing in this kernel. */
static bool asked_in_vain(const struct judge *j, char *shown, size_t size)
{
	static const char *const old[] = { "amd_pstate.shared_mem", "amd-pstate.shared_mem" };
	int kernel = j->f->kernel.version;
	char word[32];

	for (size_t i = 0; i < ARRAY_LEN(old); i++) {
		if (kernel && kernel < KERNEL(6, 1))
			break;
		if (facts_param(j->f, old[i], word, sizeof(word))) {
			snprintf(shown, size, "%s=%s", old[i], word);
			return true;
		}
	}
	if (!facts_param(j->f, "amd_pstate", word, sizeof(word)))
		return false;
	snprintf(shown, size, "amd_pstate=%s", word);
	return strcmp(word, "disable") && kernel && kernel >= KERNEL(5, 17);
}

static bool waits(enum select_reason why)
{
	return why == REASON_AMD_NOT_ASKED || why == REASON_AMD_SERVER ||
	       why == REASON_AMD_UNDEFINED_PROFILE || why == REASON_AMD_SHARED_MEM ||
	       why == REASON_AMD_SHARED_MEM_DEFAULT || why == REASON_AMD_MODE_TOO_NEW ||
	       why == REASON_AMD_DISABLED;
}

static void judge_param(struct judge *j)
{
	static const char *const lines[] = { "driver load is disabled, boot with",
		"you can enable it with amd_pstate.shared_mem=1" };
	const struct select_facts *m = &j->f->machine;
	enum select_reason why = REASON_REGISTERED;
	struct finding *g = NULL;
	bool none = !strcmp(j->d->driver, "none");
	char shown[64] = "";

	if (is_amd_pstate(j) || found(j, FINDING_CPC_MISSING) || found(j, FINDING_CPPC_UNSUPPORTED))
		return;
	for (size_t i = 0; i < ARRAY_LEN(lines) && !g; i++)
		g = add_logged(j, FINDING_AMD_PARAM, SEVERITY_WARN, lines[i]);
	for (int i = 0; i < j->d->predicted.nr_tries; i++)
		if (j->d->predicted.tries[i].driver == SELECT_AMD_PSTATE)
			why = j->d->predicted.tries[i].reason;
	if (facts_param(j->f, "amd_pstate", shown, sizeof(shown)) && !strcmp(shown, "disable"))
		return; /* somebody's wish */
	*shown = '\0';
	if (!g && (!waits(why) || !m->model || !strcmp(j->d->driver, "unknown")))
		return;
	g = add(j, FINDING_AMD_PARAM, SEVERITY_INFO);
	if (asked_in_vain(j, shown, sizeof(shown)))
		evidence(g, "/proc/cmdline", "%s", shown);
	if (j->f->kernel.known)
		evidence(g, j->f->kernel.path, "%s", j->f->kernel.release);
	if (none || *shown)
		g->severity = SEVERITY_PROBLEM;
	detail(g, "%s", select_reason_text(waits(why) ? why : REASON_AMD_NOT_ASKED));
	if (why == REASON_AMD_SHARED_MEM) {
		advise(g, "amd_pstate.shared_mem", "cmdline", "1");
		return;
	}
	advise(g, "amd_pstate", "cmdline", "amd_pstate=active or amd_pstate=passive");
	if (strstr(shown, "shared_mem"))
		advise(g, "amd_pstate.shared_mem=1", "cmdline", "remove");
}

static void judge_caps(struct judge *j)
{
	static const char *const lines[] = { "value is incorrect", "value is out of range",
		"initialization failed, bad CPPC" };
	bool disabled = found(j, FINDING_CPPC_DISABLED);
	struct finding *g;
	char line[256];

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		if (!facts_log(j->f, lines[i], line, sizeof(line)) || !strstr(line, "amd_pstate"))
			continue;
		g = add(j, FINDING_CAPS_INVALID, disabled ? SEVERITY_WARN : SEVERITY_PROBLEM);
		evidence(g, "dmesg", "%s", line);
	}
	for (size_t i = 0; i < j->f->nr_cppc; i++) {
		const struct cppc_facts *c = &j->f->cppc[i];
		bool zero = good(c->highest) && !c->highest.number;
		bool above = good(c->highest) && good(c->nominal) &&
			     c->nominal.number > c->highest.number;

		if (!zero && !above)
			continue;
		g = add(j, FINDING_CAPS_INVALID,
			disabled || is_amd_pstate(j) ? SEVERITY_WARN : SEVERITY_PROBLEM);
		evidence(g, "acpi_cppc", "CPU %d: highest_perf %lld, nominal_perf %lld", c->cpu,
			(long long)c->highest.number, (long long)c->nominal.number);
		break;
	}
}

void judge_amd(struct judge *j)
{
	if (j->f->machine.vendor != VENDOR_AMD || j->guest)
		return;
	judge_unsupported(j);
	judge_disabled(j);
	judge_cpc(j);
	judge_param(j);
	judge_caps(j);
}
