// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The request register of hardware P-states as intel_pstate of Linux 6.1 writes it: min and max
 * from the limits, EPP by the policy (0 under performance, the value from before when it ends), and
 * the lowest performance of all on a CPU that goes offline, so that it does not hold up its
 * sibling.
 */
#include "policy/driver/intel_pstate.h"

#include <errno.h>

enum { EPP_SHIFT = 24, EPP_POWERSAVE = 0xff };

const struct energy_preference energy_preferences[] = {
	{ "default", EPP_NONE, EPP_NONE },
	{ "performance", 0x00, 0 },
	{ "balance_performance", 0x80, 4 },
	{ "balance_power", 0xc0, 8 },
	{ "power", 0xff, 12 },
	{ NULL, 0, 0 },
};

/* As a user writes energy_performance_preference. */
int intel_hwp_set_preference(struct driver_unit *u, int64_t *now_ns)
{
	const struct intel_global *g = u->shared;
	struct intel_cpu *c = u->state;
	int epp = g->epp, bias = g->epp_bias;

	if (epp == EPP_NONE)
		epp = bias = c->epp_default;
	if (!u->hw->platform->hwp_epp)
		return bias < 0 ? -EINVAL : intel_set_epb(u, now_ns, bias);
	if (g->status == STATUS_PASSIVE && epp == c->epp_cached)
		return 0;
	if (g->status != STATUS_PASSIVE && epp > 0 && c->policy == DRIVER_PERFORMANCE)
		return -EBUSY;
	return intel_hwp_set_epp(u, now_ns, epp);
}

int intel_hwp_read_capabilities(struct driver_unit *u, int64_t *now_ns)
{
	struct intel_cpu *c = u->state;
	int r = intel_read(u, now_ns, MSR_HWP_CAPABILITIES, &c->capabilities);

	if (r < 0)
		return r;
	c->max_pstate = (int)ratio_field(c->capabilities, 8);
	c->turbo_pstate = (int)ratio_field(c->capabilities, 0);
	return 0;
}

int intel_hwp_get_epp(struct driver_unit *u, int64_t *now_ns, uint64_t request)
{
	uint64_t bias;
	int r;

	if (u->hw->platform->hwp_epp) {
		r = request ? 0 : intel_read(u, now_ns, MSR_HWP_REQUEST, &request);
		return r < 0 ? r : (int)ratio_field(request, EPP_SHIFT);
	}
	if (!u->hw->platform->epb)
		return -ENXIO;
	r = intel_read(u, now_ns, MSR_IA32_ENERGY_PERF_BIAS, &bias);
	return r < 0 ? r : (int)(bias & 0xf);
}

int intel_set_epb(struct driver_unit *u, int64_t *now_ns, int epb)
{
	uint64_t bias;
	int r;

	if (!u->hw->platform->epb)
		return -ENXIO;
	r = intel_read(u, now_ns, MSR_IA32_ENERGY_PERF_BIAS, &bias);
	if (r < 0)
		return r;
	return intel_write(u, now_ns, MSR_IA32_ENERGY_PERF_BIAS, (bias & ~0xfULL) | (uint64_t)epb);
}

int intel_hwp_enable(struct driver_unit *u, int64_t *now_ns)
{
	bool notify = u->hw->platform->hwp_notify;
	struct intel_cpu *c = u->state;
	int r = notify ? intel_write(u, now_ns, MSR_HWP_INTERRUPT, 0) : 0;

	if (!r)
		r = intel_write(u, now_ns, MSR_PM_ENABLE, 1);
	if (!r && notify)
		r = intel_write(u, now_ns, MSR_HWP_INTERRUPT, 1);
	if (!r && notify)
		r = intel_write(u, now_ns, MSR_HWP_STATUS, 0);
	if (!r && !c->up)
		c->epp_default = intel_hwp_get_epp(u, now_ns, 0);
	return r;
}

