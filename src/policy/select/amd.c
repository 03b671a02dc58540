/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * amd-pstate. 5.17: a module that takes parts with CPPC registers, others with shared_mem=1. 6.1:
 * built in, passive only, starts when asked. 6.3 active (EPP), 6.4 guided. 6.5: a default mode from
 * the configuration, but not on servers, undefined profiles and shared-memory parts. 6.11: on
 * shared-memory parts too, and Zen+ is refused by name. 6.13: servers from family 1Ah on.
 */
#include "policy/select/steps.h"

static enum amd_mode asked(const struct select_facts *f, int kernel, enum select_reason *refused)
{
	static const struct {
		const char *word;
		enum amd_mode mode;
		int since;
	} words[] = {
		{ "disable", AMD_MODE_DISABLE, KERNEL(6, 1) },
		{ "passive", AMD_MODE_PASSIVE, KERNEL(6, 1) },
		{ "active", AMD_MODE_ACTIVE, KERNEL(6, 3) },
		{ "guided", AMD_MODE_GUIDED, KERNEL(6, 4) },
	};

	*refused = REASON_REGISTERED;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!cmdline_has(f->cmdline, "amd_pstate", words[i].word))
			continue;
		if (kernel >= words[i].since)
			return words[i].mode;
		*refused = REASON_AMD_MODE_TOO_NEW;
	}
	return AMD_MODE_UNSET;
}

/* 6.5 and later, nothing asked: what the configuration gives, unless the platform speaks against.
 */
static enum select_reason by_default(
	const struct select_facts *f, int kernel, enum amd_mode *mode, bool *certain)
{
	if (f->pm_profile == PROFILE_NOT_KNOWN)
		*certain = false;
	if (f->pm_profile == PROFILE_UNSPECIFIED || f->pm_profile > PROFILE_TABLET)
		return REASON_AMD_UNDEFINED_PROFILE;
	if (select_profile_server(f->pm_profile) && (f->family < 0x1a || kernel < KERNEL(6, 13)))
		return REASON_AMD_SERVER;
	if (kernel < KERNEL(6, 11) && f->features_known && !(f->features & CPU_CPPC))
		return REASON_AMD_SHARED_MEM_DEFAULT;
	if (f->amd_default_mode == AMD_MODE_UNSET)
		*certain = false;
	*mode = f->amd_default_mode == AMD_MODE_UNSET ? AMD_MODE_ACTIVE : f->amd_default_mode;
	return *mode == AMD_MODE_DISABLE ? REASON_AMD_DISABLED : REASON_REGISTERED;
}

static enum select_reason choose_mode(
	const struct select_facts *f, int kernel, enum amd_mode *mode, bool *certain)
{
	enum select_reason refused;

	*mode = asked(f, kernel, &refused);
	if (*mode == AMD_MODE_DISABLE)
		return REASON_AMD_DISABLED;
	if (*mode != AMD_MODE_UNSET)
		return REASON_REGISTERED;
	if (kernel >= KERNEL(6, 5))
		return by_default(f, kernel, mode, certain);
	if (kernel >= KERNEL(6, 1))
		return refused ? refused : REASON_AMD_NOT_ASKED;
	*mode = AMD_MODE_PASSIVE;
	if (!(f->features & CPU_CPPC) && !cmdline_has(f->cmdline, "amd_pstate.shared_mem", "1")) {
		*certain = f->features_known;
		return REASON_AMD_SHARED_MEM;
	}
	return REASON_REGISTERED;
}

static void come_up(const struct select_facts *f, struct selection *ret, enum amd_mode mode)
{
	ret->scaling_driver = mode == AMD_MODE_ACTIVE ? "amd-pstate-epp" : "amd-pstate";
	ret->mode = mode == AMD_MODE_ACTIVE   ? "active"
		    : mode == AMD_MODE_GUIDED ? "guided"
					      : "passive";
	ret->cppc_msr = f->features & CPU_CPPC;
	ret->turbo = true;
	if (!ret->cppc_msr && f->features_known &&
		select_amd_cppc(f->family, f->model) == AMD_CPPC_MSR)
		select_note(ret, "CPPC registers are hidden by firmware: shared memory is used");
}

enum select_reason select_amd_pstate(
	const struct select_facts *f, struct selection *ret, bool *certain)
{
	int kernel = f->kernel ? f->kernel : KERNEL_NEWEST;
	bool acpi = f->acpi != FACT_NO;
	enum amd_mode mode = AMD_MODE_UNSET;
	enum select_reason reason;

	if (!f->vendor_known)
		*certain = false;
	if (f->vendor != VENDOR_AMD)
		return REASON_OTHER_VENDOR;
	if (kernel >= KERNEL(6, 11) && f->family == 0x17 && f->model < 0x30)
		return REASON_AMD_UNSUPPORTED;
	/* From 6.11 on the table is looked at before the mode. */
	if (kernel < KERNEL(6, 11)) {
		reason = choose_mode(f, kernel, &mode, certain);
		if (reason != REASON_REGISTERED)
			return reason;
	}
	if (!acpi || !select_assume(f->cpc, !f->family || f->family >= 0x17, certain))
		return REASON_AMD_NO_CPC;
	if (kernel >= KERNEL(6, 11)) {
		if (ret->driver != SELECT_NONE)
			return REASON_OTHER_REGISTERED;
		reason = choose_mode(f, kernel, &mode, certain);
		if (reason != REASON_REGISTERED)
			return reason;
	}
	if (ret->driver == SELECT_NONE)
		come_up(f, ret, mode);
	return REASON_REGISTERED;
}
