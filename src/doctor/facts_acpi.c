// SPDX-License-Identifier: GPL-2.0-or-later
/* Firmware's objects: from its tables, or as an acpi.txt tells them. */
#include "doctor/acpi.h"
#include "doctor/facts_internal.h"
#include "doctor/tree_internal.h"

#include <string.h>

static enum fact fact_of(const struct acpi_found *found)
{
	return found->present ? FACT_YES : found->absent ? FACT_NO : FACT_UNKNOWN;
}

void read_acpi_facts(struct facts *f)
{
	const struct acpi_tables *tables = tree_acpi(f->tree);
	const struct acpi_found *found = tables->object;
	struct acpi_facts *a = &f->acpi;

	a->pss = fact_of(&found[ACPI_PSS]);
	a->xpss = fact_of(&found[ACPI_XPSS]);
	a->ppc = fact_of(&found[ACPI_PPC]);
	a->pct = fact_of(&found[ACPI_PCT]);
	a->psd = fact_of(&found[ACPI_PSD]);
	a->cst = fact_of(&found[ACPI_CST]);
	a->cpc = fact_of(&found[ACPI_CPC]);
	a->pcch = fact_of(&found[ACPI_PCCH]);
	a->pccp = fact_of(&found[ACPI_PCCP]);
	a->osc = fact_of(&found[ACPI_OSC]);
	a->fadt_known = tables->fadt_known;
	strcpy(a->fadt_oem_id, tables->oem_id);
	strcpy(a->fadt_oem_table_id, tables->oem_table_id);
	if (f->machine.pm_profile == PROFILE_NOT_KNOWN && tables->pm_profile >= 0)
		f->machine.pm_profile = (enum pm_profile)tables->pm_profile;
	a->from_text = f->tree->acpi.text && !tables->nr_tables;
}
