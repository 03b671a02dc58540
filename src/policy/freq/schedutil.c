// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * schedutil: the frequency follows the utilisation that the scheduler tracks, from its hook.
 *
 *     1.25 * highest frequency * utilisation / capacity
 *
 * up to the next P-state; of several CPUs the one with the highest share of its capacity counts.
 * Where utilisation is not scaled by frequency, the current frequency stands for the highest. At
 * most one change per rate_limit_us, except after a change of limits and when a deadline task adds
 * bandwidth.
 *
 * - A CPU whose idle loop did not try to stop its tick since the last look counts as busy: its
 *   frequency is not lowered, for the fall of its utilisation is likely to be passing. Only where
 *   the policy is of one CPU, and not when its tasks' limit holds utilisation down.
 * - I/O wait: a wake-up from it lifts utilisation to at least 1/8 of capacity, the next ones, at
 *   most one per update, double that; each update without one halves it, below 1/8 it ends. More
 *   than a tick after the CPU's last update it begins anew.
 * - Drivers that can be asked from the hook are asked there; for others an irq work wakes a thread
 *   of the governor's own. A driver that takes performance levels gets utilisation itself, without
 *   a rule against asking for the same again.
 *
 * Source: cpufreq_schedutil.c of Linux 6.1. Units: ns, kHz, 1/1024 of capacity.
 */
#include "base/units.h"
#include "policy/freq/actions.h"
#include "policy/freq/governors.h"
#include "policy/freq/resolve.h"

#include <errno.h>
#include <string.h>

enum { CAPACITY_SHIFT = 10, CAPACITY = 1 << CAPACITY_SHIFT, BOOST_MIN = CAPACITY / 8 };
enum { DEFAULT_RATE_LIMIT_US = 1000, OWN_THREAD = 1 };

struct schedutil {
	uint32_t rate_limit_us;
	uint64_t last_update_ns; /* of the frequency */
	uint32_t next_khz;	 /* what was asked for last */
	uint32_t cached_khz;	 /* what it was computed from, before the P-state was found */
	bool work_in_progress;
	bool limits_changed, need_update;
};

struct schedutil_cpu {
	uint64_t last_update_ns;
	uint64_t idle_calls; /* at the last look */
	uint32_t util, dl_bw, capacity;
	uint32_t boost; /* by I/O wait, of 1024; 0: none */
	bool boost_pending;
};

static struct schedutil_cpu *cpus_of(struct schedutil *sg)
{
	return (struct schedutil_cpu *)(sg + 1);
}

static void schedutil_init(
	const struct freq_governor *governor, void *state, const struct freq_snapshot *s)
{
	struct schedutil *sg = state;

	sg->rate_limit_us = s->driver.transition_delay_us;
	if (!sg->rate_limit_us)
		sg->rate_limit_us = DEFAULT_RATE_LIMIT_US;
}

static int schedutil_tune(void *state, const char *key, const char *value)
{
	struct schedutil *sg = state;

	if (strcmp(key, "rate_limit_us"))
		return -ENOENT;
	return freq_number(value, 0, UINT32_MAX, &sg->rate_limit_us);
}

static void schedutil_start(
	void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	struct schedutil *sg = state;
	uint32_t rate_limit_us = sg->rate_limit_us;

	*sg = (struct schedutil){ .rate_limit_us = rate_limit_us,
		.need_update = s->driver.need_update_limits };
	memset(cpus_of(sg), 0, (size_t)s->nr_cpus * sizeof(struct schedutil_cpu));
}

static void schedutil_limits(
	void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	struct schedutil *sg = state;

	if (!s->driver.fast_switch)
		freq_apply_limits(s, actions);
	sg->limits_changed = true;
}

/* ---- I/O wait -------------------------------------------------------------------------- */

