// SPDX-License-Identifier: GPL-2.0-or-later
#include "sim/hw.h"

#include "sim/internal.h"

#include <errno.h>

enum { MSR_NS = 100 }; /* a register access: order of magnitude on any x86 */

static int rdmsr(void *ctx, int64_t *now_ns, int cpu, uint32_t reg, uint64_t *value)
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
		*value = (uint64_t)(s->cpus[cpu].request_khz / BUS_CLOCK_KHZ) << 8;
		return 0;
	default:
		return -EIO;
	}
}

/* Threads of a core share a clock: the highest of their requests, after the transition delay. */
static void request(struct sim *s, struct sim_cpu *c, int64_t now_ns, uint32_t khz)
{
	struct sim_core *core = c->core;

	c->request_khz = khz;
	for (int i = 0; i < core->nr_threads; i++)
		if (core->threads[i]->online && core->threads[i]->request_khz > khz)
			khz = core->threads[i]->request_khz;
	core->next_khz = khz;
	if (!s->started)
		core_request(core, khz);
	else
		queue_set(&s->queue, &core->node, now_ns + s->m->transition_ns);
}

int hw_wrmsr(struct sim *s, int64_t *now_ns, int cpu, uint32_t reg, uint64_t value)
{
	*now_ns += MSR_NS;
	if (reg != MSR_IA32_PERF_CTL)
		return -EIO;
	s->counters.msr_writes++;
	request(s, &s->cpus[cpu], *now_ns, ratio_field(value, 8) * BUS_CLOCK_KHZ);
	return 0;
}

static int wrmsr(void *ctx, int64_t *now_ns, int cpu, uint32_t reg, uint64_t value)
{
	return hw_wrmsr(ctx, now_ns, cpu, reg, value);
}

uint64_t hw_capabilities(const struct sim *s, int cpu)
{
	return 0; /* no machine with HWP yet */
}

void hw_init(struct sim *s)
{
	s->hw = (struct hardware){ .ctx = s, .rdmsr = rdmsr, .wrmsr = wrmsr };
	for (int i = 0; i < s->m->nr_cores; i++) {
		struct sim_core *core = &s->cores[i];

		core->request_khz = core->next_khz = s->m->max_khz;
		node_init(&core->node, NODE_FREQ, core);
		for (int n = 0; n < core->nr_threads; n++)
			core->threads[n]->request_khz = s->m->max_khz;
	}
}
