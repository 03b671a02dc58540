// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/freq/resolve.h"

/* The first P-state at or above khz; nr_khz: none. */
static int first_at_least(const struct driver_info *driver, uint32_t khz)
{
	int low = 0, high = driver->nr_khz;

	while (low < high) {
		int middle = (low + high) / 2;

		if (driver->khz[middle] < khz)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t freq_resolve(const struct driver_info *driver, uint32_t khz, uint32_t min_khz,
	uint32_t max_khz, unsigned relation)
{
	uint32_t above, below;
	int i;

	/* With the minimum above the maximum the kernel's clamp gives the maximum. */
	khz = khz < min_khz ? min_khz : khz;
	khz = khz > max_khz ? max_khz : khz;
	if (!driver->nr_khz)
		return khz;
	i = first_at_least(driver, khz);
	if (i == driver->nr_khz)
		return driver->khz[i - 1];
	above = driver->khz[i];
	if (above == khz || i == 0)
		return above;
	below = driver->khz[i - 1];
	switch (relation & ~(unsigned)FREQ_EFFICIENT) {
	case FREQ_AT_MOST:
		return below;
	case FREQ_CLOSEST:
		return khz - below > above - khz ? above : below;
	default:
		return above;
	}
}
