// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * AMD's registers: P-states by their number in the table, the switch of boost, and CPPC. The choice
 * behind a CPPC request is the one behind a request of hardware P-states (hwp.c): only the order of
 * the bytes differs.
 */
#include "sim/hw.h"
#include "sim/hwp.h"
#include "sim/internal.h"

#include <errno.h>

static uint64_t capabilities(const struct acpi_cpc *c)
{
	return (uint64_t)c->highest << 24 | c->nominal << 16 | c->lowest_nonlinear << 8 | c->lowest;
}

/* Between CPPC's max, min and Intel's min, max; desired and EPP are at the same place. */
static uint64_t swapped(uint64_t request)
{
	return with_byte(
		with_byte(request, 0, ratio_field(request, 8)), 8, ratio_field(request, 0));
}

static int read_cppc(struct sim *s, int cpu, uint32_t reg, uint64_t *value)
{
	const struct platform *p = &s->m->platform;

	if (!p->cppc || !s->m->hwp.present)
		return -EIO;
	switch (reg) {
	case MSR_AMD_CPPC_CAP1:
		*value = capabilities(&p->cpc);
		return 0;
	case MSR_AMD_CPPC_ENABLE:
		*value = s->hwp_on;
		return 0;
	case MSR_AMD_CPPC_REQ:
		*value = swapped(s->cpus[cpu].hwp_request);
		return 0;
	default:
		return -EIO;
	}
}

static int write_cppc(struct sim *s, int64_t now_ns, int cpu, uint32_t reg, uint64_t value)
{
	if (!s->m->platform.cppc || !s->m->hwp.present)
		return -EIO;
	switch (reg) {
	case MSR_AMD_CPPC_ENABLE:
		return hwp_wrmsr(s, now_ns, cpu, MSR_PM_ENABLE, value & 1);
	case MSR_AMD_CPPC_REQ:
		if (s->hwp_on)
			return hwp_wrmsr(s, now_ns, cpu, MSR_HWP_REQUEST, swapped(value));
		s->cpus[cpu].hwp_request = swapped(value);
		return 0;
	default:
		return -EIO;
	}
}

/* The highest P-state leaves it to boost, unless that is switched off. */
static uint32_t pstate_khz(const struct sim_cpu *c, uint32_t number)
{
	const struct machine *m = c->sim->m;
	const struct platform *p = &m->platform;

	if (!number && !(c->registers.hwcr & HWCR_CPB_DISABLE))
		return m->max_khz;
	if (!number || (int)number >= p->nr_pss)
		return m->base_khz;
	return p->pss[number].mhz * 1000;
}

static void request(struct sim *s, int64_t now_ns, int cpu)
{
	struct sim_cpu *c = &s->cpus[cpu];

	msr_request(s, now_ns, cpu, pstate_khz(c, (uint32_t)c->registers.amd_perf_ctl & 7));
}

static uint64_t status(const struct sim_cpu *c)
{
	const struct platform *p = &c->sim->m->platform;
	int i = 0;

	while (i < p->nr_pss - 1 && p->pss[i + 1].mhz * 1000 >= c->core->khz)
		i++;
	return (uint64_t)i;
}

int amd_read(struct sim *s, int64_t now_ns, int cpu, uint32_t reg, uint64_t *value)
{
	struct sim_cpu *c = &s->cpus[cpu];

	switch (reg) {
	case MSR_K7_HWCR:
		*value = c->registers.hwcr;
		return 0;
	case MSR_AMD_PERF_CTL:
		*value = c->registers.amd_perf_ctl;
		return 0;
	case MSR_AMD_PERF_STATUS:
		*value = status(c);
		return 0;
	default:
		return read_cppc(s, cpu, reg, value);
	}
}

int amd_write(struct sim *s, int64_t now_ns, int cpu, uint32_t reg, uint64_t value)
{
	struct sim_cpu *c = &s->cpus[cpu];

	switch (reg) {
	case MSR_K7_HWCR:
		c->registers.hwcr = value;
		request(s, now_ns, cpu);
		return 0;
	case MSR_AMD_PERF_CTL:
		c->registers.amd_perf_ctl = value;
		request(s, now_ns, cpu);
		return 0;
	default:
		return write_cppc(s, now_ns, cpu, reg, value);
	}
}
