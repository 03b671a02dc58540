// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pcc-cpufreq: frequency requests through the Processor Clocking Control interface that some
 * server firmware offers in place of P-states.
 *
 * A shared memory holds a header and, for each CPU, an input and an output buffer. A command is
 * put together there and announced by a doorbell, then the driver reads the status word until the
 * firmware has set its bit for "complete", at most 300 times and without any delay between. All of
 * that happens under one lock of the machine, spinning: with N CPUs that ask at once the last one
 * waits for N services. A set command asks for a percentage of the nominal frequency, rounded down,
 * so that what is asked for may be below the lowest frequency (42 % of 2800 MHz are 1176 MHz, where
 * 1200 were meant); firmware grants its lowest then. A get command tells the average since the last
 * one, likewise in percent. Any status but 1 means failure: the old frequency stays on record.
 *
 * Without a frequency table, what governors ask for is a continuous function of load, and nearly
 * every sample of a CPU that is neither idle nor busy is a new request. With more than 4 CPUs
 * present, kernels since 4.18 therefore refuse governors that change the frequency by themselves.
 *
 * Keys of the laboratory: force-dynamic=1 lifts that refusal, freqtable=N offers N frequencies at
 * equal distances instead of the continuous range, deadband=1 maps a target back to the load it
 * comes from and that load to a share of the highest frequency, as ondemand did before 3.16: all
 * targets of loads below min/max then mean the lowest frequency, and are one request.
 *
 * Source: drivers/cpufreq/pcc-cpufreq.c and cpufreq_driver_target of Linux 6.1, behaviour only.
 */
#include "policy/driver/drivers.h"

#include "base/error.h"
#include "base/spec.h"
#include "policy/driver/pcc.h"

#include <errno.h>
#include <string.h>

enum { LOCK_PCC = 0 };
enum { TABLE_MAX = 16 };

struct pcc {
	bool force_dynamic, deadband;
	int nr_khz; /* freqtable */
	uint32_t khz[TABLE_MAX];
	struct freq_limits range;
};

struct pcc_cpu {
	uint32_t cur_khz;
};

static int pcc_tune(void *shared, const char *key, const char *value)
{
	struct pcc *p = shared;
	unsigned long long v;
	struct error err;

	if (!strcmp(key, "freqtable")) {
		if (parse_u64(value, 0, TABLE_MAX, key, &v, &err) || v == 1)
			return -EINVAL;
		p->nr_khz = (int)v;
		return 0;
	}
	if (strcmp(key, "force-dynamic") && strcmp(key, "deadband"))
		return -ENOENT;
	if (parse_u64(value, 0, 1, key, &v, &err))
		return -EINVAL;
	if (*key == 'f')
		p->force_dynamic = v;
	else
		p->deadband = v;
	return 0;
}

/* ---- the mailbox ----------------------------------------------------------------------- */

static uint32_t get(const struct hardware *hw, int64_t *now_ns, int cpu, uint32_t offset, int width)
{
	uint64_t value = 0;

	hw->mem_read(hw->ctx, now_ns, cpu, hw->platform->pcc.base + offset, width, &value);
	return (uint32_t)value;
}

static void put(const struct hardware *hw, int64_t *now_ns, int cpu, uint32_t offset, int width,
	uint32_t value)
{
	hw->mem_write(hw->ctx, now_ns, cpu, hw->platform->pcc.base + offset, width, value);
}

static int ring(const struct hardware *hw, int64_t *now_ns, int cpu)
{
	const struct acpi_pcc *pcc = &hw->platform->pcc;
	uint32_t port_value = 0;
	uint64_t value = 0;
	int r;

	if (!pcc->doorbell_in_ports) {
		r = hw->mem_read(hw->ctx, now_ns, cpu, pcc->doorbell, pcc->doorbell_width, &value);
		return r < 0 ? r
			     : hw->mem_write(hw->ctx, now_ns, cpu, pcc->doorbell,
				       pcc->doorbell_width, (value & pcc->preserve) | pcc->write);
	}
	r = hw->port_read(
		hw->ctx, now_ns, cpu, (uint16_t)pcc->doorbell, pcc->doorbell_width, &port_value);
	return r < 0 ? r
		     : hw->port_write(hw->ctx, now_ns, cpu, (uint16_t)pcc->doorbell,
			       pcc->doorbell_width,
			       (uint32_t)((port_value & pcc->preserve) | pcc->write));
}

