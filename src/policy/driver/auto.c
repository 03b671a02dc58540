// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * auto: stands for the driver that a kernel ends up with on the machine (policy/select). Whoever
 * runs a policy on a machine finds that driver first; this one takes parameters of all of them, so
 * that a specification can be checked without a machine.
 */
#include "policy/driver/drivers.h"

#include <errno.h>
#include <string.h>

enum { SHARED_ROOM = 512 };

static int tune(void *shared, const char *key, const char *value)
{
	const struct driver *const all[] = { &driver_intel_pstate, &driver_amd_pstate,
		&driver_acpi_cpufreq, &driver_pcc };
	int r = -ENOENT;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		int one;

		if (!all[i]->tune || all[i]->shared_size > SHARED_ROOM)
			continue;
		memset(shared, 0, SHARED_ROOM);
		one = all[i]->tune(shared, key, value);
		if (!one)
			return 0;
		r = one != -ENOENT ? one : r;
	}
	return r;
}

static int init(struct driver_unit *u, int64_t *now_ns, struct driver_offer *ret)
{
	return -ENODEV;
}

const struct driver driver_auto = {
	.name = "auto",
	.summary = "the driver that the kernel ends up with on the machine",
	.shared_size = SHARED_ROOM,
	.tune = tune,
	.init = init,
};
