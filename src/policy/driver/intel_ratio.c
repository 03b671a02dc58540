// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Ratios of a CPU and the limits in them, as intel_pstate of Linux 6.1 finds them. Limits come from
 * two sides: the policy's in kHz, and the global ones in percent of the highest turbo P-state.
 * Source of the algorithm: Documentation/admin-guide/pm/intel_pstate.rst, read against the driver.
 */
#include "policy/driver/intel_pstate.h"

#include <errno.h>

static int clamp(int v, int low, int high)
{
	return v < low ? low : v > high ? high : v;
}

static int min_int(int a, int b)
{
	return a < b ? a : b;
}

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

/* Ratio of the TDP level in force. -ENXIO: the processor has no levels. */
static int tdp_ratio(
	const struct hardware *hw, int64_t *now_ns, int cpu, uint64_t info, int *ret_ratio)
{
	uint64_t control, ratio;
	int r;

	if (!(info & 0x600000000))
		return -ENXIO;
	r = hw->rdmsr(hw->ctx, now_ns, cpu, MSR_CONFIG_TDP_CONTROL, &control);
	if (r < 0)
		return r;
	control &= 3;
	r = hw->rdmsr(hw->ctx, now_ns, cpu, MSR_CONFIG_TDP_NOMINAL + (uint32_t)control, &ratio);
	if (r < 0)
		return r;
	*ret_ratio = (int)ratio_field(ratio, control ? 16 : 0);
	return 0;
}

/* The highest ratio without turbo: PLATFORM_INFO's, unless the TDP was set lower. */
int intel_max_ratio(const struct hardware *hw, int64_t *now_ns, int cpu, bool hwp, int *ret)
{
	uint64_t info, activation;
	int tdp, r = hw->rdmsr(hw->ctx, now_ns, cpu, MSR_PLATFORM_INFO, &info);

	if (r < 0)
		return r;
	*ret = (int)ratio_field(info, 8);
	if (tdp_ratio(hw, now_ns, cpu, info, &tdp) < 0 || tdp <= 0)
		return 0;
	if (hwp) {
		*ret = tdp;
		return 0;
	}
	r = hw->rdmsr(hw->ctx, now_ns, cpu, MSR_TURBO_ACTIVATION_RATIO, &activation);
	if (!r && tdp - 1 == (int)ratio_field(activation, 0))
		*ret = tdp - 1;
	return 0;
}

int intel_turbo_ratio(const struct hardware *hw, int64_t *now_ns, int cpu, bool hwp, int *ret)
{
	uint64_t limit;
	int max, r = hw->rdmsr(hw->ctx, now_ns, cpu, MSR_TURBO_RATIO_LIMIT, &limit);

	if (!r)
		r = intel_max_ratio(hw, now_ns, cpu, hwp, &max);
	if (!r)
		*ret = max_int((int)ratio_field(limit, 0), max);
	return r;
}

int intel_find_ratios(struct driver_unit *u, int64_t *now_ns)
{
	const struct intel_global *g = u->shared;
	struct intel_cpu *c = u->state;
	uint64_t info;
	int r = intel_read(u, now_ns, MSR_PLATFORM_INFO, &info);

	if (r < 0)
		return r;
	c->max_physical = (int)ratio_field(info, 8);
	r = intel_read(u, now_ns, MSR_PLATFORM_INFO, &info);
	if (r < 0)
		return r;
	c->min_pstate = (int)ratio_field(info, 40);
	if (g->hwp)
		return intel_hwp_read_capabilities(u, now_ns);
	r = intel_max_ratio(u->hw, now_ns, c->cpu, false, &c->max_pstate);
	if (!r)
		r = intel_turbo_ratio(u->hw, now_ns, c->cpu, false, &c->turbo_pstate);
	return r;
}

static int percent_up(int value, int percent)
{
	return (value * percent + 99) / 100;
}

void intel_update_limits(struct driver_unit *u, const struct freq_limits *limits)
{
	const struct intel_global *g = u->shared;
	struct intel_cpu *c = u->state;
	int max = (int)(limits->max_khz / INTEL_SCALING_KHZ), min = max;
	int global_min, global_max;

	if (limits->min_khz != limits->max_khz)
		min = clamp((int)(limits->min_khz / INTEL_SCALING_KHZ), 0, max);
	if (g->per_cpu_limits) {
		c->min_ratio = min;
		c->max_ratio = max;
		return;
	}
	global_max = percent_up(c->turbo_pstate, g->max_pct);
	global_min = clamp(percent_up(c->turbo_pstate, g->min_pct), 0, global_max);
	c->min_ratio = min_int(max_int(min, global_min), max);
	c->max_ratio = max_int(min, min_int(max, global_max));
	c->min_ratio = min_int(c->min_ratio, c->max_ratio);
}

int intel_prepare(const struct intel_cpu *c, int pstate)
{
	int low = max_int(c->min_pstate, c->min_ratio);

	return clamp(pstate, low, max_int(low, c->max_ratio));
}

/* Turbo that software has switched off is left out bit by bit; firmware's needs no bit. */
uint64_t intel_ctl_value(const struct intel_global *g, int pstate)
{
	uint64_t value = (uint64_t)pstate << 8;

	return g->turbo_off && !g->turbo_disabled ? value | PERF_CTL_NO_TURBO : value;
}

int intel_set_pstate(struct driver_unit *u, int64_t *now_ns, int pstate)
{
	struct intel_cpu *c = u->state;

	c->current_pstate = pstate;
	return intel_write(u, now_ns, MSR_IA32_PERF_CTL, intel_ctl_value(u->shared, pstate));
}
