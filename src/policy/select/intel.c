/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intel_pstate: HWP first, else the list of models; then firmware that keeps P-states to itself;
 * then the mode. What changed: HWP 3.19, ProLiant check 3.13, Oracle check and force 4.0, passive
 * mode 4.10 (without HWP until 5.9), dynamic boost and the PCCH look-up 4.18, models with HWP no
 * longer need the list 4.20, passive by default without HWP 5.8, HWP only with EPP 5.9, HWP forced
 * by firmware overrides disable and no_hwp 5.16.
 */
#include "policy/boost/hwp_default.h"
#include "policy/select/steps.h"

#include <string.h>

enum mode { MODE_UNSET, MODE_ACTIVE, MODE_PASSIVE };

struct parameters {
	bool disable, no_hwp, force, hwp_only;
	enum mode mode;
};

static struct parameters parse(const struct select_facts *f, int kernel)
{
	struct parameters p = { 0 };
	const char *pos = NULL, *v;
	size_t len;

	p.disable = cmdline_has(f->cmdline, "intel_pstate", "disable");
	p.no_hwp = cmdline_has(f->cmdline, "intel_pstate", "no_hwp");
	p.force = kernel >= KERNEL(4, 0) && cmdline_has(f->cmdline, "intel_pstate", "force");
	p.hwp_only = cmdline_has(f->cmdline, "intel_pstate", "hwp_only");
	while ((v = cmdline_next(f->cmdline, "intel_pstate", &pos, &len))) {
		if (len == 7 && !strncmp(v, "passive", len) && kernel >= KERNEL(4, 10))
			p.mode = MODE_PASSIVE;
		else if (len == 6 && !strncmp(v, "active", len) && kernel >= KERNEL(5, 8))
			p.mode = MODE_ACTIVE;
	}
	if (p.mode == MODE_PASSIVE && kernel < KERNEL(5, 9))
		p.no_hwp = true;
	return p;
}

/* acpi_match_platform_list over the FADT. */
static bool fadt_is(const struct select_facts *f, const char *oem, const char *table)
{
	return !strcmp(f->fadt_oem_id, oem) && !strcmp(f->fadt_oem_table_id, table);
}

static bool oracle(const struct select_facts *f)
{
	static const char *const tables[] = { "X4-2", "X4-2L", "X4-2B", "X3-2", "X3-2L", "X3-2B",
		"X4470M2", "X4270M3", "X4270M2", "X4170M2", "X4170 M3", "X4275 M3", "X6-2",
		"Sudbury" };

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (fadt_is(f, "ORACLE", tables[i]))
			return true;
	return false;
}

static enum select_reason platform(
	const struct select_facts *f, const struct parameters *p, int kernel, bool *certain)
{
	if (select_model_out_of_band(f->family, f->model, kernel) &&
		select_assume(f->out_of_band, false, certain))
		return REASON_INTEL_OUT_OF_BAND;
	if (!f->fadt_known)
		return REASON_REGISTERED;
	if (fadt_is(f, "HP", "ProLiant") && kernel >= KERNEL(3, 13)) {
		if (select_assume(f->pss, true, certain))
			return REASON_REGISTERED;
		if (kernel < KERNEL(4, 18) && f->pcch != FACT_NO)
			return REASON_INTEL_OEM_PSS_PCCH;
		if (!select_assume(f->pcch, false, certain))
			return REASON_INTEL_OEM_PSS;
	} else if (oracle(f) && kernel >= KERNEL(4, 0)) {
		if (select_assume(f->ppc, true, certain) && !p->force)
			return REASON_INTEL_OEM_PPC;
	}
	return REASON_REGISTERED;
}

/* Whether the driver uses HWP; *forced: firmware enabled it and it cannot be turned off. */
static bool uses_hwp(
	const struct select_facts *f, const struct parameters *p, int kernel, bool *forced)
{
	*forced = false;
	if (!(f->features & CPU_HWP) || f->family != 6 || kernel < KERNEL(3, 19))
		return false;
	*forced = kernel >= KERNEL(5, 16) && f->hwp_enabled == FACT_YES;
	if (*forced)
		return true;
	return !p->no_hwp && (kernel < KERNEL(5, 9) || (f->features & CPU_HWP_EPP));
}

