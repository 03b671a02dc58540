// SPDX-License-Identifier: GPL-2.0-or-later
/* driver=auto: which driver the kernel of the policy ends up with on this machine. */
#include "policy/select/select.h"

#include "policy/driver/drivers.h"
#include "sim/internal.h"

#include <errno.h>
#include <string.h>

static enum fact fact(bool yes)
{
	return yes ? FACT_YES : FACT_NO;
}

static unsigned features(const struct platform *p)
{
	const struct {
		bool have;
		unsigned bit;
	} bits[] = { { p->hwp, CPU_HWP }, { p->hwp_epp, CPU_HWP_EPP },
		{ p->aperfmperf, CPU_APERFMPERF }, { p->cppc, CPU_CPPC },
		{ p->hw_pstate, CPU_HW_PSTATE }, { p->est, CPU_EST },
		{ p->turbo && p->vendor == VENDOR_INTEL, CPU_IDA },
		{ p->turbo && p->vendor == VENDOR_AMD, CPU_CPB } };
	unsigned all = 0;

	for (size_t i = 0; i < ARRAY_LEN(bits); i++)
		all |= bits[i].have ? bits[i].bit : 0;
	return all;
}

static void firmware_facts(const struct machine_firmware *f, struct select_facts *facts)
{
	const enum power_regulator regulator[] = { [BIOS_OSCM] = REGULATOR_OS_CONTROL,
		[BIOS_DPSM] = REGULATOR_DYNAMIC,
		[BIOS_STATIC] = REGULATOR_STATIC_HIGH };

	if (f->bios == BIOS_NONE)
		return;
	select_proliant(regulator[f->bios], true, facts);
	strcpy(facts->fadt_oem_id, "HP");
	strcpy(facts->fadt_oem_table_id, "ProLiant");
}

static struct select_facts find_facts(const struct machine *m, const struct policy *p)
{
	const struct platform *platform = &m->platform;
	struct select_facts facts = {
		.vendor = platform->vendor,
		.vendor_known = true,
		.family = (int)platform->family,
		.model = (int)platform->model,
		.features = features(platform),
		.features_known = true,
		.acpi = FACT_YES,
		.pss = fact(platform->nr_pss > 0),
		.ppc = fact(m->ppc >= 0),
		.cpc = fact(platform->cpc.highest > 0),
		.pcch = FACT_NO,
		.fadt_known = true,
		.pm_profile = platform->pm_profile,
		.hwp_enabled = FACT_NO,
		.out_of_band = FACT_NO,
		.turbo_disabled = FACT_NO,
		.pstate_msrs = fact(m->freq_domain != FREQ_DOMAIN_NONE),
		.hypervisor =
			m->freq_domain == FREQ_DOMAIN_NONE ? HYPERVISOR_GUEST : HYPERVISOR_NONE,
		.kernel = p->kernel,
		.cmdline = p->cmdline,
	};

	for (int i = 0; i < m->nr_cpus; i++)
		facts.present_cpus++;
	firmware_facts(&m->firmware, &facts);
	return facts;
}

static const struct driver *find(const char *name)
{
	for (const struct driver *const *d = drivers; *d; d++)
		if (!strcmp((*d)->name, name))
			return *d;
	return &driver_none;
}

/* The mode is the selection's, unless a key of the policy gives it. */
static bool status_given(const struct policy *p)
{
	for (int i = 0; i < p->nr_tunables; i++)
		if (!strcmp(p->tunables[i].key, "status"))
			return true;
	return false;
}

void driver_select(struct sim *s)
{
	struct select_facts facts;
	struct selection selection;

	s->driver = s->p->driver;
	if (s->driver != &driver_auto)
		return;
	facts = find_facts(s->m, s->p);
	select_driver(&facts, &selection);
	s->driver = find(select_driver_name(selection.driver));
	if (!status_given(s->p) && strcmp(selection.mode, "none"))
		s->driver_mode = selection.mode;
	snprintf(s->driver_note, sizeof(s->driver_note),
		"driver=auto: Linux %d.%d registers %s%s%s on machine %s", s->p->kernel / 1000,
		s->p->kernel % 1000, s->driver->name, s->driver_mode ? ", " : "",
		s->driver_mode ? s->driver_mode : "", s->m->name);
}
