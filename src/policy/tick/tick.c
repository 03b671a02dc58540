// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/tick/tick.h"

const struct tick_policy tick_select_first = {
	.name = "select-first",
	.summary = "since 4.17: the idle selection says if the tick stops",
	.select_first = true,
};

const struct tick_policy tick_stop_first = {
	.name = "stop-first",
	.summary = "up to 4.16: each idle entry stops it, then selects",
};

const struct tick_policy tick_periodic = {
	.name = "periodic",
	.summary = "the tick never stops",
	.periodic = true,
};
