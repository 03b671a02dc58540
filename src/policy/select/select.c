/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The walk over the drivers in init order, and what holds for all of them. */
#include "policy/select/steps.h"

#include <string.h>

static const struct driver_entry {
	const char *name;
	const char *module;   /* as modprobe and blacklists name it */
	const char *initcall; /* as initcall_blacklist= names it */
	int since;
	enum built usual;
	bool late; /* late_initcall: after every device_initcall */
	select_init init;
} entries[SELECT_DRIVERS] = {
	[SELECT_NONE] = { "none", "", "", 0, BUILT_NOT, false, NULL },
	[SELECT_INTEL_PSTATE] = { "intel_pstate", "intel_pstate", "intel_pstate_init", KERNEL(3, 9),
		BUILT_IN, false, select_intel_pstate },
	[SELECT_AMD_PSTATE] = { "amd-pstate", "amd_pstate", "amd_pstate_init", KERNEL(5, 17),
		BUILT_IN, false, select_amd_pstate },
	[SELECT_ACPI_CPUFREQ] = { "acpi-cpufreq", "acpi_cpufreq", "acpi_cpufreq_init", KERNEL(2, 6),
		BUILT_MODULE, true, select_acpi_cpufreq },
	[SELECT_PCC_CPUFREQ] = { "pcc-cpufreq", "pcc_cpufreq", "pcc_cpufreq_init", KERNEL(2, 6),
		BUILT_MODULE, true, select_pcc_cpufreq },
};

bool select_assume(enum fact fact, bool usual, bool *certain)
{
	if (fact != FACT_UNKNOWN)
		return fact == FACT_YES;
	*certain = false;
	return usual;
}

void select_note(struct selection *ret, const char *note)
{
	if (ret->nr_notes < SELECT_NOTES_MAX)
		ret->notes[ret->nr_notes++] = note;
}

const char *select_driver_name(enum select_driver driver)
{
	return entries[driver].name;
}

static int kernel_of(const struct select_facts *f)
{
	return f->kernel ? f->kernel : KERNEL_NEWEST;
}

static bool module_blacklisted(const char *cmdline, const char *module)
{
	return cmdline_lists(cmdline, "modprobe.blacklist", module) ||
	       cmdline_lists(cmdline, "module_blacklist", module);
}

/* That tells more than that the driver is also too new, or not built. */
static bool other_vendor(const struct select_facts *f, enum select_driver driver)
{
	if (!f->vendor_known)
		return false;
	return (driver == SELECT_INTEL_PSTATE && f->vendor != VENDOR_INTEL) ||
	       (driver == SELECT_AMD_PSTATE && f->vendor != VENDOR_AMD);
}

/* What the kernel asks before a driver's own init runs, and in cpufreq_register_driver. */
static enum select_reason may_run(
	const struct select_facts *f, enum select_driver driver, enum built built)
{
	const struct driver_entry *e = &entries[driver];

	if (other_vendor(f, driver))
		return REASON_OTHER_VENDOR;
	if (kernel_of(f) < e->since)
		return REASON_NOT_YET;
	if (built == BUILT_NOT)
		return REASON_NOT_BUILT;
	if (cmdline_lists(f->cmdline, "initcall_blacklist", e->initcall))
		return REASON_INITCALL_BLACKLIST;
	if (built == BUILT_MODULE && module_blacklisted(f->cmdline, e->module))
		return REASON_MODULE_BLACKLIST;
	return REASON_REGISTERED;
}

static void cpufreq_off(const struct select_facts *f, enum select_reason *why)
{
	if (f->hypervisor == HYPERVISOR_XEN_DOM0)
		*why = REASON_XEN;
	else if (cmdline_has(f->cmdline, "cpufreq.off", "1"))
		*why = REASON_CPUFREQ_OFF;
}

/* init fills a copy: what it set counts only if the core then takes the driver. */
static void try_driver(const struct select_facts *f, enum select_driver driver, enum built built,
	struct selection *ret)
{
	struct selection filled = *ret;
	struct select_try t = { driver, may_run(f, driver, built), true };

	if (t.reason == REASON_REGISTERED)
		t.reason = entries[driver].init(f, &filled, &t.certain);
	if (t.reason == REASON_REGISTERED)
		cpufreq_off(f, &t.reason);
	if (t.reason == REASON_REGISTERED && ret->driver != SELECT_NONE)
		t.reason = REASON_OTHER_REGISTERED;
	if (t.reason == REASON_REGISTERED) {
		t.certain = t.certain && f->built[driver] != BUILT_UNKNOWN && f->kernel;
		*ret = filled;
		ret->driver = driver;
	}
	ret->tries[ret->nr_tries++] = t;
}

/* Without a known configuration: as distributions build it; amd-pstate was a module at first. */
static enum built built_of(const struct select_facts *f, enum select_driver driver)
{
	if (f->built[driver] != BUILT_UNKNOWN)
		return f->built[driver];
	if (driver == SELECT_AMD_PSTATE && kernel_of(f) < KERNEL(6, 1))
		return BUILT_MODULE;
	return entries[driver].usual;
}

/* 0 device_initcall, 1 late_initcall, 2 modules, which user space loads afterwards. */
static int phase_of(enum select_driver driver, enum built built)
{
	if (built == BUILT_MODULE)
		return 2;
	return entries[driver].late ? 1 : 0;
}

void select_driver(const struct select_facts *f, struct selection *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->scaling_driver = "none";
	ret->mode = "none";
	ret->certain = true;
	for (int phase = 0; phase < 3; phase++) {
		for (int d = SELECT_NONE + 1; d < SELECT_DRIVERS; d++) {
			enum select_driver driver = (enum select_driver)d;
			enum built built = built_of(f, driver);

			if (phase_of(driver, built) == phase)
				try_driver(f, driver, built, ret);
		}
	}
	for (int i = 0; i < ret->nr_tries; i++)
		if (ret->tries[i].reason != REASON_OTHER_REGISTERED && !ret->tries[i].certain)
			ret->certain = false;
	if (ret->driver != SELECT_NONE)
		select_governor(f, ret);
}