/* More than a tick since the CPU's last update: the boost begins anew, or ends. */
static bool boost_reset(
	struct schedutil_cpu *cpu, const struct freq_snapshot *s, uint64_t now_ns, bool io)
{
	if ((int64_t)(now_ns - cpu->last_update_ns) <= s->tick_ns)
		return false;
	cpu->boost = io ? BOOST_MIN : 0;
	cpu->boost_pending = io;
	return true;
}

static void boost_ask(
	struct schedutil_cpu *cpu, const struct freq_snapshot *s, uint64_t now_ns, bool io)
{
	if (cpu->boost && boost_reset(cpu, s, now_ns, io))
		return;
	if (!io || cpu->boost_pending)
		return;
	cpu->boost_pending = true;
	if (!cpu->boost)
		cpu->boost = BOOST_MIN;
	else
		cpu->boost = 2 * cpu->boost < CAPACITY ? 2 * cpu->boost : CAPACITY;
}

static void boost_apply(struct schedutil_cpu *cpu, const struct freq_snapshot *s, uint64_t now_ns)
{
	uint32_t boost;

	if (!cpu->boost || boost_reset(cpu, s, now_ns, false))
		return;
	if (!cpu->boost_pending) {
		cpu->boost >>= 1;
		if (cpu->boost < BOOST_MIN) {
			cpu->boost = 0;
			return;
		}
	}
	cpu->boost_pending = false;
	boost = (uint32_t)((uint64_t)cpu->boost * cpu->capacity >> CAPACITY_SHIFT);
	if (cpu->util < boost)
		cpu->util = boost;
}

/* ---- from utilisation to a frequency --------------------------------------------------- */

static void read_util(struct schedutil_cpu *cpu, const struct cpu_load *load)
{
	cpu->capacity = load->capacity;
	cpu->dl_bw = load->dl_bw;
	cpu->util = load->util;
}

/* A quarter more than is used. */
static uint64_t with_headroom(uint64_t util)
{
	return util + (util >> 2);
}

static bool should_update(struct schedutil *sg, const struct util_event *event, uint64_t now_ns)
{
	if (event->foreign)
		return false;
	if (sg->limits_changed) {
		sg->limits_changed = false;
		sg->need_update = true;
		return true;
	}
	return (int64_t)(now_ns - sg->last_update_ns) >= (int64_t)sg->rate_limit_us * NSEC_PER_USEC;
}

static uint32_t next_khz(
	struct schedutil *sg, const struct freq_snapshot *s, uint64_t util, uint64_t capacity)
{
	uint64_t khz = s->invariant ? s->cpuinfo_max_khz : s->cur_khz;
	uint32_t min = s->min_khz < s->max_khz ? s->min_khz : s->max_khz;

	khz = (uint32_t)(khz * with_headroom(util) / capacity);
	if (khz == sg->cached_khz && !sg->need_update)
		return sg->next_khz;
	sg->cached_khz = (uint32_t)khz;
	return freq_resolve(&s->driver, (uint32_t)khz, min, s->max_khz, FREQ_AT_LEAST);
}

static void commit(struct schedutil *sg, const struct freq_snapshot *s, uint64_t now_ns,
	uint32_t khz, struct freq_actions *actions)
{
	bool limits = sg->need_update && s->driver.need_update_limits;

	sg->need_update = false;
	if (khz == sg->next_khz && !limits)
		return;
	sg->next_khz = khz;
	sg->last_update_ns = now_ns;
	if (s->driver.fast_switch) {
		freq_act(actions, FREQ_FAST_SWITCH, khz, FREQ_AT_LEAST);
	} else if (!sg->work_in_progress) {
		sg->work_in_progress = true;
		freq_act(actions, FREQ_QUEUE_IRQ_WORK, OWN_THREAD, 0);
	}
}

/* Has the CPU not been idle since the last time this was asked? */
static bool is_busy(struct schedutil_cpu *cpu, const struct cpu_load *load)
{
	bool busy = cpu->idle_calls == load->idle_calls;

	cpu->idle_calls = load->idle_calls;
	return busy;
}

/* ---- the hook -------------------------------------------------------------------------- */

