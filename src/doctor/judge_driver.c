// SPDX-License-Identifier: GPL-2.0-or-later
/* Which driver is there, and why not another: what the selection says against what is loaded. */
#include "base/units.h"
#include "doctor/judge.h"
#include "policy/registry.h"

#include <stdio.h>
#include <string.h>

/* ---- the selection against what is there ---------------------------------------------- */

static bool same(const struct selection *s, const struct diagnosis *d)
{
	return !strcmp(s->scaling_driver, d->driver) &&
	       (!strcmp(d->mode, "unknown") || !strcmp(s->mode, d->mode));
}

/* Facts that a capture often lacks, one at a time, with what is then said. */
static bool assume(struct select_facts *m, int which, const char **text)
{
	enum fact none = FACT_UNKNOWN;

	switch (which) {
	case 0:
		*text = "the ACPI profile is a server's or undefined";
		if (m->pm_profile != PROFILE_NOT_KNOWN)
			return false;
		m->pm_profile = PROFILE_ENTERPRISE_SERVER;
		return true;
	case 1:
		*text = "the processor cannot do CPPC through _CPC here";
		if (m->cpc != none || m->vendor != VENDOR_AMD)
			return false;
		m->cpc = FACT_NO;
		return true;
	case 2:
		*text = "firmware offers no _PSS";
		if (m->pss != none)
			return false;
		m->pss = FACT_NO;
		return true;
	case 3:
		*text = "firmware offers PCCH and no _PSS";
		if (m->pss != none && m->pcch != none)
			return false;
		m->pss = FACT_NO;
		m->pcch = FACT_YES;
		return true;
	case 4:
		*text = "P-states are controlled out of band (MSR 0x1aa)";
		if (m->out_of_band != none)
			return false;
		m->out_of_band = FACT_YES;
		return true;
	case 5:
		*text = "this kernel was built without intel_pstate";
		if (m->built[SELECT_INTEL_PSTATE] != BUILT_UNKNOWN)
			return false;
		m->built[SELECT_INTEL_PSTATE] = BUILT_NOT;
		return true;
	case 6:
		*text = "this kernel was built without amd-pstate";
		if (m->built[SELECT_AMD_PSTATE] != BUILT_UNKNOWN || m->vendor != VENDOR_AMD)
			return false;
		m->built[SELECT_AMD_PSTATE] = BUILT_NOT;
		return true;
	case 7:
		*text = "amd-pstate's default mode was configured as passive";
		if (m->vendor != VENDOR_AMD)
			return false;
		m->amd_default_mode = AMD_MODE_PASSIVE;
		return true;
	}
	return false;
}

enum { ASSUMPTIONS = 8 };

/* Enough is known for a prediction that may be held against the machine. */
static bool can_predict(const struct facts *f)
{
	return f->machine.vendor_known && f->machine.model && f->kernel.known;
}

static void explain(struct judge *j)
{
	struct diagnosis *d = j->d;

	d->agrees = same(&d->predicted, d);
	for (int i = 0; i < ASSUMPTIONS && !d->agrees; i++) {
		struct select_facts m = j->f->machine;
		struct selection s;
		const char *text;

		if (!assume(&m, i, &text))
			continue;
		select_driver(&m, &s);
		if (!same(&s, d))
			continue;
		d->predicted = s;
		d->agrees = true;
		d->assumption = text;
	}
}

void judge_prediction(struct judge *j)
{
	struct diagnosis *d = j->d;
	struct finding *g;

	select_driver(&j->f->machine, &d->predicted);
	if (!strcmp(d->driver, "unknown"))
		return;
	explain(j);
	/* A mode can be changed at run time through the status file. */
	if (d->agrees || !can_predict(j->f))
		return;
	g = add(j, FINDING_CONTRADICTED, SEVERITY_INFO);
	detail(g,
		"the facts lead to %s (%s), the machine has %s (%s): something not captured "
		"decided",
		d->predicted.scaling_driver, d->predicted.mode, d->driver, d->mode);
	evidence(g, j->f->kernel.path, "%s", j->f->kernel.release);
	if (*j->f->model_name)
		evidence(g, "/proc/cpuinfo", "%s", j->f->model_name);
}

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
	bool disabled =
		facts_param(j->f, "intel_pstate", word, sizeof(word)) && !strcmp(word, "disable");

	if (j->f->machine.vendor == VENDOR_AMD || !disabled)
		return;
	if (driver_is(j, "intel_pstate") || driver_is(j, "intel_cpufreq"))
		return; /* firmware had enabled HWP: the word has no effect */
	g = add(j, FINDING_INTEL_DISABLED,
		driver_is(j, "acpi-cpufreq") ? SEVERITY_WARN : SEVERITY_PROBLEM);
	if (tree_read(j->f->tree, line, sizeof(line), "/proc/cmdline") > 0)
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