/* Without HWP: is the model one that the driver takes? */
static enum select_reason model_taken(const struct select_facts *f, int kernel, bool *certain)
{
	if (f->features_known ? !!(f->features & CPU_HWP) : false)
		if (f->family == 6 && kernel >= KERNEL(4, 20))
			return REASON_REGISTERED;
	if (!f->features_known || !f->model)
		*certain = false;
	if (!select_model_listed(f->family, f->model, kernel) ||
		(f->features_known && !(f->features & CPU_APERFMPERF)))
		return f->features_known && select_model_has_hwp(f->family, f->model) &&
				       !(f->features & (CPU_HWP | CPU_HYPERVISOR))
			       ? REASON_INTEL_MODEL_NO_HWP
			       : REASON_INTEL_MODEL;
	if (f->pstate_msrs == FACT_NO)
		return REASON_INTEL_MSRS;
	return REASON_REGISTERED;
}

static bool dynamic_boost(const struct select_facts *f, int kernel, bool *certain)
{
	const struct hwp_boost_facts facts = {
		.kernel = kernel,
		.intel = true,
		.hwp = true,
		.family = 6, /* the driver takes no other */
		.model = f->model,
		.pm_profile = f->pm_profile == PROFILE_NOT_KNOWN ? 0 : (uint8_t)f->pm_profile,
	};

	if (kernel >= KERNEL(4, 19) && f->pm_profile == PROFILE_NOT_KNOWN)
		*certain = false;
	return hwp_boost_default(&facts);
}

static void come_up(const struct select_facts *f, struct selection *ret, const struct parameters *p,
	int kernel, bool hwp, bool forced)
{
	bool known = true;
	bool passive = p->mode == MODE_PASSIVE ||
		       (p->mode == MODE_UNSET && !hwp && kernel >= KERNEL(5, 8));

	ret->hwp = hwp;
	ret->scaling_driver = passive ? "intel_cpufreq" : "intel_pstate";
	ret->mode = passive ? "passive" : "active";
	ret->turbo = (!f->features_known || f->features & CPU_IDA) && f->turbo_disabled != FACT_YES;
	ret->hwp_dynamic_boost = hwp && !passive && dynamic_boost(f, kernel, &known);
	ret->energy_efficiency_off = hwp && f->model == 0x9e && kernel >= KERNEL(4, 19);
	if (forced)
		select_note(ret, "HWP enabled by BIOS");
	if (hwp)
		select_note(ret, "HWP enabled");
	else if (f->features & CPU_HWP)
		select_note(ret, "HWP not enabled");
	if (!hwp && f->features & CPU_HYBRID && kernel >= KERNEL(5, 16))
		select_note(ret, "Problematic setup: Hybrid processor with disabled HWP");
}

enum select_reason select_intel_pstate(
	const struct select_facts *f, struct selection *ret, bool *certain)
{
	int kernel = f->kernel ? f->kernel : KERNEL_NEWEST;
	struct parameters p = parse(f, kernel);
	bool forced, hwp = uses_hwp(f, &p, kernel, &forced);
	enum select_reason reason;

	if (!f->vendor_known)
		*certain = false;
	if (f->vendor != VENDOR_INTEL)
		return REASON_OTHER_VENDOR;
	if (p.disable && !forced)
		return REASON_INTEL_DISABLED;
	if (!hwp) {
		reason = model_taken(f, kernel, certain);
		if (reason != REASON_REGISTERED)
			return reason;
	}
	reason = platform(f, &p, kernel, certain);
	if (reason != REASON_REGISTERED)
		return reason;
	if (!hwp && p.hwp_only)
		return REASON_INTEL_HWP_ONLY;
	if (ret->driver == SELECT_NONE)
		come_up(f, ret, &p, kernel, hwp, forced);
	return REASON_REGISTERED;
}
