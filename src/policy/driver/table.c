// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * table: a plain P-state table of all ratios from the lowest to the highest turbo ratio, asked for
 * through PERF_CTL. none: no driver, the hardware runs as it likes and nothing can be asked.
 */
#include "policy/driver/drivers.h"

#include "policy/driver/registers.h"

#include <errno.h>

static int none_init(struct driver_unit *u, int64_t *now_ns, struct driver_offer *ret)
{
	return 0;
}

struct table {
	uint32_t min_ratio, max_ratio;
};

static int table_init(struct driver_unit *u, int64_t *now_ns, struct driver_offer *ret)
{
	const struct hardware *hw = u->hw;
	struct table *t = u->state;
	uint64_t info, turbo;
	int cpu = u->cpus[0], r;

	r = hw->rdmsr(hw->ctx, now_ns, cpu, MSR_PLATFORM_INFO, &info);
	if (r < 0)
		return r;
	t->min_ratio = ratio_field(info, 40);
	t->max_ratio = ratio_field(info, 8);
	if (!hw->rdmsr(hw->ctx, now_ns, cpu, MSR_TURBO_RATIO_LIMIT, &turbo) &&
		ratio_field(turbo, 0) > t->max_ratio)
		t->max_ratio = ratio_field(turbo, 0);
	if (!t->min_ratio || t->min_ratio > t->max_ratio)
		return -ENODEV;
	ret->range.min_khz = t->min_ratio * BUS_CLOCK_KHZ;
	ret->range.max_khz = t->max_ratio * BUS_CLOCK_KHZ;
	ret->info.fast_switch = true;
	return 0;
}

static uint32_t table_ratio(uint32_t khz, enum freq_relation relation)
{
	switch (relation) {
	case FREQ_AT_MOST:
		return khz / BUS_CLOCK_KHZ;
	case FREQ_CLOSEST:
		return (khz + BUS_CLOCK_KHZ / 2) / BUS_CLOCK_KHZ;
	case FREQ_AT_LEAST:
		break;
	}
	return (khz + BUS_CLOCK_KHZ - 1) / BUS_CLOCK_KHZ;
}

static int table_target(struct driver_unit *u, int64_t *now_ns, uint32_t khz,
	enum freq_relation relation, const struct freq_limits *limits, uint32_t *ret_khz)
{
	const struct hardware *hw = u->hw;
	const struct table *t = u->state;
	uint32_t low = (limits->min_khz + BUS_CLOCK_KHZ - 1) / BUS_CLOCK_KHZ;
	uint32_t high = limits->max_khz / BUS_CLOCK_KHZ;
	uint32_t ratio = table_ratio(khz, relation);
	int r;

	/* The limits win over the request, the table over the limits, as in the kernel. */
	ratio = ratio < low ? low : ratio;
	ratio = ratio > high ? high : ratio;
	ratio = ratio < t->min_ratio ? t->min_ratio : ratio;
	ratio = ratio > t->max_ratio ? t->max_ratio : ratio;
	r = hw->wrmsr(hw->ctx, now_ns, u->cpus[0], MSR_IA32_PERF_CTL, (uint64_t)ratio << 8);
	if (r < 0)
		return r;
	*ret_khz = ratio * BUS_CLOCK_KHZ;
	return 0;
}

const struct driver driver_none = {
	.name = "none",
	.summary = "no frequency driver: the machine keeps its own frequency",
	.init = none_init,
};

const struct driver driver_table = {
	.name = "table",
	.summary = "plain P-state table through PERF_CTL",
	.state_size = sizeof(struct table),
	.init = table_init,
	.target = table_target,
};
