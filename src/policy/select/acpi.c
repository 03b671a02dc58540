/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The drivers that work from ACPI objects: acpi-cpufreq from _PSS, pcc-cpufreq from \_SB.PCCH, and
 * what HPE's firmware settings make of both.
 */
#include "policy/select/steps.h"

enum { PCC_DYNAMIC_CPUS = 4 }; /* more present CPUs: no dynamic governor, since 4.18 */

/* Both ask for a registered driver before they look at the machine. */
enum select_reason select_acpi_cpufreq(
	const struct select_facts *f, struct selection *ret, bool *certain)
{
	bool usual = f->hypervisor == HYPERVISOR_NONE && !(f->features & CPU_HYPERVISOR);

	if (ret->driver != SELECT_NONE)
		return REASON_OTHER_REGISTERED;
	if (f->acpi == FACT_NO)
		return REASON_ACPI_OFF;
	if (f->vendor == VENDOR_INTEL && f->family == 15 && f->model == 6)
		return REASON_ACPI_ERRATUM;
	if (f->vendor == VENDOR_AMD && f->family == 15)
		return REASON_POWERNOW_K8;
	if (!select_assume(f->pss, usual, certain))
		return REASON_ACPI_NO_PSS;
	ret->scaling_driver = "acpi-cpufreq";
	ret->mode = "table";
	ret->turbo = f->features & (CPU_IDA | CPU_CPB) && f->turbo_disabled != FACT_YES;
	return REASON_REGISTERED;
}

enum select_reason select_pcc_cpufreq(
	const struct select_facts *f, struct selection *ret, bool *certain)
{
	int kernel = f->kernel ? f->kernel : KERNEL_NEWEST;

	if (ret->driver != SELECT_NONE)
		return REASON_OTHER_REGISTERED;
	if (f->acpi == FACT_NO)
		return REASON_ACPI_OFF;
	if (!select_assume(f->pcch, false, certain))
		return REASON_PCC_NO_PCCH;
	ret->scaling_driver = "pcc-cpufreq";
	ret->mode = "firmware";
	ret->dynamic_refused = kernel >= KERNEL(4, 18) && f->present_cpus > PCC_DYNAMIC_CPUS;
	if (ret->dynamic_refused)
		select_note(ret, "Too many CPUs, dynamic performance scaling disabled");
	return REASON_REGISTERED;
}

/*
 * OS Control offers _PSS; the dynamic mode, and the static ones as far as a driver is concerned,
 * hide it (it appears as XPSS) and offer PCCH. Without Collaborative Power Control firmware offers
 * neither in any mode.
 */
void select_proliant(enum power_regulator regulator, bool collaborative, struct select_facts *f)
{
	bool os = regulator == REGULATOR_OS_CONTROL;

	f->pss = collaborative && os ? FACT_YES : FACT_NO;
	f->pcch = collaborative && !os ? FACT_YES : FACT_NO;
	f->ppc = f->pss;
}
