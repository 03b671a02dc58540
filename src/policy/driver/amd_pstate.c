// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * amd-pstate on processors with CPPC registers, as of Linux 6.12. Active: powersave and
 * performance are its own, settings of the request register under which the processor chooses by
 * EPP. Passive: governors ask for a performance that is desired. Guided: a governor that changes
 * by itself asks for the least, and the processor chooses from there up.
 *
 * The modes came one by one: passive in 5.17, active in 6.3, guided in 6.4. Linux 6.1, passive
 * only, does not look at the switch of boost in HWCR, and its performance requests from the
 * scheduler's hook know no limits. Left out: processors with CPPC in shared memory, preferred
 * cores. Source of the algorithms: Documentation/admin-guide/pm/amd-pstate.rst, read against the
 * driver.
 */
#include "base/spec.h"
#include "base/units.h"
#include "policy/driver/drivers.h"
#include "policy/driver/registers.h"

#include <errno.h>
#include <string.h>

enum { MAX_SHIFT = 0, MIN_SHIFT = 8, DESIRED_SHIFT = 16, EPP_SHIFT = 24, DELAY_US = 1000 };

enum amd_status { AMD_ACTIVE, AMD_PASSIVE, AMD_GUIDED, AMD_DISABLE };

static const char *const status_names[] = { "active", "passive", "guided", "disable" };

static const struct {
	const char *name;
	int epp;
} preferences[] = { { "performance", 0x00 }, { "balance_performance", 0x80 },
	{ "balance_power", 0xbf }, { "power", 0xff }, { "default", -1 } };

struct amd_global {
	enum amd_status status;
	int preferences; /* how often EPP was given */
	int epp;	 /* -1: what firmware left */
	int boost;	 /* asked for: 0 nothing, 1 off, 2 on */
};

struct amd_cpu {
	int cpu;
	uint32_t highest, nominal, lowest_nonlinear, lowest; /* performance */
	uint32_t min_khz, max_khz, nominal_khz;
	bool boost_supported, boost_off; /* by HWCR; by the user */
	uint32_t min_limit, max_limit;	 /* performance */
	uint64_t request;		 /* cached */
	int epp_default;
	int preferred; /* which of the preferences is written */
};

static int tune(void *shared, const char *key, const char *value)
{
	struct amd_global *g = shared;

	if (!strcmp(key, "status")) {
		for (size_t i = 0; i < ARRAY_LEN(status_names); i++) {
			if (strcmp(value, status_names[i]))
				continue;
			g->status = (enum amd_status)i;
			return 0;
		}
		return -EINVAL;
	}
	if (!strcmp(key, "cpb")) {
		g->boost = !strcmp(value, "1") ? 2 : 1;
		return g->boost == 2 || !strcmp(value, "0") ? 0 : -EINVAL;
	}
	if (strcmp(key, "epp") && strcmp(key, "energy-performance-preference"))
		return -ENOENT;
	g->preferences++;
	for (size_t i = 0; i < ARRAY_LEN(preferences); i++) {
		if (strcmp(value, preferences[i].name))
			continue;
		g->epp = preferences[i].epp;
		return 0;
	}
	return -EINVAL;
}

static int read_reg(struct driver_unit *u, int64_t *now_ns, uint32_t reg, uint64_t *value)
{
	return u->hw->rdmsr(u->hw->ctx, now_ns, u->cpus[0], reg, value);
}

static int write_reg(struct driver_unit *u, int64_t *now_ns, uint32_t reg, uint64_t value)
{
	return u->hw->wrmsr(u->hw->ctx, now_ns, u->cpus[0], reg, value);
}

static int write_request(struct driver_unit *u, int64_t *now_ns, uint64_t value)
{
	struct amd_cpu *c = u->state;

	c->request = value;
	return write_reg(u, now_ns, MSR_AMD_CPPC_REQ, value);
}

/* ---- a CPU ----------------------------------------------------------------------------- */

static int load(void *shared, const struct hardware *hw, int64_t *now_ns, int cpu)
{
	const struct amd_global *g = shared;

	if (hw->platform->vendor != VENDOR_AMD || !hw->platform->cppc || !hw->platform->cpc.highest)
		return -ENODEV;
	if (g->status == AMD_DISABLE)
		return 0;
	return hw->wrmsr(hw->ctx, now_ns, cpu, MSR_AMD_CPPC_ENABLE, 1);
}

static uint32_t boost_khz(const struct acpi_cpc *cpc, uint32_t nominal)
{
	uint64_t ratio = ((uint64_t)cpc->highest << 10) / nominal;

	return (uint32_t)(cpc->nominal_mhz * ratio >> 10) * 1000;
}

