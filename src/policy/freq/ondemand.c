// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ondemand: every sampling_rate microseconds the load of the domain (dbs.h). Above up_threshold per
 * cent the highest frequency at once, and then sampling_down_factor times as long until the next
 * look; else a frequency in proportion to the load, from the lowest to the highest that the driver
 * has, limits or not (the cpufreq core applies those).
 *
 * powersave_bias, in 1/1000, takes that much off each request. What lies between two P-states is
 * reached on average: the upper one for a part of the sampling period, the lower one for the rest.
 *
 * Source: cpufreq_ondemand.c of Linux 6.1. Units: us, kHz, per cent.
 */
#include "policy/freq/actions.h"
#include "policy/freq/dbs.h"
#include "policy/freq/governors.h"
#include "policy/freq/resolve.h"

#include <errno.h>
#include <string.h>

enum { UP_THRESHOLD = 95, DOWN_FACTOR_MAX = 100000, BIAS_MAX = 1000, BIAS_UNIT = 1000 };

struct ondemand {
	struct dbs dbs;
	uint32_t powersave_bias;
	/* The lower of two P-states that a period is shared between; 0: not shared. */
	uint32_t low_khz, low_delay_us, high_delay_us;
	bool sub_sample; /* the low part of the period is next */
};

static struct dbs_cpu *cpus_of(struct ondemand *od)
{
	return (struct dbs_cpu *)(od + 1);
}

static void ondemand_init(
	const struct freq_governor *governor, void *state, const struct freq_snapshot *s)
{
	struct ondemand *od = state;

	dbs_init(&od->dbs, s);
	od->dbs.up_threshold = UP_THRESHOLD;
	od->dbs.io_is_busy = s->efficient_idle;
}

static int ondemand_tune(void *state, const char *key, const char *value)
{
	struct ondemand *od = state;
	uint32_t number;
	int r;

	if (!strcmp(key, "up_threshold"))
		return freq_number(value, 1, 100, &od->dbs.up_threshold);
	if (!strcmp(key, "sampling_down_factor"))
		return freq_number(value, 1, DOWN_FACTOR_MAX, &od->dbs.sampling_down_factor);
	if (!strcmp(key, "io_is_busy")) {
		r = freq_number(value, 0, UINT32_MAX, &number);
		if (!r)
			od->dbs.io_is_busy = number != 0;
		return r;
	}
	if (!strcmp(key, "powersave_bias")) {
		r = freq_number(value, 0, UINT32_MAX, &number);
		if (!r)
			od->powersave_bias = number < BIAS_MAX ? number : BIAS_MAX;
		return r;
	}
	return dbs_tune(&od->dbs, key, value);
}

static void ondemand_start(void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	struct ondemand *od = state;

	dbs_start(&od->dbs, cpus_of(od), s);
	od->sub_sample = false;
	od->low_khz = 0;
}

static void ondemand_stop(void *state)
{
	struct ondemand *od = state;

	dbs_stop(&od->dbs);
}

static void ondemand_limits(
	void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	struct ondemand *od = state;

	dbs_limits(&od->dbs, s, actions);
}

/* khz less the bias: the upper P-state and for how long, the lower one and for how long. */
static uint32_t biased(
	struct ondemand *od, const struct freq_snapshot *s, uint32_t khz, unsigned relation)
{
	uint32_t wanted, low, high, delay_us;

	if (!s->driver.nr_khz) {
		od->low_khz = od->low_delay_us = 0;
		return khz;
	}
	khz = freq_resolve(&s->driver, khz, s->min_khz, s->max_khz, relation);
	wanted = khz - khz * od->powersave_bias / BIAS_UNIT;
	low = freq_resolve(&s->driver, wanted, s->min_khz, s->max_khz, FREQ_AT_MOST);
	high = freq_resolve(&s->driver, wanted, s->min_khz, s->max_khz, FREQ_AT_LEAST);
	if (high == low) {
		od->low_khz = od->low_delay_us = 0;
		return low;
	}
	/* In 32 bits, wrapping as the kernel's does. */
	delay_us = (wanted - low) * od->dbs.sampling_rate_us;
	delay_us = (delay_us + (high - low) / 2) / (high - low);
	od->high_delay_us = delay_us;
	od->low_khz = low;
	od->low_delay_us = od->dbs.sampling_rate_us - delay_us;
	return high;
}

static void raise(struct ondemand *od, const struct freq_snapshot *s, struct freq_actions *actions)
{
	uint32_t khz = s->max_khz;

	if (s->cur_khz < s->max_khz)
		od->dbs.rate_mult = od->dbs.sampling_down_factor;
	if (od->powersave_bias) {
		khz = biased(od, s, khz, FREQ_AT_MOST);
		freq_ask(actions, khz, FREQ_AT_LEAST | FREQ_EFFICIENT);
	} else if (s->cur_khz != s->max_khz) {
		freq_ask(actions, khz, FREQ_AT_MOST | FREQ_EFFICIENT);
	}
}

static void follow(struct ondemand *od, const struct freq_snapshot *s, uint32_t load,
	struct freq_actions *actions)
{
	uint32_t khz = s->cpuinfo_min_khz + load * (s->cpuinfo_max_khz - s->cpuinfo_min_khz) / 100;

	od->dbs.rate_mult = 1;
	if (od->powersave_bias)
		khz = biased(od, s, khz, FREQ_AT_LEAST);
	freq_ask(actions, khz, FREQ_CLOSEST | FREQ_EFFICIENT);
}

/* Returns the time to the next sample in us. */
static uint32_t sample(
	struct ondemand *od, const struct freq_snapshot *s, struct freq_actions *actions)
{
	bool sub_sample = od->sub_sample;
	uint32_t load;

	od->sub_sample = false;
	/* A change of limits in between has set the delay to 0: then the whole period begins anew.
	 */
	if (sub_sample && od->dbs.sample_delay_ns > 0) {
		freq_ask(actions, od->low_khz, FREQ_AT_MOST | FREQ_EFFICIENT);
		return od->low_delay_us;
	}
	load = dbs_load(&od->dbs, cpus_of(od), s);
	od->low_khz = 0;
	if (load > od->dbs.up_threshold)
		raise(od, s, actions);
	else
		follow(od, s, load, actions);
	if (od->low_khz) {
		od->sub_sample = true;
		return od->high_delay_us;
	}
	return od->dbs.sampling_rate_us * od->dbs.rate_mult;
}

static void ondemand_work(void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	struct ondemand *od = state;

	dbs_done(&od->dbs, sample(od, s, actions));
}

const struct freq_governor freq_ondemand = {
	.name = "ondemand",
	.summary = "the highest above a threshold of load, else in proportion to it",
	.state_size = sizeof(struct ondemand),
	.cpu_state_size = sizeof(struct dbs_cpu),
	.init = ondemand_init,
	.tune = ondemand_tune,
	.start = ondemand_start,
	.stop = ondemand_stop,
	.limits = ondemand_limits,
	.on_util = dbs_on_util,
	.work = ondemand_work,
};
