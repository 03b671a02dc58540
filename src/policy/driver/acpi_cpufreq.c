// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * acpi-cpufreq of Linux 6.1: the P-states of ACPI's _PSS, asked for through a register or a port by
 * the values that the table holds. Asking again for the state that is in force does nothing, except
 * for the first time after a CPU came up and after firmware was seen to have changed the state.
 * Where _PSD leaves coordination to software, one policy spans the domain: with "all" every CPU
 * writes, with "any" the one that manages it. _PPC takes states from the top.
 *
 * The turbo switch is kept the same on all CPUs: it is read when the driver registers and written
 * to each CPU that comes up; a CPU that goes has it switched on, so as not to hold up the others.
 *
 * Left out: the notice to the firmware's SMI port, and the override of _PSD before family 0x19.
 * Source of the algorithm: the driver and drivers/cpufreq/freq_table.c.
 */
#include "policy/driver/drivers.h"
#include "policy/driver/registers.h"
#include "policy/freq/resolve.h"

#include <errno.h>
#include <string.h>

enum {
	PORT_BITS = 16,
	LATENCY_CAP_US = 20, /* what a register may declare at most */
	DELAY_CAP_US = 10000,
	STRICT_READS = 100,
	STRICT_WAIT_NS = 10000,
};

struct acpi_global {
	bool strict;	  /* acpi_pstate_strict */
	int boost;	  /* asked for: 0 nothing, 1 off, 2 on */
	bool boost_known; /* the processor has a switch */
	bool boost_enabled;
};

struct acpi_policy {
	int nr;		       /* valid entries of the table */
	int state_of[PSS_MAX]; /* entry -> number in _PSS */
	uint32_t khz[PSS_MAX]; /* highest first */
	uint32_t rising[PSS_MAX];
	int state;	   /* number in _PSS that is believed to be in force */
	bool force;	   /* the next request is written whatever the state */
	int boost_written; /* which of the user's wishes */
};

static int tune(void *shared, const char *key, const char *value)
{
	struct acpi_global *g = shared;
	bool on = !strcmp(value, "1");

	if (strcmp(key, "acpi-pstate-strict") && strcmp(key, "cpb"))
		return -ENOENT;
	if (!on && strcmp(value, "0"))
		return -EINVAL;
	if (!strcmp(key, "cpb"))
		g->boost = on ? 2 : 1;
	else
		g->strict = on;
	return 0;
}

/* ---- turbo ----------------------------------------------------------------------------- */

static uint32_t boost_register(const struct platform *p)
{
	return p->vendor == VENDOR_AMD ? MSR_K7_HWCR : MSR_IA32_MISC_ENABLE;
}

static uint64_t boost_bit(const struct platform *p)
{
	return p->vendor == VENDOR_AMD ? HWCR_CPB_DISABLE : MISC_ENABLE_TURBO_DISABLE;
}

static int set_boost(const struct hardware *hw, int64_t *now_ns, int cpu, bool on)
{
	uint32_t reg = boost_register(hw->platform);
	uint64_t bit = boost_bit(hw->platform), value;
	int r = hw->rdmsr(hw->ctx, now_ns, cpu, reg, &value);

	if (r < 0)
		return r;
	return hw->wrmsr(hw->ctx, now_ns, cpu, reg, on ? value & ~bit : value | bit);
}

static int load(void *shared, const struct hardware *hw, int64_t *now_ns, int cpu)
{
	struct acpi_global *g = shared;
	uint64_t value;
	int r;

	if (!hw->platform->turbo)
		return 0;
	r = hw->rdmsr(hw->ctx, now_ns, cpu, boost_register(hw->platform), &value);
	if (r < 0)
		return r;
	g->boost_known = true;
	g->boost_enabled = !(value & boost_bit(hw->platform));
	return 0;
}

/* As a user writes the switch once the driver is there. */
static int write_boost(struct driver_unit *u, int64_t *now_ns)
{
	struct acpi_global *g = u->shared;
	struct acpi_policy *p = u->state;
	int r = 0;

	if (p->boost_written == g->boost)
		return 0;
	p->boost_written = g->boost;
	if (!g->boost_known)
		return -EINVAL;
	g->boost_enabled = g->boost == 2;
	for (int i = 0; i < u->nr_cpus && !r; i++)
		r = set_boost(u->hw, now_ns, u->cpus[i], g->boost_enabled);
	return r;
}

/* ---- the control value ----------------------------------------------------------------- */

static bool by_port(const struct platform *p)
{
	return p->pss_space == PSS_IO;
}

