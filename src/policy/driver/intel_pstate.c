// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * intel_pstate of Linux 6.1. Active: powersave and performance are its own; with hardware P-states
 * they are settings of the request register (intel_hwp.c), without them powersave is an algorithm
 * (intel_sample.c) and performance a single request. Passive: governors ask, through PERF_CTL or
 * through the request register. By default active with hardware P-states, passive without.
 *
 * The registers are read and written in the kernel's order; tests/driver holds that against logs
 * written by hand. Not here: Atom, Xeon Phi, hybrid processors, HWP of Broadwell.
 * Source of the algorithms: Documentation/admin-guide/pm/intel_pstate.rst, read against the driver.
 */
#include "policy/driver/intel_pstate.h"

#include "base/units.h"
#include "policy/driver/drivers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Models of family 6 on which firmware may keep P-states to itself and says so in a register. */
static const uint8_t out_of_band_models[] = { 0x56, 0x4f, 0x55, 0x6a, 0x8f };

/* ---- registering ----------------------------------------------------------------------- */

static int turbo_is_disabled(
	const struct hardware *hw, int64_t *now_ns, int cpu, bool *ret_disabled)
{
	uint64_t misc;
	int r;

	*ret_disabled = true;
	if (!hw->platform->turbo)
		return 0;
	r = hw->rdmsr(hw->ctx, now_ns, cpu, MSR_IA32_MISC_ENABLE, &misc);
	if (!r)
		*ret_disabled = misc & MISC_ENABLE_TURBO_DISABLE;
	return r;
}

static int check_ratios(const struct hardware *hw, int64_t *now_ns, int cpu)
{
	int max, turbo, r = intel_max_ratio(hw, now_ns, cpu, false, &max);
	uint64_t info = 0;

	if (!r)
		r = hw->rdmsr(hw->ctx, now_ns, cpu, MSR_PLATFORM_INFO, &info);
	if (!r)
		r = intel_turbo_ratio(hw, now_ns, cpu, false, &turbo);
	if (!r && (!max || !ratio_field(info, 40) || !turbo))
		r = -ENODEV;
	return r;
}

static int out_of_band(const struct hardware *hw, int64_t *now_ns, int cpu)
{
	const uint64_t bits = 1ULL << 8 | 1ULL << 18;
	uint64_t misc = 0;

	if (!memchr(out_of_band_models, (int)hw->platform->model, sizeof(out_of_band_models)))
		return 0;
	if (hw->rdmsr(hw->ctx, now_ns, cpu, MSR_MISC_PWR_MGMT, &misc))
		return 0;
	return misc & bits ? -ENODEV : 0;
}

static int load(void *shared, const struct hardware *hw, int64_t *now_ns, int cpu)
{
	struct intel_global *g = shared;
	uint64_t enabled = 0;
	int r = 0;

	if (hw->platform->vendor != VENDOR_INTEL || hw->platform->family != 6)
		return -ENODEV;
	if (hw->platform->hwp) {
		r = hw->rdmsr(hw->ctx, now_ns, cpu, MSR_PM_ENABLE, &enabled);
		if (r < 0)
			return r;
		g->hwp = (enabled & 1) || (!g->no_hwp && hw->platform->hwp_epp);
	}
	if (!g->hwp)
		r = hw->platform->aperfmperf ? check_ratios(hw, now_ns, cpu) : -ENODEV;
	if (!r)
		r = out_of_band(hw, now_ns, cpu);
	if (!r && g->hwp && g->status == STATUS_OFF)
		r = -EBUSY; /* hardware P-states stay on until the next reset */
	if (!r)
		r = turbo_is_disabled(hw, now_ns, cpu, &g->turbo_disabled);
	if (r < 0)
		return r;
	if (g->status == STATUS_DEFAULT)
		g->status = g->hwp ? STATUS_ACTIVE : STATUS_PASSIVE;
	g->turbo_off = g->turbo_disabled;
	g->max_pct = 100;
	return 0;
}

/* ---- a CPU ----------------------------------------------------------------------------- */