static int ring_and_wait(const struct hardware *hw, int64_t *now_ns, int cpu)
{
	int r = ring(hw, now_ns, cpu);

	for (int i = 0; i < PCC_POLLS_MAX && !r; i++)
		if (get(hw, now_ns, cpu, PCC_STATUS, 16) & PCC_COMPLETE)
			break;
	return r;
}

static int set_frequency(const struct hardware *hw, int64_t *now_ns, int cpu, uint32_t khz)
{
	uint32_t input = hw->platform->pcc.input + (uint32_t)cpu * hw->platform->pcc.stride;
	uint32_t nominal_khz, status, percent;
	int r;

	hw->lock(hw->ctx, now_ns, cpu, LOCK_PCC);
	nominal_khz = get(hw, now_ns, cpu, PCC_NOMINAL, 32) * 1000;
	percent = nominal_khz ? khz * 100 / nominal_khz : 0;
	put(hw, now_ns, cpu, input, 32, PCC_VALID | percent << PCC_PERCENT_SHIFT);
	put(hw, now_ns, cpu, PCC_COMMAND, 16, PCC_SET_FREQUENCY);
	r = ring_and_wait(hw, now_ns, cpu);
	put(hw, now_ns, cpu, input, 32, 0);
	status = get(hw, now_ns, cpu, PCC_STATUS, 16);
	put(hw, now_ns, cpu, PCC_STATUS, 16, 0);
	hw->unlock(hw->ctx, now_ns, cpu, LOCK_PCC);
	if (r < 0)
		return r;
	return status == PCC_COMPLETE ? 0 : -EINVAL;
}

/* kHz, in steps of a percent and rounded down; 0: the command failed. */
static uint32_t get_frequency(const struct hardware *hw, int64_t *now_ns, int cpu)
{
	uint32_t input = hw->platform->pcc.input + (uint32_t)cpu * hw->platform->pcc.stride;
	uint32_t output = hw->platform->pcc.output + (uint32_t)cpu * hw->platform->pcc.stride;
	uint32_t status, answer, khz = 0;

	hw->lock(hw->ctx, now_ns, cpu, LOCK_PCC);
	put(hw, now_ns, cpu, input, 32, PCC_VALID);
	put(hw, now_ns, cpu, PCC_COMMAND, 16, PCC_GET_AVERAGE);
	if (ring_and_wait(hw, now_ns, cpu) < 0)
		answer = 0;
	else
		answer = get(hw, now_ns, cpu, output, 32);
	put(hw, now_ns, cpu, input, 32, 0);
	status = get(hw, now_ns, cpu, PCC_STATUS, 16);
	put(hw, now_ns, cpu, PCC_STATUS, 16, 0);
	if (status == PCC_COMPLETE)
		khz = get(hw, now_ns, cpu, PCC_NOMINAL, 32) * (answer & PCC_PERCENT_MASK) / 100 *
		      1000;
	hw->unlock(hw->ctx, now_ns, cpu, LOCK_PCC);
	return khz;
}

/* ---- the driver ------------------------------------------------------------------------ */

/* The limits that the driver prints as it loads, lowest first. */
static int pcc_load(void *shared, const struct hardware *hw, int64_t *now_ns, int cpu)
{
	struct pcc *p = shared;

	if (!hw->platform->pcc.size)
		return -ENODEV;
	p->range.min_khz = get(hw, now_ns, cpu, PCC_MINIMUM, 32) * 1000;
	p->range.max_khz = get(hw, now_ns, cpu, PCC_NOMINAL, 32) * 1000;
	if (!p->range.min_khz || p->range.min_khz > p->range.max_khz)
		return -ENODEV;
	for (int i = 0; i < p->nr_khz; i++)
		p->khz[i] = p->range.min_khz + (p->range.max_khz - p->range.min_khz) * (uint32_t)i /
						       (uint32_t)(p->nr_khz - 1);
	return 0;
}

