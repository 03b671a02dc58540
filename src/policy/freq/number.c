// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/freq/actions.h"

#include <errno.h>

int freq_number(const char *value, uint32_t min, uint32_t max, uint32_t *ret)
{
	uint64_t number = 0;

	if (!*value)
		return -EINVAL;
	for (; *value; value++) {
		if (*value < '0' || *value > '9' || number > UINT32_MAX)
			return -EINVAL;
		number = 10 * number + (uint64_t)(*value - '0');
	}
	if (number < min || number > max)
		return -EINVAL;
	*ret = (uint32_t)number;
	return 0;
}