static int bring_up(struct driver_unit *u, int64_t *now_ns)
{
	struct intel_global *g = u->shared;
	struct intel_cpu *c = u->state;
	int r = 0;

	c->cpu = u->cpus[0];
	if (g->hwp)
		r = c->up ? intel_hwp_online(u, now_ns) : intel_hwp_enable(u, now_ns);
	c->epp_powersave = EPP_NONE;
	c->epp_policy = 0;
	if (!r)
		r = intel_find_ratios(u, now_ns);
	c->min_ratio = 0;
	c->max_ratio = 0xff;
	c->up = true;
	return r;
}

static int init_active(struct driver_unit *u, int64_t *now_ns)
{
	const struct intel_global *g = u->shared;
	struct intel_cpu *c = u->state;

	if (!g->hwp)
		return intel_set_pstate(u, now_ns, c->min_pstate);
	c->epp_cached = intel_hwp_get_epp(u, now_ns, 0);
	return 0;
}

static int init_passive(struct driver_unit *u, int64_t *now_ns)
{
	const struct intel_global *g = u->shared;
	struct intel_cpu *c = u->state;
	int r;

	if (!g->hwp)
		return intel_set_pstate(u, now_ns, c->min_pstate);
	r = intel_hwp_read_capabilities(u, now_ns);
	if (!r)
		r = intel_read(u, now_ns, MSR_HWP_REQUEST, &c->request);
	if (r < 0)
		return r;
	c->epp_cached = intel_hwp_get_epp(u, now_ns, c->request);
	return intel_hwp_update(u, now_ns, c->min_pstate, c->max_pstate, c->min_pstate);
}

static uint32_t max_khz(const struct intel_cpu *c, bool no_turbo)
{
	return (uint32_t)(no_turbo ? c->max_pstate : c->turbo_pstate) * INTEL_SCALING_KHZ;
}

static int init(struct driver_unit *u, int64_t *now_ns, struct driver_offer *ret)
{
	struct intel_global *g = u->shared;
	const struct platform *p = u->hw->platform;
	struct intel_cpu *c = u->state;
	int r;

	if (g->status == STATUS_OFF)
		return 0;
	r = bring_up(u, now_ns);
	if (!r)
		r = g->status == STATUS_ACTIVE ? init_active(u, now_ns) : init_passive(u, now_ns);
	if (r < 0)
		return r;
	if (!g->loaded)
		g->lowest_pct = c->turbo_pstate ? c->min_pstate * 100 / c->turbo_pstate : 0;
	g->loaded = true;
	ret->range.min_khz = (uint32_t)c->min_pstate * INTEL_SCALING_KHZ;
	ret->range.max_khz = max_khz(c, g->turbo_disabled);
	ret->cur_khz = ret->range.min_khz;
	ret->own_policies = g->status == STATUS_ACTIVE;
	ret->follows_ppc = !g->hwp && (p->server_profile || g->support_ppc) &&
			   p->pss_space == PSS_MSR && p->nr_pss >= 2;
	ret->info.fast_switch = true;
	ret->info.adjust_perf = ret->info.need_update_limits = g->hwp;
	ret->info.transition_delay_us = g->hwp ? 5000 : 500;
	return 0;
}

static int offline(struct driver_unit *u, int64_t *now_ns)
{
	const struct intel_global *g = u->shared;
	struct intel_cpu *c = u->state;

	u->hooked = false;
	return g->hwp ? intel_hwp_offline(u, now_ns) : intel_set_pstate(u, now_ns, c->min_pstate);
}

static int online(struct driver_unit *u, int64_t *now_ns)
{
	const struct intel_global *g = u->shared;

	return g->hwp ? intel_hwp_online(u, now_ns) : 0;
}

/* ---- limits ---------------------------------------------------------------------------- */

static int clamp_pct(int v, int low, int high)
{
	return v < low ? low : v > high ? high : v;
}

