// SPDX-License-Identifier: GPL-2.0-or-later
/* What the kernel's driver selection says, against what is loaded. */
#include "base/units.h"
#include "doctor/judge.h"
#include "policy/registry.h"

#include <stdio.h>
#include <string.h>

static bool driver_is(const struct judge *j, const char *name)
{
	return !strcmp(j->d->driver, name);
}

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
	if (m->built[s.driver] != BUILT_UNKNOWN) /* it has */
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