static int find_range(struct driver_unit *u, int64_t *now_ns)
{
	const struct acpi_cpc *cpc = &u->hw->platform->cpc;
	struct amd_cpu *c = u->state;
	uint64_t caps;
	int r = read_reg(u, now_ns, MSR_AMD_CPPC_CAP1, &caps);

	if (r < 0)
		return r;
	c->lowest = ratio_field(caps, 0);
	c->lowest_nonlinear = ratio_field(caps, 8);
	c->nominal = ratio_field(caps, 16);
	c->highest = ratio_field(caps, 24);
	if (!c->nominal)
		return -EINVAL;
	c->min_limit = c->lowest;
	c->max_limit = c->highest;
	c->min_khz = cpc->lowest_mhz * 1000;
	c->nominal_khz = cpc->nominal_mhz * 1000;
	c->max_khz = boost_khz(cpc, c->nominal);
	return !c->min_khz || c->min_khz > c->max_khz ? -EINVAL : 0;
}

static int find_boost(struct driver_unit *u, int64_t *now_ns)
{
	const struct amd_global *g = u->shared;
	struct amd_cpu *c = u->state;
	uint64_t hwcr;
	int r;

	c->boost_supported = false;
	if (!u->hw->platform->turbo)
		return 0;
	r = read_reg(u, now_ns, MSR_K7_HWCR, &hwcr);
	if (r < 0)
		return r;
	c->boost_supported = !(hwcr & HWCR_CPB_DISABLE);
	c->boost_off = g->boost == 1;
	return 0;
}

static int read_firmware_request(struct driver_unit *u, int64_t *now_ns)
{
	struct amd_cpu *c = u->state;
	uint64_t request, caps;
	int r = read_reg(u, now_ns, MSR_AMD_CPPC_REQ, &request);

	if (r < 0)
		return r;
	c->epp_default = (int)ratio_field(request, EPP_SHIFT);
	r = read_reg(u, now_ns, MSR_AMD_CPPC_REQ, &c->request);
	return r < 0 ? r : read_reg(u, now_ns, MSR_AMD_CPPC_CAP1, &caps);
}

static int init(struct driver_unit *u, int64_t *now_ns, struct driver_offer *ret)
{
	const struct amd_global *g = u->shared;
	struct amd_cpu *c = u->state;
	int r;

	if (g->status == AMD_DISABLE)
		return 0;
	c->cpu = u->cpus[0];
	c->request = 0;
	r = write_reg(u, now_ns, MSR_AMD_PERF_CTL, 0); /* the highest P-state, to begin with */
	if (!r)
		r = find_range(u, now_ns);
	if (!r)
		r = find_boost(u, now_ns);
	if (!r && g->status == AMD_ACTIVE)
		r = read_firmware_request(u, now_ns);
	if (r < 0)
		return r;
	ret->range = (struct freq_limits){ c->min_khz, c->boost_off ? c->nominal_khz : c->max_khz };
	ret->cur_khz = c->min_khz;
	ret->own_policies = g->status == AMD_ACTIVE;
	ret->info.fast_switch = ret->info.adjust_perf = g->status != AMD_ACTIVE;
	ret->info.need_update_limits = g->status != AMD_ACTIVE;
	ret->info.transition_delay_us = DELAY_US;
	return 0;
}

/* Only active mode has something to do; the others leave the last request behind. */
static int offline(struct driver_unit *u, int64_t *now_ns)
{
	const struct amd_global *g = u->shared;
	const struct amd_cpu *c = u->state;
	uint64_t value =
		with_byte(with_byte(c->request, MAX_SHIFT, c->lowest), MIN_SHIFT, c->lowest);

	return g->status == AMD_ACTIVE ? write_reg(u, now_ns, MSR_AMD_CPPC_REQ, value) : 0;
}

static int online(struct driver_unit *u, int64_t *now_ns)
{
	const struct amd_global *g = u->shared;
	const struct amd_cpu *c = u->state;
	struct driver_offer offer = { 0 };

	if (g->status == AMD_ACTIVE)
		return write_reg(u, now_ns, MSR_AMD_CPPC_REQ, c->request);
	return init(u, now_ns, &offer);
}

/* ---- limits ---------------------------------------------------------------------------- */

static uint32_t clamp(uint32_t v, uint32_t low, uint32_t high)
{
	return v < low ? low : v > high ? high : v;
}

static int verify(struct driver_unit *u, int64_t *now_ns, struct freq_limits *limits)
{
	struct amd_cpu *c = u->state;
	uint32_t top_khz = c->boost_off ? c->nominal_khz : c->max_khz;
	uint64_t perf = c->boost_supported && c->boost_off ? c->nominal : c->highest;

	limits->min_khz = clamp(limits->min_khz, c->min_khz, top_khz);
	limits->max_khz = clamp(limits->max_khz, c->min_khz, top_khz);
	c->max_limit = (uint32_t)(limits->max_khz * perf / top_khz);
	c->min_limit = (uint32_t)(limits->min_khz * perf / top_khz);
	c->min_limit = c->min_limit < c->lowest ? c->lowest : c->min_limit;
	c->max_limit = c->max_limit < c->min_limit ? c->min_limit : c->max_limit;
	return 0;
}

