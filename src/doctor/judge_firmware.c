// SPDX-License-Identifier: GPL-2.0-or-later
/* Firmware: objects that are missing, P-states that it keeps, server power regulators. */
#include "base/units.h"
#include "doctor/judge.h"
#include "policy/registry.h"

#include <stdio.h>
#include <string.h>

static bool driver_is(const struct judge *j, const char *name)
{
	return !strcmp(j->d->driver, name);
}

static bool vendor_is(const struct facts *f, const char *name)
{
	return !strncmp(f->sys_vendor.s, name, strlen(name));
}

static bool is_hp(const struct facts *f)
{
	return !strcmp(f->acpi.fadt_oem_id, "HP") || !strcmp(f->acpi.fadt_oem_id, "HPE") ||
	       !strcmp(f->sys_vendor.s, "HP") || !strcmp(f->sys_vendor.s, "HPE") ||
	       vendor_is(f, "Hewlett");
}

static bool is_oracle(const struct facts *f)
{
	return !strcmp(f->acpi.fadt_oem_id, "ORACLE") || vendor_is(f, "Oracle") ||
	       vendor_is(f, "ORACLE") || vendor_is(f, "SUN");
}

static bool has_regulator(const struct facts *f)
{
	static const char *const vendors[] = { "HP", "Hewlett", "Dell", "Lenovo", "LENOVO", "IBM",
		"Cisco", "FUJITSU", "Fujitsu", "Supermicro", "Huawei", "Inspur" };

	for (size_t i = 0; i < ARRAY_LEN(vendors); i++)
		if (vendor_is(f, vendors[i]))
			return true;
	return is_hp(f);
}

static void judge_out_of_band(struct judge *j)
{
	static const char platform[] = "P-states controlled by the platform";
	const struct facts *f = j->f;
	bool oem = is_hp(f) || is_oracle(f);
	struct finding *g;
	char line[256];
	uint64_t v;
	int cpu;

	if (facts_msr(f, 0x1aa, &cpu, &v) && v & (1 << 8 | 1 << 18)) {
		g = add(j, FINDING_OUT_OF_BAND, SEVERITY_INFO);
		evidence_msr(g, 0x1aa, cpu, v);
		detail(g, "bit %d is set", v & 1 << 8 ? 8 : 18);
		oem = false;
	}
	if (!facts_log(f, platform, line, sizeof(line)))
		return;
	if (oem)
		add_logged(j, FINDING_OEM_FIRMWARE, SEVERITY_WARN, platform);
	else
		add_logged(j, FINDING_OUT_OF_BAND, SEVERITY_INFO, platform);
}

/* What intel_pstate's list of platforms makes of the objects. */
static void judge_oem(struct judge *j)
{
	const struct facts *f = j->f;
	bool proliant = !strcmp(f->acpi.fadt_oem_id, "HP") &&
			!strcmp(f->acpi.fadt_oem_table_id, "ProLiant");
	bool old = f->kernel.known && f->kernel.version < KERNEL(4, 18);
	enum select_reason why;
	struct finding *g;

	if (f->machine.vendor == VENDOR_AMD || j->guest || driver_is(j, "intel_pstate") ||
		driver_is(j, "intel_cpufreq"))
		return;
	if (proliant && f->acpi.pss == FACT_NO && f->acpi.pcch != FACT_YES)
		why = REASON_INTEL_OEM_PSS;
	else if (proliant && f->acpi.pss == FACT_NO && (old || driver_is(j, "pcc-cpufreq")))
		why = REASON_INTEL_OEM_PSS_PCCH;
	else if (!strcmp(f->acpi.fadt_oem_id, "ORACLE") && f->acpi.ppc == FACT_YES)
		why = REASON_INTEL_OEM_PPC;
	else
		return;
	g = add(j, FINDING_OEM_FIRMWARE, SEVERITY_WARN);
	evidence(g, "FADT", "%s %s", f->acpi.fadt_oem_id, f->acpi.fadt_oem_table_id);
	detail(g, "%s", select_reason_text(why));
	if (why == REASON_INTEL_OEM_PPC)
		advise(g, "intel_pstate", "cmdline", "intel_pstate=force, at own risk");
}

/* _PSS is what acpi-cpufreq needs; with another driver at work its absence is only told. */
static void judge_pss(struct judge *j)
{
	static const char *const lines[] = { "BIOS needs update for CPU frequency",
		"Evaluating _PSS" };
	const struct facts *f = j->f;
	bool partial = f->acpi.ppc == FACT_YES || f->acpi.pct == FACT_YES;
	bool none = driver_is(j, "none");
	bool native = !none && !driver_is(j, "pcc-cpufreq") && !driver_is(j, "unknown");
	enum finding_id id = f->acpi.xpss == FACT_YES ? FINDING_XPSS_ONLY : FINDING_PSS_MISSING;
	enum severity severity = none ? SEVERITY_PROBLEM : SEVERITY_WARN;
	struct finding *g = NULL;

	if (native || f->acpi.pss == FACT_YES)
		return;
	if (f->acpi.pss == FACT_NO && (!j->guest || partial)) {
		g = add(j, id, severity);
		evidence(g, "ACPI", "_PSS absent%s%s",
			f->acpi.xpss == FACT_YES ? ", XPSS present" : "",
			f->acpi.ppc == FACT_YES ? ", _PPC present" : "");
	}
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		add_logged(j, id, severity, lines[i]);
}

/* The regulator's setting shows in what firmware offers. */
static void judge_regulator(struct judge *j)
{
	const struct facts *f = j->f;
	struct finding *g;
	bool hidden = f->acpi.pss == FACT_NO || f->acpi.xpss == FACT_YES;

	if (j->guest || found(j, FINDING_REGULATOR))
		return;
	if (driver_is(j, "none") && j->server && has_regulator(f) &&
		(hidden || found(j, FINDING_OEM_FIRMWARE) || found(j, FINDING_PSS_MISSING))) {
		g = add(j, FINDING_REGULATOR, SEVERITY_PROBLEM);
		evidence(g, "/sys/class/dmi/id/sys_vendor", "%s", f->sys_vendor.s);
	} else if (f->acpi.pcch == FACT_YES && f->acpi.pss == FACT_NO) {
		g = add(j, FINDING_REGULATOR, SEVERITY_WARN);
		detail(g, "firmware's own power saving stays at work beside the kernel's driver");
	} else if (found(j, FINDING_OEM_FIRMWARE) && (is_hp(f) || driver_is(j, "none"))) {
		g = add(j, FINDING_REGULATOR, SEVERITY_WARN);
	} else if (driver_is(j, "none") && j->server && has_regulator(f) &&
		   !found(j, FINDING_OUT_OF_BAND) && !found(j, FINDING_BLACKLISTED) &&
		   !found(j, FINDING_INTEL_DISABLED) && !found(j, FINDING_MODULE_MISSING) &&
		   !found(j, FINDING_AMD_PARAM)) {
		g = add(j, FINDING_REGULATOR, SEVERITY_WARN);
		detail(g, "a server of %s without a driver: its power profile is the usual cause",
			f->sys_vendor.s);
	} else {
		return;
	}
	evidence(g, "ACPI", "_PSS %s, PCCH %s", f->acpi.pss == FACT_NO ? "absent" : "not captured",
		f->acpi.pcch == FACT_YES  ? "present"
		: f->acpi.pcch == FACT_NO ? "absent"
					  : "not captured");
}

void judge_firmware(struct judge *j)
{
	judge_out_of_band(j);
	judge_oem(j);
	judge_pss(j);
	judge_regulator(j);
}
