// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/registry.h"

#include "policy/boost/boosts.h"
#include "policy/driver/drivers.h"
#include "policy/freq/governors.h"
#include "policy/idle/governors.h"
#include "policy/sched/sched.h"
#include "policy/tick/tick.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Versions of one governor stand oldest first: the last one is what its bare name means. */
const struct idle_governor *const idle_governors[] = {
	&idle_menu_4_4,
	&idle_menu_4_5,
	&idle_menu_4_6_TRUSTED,
	&idle_menu_4_6,
	&idle_menu_4_16,
	&idle_menu_4_17,
	&idle_menu_4_19,
	&idle_menu_4_20,
	&idle_menu_5_4,
	&idle_menu_5_12,
	&idle_menu_6_1,
	&idle_menu_6_6,
	&idle_menu_6_12,
	&idle_menu_6_13,
	&idle_menu_6_19,
	&idle_menu_7_1,
	&idle_teo_6_1,
	&idle_teo_6_6,
	&idle_teo_6_12,
	&idle_teo_7_1,
	&idle_ladder_6_1,
	&idle_haltpoll_6_1,
	&idle_poll,
	&idle_deepest,
	&idle_state,
	&idle_null,
	NULL,
};

const struct freq_governor *const freq_governors[] = {
	&freq_performance,
	&freq_powersave,
	&freq_userspace,
	&freq_ondemand,
	&freq_conservative,
	&freq_schedutil,
	NULL,
};

const struct boost *const boosts[] = {
	&boost_none,
	&boost_hwp_dynamic,
	&boost_iowait,
	&boost_migrate,
	&boost_idle_placement,
	NULL,
};

const struct driver *const drivers[] = {
	&driver_none,
	&driver_auto,
	&driver_table,
	&driver_intel_pstate,
	&driver_amd_pstate,
	&driver_acpi_cpufreq,
	&driver_pcc,
	NULL,
};

const struct tick_policy *const tick_policies[] = {
	&tick_select_first,
	&tick_stop_first,
	&tick_periodic,
	NULL,
};

const struct sched_policy *const sched_policies[] = {
	&sched_fair,
	&sched_recorded,
	NULL,
};

/* Length of NAME[@KERNEL] in NAME[@KERNEL][:ARG]. */
static size_t name_length(const char *name)
{
	return strcspn(name, ":");
}

static bool is_version_of(const char *full, const char *family, size_t len)
{
	return !strncmp(full, family, len) && (full[len] == '@' || !full[len]);
}

static int idle_unknown(const char *name, struct error *err)
{
	char known[sizeof(err->text)] = "";
	size_t len = 0;

	for (const struct idle_governor *const *g = idle_governors; *g; g++) {
		int n = snprintf(
			known + len, sizeof(known) - len, "%s%s", len ? ", " : "", (*g)->name);

		len += (size_t)n;
		if (len >= sizeof(known))
			break;
	}
	return error_set(err, ENOENT, "idle: no governor '%s', known are %s", name, known);
}

int idle_governor_find(
	const char *name, const struct idle_governor **ret, const char **ret_arg, struct error *err)
{
	size_t len = name_length(name);
	const struct idle_governor *found = NULL;

	for (const struct idle_governor *const *g = idle_governors; *g && len; g++) {
		if (strlen((*g)->name) == len && !strncmp((*g)->name, name, len)) {
			found = *g;
			break;
		}
		if (is_version_of((*g)->name, name, len))
			found = *g;
	}
	if (!found)
		return idle_unknown(name, err);
	*ret = found;
	if (ret_arg)
		*ret_arg = name[len] ? name + len + 1 : NULL;
	return 0;
}

bool idle_governor_is_builtin(const struct idle_governor *governor)
{
	for (const struct idle_governor *const *g = idle_governors; *g; g++)
		if (*g == governor)
			return true;
	return false;
}

int idle_governor_kernel(const struct idle_governor *governor)
{
	const char *at = strchr(governor->name, '@');
	int major, minor;

	if (!at || sscanf(at, "@%d.%d", &major, &minor) != 2)
		return 0;
	return KERNEL(major, minor);
}
