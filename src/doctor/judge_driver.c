// SPDX-License-Identifier: GPL-2.0-or-later
/* Which driver is there, and why not another: what the selection says against what is loaded. */
#include "base/units.h"
#include "doctor/judge.h"
#include "policy/registry.h"

#include <stdio.h>
#include <string.h>

static enum select_reason reason_of(const struct judge *j, enum select_driver driver)
{
	const struct selection *s = &j->d->predicted;

	for (int i = 0; i < s->nr_tries; i++)
		if (s->tries[i].driver == driver)
			return s->tries[i].reason;
	return REASON_REGISTERED;
}

/* ---- findings -------------------------------------------------------------------------- */

static bool driver_is(const struct judge *j, const char *name)
{
	return !strcmp(j->d->driver, name);
}

static void judge_none(struct judge *j)
{
	const struct facts *f = j->f;
	bool objects = f->acpi.ppc == FACT_YES && f->acpi.pss == FACT_NO;
	struct finding *g;
	char line[256];

	if (!driver_is(j, "none"))
		return;
	objects =
		objects || facts_log(f, "BIOS needs update for CPU frequency", line, sizeof(line));
	g = add(j, FINDING_NO_DRIVER, SEVERITY_PROBLEM);
	if (j->guest && !objects)
		g->severity = SEVERITY_INFO;
	else if (f->machine.out_of_band == FACT_YES)
		g->severity = SEVERITY_WARN;
	evidence(g, CPU_PRESENT, "%d CPUs", f->present.nr);
	evidence(g, "/sys/devices/system/cpu/cpufreq",
		f->cpufreq_dir ? "no policy in it" : "not there");
	if (g->severity == SEVERITY_INFO)
		detail(g, "expected here: whoever owns the hardware sets the frequency");
	else
		detail(g,
			"no CPU has a frequency driver; the hardware or firmware runs as it likes");
}

static void judge_hypervisor(struct judge *j)
{
	const struct facts *f = j->f;
	bool partial = f->acpi.ppc == FACT_YES && f->acpi.pss == FACT_NO;
	struct finding *g;

	if (!j->guest)
		return;
	g = add(j, FINDING_HYPERVISOR, partial ? SEVERITY_WARN : SEVERITY_INFO);
	if (f->xen_dom0) {
		evidence(g, "/proc/xen/capabilities", "control_d");
		detail(g, "this is Xen's dom0: Xen itself scales, the kernel turns cpufreq off");
		advise(g, "governor", "tool", "xenpm set-scaling-governor");
		return;
	}
	if (facts_flag(f, "hypervisor"))
		evidence(g, "/proc/cpuinfo", "flags: hypervisor");
	else if (has(&f->hypervisor_type))
		evidence(g, "/sys/hypervisor/type", "%s", f->hypervisor_type.s);
	else if (*f->model_name)
		evidence(g, "/proc/cpuinfo", "%s", f->model_name);
	if (!partial) {
		detail(g, "a guest: the host sets frequencies; look there");
		return;
	}
	evidence(g, "ACPI", "_PPC there, _PSS not");
	detail(g, "the guest is given a part of the P-state objects; it needs all or none");
	advise(g, "guest ACPI P-state objects", "tool",
		"pass _PSS with _PPC and _PCT to the guest, or none (hypervisor configuration)");
}

static void judge_pcc(struct judge *j)
{
	const struct facts *f = j->f;
	struct finding *g;

	if (!driver_is(j, "pcc-cpufreq"))
		return;
	g = add(j, FINDING_PCC_IN_USE, SEVERITY_PROBLEM);
	evidence(g, f->policies[0].dir, "scaling_driver %s", f->policies[0].driver.s);
	if (f->acpi.pcch == FACT_YES)
		evidence(g, "ACPI", "\\_SB.PCCH present");
	g = add(j, FINDING_REGULATOR, SEVERITY_PROBLEM);
	evidence(g, f->policies[0].dir, "scaling_driver %s", f->policies[0].driver.s);
	if (f->present.nr > 4) {
		g = add(j, FINDING_PCC_TOO_MANY, SEVERITY_WARN);
		evidence(g, CPU_PRESENT, "%d CPUs", f->present.nr);
	}
	add_logged(j, FINDING_PCC_TOO_MANY, SEVERITY_WARN, "Too many CPUs, dynamic performance");
}

