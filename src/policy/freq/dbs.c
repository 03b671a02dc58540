// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/freq/dbs.h"

#include "base/units.h"
#include "policy/freq/actions.h"

#include <errno.h>
#include <string.h>

enum { DEFAULT_DELAY_US = 1000 };

void dbs_init(struct dbs *dbs, const struct freq_snapshot *s)
{
	uint32_t delay_us = s->driver.transition_delay_us;

	dbs->min_sampling_rate_us = (uint32_t)(2 * s->tick_ns / NSEC_PER_USEC);
	delay_us = delay_us ? delay_us : DEFAULT_DELAY_US;
	dbs->sampling_rate_us =
		delay_us > dbs->min_sampling_rate_us ? delay_us : dbs->min_sampling_rate_us;
	dbs->sampling_down_factor = 1;
	dbs->rate_mult = 1;
}

int dbs_tune(struct dbs *dbs, const char *key, const char *value)
{
	uint32_t number;
	int r;

	if (!strcmp(key, "sampling_rate"))
		return freq_number(
			value, dbs->min_sampling_rate_us, UINT32_MAX, &dbs->sampling_rate_us);
	if (!strcmp(key, "ignore_nice_load")) {
		r = freq_number(value, 0, UINT32_MAX, &number);
		if (!r)
			dbs->ignore_nice_load = number != 0;
		return r;
	}
	return -ENOENT;
}

/* In whole microseconds, each of the two by itself, as the kernel adds them up. */
static uint64_t idle_us(const struct dbs *dbs, const struct cpu_load *load)
{
	uint64_t us = load->idle_ns / NSEC_PER_USEC;

	return dbs->io_is_busy ? us : us + load->iowait_ns / NSEC_PER_USEC;
}

void dbs_start(struct dbs *dbs, struct dbs_cpu *cpus, const struct freq_snapshot *s)
{
	dbs->rate_mult = 1;
	for (int i = 0; i < s->nr_cpus; i++) {
		cpus[i].idle_us = idle_us(dbs, &s->cpus[i]);
		cpus[i].wall_us = s->cpus[i].wall_ns / NSEC_PER_USEC;
		cpus[i].load = 0;
		if (dbs->ignore_nice_load)
			cpus[i].nice_ns = s->cpus[i].nice_ns;
	}
	dbs->sample_delay_ns = (int64_t)dbs->sampling_rate_us * NSEC_PER_USEC;
	dbs->last_sample_ns = 0;
}

void dbs_stop(struct dbs *dbs)
{
	dbs->work_in_progress = false;
}

void dbs_limits(struct dbs *dbs, const struct freq_snapshot *s, struct freq_actions *actions)
{
	freq_apply_limits(s, actions);
	dbs->sample_delay_ns = 0;
}

void dbs_on_util(void *state, const struct util_event *event, const struct freq_snapshot *s,
	struct freq_actions *actions)
{
	struct dbs *dbs = state;

	if (event->foreign || dbs->work_in_progress)
		return;
	if ((int64_t)((uint64_t)event->now_ns - dbs->last_sample_ns) < dbs->sample_delay_ns)
		return;
	dbs->last_sample_ns = (uint64_t)event->now_ns;
	dbs->work_in_progress = true;
	freq_act(actions, FREQ_QUEUE_IRQ_WORK, 0, 0);
}

/* Idle time since the last sample, as far as it counts as idle. */
static uint32_t idle_since(const struct dbs *dbs, struct dbs_cpu *cpu, const struct cpu_load *load)
{
	uint64_t now_us = idle_us(dbs, load);
	uint32_t idle = now_us > cpu->idle_us ? (uint32_t)(now_us - cpu->idle_us) : 0;

	cpu->idle_us = now_us;
	if (dbs->ignore_nice_load) {
		idle += (uint32_t)((load->nice_ns - cpu->nice_ns) / NSEC_PER_USEC);
		cpu->nice_ns = load->nice_ns;
	}
	return idle;
}

static uint32_t cpu_load(
	struct dbs *dbs, struct dbs_cpu *cpu, const struct cpu_load *now, uint32_t rate_us)
{
	uint64_t wall_us = now->wall_ns / NSEC_PER_USEC;
	uint32_t elapsed = (uint32_t)(wall_us - cpu->wall_us), idle, load;

	cpu->wall_us = wall_us;
	idle = idle_since(dbs, cpu, now);
	if (!elapsed) {
		load = cpu->load;
	} else if (idle > 2 * rate_us && cpu->load) {
		load = cpu->load;
		cpu->load = 0;
	} else {
		load = elapsed > idle ? 100 * (elapsed - idle) / elapsed : 0;
		cpu->load = load;
	}
	/* A rate and a factor whose product wraps to 0 would stop the kernel here. */
	if (rate_us && idle > 2 * rate_us && idle / rate_us < dbs->idle_periods)
		dbs->idle_periods = idle / rate_us;
	return load;
}

uint32_t dbs_load(struct dbs *dbs, struct dbs_cpu *cpus, const struct freq_snapshot *s)
{
	uint32_t rate_us = dbs->sampling_rate_us * dbs->rate_mult, max = 0;

	dbs->idle_periods = UINT32_MAX;
	for (int i = 0; i < s->nr_cpus; i++) {
		uint32_t load = cpu_load(dbs, &cpus[i], &s->cpus[i], rate_us);

		max = load > max ? load : max;
	}
	return max;
}

void dbs_done(struct dbs *dbs, uint32_t delay_us)
{
	dbs->sample_delay_ns = (int64_t)delay_us * NSEC_PER_USEC;
	dbs->work_in_progress = false;
}