static int write_preference(struct driver_unit *u, int64_t *now_ns, enum driver_policy policy)
{
	const struct amd_global *g = u->shared;
	struct amd_cpu *c = u->state;
	int epp = g->epp < 0 ? c->epp_default : g->epp;

	if (c->preferred == g->preferences)
		return 0;
	c->preferred = g->preferences;
	if (epp > 0 && policy == DRIVER_PERFORMANCE)
		return -EBUSY;
	return write_request(u, now_ns, with_byte(c->request, EPP_SHIFT, (uint32_t)epp));
}

static int set_policy(struct driver_unit *u, int64_t *now_ns, enum driver_policy policy,
	const struct freq_limits *limits)
{
	struct amd_cpu *c = u->state;
	uint32_t top = c->boost_supported && c->boost_off ? c->nominal : c->highest;
	uint32_t max = clamp(top, c->min_limit, c->max_limit);
	uint32_t min = clamp(c->lowest, c->min_limit, c->max_limit);
	uint64_t value = c->request;
	int r;

	if (policy == DRIVER_PERFORMANCE)
		min = max;
	value = with_byte(with_byte(value, MIN_SHIFT, min), MAX_SHIFT, max);
	value = with_byte(value, DESIRED_SHIFT, 0);
	if (policy == DRIVER_PERFORMANCE)
		value = with_byte(value, EPP_SHIFT, 0);
	r = write_request(u, now_ns, value);
	return r < 0 ? r : write_preference(u, now_ns, policy);
}

/* ---- passive and guided ---------------------------------------------------------------- */

static int update(struct driver_unit *u, int64_t *now_ns, uint32_t min, uint32_t desired)
{
	const struct amd_global *g = u->shared;
	struct amd_cpu *c = u->state;
	uint32_t max = clamp(c->highest, c->min_limit, c->max_limit);
	uint64_t value = c->request;

	min = clamp(min, c->min_limit, c->max_limit);
	desired = clamp(desired, min, max);
	if (g->status == AMD_GUIDED && !u->strict) {
		min = desired;
		desired = 0;
	}
	if (!c->boost_supported && max > c->nominal)
		max = c->nominal;
	value = with_byte(with_byte(value, MIN_SHIFT, min), DESIRED_SHIFT, desired);
	value = with_byte(value, MAX_SHIFT, max);
	return value == c->request ? 0 : write_request(u, now_ns, value);
}

static int target(struct driver_unit *u, int64_t *now_ns, uint32_t khz, enum freq_relation relation,
	const struct freq_limits *limits, uint32_t *ret_khz)
{
	const struct amd_cpu *c = u->state;
	uint64_t perf = ((uint64_t)khz * c->highest + c->max_khz / 2) / c->max_khz;
	int r = update(u, now_ns, c->lowest, (uint32_t)perf);

	if (!r)
		*ret_khz = khz;
	return r;
}

static uint32_t share(uint32_t of, uint32_t perf, uint32_t capacity)
{
	return perf < capacity ? (uint32_t)(((uint64_t)of * perf + capacity - 1) / capacity) : of;
}

static void adjust_perf(struct driver_unit *u, int64_t *now_ns, uint32_t min_perf,
	uint32_t target_perf, uint32_t capacity)
{
	const struct amd_cpu *c = u->state;
	uint32_t min = min_perf < capacity ? share(c->highest, min_perf, capacity) : c->lowest;
	uint32_t desired = share(c->highest, target_perf, capacity);

	min = min < c->lowest_nonlinear ? c->lowest_nonlinear : min;
	update(u, now_ns, min, desired < min ? min : desired);
}

static const struct driver_parameter parameters[] = {
	{ "status", "active|passive|guided|disable", "whose algorithms; by default active" },
	{ "epp", "NAME",
		"active: default, performance, balance_performance, balance_power, power" },
	{ "energy-performance-preference", "NAME", "the same" },
	{ "cpb", "0|1", "boost above nominal" },
	{ NULL, NULL, NULL },
};

static const char *const history[] = {
	"5.17: passive, on request",
	"6.3: active, on request",
	"6.4: guided, on request",
	"6.5: active by default, but for servers, shared memory and unknown profiles",
	"6.12: what is here",
	NULL,
};

const struct driver driver_amd_pstate = {
	.name = "amd-pstate",
	.summary = "AMD's own driver over CPPC registers: active, passive or guided",
	.parameters = parameters,
	.history = history,
	.shared_size = sizeof(struct amd_global),
	.state_size = sizeof(struct amd_cpu),
	.tune = tune,
	.load = load,
	.init = init,
	.online = online,
	.offline = offline,
	.verify = verify,
	.set_policy = set_policy,
	.target = target,
	.adjust_perf = adjust_perf,
};