static int read_value(const struct hardware *hw, int64_t *now_ns, int cpu, uint32_t *ret)
{
	const struct platform *p = hw->platform;
	uint64_t value;
	int r;

	if (by_port(p))
		return hw->port_read(hw->ctx, now_ns, cpu, p->pss_port, PORT_BITS, ret);
	r = hw->rdmsr(hw->ctx, now_ns, cpu, p->est ? MSR_IA32_PERF_CTL : MSR_AMD_PERF_CTL, &value);
	*ret = (uint32_t)value & (p->est ? 0xffff : 0x7);
	return r;
}

static int write_value(const struct hardware *hw, int64_t *now_ns, int cpu, uint32_t value)
{
	const struct platform *p = hw->platform;
	uint64_t old;
	int r;

	if (by_port(p))
		return hw->port_write(hw->ctx, now_ns, cpu, p->pss_port, PORT_BITS, value);
	if (!p->est)
		return hw->wrmsr(hw->ctx, now_ns, cpu, MSR_AMD_PERF_CTL, value);
	r = hw->rdmsr(hw->ctx, now_ns, cpu, MSR_IA32_PERF_CTL, &old);
	if (r < 0)
		return r;
	return hw->wrmsr(
		hw->ctx, now_ns, cpu, MSR_IA32_PERF_CTL, (old & ~0xffffULL) | (value & 0xffff));
}

/* The entry whose status reads like that; the first where none does. */
static int entry_of(const struct acpi_policy *p, const struct platform *platform, uint32_t status)
{
	for (int i = 0; i < p->nr; i++)
		if (platform->pss[p->state_of[i]].status == status)
			return i;
	return 0;
}

/* ---- a policy -------------------------------------------------------------------------- */

/* Only what is below the entry before is taken. */
static void build_table(struct acpi_policy *p, const struct platform *platform)
{
	p->nr = 0;
	for (int i = 0; i < platform->nr_pss; i++) {
		if (p->nr && platform->pss[i].mhz >= p->khz[p->nr - 1] / 1000)
			continue;
		p->state_of[p->nr] = i;
		p->khz[p->nr++] = platform->pss[i].mhz * 1000;
	}
	for (int i = 0; i < p->nr; i++)
		p->rising[i] = p->khz[p->nr - 1 - i];
}

/* What a governor may ask once in; the kernel's rule for drivers that give no delay. */
static uint32_t delay_us(const struct platform *platform)
{
	uint32_t latency = 0;

	for (int i = 0; i < platform->nr_pss; i++)
		if (platform->pss[i].latency_us > latency)
			latency = platform->pss[i].latency_us;
	if (!by_port(platform) && latency > LATENCY_CAP_US)
		latency = LATENCY_CAP_US;
	if (!latency)
		return 0;
	return latency * 1000 < DELAY_CAP_US ? latency * 1000 : DELAY_CAP_US;
}

/* With _CPC the range ends where boost does. */
static uint32_t max_khz(const struct acpi_global *g, const struct platform *platform, uint32_t top)
{
	const struct acpi_cpc *c = &platform->cpc;
	uint64_t khz = c->nominal_mhz ? c->nominal_mhz * 1000ULL : top;

	if (g->strict || !c->highest || !c->nominal || c->highest < c->nominal)
		return top;
	return (uint32_t)(khz * (((uint64_t)c->highest << 10) / c->nominal) >> 10);
}

/* Between two states the port tells nothing: the nearest to the TSC's rate is assumed. */
static int guess_entry(const struct acpi_policy *p, const struct platform *platform)
{
	for (int i = 0; i < p->nr - 1; i++)
		if (2 * (uint64_t)platform->tsc_khz > (uint64_t)p->khz[i] + p->khz[i + 1])
			return i;
	return p->nr - 1;
}

static int find_current(struct driver_unit *u, int64_t *now_ns, uint32_t *ret_khz)
{
	const struct platform *platform = u->hw->platform;
	struct acpi_policy *p = u->state;
	uint32_t value;
	int entry, r;

	if (by_port(platform)) {
		entry = guess_entry(p, platform);
		p->state = p->state_of[entry];
	} else {
		r = read_value(u->hw, now_ns, u->cpus[0], &value);
		if (r < 0)
			return r;
		entry = entry_of(p, platform, value);
	}
	*ret_khz = p->khz[entry];
	return 0;
}

