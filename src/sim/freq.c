// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Governor and driver on the modelled hardware: a driver sees registers only. One frequency
 * policy per core.
 */
#include "policy/driver/registers.h"
#include "sim/internal.h"

#include <errno.h>
#include <stdlib.h>

enum { MSR_NS = 100 }; /* a register access: order of magnitude on any x86 */

static int read_register(void *ctx, int64_t *now_ns, int cpu, uint32_t reg, uint64_t *value)
{
	const struct sim *s = ctx;
	const struct machine *m = s->m;

	*now_ns += MSR_NS;
	switch (reg) {
	case MSR_PLATFORM_INFO:
		*value = (uint64_t)(m->min_khz / BUS_CLOCK_KHZ) << 40 |
			 (uint64_t)(m->base_khz / BUS_CLOCK_KHZ) << 8;
		return 0;
	case MSR_TURBO_RATIO_LIMIT:
		*value = 0;
		for (int i = 0; i < m->nr_turbo && i < 8; i++)
			*value |= (uint64_t)(m->turbo_khz[i] / BUS_CLOCK_KHZ) << 8 * i;
		return 0;
	case MSR_IA32_PERF_STATUS:
		*value = (uint64_t)(s->cpus[cpu].core->khz / BUS_CLOCK_KHZ) << 8;
		return 0;
	case MSR_IA32_PERF_CTL:
		*value = (uint64_t)(s->cpus[cpu].core->request_khz / BUS_CLOCK_KHZ) << 8;
		return 0;
	default:
		return -EIO;
	}
}

static int write_register(void *ctx, int64_t *now_ns, int cpu, uint32_t reg, uint64_t value)
{
	struct sim *s = ctx;

	*now_ns += MSR_NS;
	if (reg != MSR_IA32_PERF_CTL)
		return -EIO;
	s->counters.msr_writes++;
	core_request(s->cpus[cpu].core, ratio_field(value, 8) * BUS_CLOCK_KHZ);
	return 0;
}

/* A core's governor starts: the driver says its range, the governor asks, the driver sets. */
static int start_core(struct sim *s, struct sim_core *core, const struct hardware *hw)
{
	const struct driver *driver = s->p->driver;
	const struct freq_governor *governor = s->p->governor;
	void *state = (char *)s->driver_states + (size_t)core->id * driver->state_size;
	int cpu = core->threads[0]->id;
	struct freq_actions actions = { 0 };
	struct freq_limits limits;
	int64_t now_ns = 0;
	uint32_t khz;
	int r;

	core->request_khz = s->m->max_khz;
	r = driver->init(state, hw, &now_ns, cpu, &limits);
	if (r < 0 || !limits.max_khz) /* no driver: the hardware runs as it likes */
		return 0;
	if (governor->start) {
		struct freq_snapshot snapshot = {
			.tick_ns = s->m->tick_ns,
			.cur_khz = core->request_khz,
			.min_khz = limits.min_khz,
			.max_khz = limits.max_khz,
			.cpuinfo_min_khz = limits.min_khz,
			.cpuinfo_max_khz = limits.max_khz,
		};

		governor->start(
			(char *)s->governor_states + (size_t)core->id * governor->state_size,
			&snapshot, &actions);
	}
	for (int i = 0; i < actions.nr; i++) {
		if (actions.list[i].kind != FREQ_TARGET)
			continue;
		r = driver->target(state, hw, &now_ns, cpu, (uint32_t)actions.list[i].value,
			actions.list[i].relation, &limits, &khz);
		if (r < 0)
			return error_set(s->err, -r, "%s: cpu %d: driver %s refuses %llu kHz",
				s->m->name, cpu, driver->name,
				(unsigned long long)actions.list[i].value);
	}
	return 0;
}

int freq_start(struct sim *s)
{
	struct hardware hw = { .ctx = s, .rdmsr = read_register, .wrmsr = write_register };
	size_t nr = (size_t)s->m->nr_cores;

	s->driver_states = calloc(nr, s->p->driver->state_size + 1);
	s->governor_states = calloc(nr, s->p->governor->state_size + 1);
	if (!s->driver_states || !s->governor_states)
		return error_set(s->err, ENOMEM, "out of memory");
	for (int i = 0; i < s->m->nr_cores; i++) {
		int r = s->cores[i].nr_threads ? start_core(s, &s->cores[i], &hw) : 0;

		if (r < 0)
			return r;
	}
	for (int i = 0; i < s->m->nr_packages; i++)
		package_start(s, &s->packages[i]);
	return 0;
}
