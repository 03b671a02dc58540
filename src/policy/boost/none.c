// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/boost/boosts.h"

const struct boost boost_none = {
	.name = "none",
	.summary = "no short-term raises",
};