static void judge_intel_disabled(struct judge *j)
{
	struct finding *g;
	char word[32], line[256];
	bool typed =
		facts_param(j->f, "intel_pstate", word, sizeof(word)) && !strcmp(word, "disable");
	bool disabled = typed || facts_log(j->f, "intel_pstate=disable", line, sizeof(line));

	if (j->f->machine.vendor == VENDOR_AMD || !disabled)
		return;
	if (driver_is(j, "intel_pstate") || driver_is(j, "intel_cpufreq"))
		return; /* firmware had enabled HWP: the word has no effect */
	g = add(j, FINDING_INTEL_DISABLED,
		driver_is(j, "acpi-cpufreq") ? SEVERITY_WARN : SEVERITY_PROBLEM);
	if (typed && tree_read(j->f->tree, line, sizeof(line), "/proc/cmdline") > 0)
		evidence(g, "/proc/cmdline", "intel_pstate=disable");
	else
		evidence(g, "dmesg", "command line: intel_pstate=disable");
}

/* The model stands on no list for the HWP state that the driver found. */
static void judge_intel_model(struct judge *j)
{
	const struct select_facts *m = &j->f->machine;
	enum select_reason why = reason_of(j, SELECT_INTEL_PSTATE);
	struct finding *g;
	bool hidden = m->vendor == VENDOR_INTEL && m->features_known && !j->guest &&
		      select_model_has_hwp(m->family, m->model) && !(m->features & CPU_HWP);

	if (hidden) {
		bool native = driver_is(j, "intel_cpufreq") || driver_is(j, "intel_pstate");

		g = add(j, FINDING_HWP_HIDDEN,
			native || j->server ? SEVERITY_WARN : SEVERITY_PROBLEM);
		evidence(g, "/proc/cpuinfo", "model %d (%s), no hwp flag", m->model,
			j->f->model_name);
	}
	if (j->guest)
		return;
	g = add_logged(j, FINDING_INTEL_UNSUPPORTED, SEVERITY_WARN,
		"intel_pstate: CPU model not supported");
	if (!g && m->features_known && m->vendor == VENDOR_INTEL && driver_is(j, "acpi-cpufreq") &&
		(why == REASON_INTEL_MODEL || why == REASON_INTEL_MODEL_NO_HWP)) {
		g = add(j, FINDING_INTEL_UNSUPPORTED,
			why == REASON_INTEL_MODEL ? SEVERITY_INFO : SEVERITY_WARN);
		evidence(g, "/proc/cpuinfo", "family %d, model %d", m->family, m->model);
	}
	if (g)
		detail(g, "%s",
			select_reason_text(
				hidden ? REASON_INTEL_MODEL_NO_HWP : REASON_INTEL_MODEL));
}

static bool asks_no_hwp(const struct facts *f)
{
	char word[32];

	return facts_param(f, "intel_pstate", word, sizeof(word)) &&
	       (!strcmp(word, "no_hwp") || !strcmp(word, "disable"));
}

/*
 * IA32_PM_ENABLE is set for good once it is set: by firmware, or by intel_pstate itself. With
 * another driver, or against the user's word, it can only be firmware.
 */
static void judge_hwp_forced(struct judge *j)
{
	const struct facts *f = j->f;
	bool native = driver_is(j, "intel_pstate") || driver_is(j, "intel_cpufreq");
	struct finding *g;
	uint64_t v;
	int cpu;

	g = add_logged(j, FINDING_HWP_FORCED, SEVERITY_INFO, "intel_pstate: HWP enabled by BIOS");
	if (facts_msr(f, 0x770, &cpu, &v) && v & 1 &&
		(g || asks_no_hwp(f) || (!native && !driver_is(j, "unknown")))) {
		g = add(j, FINDING_HWP_FORCED, SEVERITY_INFO);
		evidence_msr(g, 0x770, cpu, v);
	}
	if (!g)
		return;
	if (asks_no_hwp(f)) {
		g->severity = SEVERITY_PROBLEM;
		evidence(g, "/proc/cmdline", "asks for no HWP");
		detail(g, "firmware enabled HWP before the kernel: the command line cannot turn it "
			  "off");
	} else if (!native && strcmp(j->d->driver, "unknown")) {
		g->severity = SEVERITY_PROBLEM;
		detail(g, "HWP is on, so what %s asks for has no effect", j->d->driver);
	}
}

