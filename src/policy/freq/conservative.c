// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * conservative: as ondemand (dbs.h), but in steps of freq_step per cent of the highest frequency of
 * the limits. Above up_threshold per cent of load one step up; below down_threshold one step down,
 * but only with every sampling_down_factor-th sample that was no step up. A CPU that slept over
 * sampling periods is taken down a step for each of them first.
 *
 * Source: cpufreq_conservative.c of Linux 6.1. Units: us, kHz, per cent.
 */
#include "policy/freq/actions.h"
#include "policy/freq/dbs.h"
#include "policy/freq/governors.h"

#include <errno.h>
#include <string.h>

enum { UP_THRESHOLD = 80, DOWN_THRESHOLD = 20, FREQ_STEP = 5, DOWN_FACTOR_MAX = 10 };

struct conservative {
	struct dbs dbs;
	uint32_t down_threshold, freq_step;
	uint32_t down_skip; /* samples since the last step that was possible */
	uint32_t requested_khz;
	bool limits_changed; /* requested_khz begins at what is in force then */
};

static struct dbs_cpu *cpus_of(struct conservative *cs)
{
	return (struct dbs_cpu *)(cs + 1);
}

static void conservative_init(
	const struct freq_governor *governor, void *state, const struct freq_snapshot *s)
{
	struct conservative *cs = state;

	dbs_init(&cs->dbs, s);
	cs->dbs.up_threshold = UP_THRESHOLD;
	cs->down_threshold = DOWN_THRESHOLD;
	cs->freq_step = FREQ_STEP;
}

static int conservative_tune(void *state, const char *key, const char *value)
{
	struct conservative *cs = state;
	uint32_t number;
	int r;

	if (!strcmp(key, "sampling_down_factor"))
		return freq_number(value, 1, DOWN_FACTOR_MAX, &cs->dbs.sampling_down_factor);
	/* The two thresholds must not meet, whichever is set first. */
	if (!strcmp(key, "up_threshold"))
		return freq_number(value, cs->down_threshold + 1, 100, &cs->dbs.up_threshold);
	if (!strcmp(key, "down_threshold"))
		return freq_number(value, 1, cs->dbs.up_threshold - 1, &cs->down_threshold);
	if (!strcmp(key, "freq_step")) {
		r = freq_number(value, 0, UINT32_MAX, &number);
		if (!r)
			cs->freq_step = number < 100 ? number : 100;
		return r;
	}
	return dbs_tune(&cs->dbs, key, value);
}

static void conservative_start(
	void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	struct conservative *cs = state;

	dbs_start(&cs->dbs, cpus_of(cs), s);
	cs->down_skip = 0;
	cs->requested_khz = s->cur_khz;
	cs->limits_changed = false;
}

static void conservative_stop(void *state)
{
	struct conservative *cs = state;

	dbs_stop(&cs->dbs);
}

static void conservative_limits(
	void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	struct conservative *cs = state;

	dbs_limits(&cs->dbs, s, actions);
	cs->limits_changed = true;
}

static uint32_t step_of(const struct conservative *cs, const struct freq_snapshot *s)
{
	uint32_t khz = cs->freq_step * s->max_khz / 100;

	return khz ? khz : FREQ_STEP;
}

/* khz less step, not below the minimum; sums wrap in 32 bits as the kernel's do. */
static uint32_t less(uint32_t khz, uint32_t step, const struct freq_snapshot *s)
{
	return khz > s->min_khz + step ? khz - step : s->min_khz;
}

static void decide(struct conservative *cs, const struct freq_snapshot *s, uint32_t load,
	struct freq_actions *actions)
{
	uint32_t khz = cs->requested_khz, step = step_of(cs, s);

	if (khz > s->max_khz || khz < s->min_khz)
		khz = cs->requested_khz = s->cur_khz;
	if (cs->dbs.idle_periods < UINT32_MAX)
		khz = less(khz, cs->dbs.idle_periods * step, s);
	if (load > cs->dbs.up_threshold) {
		cs->down_skip = 0;
		khz += step;
		khz = khz < s->max_khz ? khz : s->max_khz;
		freq_ask(actions, khz, FREQ_AT_MOST | FREQ_EFFICIENT);
		cs->requested_khz = khz;
		return;
	}
	if (++cs->down_skip < cs->dbs.sampling_down_factor)
		return;
	cs->down_skip = 0;
	if (load < cs->down_threshold) {
		khz = less(khz, step, s);
		freq_ask(actions, khz, FREQ_AT_LEAST | FREQ_EFFICIENT);
		cs->requested_khz = khz;
	}
}

static void conservative_work(
	void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	struct conservative *cs = state;
	uint32_t load;

	if (cs->limits_changed)
		cs->requested_khz = s->cur_khz;
	cs->limits_changed = false;
	load = dbs_load(&cs->dbs, cpus_of(cs), s);
	if (cs->freq_step)
		decide(cs, s, load, actions);
	dbs_done(&cs->dbs, cs->dbs.sampling_rate_us);
}

const struct freq_governor freq_conservative = {
	.name = "conservative",
	.summary = "one step up or down at a time, by two thresholds of load",
	.state_size = sizeof(struct conservative),
	.cpu_state_size = sizeof(struct dbs_cpu),
	.init = conservative_init,
	.tune = conservative_tune,
	.start = conservative_start,
	.stop = conservative_stop,
	.limits = conservative_limits,
	.on_util = dbs_on_util,
	.work = conservative_work,
};