static int init(struct driver_unit *u, int64_t *now_ns, struct driver_offer *ret)
{
	const struct platform *platform = u->hw->platform;
	const struct acpi_global *g = u->shared;
	struct acpi_policy *p = u->state;
	int r = 0;

	if (g->boost_known)
		r = set_boost(u->hw, now_ns, u->cpus[0], g->boost_enabled);
	if (r < 0)
		return r;
	if (platform->nr_pss < 2)
		return -ENODEV;
	if (!by_port(platform) && !platform->est && !platform->hw_pstate)
		return -ENODEV;
	build_table(p, platform);
	p->state = 0;
	p->force = true;
	p->boost_written = 0;
	r = find_current(u, now_ns, &ret->cur_khz);
	if (r < 0)
		return r;
	ret->range.min_khz = p->khz[p->nr - 1];
	ret->range.max_khz = max_khz(g, platform, p->khz[0]);
	ret->info.khz = p->rising;
	ret->info.nr_khz = p->nr;
	ret->info.transition_delay_us = delay_us(platform);
	ret->shared = platform->psd == PSD_SW_ALL || platform->psd == PSD_SW_ANY;
	ret->info.fast_switch = !g->strict && platform->psd != PSD_SW_ALL;
	ret->follows_ppc = true;
	return 0;
}

static void leave(struct driver_unit *u, int64_t *now_ns)
{
	const struct acpi_global *g = u->shared;

	if (g->boost_known)
		set_boost(u->hw, now_ns, u->cpus[0], true);
}

/* At least one state of the table lies within the limits. */
static int verify(struct driver_unit *u, int64_t *now_ns, struct freq_limits *limits)
{
	const struct acpi_global *g = u->shared;
	const struct acpi_policy *p = u->state;
	uint32_t top = max_khz(g, u->hw->platform, p->khz[0]), low = p->rising[0];
	uint32_t next = top;
	int r = write_boost(u, now_ns);

	if (r < 0)
		return r;
	limits->min_khz = limits->min_khz < low	  ? low
			  : limits->min_khz > top ? top
						  : limits->min_khz;
	limits->max_khz = limits->max_khz < low	  ? low
			  : limits->max_khz > top ? top
						  : limits->max_khz;
	for (int i = 0; i < p->nr; i++) {
		if (p->khz[i] >= limits->min_khz && p->khz[i] <= limits->max_khz)
			return 0;
		if (p->khz[i] > limits->max_khz)
			next = p->khz[i];
	}
	limits->max_khz = next;
	return 0;
}

/* ---- requests -------------------------------------------------------------------------- */

static int find_entry(const struct acpi_policy *p, uint32_t khz, enum freq_relation relation)
{
	const struct driver_info table = { .khz = p->rising, .nr_khz = p->nr };
	uint32_t found = freq_resolve(&table, khz, 0, UINT32_MAX, relation);

	for (int i = 0; i < p->nr; i++)
		if (p->khz[i] == found)
			return i;
	return 0;
}

/* Held against what the CPU reads back, for a millisecond at most. */
static int check(struct driver_unit *u, int64_t *now_ns, int entry)
{
	const struct acpi_policy *p = u->state;
	uint32_t value;

	for (int i = 0; i < STRICT_READS; i++) {
		if (read_value(u->hw, now_ns, u->cpus[0], &value) < 0)
			break;
		if (entry_of(p, u->hw->platform, value) == entry)
			return 0;
		*now_ns += STRICT_WAIT_NS;
	}
	return -EAGAIN;
}

static int write_all(struct driver_unit *u, int64_t *now_ns, uint32_t control)
{
	int nr = u->hw->platform->psd == PSD_SW_ANY ? 1 : u->nr_cpus, r = 0;

	for (int i = 0; i < nr && !r; i++)
		r = write_value(u->hw, now_ns, u->cpus[i], control);
	return r;
}

static int target(struct driver_unit *u, int64_t *now_ns, uint32_t khz, enum freq_relation relation,
	const struct freq_limits *limits, uint32_t *ret_khz)
{
	const struct acpi_global *g = u->shared;
	struct acpi_policy *p = u->state;
	int entry = find_entry(p, khz, relation), state = p->state_of[entry], r = 0;

	*ret_khz = p->khz[entry];
	if (state == p->state && !p->force)
		return 0;
	p->force = false;
	r = write_all(u, now_ns, u->hw->platform->pss[state].control);
	if (!r && g->strict)
		r = check(u, now_ns, entry);
	if (!r)
		p->state = state;
	return r;
}

static const struct driver_parameter parameters[] = {
	{ "cpb", "0|1", "turbo or boost, as cpufreq/boost switches it" },
	{ "acpi-pstate-strict", "0|1", "each request is read back for up to a millisecond" },
	{ NULL, NULL, NULL },
};

static const char *const history[] = {
	"5.11: with _CPC the range ends where boost does",
	"6.1: what is here",
	NULL,
};

const struct driver driver_acpi_cpufreq = {
	.name = "acpi-cpufreq",
	.summary = "the P-states of ACPI's _PSS, through a register or an I/O port",
	.parameters = parameters,
	.history = history,
	.shared_size = sizeof(struct acpi_global),
	.state_size = sizeof(struct acpi_policy),
	.tune = tune,
	.load = load,
	.init = init,
	.exit = leave,
	.verify = verify,
	.target = target,
};