static void judge_fallback(struct judge *j)
{
	const struct select_facts *m = &j->f->machine;
	bool native = false;
	struct finding *g;

	if (!driver_is(j, "acpi-cpufreq"))
		return;
	if (m->vendor == VENDOR_INTEL && m->model)
		native = select_model_listed(m->family, m->model, 0) ||
			 select_model_has_hwp(m->family, m->model);
	else if (m->vendor == VENDOR_AMD && m->model)
		native = select_amd_cppc(m->family, m->model) != AMD_CPPC_NONE &&
			 (!m->kernel || m->kernel >= KERNEL(5, 17));
	if (!native)
		return;
	g = add(j, FINDING_ACPI_FALLBACK, SEVERITY_INFO);
	evidence(g, j->f->policies[0].dir, "scaling_driver acpi-cpufreq");
	if (m->vendor == VENDOR_AMD)
		detail(g, "amd-pstate did not register: %s",
			select_reason_text(reason_of(j, SELECT_AMD_PSTATE)));
	else
		detail(g, "intel_pstate did not register: %s",
			select_reason_text(reason_of(j, SELECT_INTEL_PSTATE)));
}

static void judge_passive(struct judge *j)
{
	const struct select_facts *m = &j->f->machine;
	struct finding *g;
	char word[32];

	if (!driver_is(j, "intel_cpufreq") || j->d->hwp == FACT_YES)
		return;
	if (!m->features_known || m->features & CPU_HWP)
		return;
	if (facts_param(j->f, "intel_pstate", word, sizeof(word)) && !strcmp(word, "passive"))
		return;
	g = add(j, FINDING_PASSIVE_NO_HWP, SEVERITY_INFO);
	evidence(g, "/proc/cpuinfo", "no hwp flag");
	if (j->f->kernel.known)
		evidence(g, j->f->kernel.path, "%s", j->f->kernel.release);
}

/* The kernel or modprobe says that it does not know the driver. */
static void judge_module(struct judge *j)
{
	static const char *const lines[] = { "Module acpi_cpufreq not found",
		"Module acpi-cpufreq not found", "Module amd_pstate not found",
		"Module amd-pstate not found", "Module intel_pstate not found",
		"amd_pstate: unknown parameter", "acpi_cpufreq: Unknown symbol",
		"amd_pstate: Unknown symbol" };
	char line[512], word[32];
	struct finding *g;

	if (j->guest)
		return;
	if (*j->f->config && !driver_is(j, "intel_pstate") && !driver_is(j, "intel_cpufreq") &&
		strncmp(j->d->driver, "amd-pstate", 10)) {
		g = add(j, FINDING_MODULE_MISSING,
			driver_is(j, "none") ? SEVERITY_PROBLEM : SEVERITY_WARN);
		evidence(g, "/boot/config", "%s", j->f->config);
	}
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		add_logged(j, FINDING_MODULE_MISSING, SEVERITY_PROBLEM, lines[i]);
	if (facts_log(j->f, "Unknown kernel command line parameters", line, sizeof(line)) &&
		(strstr(line, "amd_pstate") || strstr(line, "intel_pstate"))) {
		g = add(j, FINDING_MODULE_MISSING, SEVERITY_PROBLEM);
		evidence(g, "dmesg", "%s", line);
	}
	if (j->f->kernel.known && j->f->kernel.version < KERNEL(5, 17) &&
		facts_param(j->f, "amd_pstate", word, sizeof(word))) {
		g = add(j, FINDING_MODULE_MISSING, SEVERITY_PROBLEM);
		evidence(g, j->f->kernel.path, "%s: amd-pstate came with 5.17",
			j->f->kernel.release);
	}
}

void judge_driver(struct judge *j)
{
	judge_none(j);
	judge_hypervisor(j);
	judge_pcc(j);
	judge_blacklists(j);
	judge_module(j);
	judge_intel_disabled(j);
	judge_intel_model(j);
	judge_hwp_forced(j);
	judge_passive(j);
	judge_fallback(j);
}
