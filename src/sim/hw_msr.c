// SPDX-License-Identifier: GPL-2.0-or-later
/* P-states of Intel's kind: a request in PERF_CTL, the turbo table, what is in force. */
#include "sim/hw.h"
#include "sim/internal.h"

#include <errno.h>

int msr_read(struct sim *s, int64_t now_ns, int cpu, uint32_t reg, uint64_t *value)
{
	const struct machine *m = s->m;

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

int msr_write(struct sim *s, int64_t now_ns, int cpu, uint32_t reg, uint64_t value)
{
	if (reg != MSR_IA32_PERF_CTL)
		return -EIO;
	if (s->hwp_on) /* keeps its value, means nothing */
		s->cpus[cpu].request_khz = ratio_field(value, 8) * BUS_CLOCK_KHZ;
	else
		request(s, &s->cpus[cpu], now_ns, ratio_field(value, 8) * BUS_CLOCK_KHZ);
	return 0;
}

void msr_init(struct sim *s)
{
	for (int i = 0; i < s->m->nr_cores; i++) {
		struct sim_core *core = &s->cores[i];

		core->request_khz = core->next_khz = s->m->max_khz;
		node_init(&core->node, NODE_FREQ, core);
		for (int n = 0; n < core->nr_threads; n++)
			core->threads[n]->request_khz = s->m->max_khz;
	}
}
