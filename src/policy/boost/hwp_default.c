// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/boost/hwp_default.h"

#include "policy/registry.h"

#include <errno.h>
#include <string.h>

enum { MODEL_SKYLAKE_X = 0x55, MODEL_SKYLAKE_DESKTOP = 0x5e };

bool hwp_boost_exists(const struct hwp_boost_facts *f)
{
	return f->intel && f->hwp && f->kernel >= KERNEL(4, 18);
}

bool hwp_boost_default(const struct hwp_boost_facts *f)
{
	bool model = f->family == 6 &&
		     (f->model == MODEL_SKYLAKE_X || f->model == MODEL_SKYLAKE_DESKTOP);
	bool server = f->pm_profile == PM_PROFILE_ENTERPRISE_SERVER ||
		      f->pm_profile == PM_PROFILE_PERFORMANCE_SERVER;

	if (!hwp_boost_exists(f))
		return false;
	if (f->kernel < KERNEL(4, 19))
		return model;
	return server && (model || f->kernel >= KERNEL(6, 4));
}

int hwp_boost_parse(const char *text, bool *ret)
{
	uint64_t value = 0;
	int digits = 0;

	text += *text == '+';
	for (; *text >= '0' && *text <= '9'; text++, digits++) {
		value = value * 10 + (uint64_t)(*text - '0');
		if (value > UINT32_MAX)
			return -EINVAL;
	}
	if (!digits || (strcmp(text, "") && strcmp(text, "\n")))
		return -EINVAL;
	*ret = value != 0;
	return 0;
}