static const struct {
	const char *key, *item;
} blacklists[] = {
	{ "initcall_blacklist", "acpi_cpufreq_init" },
	{ "initcall_blacklist", "intel_pstate_init" },
	{ "initcall_blacklist", "amd_pstate_init" },
	{ "initcall_blacklist", "pcc_cpufreq_init" },
	{ "modprobe.blacklist", "acpi_cpufreq" },
	{ "modprobe.blacklist", "acpi-cpufreq" },
	{ "modprobe.blacklist", "amd_pstate" },
	{ "modprobe.blacklist", "amd-pstate" },
	{ "module_blacklist", "acpi_cpufreq" },
	{ "module_blacklist", "acpi-cpufreq" },
	{ "module_blacklist", "amd_pstate" },
	{ "module_blacklist", "amd-pstate" },
};

static bool in_list(const char *list, const char *item)
{
	size_t len = strlen(item);

	for (const char *s = list; (s = strstr(s, item)); s += len)
		if ((s == list || s[-1] == ',') && (!s[len] || s[len] == ','))
			return true;
	return false;
}

/* Blocked drivers matter when nothing else took their place. */
static void add_blacklist(struct judge *j, const char *path, const char *text)
{
	bool none = driver_is(j, "none") && !j->f->xen_dom0;
	struct finding *g = add(j, FINDING_BLACKLISTED, none ? SEVERITY_PROBLEM : SEVERITY_INFO);

	evidence(g, path, "%s", text);
	detail(g, none ? "the driver that would have registered is shut out"
		       : "another driver took the place of the one that is shut out");
}

/* modprobe.d: "blacklist acpi_cpufreq", "install acpi_cpufreq /bin/false". */
static bool modprobe_blocks(const char *text, const char **line)
{
	static const char *const names[] = { "acpi_cpufreq", "acpi-cpufreq", "amd_pstate",
		"amd-pstate", "pcc_cpufreq", "pcc-cpufreq" };

	for (*line = text; **line; *line += strcspn(*line, "\n"), *line += **line == '\n') {
		char word[16], name[32];

		if (sscanf(*line, "%15s %31s", word, name) != 2)
			continue;
		if (strcmp(word, "blacklist") && strcmp(word, "install"))
			continue;
		for (size_t i = 0; i < ARRAY_LEN(names); i++)
			if (!strcmp(name, names[i]))
				return true;
	}
	return false;
}

static void judge_modprobe(struct judge *j)
{
	struct tree_names names;
	char text[8192], path[160], shown[96];
	const char *line;

	if (tree_list(j->f->tree, &names, "/etc/modprobe.d") < 0)
		return;
	for (size_t i = 0; i < names.nr; i++) {
		snprintf(path, sizeof(path), "/etc/modprobe.d/%.96s", names.name[i]);
		if (tree_read(j->f->tree, text, sizeof(text), "%s", path) <= 0 ||
			!modprobe_blocks(text, &line))
			continue;
		snprintf(shown, sizeof(shown), "%.*s", (int)strcspn(line, "\n"), line);
		add_blacklist(j, path, shown);
	}
	tree_names_release(&names);
}

static void judge_blacklists(struct judge *j)
{
	char list[256], shown[300];

	for (size_t i = 0; i < ARRAY_LEN(blacklists); i++) {
		if (!facts_param(j->f, blacklists[i].key, list, sizeof(list)) ||
			!in_list(list, blacklists[i].item))
			continue;
		snprintf(shown, sizeof(shown), "%s=%s", blacklists[i].key, list);
		add_blacklist(j, "/proc/cmdline", shown);
	}
	if (facts_param(j->f, "cpufreq.off", list, sizeof(list)) && !strcmp(list, "1"))
		add_blacklist(j, "/proc/cmdline", "cpufreq.off=1");
	judge_modprobe(j);
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

/* The prediction fits only if the kernel was built without the native driver. */
void judge_not_built(struct judge *j)
{
	static const enum finding_id causes[] = { FINDING_OUT_OF_BAND, FINDING_OEM_FIRMWARE,
		FINDING_BLACKLISTED, FINDING_INTEL_DISABLED, FINDING_HWP_FORCED,
		FINDING_CPC_MISSING, FINDING_AMD_PARAM, FINDING_CPPC_DISABLED, FINDING_CAPS_INVALID,
		FINDING_MODULE_MISSING };
	const struct select_facts *m = &j->f->machine;
	struct selection s;
	struct finding *g;

	select_driver(m, &s);
	if (j->guest || !can_predict(j->f) || same(&s, j->d) || !j->f->cmdline ||
		(s.driver != SELECT_INTEL_PSTATE && s.driver != SELECT_AMD_PSTATE) ||
		(!driver_is(j, "acpi-cpufreq") && !driver_is(j, "none")))
		return;
	for (size_t i = 0; i < ARRAY_LEN(causes); i++)
		if (found(j, causes[i]))
			return;
	if (s.driver == SELECT_AMD_PSTATE && !strstr(j->f->cmdline, "amd_pstate="))
		return;
	g = add(j, FINDING_MODULE_MISSING, SEVERITY_WARN);
	evidence(g, "scaling_driver", "%s", j->d->driver);
	detail(g, "%s would have registered, if this kernel has it", select_driver_name(s.driver));
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