static int pcc_init(struct driver_unit *u, int64_t *now_ns, struct driver_offer *ret)
{
	const struct hardware *hw = u->hw;
	const struct acpi_pcc *pcc = &hw->platform->pcc;
	struct pcc_cpu *c = u->state;
	struct pcc *p = u->shared;
	int cpu = u->cpus[0];

	put(hw, now_ns, cpu, pcc->input + (uint32_t)cpu * pcc->stride, 32, 0);
	put(hw, now_ns, cpu, pcc->output + (uint32_t)cpu * pcc->stride, 32, 0);
	ret->range.max_khz = get(hw, now_ns, cpu, PCC_NOMINAL, 32) * 1000;
	ret->range.min_khz = get(hw, now_ns, cpu, PCC_MINIMUM, 32) * 1000;
	c->cur_khz = get_frequency(hw, now_ns, cpu);
	if (!c->cur_khz)
		return -EIO;
	ret->cur_khz = c->cur_khz;
	if (p->nr_khz) {
		ret->info.khz = p->khz;
		ret->info.nr_khz = p->nr_khz;
	}
	if (hw->platform->nr_present <= PCC_DYNAMIC_CPUS_MAX)
		return 0;
	ret->no_dynamic = !p->force_dynamic;
	ret->note =
		p->force_dynamic
			? "Linux 4.18 and later refuses governors "
			  "that change the frequency by themselves on more than 4 CPUs"
			: "Too many CPUs, dynamic performance scaling disabled; Try "
			  "to enable another scaling driver through BIOS settings; and complain "
			  "to the system vendor";
	return 0;
}

static uint32_t out_of_band(const struct pcc *p, uint32_t khz)
{
	uint64_t range = p->range.max_khz - p->range.min_khz;

	if (!p->deadband || khz <= p->range.min_khz || !range)
		return khz;
	khz = (uint32_t)((uint64_t)(khz - p->range.min_khz) * p->range.max_khz / range);
	return khz < p->range.min_khz ? p->range.min_khz : khz;
}

static uint32_t table_entry(const struct pcc *p, uint32_t khz, enum freq_relation relation)
{
	int above = 0;

	while (above < p->nr_khz - 1 && p->khz[above] < khz)
		above++;
	if (!above || p->khz[above] <= khz)
		return p->khz[above];
	if (relation == FREQ_AT_MOST ||
		(relation == FREQ_CLOSEST && khz - p->khz[above - 1] < p->khz[above] - khz))
		above--;
	return p->khz[above];
}

static int pcc_target(struct driver_unit *u, int64_t *now_ns, uint32_t khz,
	enum freq_relation relation, const struct freq_limits *limits, uint32_t *ret_khz)
{
	const struct pcc *p = u->shared;
	struct pcc_cpu *c = u->state;
	int r;

	khz = out_of_band(p, khz);
	khz = khz < limits->min_khz ? limits->min_khz : khz;
	khz = khz > limits->max_khz ? limits->max_khz : khz;
	if (p->nr_khz)
		khz = table_entry(p, khz, relation);
	if (khz != c->cur_khz) {
		r = set_frequency(u->hw, now_ns, u->cpus[0], khz);
		if (r < 0)
			return r;
		c->cur_khz = khz;
	}
	*ret_khz = khz;
	return 0;
}

static const struct driver_parameter parameters[] = {
	{ "freqtable", "0|2..",
		"so many frequencies in place of any percentage; no kernel has it" },
	{ "deadband", "0|1",
		"targets of loads below min/max mean the lowest frequency, as before 3.16" },
	{ "force-dynamic", "0|1", "dynamic governors although there are more than 4 CPUs" },
	{ NULL, NULL, NULL },
};

static const char *const history[] = {
	"4.18: with more than 4 present CPUs dynamic governors are refused",
	"6.1: what is here",
	NULL,
};

const struct driver driver_pcc = {
	.name = "pcc-cpufreq",
	.summary =
		"requests through a shared mailbox and a doorbell of the firmware, one at a time",
	.shared_size = sizeof(struct pcc),
	.state_size = sizeof(struct pcc_cpu),
	.parameters = parameters,
	.history = history,
	.tune = pcc_tune,
	.load = pcc_load,
	.init = pcc_init,
	.target = pcc_target,
};
