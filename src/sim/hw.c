// SPDX-License-Identifier: GPL-2.0-or-later
#include "sim/hw.h"

#include "sim/internal.h"

#include <errno.h>

/* What an access takes: orders of magnitude on any x86. */
enum { MSR_NS = 100, TSC_NS = 10 };

int hw_rdmsr(struct sim *s, int64_t *now_ns, int cpu, uint32_t reg, uint64_t *value)
{
	int r;

	*now_ns += MSR_NS;
	r = msr_read(s, *now_ns, cpu, reg, value);
	if (r == -EIO && s->m->platform.vendor == VENDOR_AMD)
		return amd_read(s, *now_ns, cpu, reg, value);
	if (r == -EIO)
		r = hwp_rdmsr(s, cpu, reg, value);
	return r == -EIO ? rapl_read(s, cpu, reg, value) : r;
}

int hw_wrmsr(struct sim *s, int64_t *now_ns, int cpu, uint32_t reg, uint64_t value)
{
	int r;

	*now_ns += MSR_NS;
	s->counters.msr_writes++;
	r = msr_write(s, *now_ns, cpu, reg, value);
	if (r == -EIO && s->m->platform.vendor == VENDOR_AMD)
		return amd_write(s, *now_ns, cpu, reg, value);
	return r == -EIO ? hwp_wrmsr(s, *now_ns, cpu, reg, value) : r;
}

static int rdmsr(void *ctx, int64_t *now_ns, int cpu, uint32_t reg, uint64_t *value)
{
	return hw_rdmsr(ctx, now_ns, cpu, reg, value);
}

static int wrmsr(void *ctx, int64_t *now_ns, int cpu, uint32_t reg, uint64_t value)
{
	struct sim *s = ctx;

	if (reg == MSR_HWP_REQUEST) /* what a boost starts from is what the driver asked for */
		s->cpus[cpu].hwp_cached = value;
	return hw_wrmsr(s, now_ns, cpu, reg, value);
}

static int rdtsc(void *ctx, int64_t *now_ns, int cpu, uint64_t *value)
{
	*now_ns += TSC_NS;
	*value = msr_tsc(ctx, *now_ns);
	return 0;
}

static int mem_read(void *ctx, int64_t *now_ns, int cpu, uint64_t addr, int width, uint64_t *value)
{
	return pcc_mem_read(ctx, now_ns, cpu, addr, width, value);
}

static int mem_write(void *ctx, int64_t *now_ns, int cpu, uint64_t addr, int width, uint64_t value)
{
	return pcc_mem_write(ctx, now_ns, cpu, addr, width, value);
}

static int port_read(void *ctx, int64_t *now_ns, int cpu, uint16_t port, int width, uint32_t *value)
{
	int r = pss_port_read(ctx, now_ns, cpu, port, value);

	return r == -EIO ? pcc_port_read(ctx, now_ns, cpu, port, value) : r;
}

static int port_write(void *ctx, int64_t *now_ns, int cpu, uint16_t port, int width, uint32_t value)
{
	int r = pss_port_write(ctx, now_ns, cpu, port, value);

	return r == -EIO ? pcc_port_write(ctx, now_ns, cpu, port, value) : r;
}

static void relax(void *ctx, int64_t *now_ns)
{
	const struct sim *s = ctx;

	*now_ns += max_i64(s->m->poll_relax_ns, 1);
}

int hw_init(struct sim *s)
{
	s->hw = (struct hardware){
		.ctx = s,
		.platform = &s->m->platform,
		.rdmsr = rdmsr,
		.wrmsr = wrmsr,
		.rdtsc = rdtsc,
		.mem_read = mem_read,
		.mem_write = mem_write,
		.port_read = port_read,
		.port_write = port_write,
		.lock = hw_lock,
		.unlock = hw_unlock,
		.relax = relax,
	};
	msr_init(s);
	hwp_init(s);
	return pcc_init(s);
}
