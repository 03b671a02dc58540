// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/freq/tunables.h"

#define SAMPLING "2 ticks or more, us"
#define DELAY "transition delay"

const struct freq_tunable freq_tunables[] = {
	{ "userspace", "scaling_setspeed", "kHz", "as found at the start", "the frequency" },
	{ "ondemand", "sampling_rate", SAMPLING, DELAY, "how often the load is looked at" },
	{ "ondemand", "up_threshold", "1 to 100 %", "95", "load above which the highest is taken" },
	{ "ondemand", "sampling_down_factor", "1 to 100000", "1",
		"stretches samples at the highest" },
	{ "ondemand", "powersave_bias", "0 to 1000", "0", "taken off each request, of 1000" },
	{ "ondemand", "ignore_nice_load", "0, 1", "0", "nice tasks count as idle time" },
	{ "ondemand", "io_is_busy", "0, 1", "1 on Intel, 0 on AMD", "I/O wait counts as load" },
	{ "conservative", "sampling_rate", SAMPLING, DELAY, "how often the load is looked at" },
	{ "conservative", "up_threshold", "to 100 %", "80", "load above which it steps up" },
	{ "conservative", "down_threshold", "1 to below up", "20",
		"load below which it steps down" },
	{ "conservative", "freq_step", "0 to 100 %", "5", "a step, of the highest frequency" },
	{ "conservative", "sampling_down_factor", "1 to 10", "1", "samples per step down" },
	{ "conservative", "ignore_nice_load", "0, 1", "0", "nice tasks count as idle time" },
	{ "schedutil", "rate_limit_us", "us", DELAY, "least time between two changes" },
	{ 0 },
};