/* The EPP to write for the policy, EPP_NONE: leave it. */
static int policy_epp(struct driver_unit *u, int64_t *now_ns, uint64_t request)
{
	struct intel_cpu *c = u->state;
	int epp;

	if (c->epp_policy == (int)c->policy + 1)
		return EPP_NONE;
	c->epp_policy = (int)c->policy + 1;
	if (c->policy == DRIVER_PERFORMANCE) {
		c->epp_powersave = intel_hwp_get_epp(u, now_ns, request);
		return c->epp_powersave < 0 ? EPP_NONE : 0;
	}
	if (c->epp_powersave < 0)
		return EPP_NONE;
	epp = intel_hwp_get_epp(u, now_ns, request);
	return epp ? EPP_NONE : c->epp_powersave; /* not 0: somebody has set it since */
}

int intel_hwp_set(struct driver_unit *u, int64_t *now_ns)
{
	struct intel_cpu *c = u->state;
	int min = c->policy == DRIVER_PERFORMANCE ? c->max_ratio : c->min_ratio, epp;
	uint64_t value;
	int r = intel_read(u, now_ns, MSR_HWP_REQUEST, &value);

	if (r < 0)
		return r;
	value = with_byte(with_byte(value, 0, (uint32_t)min), 8, (uint32_t)c->max_ratio);
	epp = policy_epp(u, now_ns, value);
	if (epp != EPP_NONE && u->hw->platform->hwp_epp)
		value = with_byte(value, EPP_SHIFT, (uint32_t)epp);
	else if (epp != EPP_NONE)
		intel_set_epb(u, now_ns, epp);
	c->request = value;
	return intel_write(u, now_ns, MSR_HWP_REQUEST, value);
}

int intel_hwp_set_epp(struct driver_unit *u, int64_t *now_ns, int epp)
{
	struct intel_cpu *c = u->state;
	int r;

	c->request = with_byte(c->request, EPP_SHIFT, (uint32_t)epp);
	r = intel_write(u, now_ns, MSR_HWP_REQUEST, c->request);
	if (!r)
		c->epp_cached = epp;
	return r;
}

/* Passive mode; nothing is written when nothing changes. */
int intel_hwp_update(struct driver_unit *u, int64_t *now_ns, int min, int max, int desired)
{
	struct intel_cpu *c = u->state;
	uint64_t value =
		with_byte(with_byte(with_byte(c->request, 0, (uint32_t)min), 8, (uint32_t)max), 16,
			(uint32_t)desired);

	if (value == c->request)
		return 0;
	c->request = value;
	return intel_write(u, now_ns, MSR_HWP_REQUEST, value);
}

int intel_hwp_offline(struct driver_unit *u, int64_t *now_ns)
{
	struct intel_cpu *c = u->state;
	uint32_t lowest = ratio_field(c->capabilities, 24);
	uint64_t value;
	int r = 0;

	if (u->hw->platform->hwp_notify)
		r = intel_write(u, now_ns, MSR_HWP_INTERRUPT, 0);
	if (r < 0)
		return r;
	if (u->hw->platform->hwp_epp) {
		/* What performance has put there is not what it shall come back with. */
		c->request = with_byte(c->request, EPP_SHIFT, (uint32_t)c->epp_cached);
		c->epp_policy = 0;
	}
	c->request = with_byte(c->request, 16, 0);
	value = with_byte(with_byte(c->request & ~0xffffffffULL, 0, lowest), 8, lowest);
	if (u->hw->platform->hwp_epp)
		value = with_byte(value, EPP_SHIFT, EPP_POWERSAVE);
	return intel_write(u, now_ns, MSR_HWP_REQUEST, value);
}

int intel_hwp_online(struct driver_unit *u, int64_t *now_ns)
{
	struct intel_cpu *c = u->state;
	int r = intel_hwp_enable(u, now_ns);

	return r < 0 ? r : intel_write(u, now_ns, MSR_HWP_REQUEST, c->request);
}