/* What users have written to the driver's files since the last time, in the kernel's order. */
static int store_parameters(struct driver_unit *u, int64_t *now_ns)
{
	struct intel_global *g = u->shared;
	struct intel_cpu *c = u->state;
	int r, most;

	if ((g->no_turbo || g->max_perf_pct || g->min_perf_pct) && g->min_pct < g->lowest_pct)
		g->min_pct = g->lowest_pct; /* since the driver has registered */
	if (g->no_turbo) {
		bool off = g->no_turbo == TURBO_ASKED_OFF;

		r = turbo_is_disabled(u->hw, now_ns, c->cpu, &g->turbo_disabled);
		if (r < 0)
			return r;
		g->no_turbo = 0;
		g->turbo_off = off || g->turbo_disabled;
		most = c->turbo_pstate ? c->max_pstate * 100 / c->turbo_pstate : 0;
		if (g->turbo_off && g->min_pct > most)
			g->min_pct = most;
	}
	if (g->max_perf_pct)
		g->max_pct = clamp_pct(g->max_perf_pct, g->min_pct, 100);
	if (g->min_perf_pct)
		g->min_pct = clamp_pct(g->min_perf_pct, g->lowest_pct, g->max_pct);
	g->max_perf_pct = g->min_perf_pct = 0;
	return 0;
}

static uint32_t percent_khz(const struct intel_cpu *c, int percent)
{
	return ((uint32_t)c->turbo_pstate * INTEL_SCALING_KHZ * (uint64_t)percent + 99) / 100;
}

static void within(struct freq_limits *l, uint32_t min_khz, uint32_t max_khz)
{
	l->min_khz = l->min_khz < min_khz ? min_khz : l->min_khz;
	l->max_khz = l->max_khz < min_khz ? min_khz : l->max_khz;
	l->min_khz = l->min_khz > max_khz ? max_khz : l->min_khz;
	l->max_khz = l->max_khz > max_khz ? max_khz : l->max_khz;
	l->min_khz = l->min_khz > l->max_khz ? l->max_khz : l->min_khz;
}

/* Once for each CPU and preference, as if written to sysfs when the system is up. */
static int write_preferences(struct driver_unit *u, int64_t *now_ns)
{
	const struct intel_global *g = u->shared;
	struct intel_cpu *c = u->state;
	int r = 0;

	if (c->preferred == g->preferences)
		return 0;
	c->preferred = g->preferences;
	if (g->epb_given)
		r = intel_set_epb(u, now_ns, g->epb);
	if (!r && g->epp_given)
		r = g->hwp ? intel_hwp_set_preference(u, now_ns) : -ENOENT;
	return r;
}

static int verify(struct driver_unit *u, int64_t *now_ns, struct freq_limits *limits)
{
	const struct intel_global *g = u->shared;
	struct intel_cpu *c = u->state;
	uint32_t top;
	int r = store_parameters(u, now_ns);

	if (!r && g->hwp)
		r = intel_hwp_read_capabilities(u, now_ns);
	if (r < 0)
		return r;
	if (g->status == STATUS_PASSIVE) { /* requests of its own among the others' */
		uint32_t low = percent_khz(c, g->min_pct), high = percent_khz(c, g->max_pct);

		limits->min_khz = limits->min_khz < low ? low : limits->min_khz;
		limits->max_khz = limits->max_khz > high ? high : limits->max_khz;
	}
	within(limits, (uint32_t)c->min_pstate * INTEL_SCALING_KHZ, max_khz(c, g->turbo_off));
	top = max_khz(c, g->turbo_disabled);
	if (!g->hwp && c->max_physical > c->max_pstate && limits->max_khz < top &&
		limits->max_khz > max_khz(c, true))
		limits->max_khz = top;
	if (g->status != STATUS_PASSIVE)
		return 0;
	intel_update_limits(u, limits);
	return write_preferences(u, now_ns);
}

