/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The least that a driver does to run HWP in active mode; keeps the hardware for the test. */
#pragma once

#include "policy/driver/registers.h"

#include "fixture.h"

struct hwp_test {
	uint32_t min, max, epp; /* of the request that powersave writes; max 0: as at power-on */
	uint64_t more;		/* further bits of it */
	const struct hardware *hw;
};

static struct hwp_test hwp_test;

static int hwp_test_init(struct driver_unit *u, int64_t *now_ns, struct driver_offer *ret)
{
	uint64_t caps;

	hwp_test.hw = u->hw;
	if (u->hw->wrmsr(u->hw->ctx, now_ns, u->cpus[0], MSR_PM_ENABLE, 1) ||
		u->hw->rdmsr(u->hw->ctx, now_ns, u->cpus[0], MSR_HWP_CAPABILITIES, &caps))
		return -ENODEV;
	ret->range.min_khz = 800000;
	ret->range.max_khz = ratio_field(caps, 0) * BUS_CLOCK_KHZ;
	ret->own_policies = true;
	return 0;
}

static int hwp_test_set_policy(struct driver_unit *u, int64_t *now_ns, enum driver_policy policy,
	const struct freq_limits *limits)
{
	uint32_t max = limits->max_khz / BUS_CLOCK_KHZ;
	uint32_t min = policy == DRIVER_PERFORMANCE ? max : limits->min_khz / BUS_CLOCK_KHZ;
	uint64_t request = hwp_test.more | (uint64_t)hwp_test.epp << 24;

	if (hwp_test.max) {
		max = hwp_test.max;
		min = policy == DRIVER_PERFORMANCE ? max : hwp_test.min;
	}
	request |= max << 8 | min;
	return u->hw->wrmsr(u->hw->ctx, now_ns, u->cpus[0], MSR_HWP_REQUEST, request);
}

static const struct driver hwp_test_driver = {
	.name = "hwp-test",
	.summary = "HWP, active, as small as possible",
	.init = hwp_test_init,
	.set_policy = hwp_test_set_policy,
};

static inline void hwp_policy(struct policy *p, const char *governor, const char *boost)
{
	struct error err;

	policy_make(p, "menu@4.16");
	assert_int_equal(policy_set(p, "governor", governor, &err), 0);
	assert_int_equal(policy_set(p, "boost", boost, &err), 0);
	p->driver = &hwp_test_driver;
	hwp_test = (struct hwp_test){ .epp = 128 };
}

static inline struct machine *hwp_machine(const char *spec)
{
	struct machine *m;
	struct error err;

	if (machine_load(spec, MACHINES_DIR, &m, &err))
		fail_msg("%s", err.text);
	return m;
}
