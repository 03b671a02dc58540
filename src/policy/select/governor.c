/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The governor that a new policy starts with. */
#include "policy/select/steps.h"

#include <string.h>

static const char *const known[] = { "performance", "powersave", "userspace", "ondemand",
	"conservative", "schedutil" };

/* cpufreq.default_governor= as a constant string, NULL if absent or unknown to the kernel. */
static const char *asked(const struct select_facts *f)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (cmdline_has(f->cmdline, "cpufreq.default_governor", known[i]))
			return known[i];
	return NULL;
}

static bool is_dynamic(const char *name)
{
	return !strcmp(name, "ondemand") || !strcmp(name, "conservative") ||
	       !strcmp(name, "schedutil");
}

/* Drivers that set policies themselves know two; others fall back to the driver's own start. */
static const char *own_policy(
	const struct select_facts *f, const struct selection *ret, const char *wanted)
{
	if (wanted && (!strcmp(wanted, "performance") || !strcmp(wanted, "powersave")))
		return wanted;
	if (!wanted)
		return NULL;
	if (ret->driver == SELECT_AMD_PSTATE &&
		(select_profile_server(f->pm_profile) || f->pm_profile == PROFILE_UNSPECIFIED))
		return "performance";
	return "powersave";
}

void select_governor(const struct select_facts *f, struct selection *ret)
{
	int kernel = f->kernel ? f->kernel : KERNEL_NEWEST;
	const char *wanted = kernel >= KERNEL(5, 9) ? asked(f) : NULL;

	if (!wanted)
		wanted = f->default_governor;
	if (!strcmp(ret->mode, "active")) {
		ret->governor = own_policy(f, ret, wanted);
		return;
	}
	if (ret->dynamic_refused && wanted && is_dynamic(wanted)) {
		select_note(ret, "dynamic switching is disallowed: fallback to performance");
		wanted = "performance";
	}
	ret->governor = wanted;
}
