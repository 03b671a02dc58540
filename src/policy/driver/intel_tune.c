// SPDX-License-Identifier: GPL-2.0-or-later
/* Parameters of intel_pstate, by their names in sysfs and on the kernel's command line. */
#include "base/spec.h"
#include "base/units.h"
#include "policy/driver/intel_pstate.h"

#include <errno.h>
#include <string.h>

enum { BIAS_MAX = 15, EPP_MAX = 255 };

const struct driver_parameter intel_parameters[] = {
	{ "status", "active|passive|off",
		"own algorithms, or the governors'; by default active with HWP, passive without" },
	{ "no-hwp", "0|1", "leaves hardware P-states off" },
	{ "algorithm", "load|pid",
		"powersave without HWP: by load, or as before 4.12; by default as the idle "
		"governor's kernel" },
	{ "max-perf-pct", "0..1000", "most, in percent of the highest turbo P-state" },
	{ "min-perf-pct", "0..1000", "least, likewise" },
	{ "no-turbo", "0|1", "no P-state above the base frequency" },
	{ "epp", "NAME|0..255",
		"HWP: default, performance, balance_performance, balance_power, power, or raw" },
	{ "energy-performance-preference", "NAME|0..255", "the same" },
	{ "energy-perf-bias", "NAME|0..15",
		"performance, balance-performance, normal, balance-power, power, or raw" },
	{ "per-cpu-perf-limits", "0|1", "only the limits of the policy count" },
	{ "support-acpi-ppc", "0|1", "without HWP: _PPC bounds it though this is no server" },
	{ NULL, NULL, NULL },
};

static int tune_number(const char *value, int min, int max, int *ret)
{
	unsigned long long n;

	if (parse_u64(value, (unsigned long long)min, (unsigned long long)max, "", &n, NULL))
		return -EINVAL;
	*ret = (int)n;
	return 0;
}

static int tune_switch(const char *value, bool *ret)
{
	int n;

	if (tune_number(value, 0, 1, &n))
		return -EINVAL;
	*ret = n;
	return 0;
}

static int tune_status(struct intel_global *g, const char *value)
{
	static const char *const names[] = {
		[STATUS_ACTIVE] = "active", [STATUS_PASSIVE] = "passive", [STATUS_OFF] = "off"
	};

	for (enum intel_status i = STATUS_ACTIVE; i <= STATUS_OFF; i++) {
		if (strcmp(value, names[i]))
			continue;
		g->status = i;
		return 0;
	}
	return -EINVAL;
}

static int tune_epp(struct intel_global *g, const char *value)
{
	const struct energy_preference *p;

	for (p = energy_preferences; p->name && strcmp(p->name, value); p++)
		;
	g->epp = p->epp;
	g->epp_bias = p->bias;
	if (!p->name) {
		g->epp_bias = EPP_NONE;
		if (tune_number(value, 0, EPP_MAX, &g->epp))
			return -EINVAL;
	}
	g->epp_given = true;
	g->preferences++;
	return 0;
}

/* What energy_perf_bias takes in the power folder of each CPU. */
static int tune_epb(struct intel_global *g, const char *value)
{
	static const struct {
		const char *name;
		int bias;
	} names[] = { { "performance", 0 }, { "balance-performance", 4 }, { "normal", 6 },
		{ "balance-power", 8 }, { "power", 15 } };

	g->epb_given = true;
	g->preferences++;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (strcmp(names[i].name, value))
			continue;
		g->epb = names[i].bias;
		return 0;
	}
	return tune_number(value, 0, BIAS_MAX, &g->epb);
}

int intel_tune(void *shared, const char *key, const char *value)
{
	struct intel_global *g = shared;
	bool on;

	if (!strcmp(key, "status"))
		return tune_status(g, value);
	if (!strcmp(key, "no-hwp"))
		return tune_switch(value, &g->no_hwp);
	if (!strcmp(key, "algorithm")) {
		g->pid = !strcmp(value, "pid");
		return g->pid || !strcmp(value, "load") ? 0 : -EINVAL;
	}
	if (!strcmp(key, "per-cpu-perf-limits"))
		return tune_switch(value, &g->per_cpu_limits);
	if (!strcmp(key, "support-acpi-ppc"))
		return tune_switch(value, &g->support_ppc);
	if (!strcmp(key, "max-perf-pct"))
		return tune_number(value, 0, 1000, &g->max_perf_pct);
	if (!strcmp(key, "min-perf-pct"))
		return tune_number(value, 0, 1000, &g->min_perf_pct);
	if (!strcmp(key, "epp") || !strcmp(key, "energy-performance-preference"))
		return tune_epp(g, value);
	if (!strcmp(key, "energy-perf-bias"))
		return tune_epb(g, value);
	if (strcmp(key, "no-turbo"))
		return -ENOENT;
	if (tune_switch(value, &on))
		return -EINVAL;
	g->no_turbo = on ? TURBO_ASKED_OFF : TURBO_ASKED_ON;
	return 0;
}