static int set_policy(struct driver_unit *u, int64_t *now_ns, enum driver_policy policy,
	const struct freq_limits *limits)
{
	const struct intel_global *g = u->shared;
	struct intel_cpu *c = u->state;
	int r = 0;

	c->policy = policy;
	intel_update_limits(u, limits);
	if (policy == DRIVER_PERFORMANCE) {
		int pstate = c->min_pstate > c->max_ratio ? c->min_pstate : c->max_ratio;

		u->hooked = false;
		r = intel_set_pstate(u, now_ns, pstate);
	} else if (!g->hwp && !u->hooked) {
		c->sample_ns = 0; /* what was counted before is stale */
		u->hooked = true;
	}
	if (!r && g->hwp)
		r = intel_hwp_set(u, now_ns);
	return r < 0 ? r : write_preferences(u, now_ns);
}

/* ---- passive --------------------------------------------------------------------------- */

static int pstate_of(const struct intel_cpu *c, uint32_t khz, enum freq_relation relation)
{
	const uint32_t unit = INTEL_SCALING_KHZ;

	switch (relation & ~FREQ_EFFICIENT) {
	case FREQ_AT_MOST:
		return (int)(khz / unit);
	case FREQ_CLOSEST:
		return (int)((khz + unit / 2) / unit);
	default:
		return (int)((khz + unit - 1) / unit);
	}
}

static int target(struct driver_unit *u, int64_t *now_ns, uint32_t khz, enum freq_relation relation,
	const struct freq_limits *limits, uint32_t *ret_khz)
{
	const struct intel_global *g = u->shared;
	struct intel_cpu *c = u->state;
	int pstate = intel_prepare(c, pstate_of(c, khz, relation)), r = 0;

	if (g->hwp)
		r = intel_hwp_update(u, now_ns, pstate, u->strict ? pstate : c->max_ratio, pstate);
	else if (pstate != c->current_pstate)
		r = intel_write(u, now_ns, MSR_IA32_PERF_CTL, intel_ctl_value(g, pstate));
	if (r < 0)
		return r;
	c->current_pstate = pstate;
	*ret_khz = (uint32_t)pstate * INTEL_SCALING_KHZ;
	return 0;
}

static int share(int of, uint32_t perf, uint32_t capacity)
{
	if (perf >= capacity)
		return of;
	return (int)(((uint64_t)of * perf + capacity - 1) / capacity);
}

static void adjust_perf(struct driver_unit *u, int64_t *now_ns, uint32_t min_perf,
	uint32_t target_perf, uint32_t capacity)
{
	const struct intel_global *g = u->shared;
	struct intel_cpu *c = u->state;
	int cap = (int)ratio_field(c->capabilities, g->turbo_disabled ? 8 : 0);
	int wanted = share(cap, target_perf, capacity), min = share(cap, min_perf, capacity);
	int max = cap < c->max_ratio ? cap : c->max_ratio;

	min = min < c->min_pstate ? c->min_pstate : min;
	min = min < c->min_ratio ? c->min_ratio : min;
	min = min > c->max_ratio ? c->max_ratio : min;
	max = max < min ? min : max;
	wanted = wanted < min ? min : wanted > max ? max : wanted;
	intel_hwp_update(u, now_ns, min, max, wanted);
	c->current_pstate = wanted;
}

static const char *const history[] = {
	"4.12: powersave without HWP by load instead of by a controller",
	"4.18: on ProLiants without _PSS it registers when PCCH is there",
	"5.8: passive by default without HWP",
	"5.9: passive mode with HWP: the request register instead of PERF_CTL",
	"5.11: adjust_perf: schedutil asks for a least and a desired performance",
	"6.1: what is here",
	NULL,
};

const struct driver driver_intel_pstate = {
	.name = "intel_pstate",
	.summary = "Intel's own driver: active or passive, with or without hardware P-states",
	.parameters = intel_parameters,
	.history = history,
	.shared_size = sizeof(struct intel_global),
	.state_size = sizeof(struct intel_cpu),
	.tune = intel_tune,
	.load = load,
	.init = init,
	.online = online,
	.offline = offline,
	.verify = verify,
	.set_policy = set_policy,
	.target = target,
	.adjust_perf = adjust_perf,
	.on_util = intel_on_util,
};