/* What comes first in all three ways to go on; false: the frequency stays as it is. */
static bool begin(struct schedutil *sg, struct schedutil_cpu *cpu, const struct util_event *event,
	const struct freq_snapshot *s)
{
	uint64_t now_ns = (uint64_t)event->now_ns;

	boost_ask(cpu, s, now_ns, event->flags & UTIL_IOWAIT);
	cpu->last_update_ns = now_ns;
	if (s->cpus[event->index].dl_bw > cpu->dl_bw)
		sg->limits_changed = true;
	return should_update(sg, event, now_ns);
}

static void update_single(struct schedutil *sg, struct schedutil_cpu *cpu,
	const struct util_event *event, const struct freq_snapshot *s, struct freq_actions *actions)
{
	const struct cpu_load *load = &s->cpus[0];
	uint32_t cached_khz = sg->cached_khz, khz;

	read_util(cpu, load);
	boost_apply(cpu, s, (uint64_t)event->now_ns);
	khz = next_khz(sg, s, cpu->util, cpu->capacity);
	if (!load->util_capped && is_busy(cpu, load) && khz < sg->next_khz && !sg->need_update) {
		khz = sg->next_khz;
		sg->cached_khz = cached_khz;
	}
	commit(sg, s, (uint64_t)event->now_ns, khz, actions);
}

/* For drivers that take performance levels. */
static void update_perf(struct schedutil *sg, struct schedutil_cpu *cpu,
	const struct util_event *event, const struct freq_snapshot *s, struct freq_actions *actions)
{
	const struct cpu_load *load = &s->cpus[0];
	uint32_t before = cpu->util;

	read_util(cpu, load);
	boost_apply(cpu, s, (uint64_t)event->now_ns);
	if (!load->util_capped && is_busy(cpu, load) && cpu->util < before)
		cpu->util = before;
	freq_act(actions, FREQ_ADJUST_PERF,
		with_headroom(cpu->dl_bw) << 32 | with_headroom(cpu->util), 0);
	sg->last_update_ns = (uint64_t)event->now_ns;
}

static void update_shared(struct schedutil *sg, const struct util_event *event,
	const struct freq_snapshot *s, struct freq_actions *actions)
{
	uint64_t util = 0, capacity = 1;

	for (int i = 0; i < s->nr_cpus; i++) {
		struct schedutil_cpu *cpu = &cpus_of(sg)[i];

		read_util(cpu, &s->cpus[i]);
		boost_apply(cpu, s, (uint64_t)event->now_ns);
		if (cpu->util * capacity > cpu->capacity * util) {
			util = cpu->util;
			capacity = cpu->capacity;
		}
	}
	commit(sg, s, (uint64_t)event->now_ns, next_khz(sg, s, util, capacity), actions);
}

static void schedutil_on_util(void *state, const struct util_event *event,
	const struct freq_snapshot *s, struct freq_actions *actions)
{
	struct schedutil *sg = state;
	struct schedutil_cpu *cpu = &cpus_of(sg)[event->index];

	if (!begin(sg, cpu, event, s))
		return;
	if (s->nr_cpus > 1)
		update_shared(sg, event, s, actions);
	else if (s->driver.fast_switch && s->driver.adjust_perf && s->invariant)
		update_perf(sg, cpu, event, s, actions);
	else
		update_single(sg, cpu, event, s, actions);
}

static void schedutil_work(void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	struct schedutil *sg = state;

	sg->work_in_progress = false;
	freq_ask(actions, sg->next_khz, FREQ_AT_LEAST);
}

const struct freq_governor freq_schedutil = {
	.name = "schedutil",
	.summary = "in proportion to the utilisation that the scheduler tracks",
	.state_size = sizeof(struct schedutil),
	.cpu_state_size = sizeof(struct schedutil_cpu),
	.init = schedutil_init,
	.tune = schedutil_tune,
	.start = schedutil_start,
	.limits = schedutil_limits,
	.on_util = schedutil_on_util,
	.work = schedutil_work,
};
