// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * P-states of Intel's kind: a request in PERF_CTL, the turbo table, what is in force; the counters
 * APERF and MPERF; switches that are only held. Threads of a core share a clock: the highest of
 * their requests counts, that of a thread which was taken offline among them. Where the hardware
 * looks at requests on a grid, a request waits for that, then it takes the transition time; the
 * newest one is what takes effect. With hardware P-states on, PERF_CTL only keeps its value.
 */
#include "policy/driver/drivers.h"
#include "sim/hw.h"
#include "sim/internal.h"

#include <errno.h>

enum { ENERGY_BIAS_NORMAL = 6, SWITCH_STREAM = 3000 };

uint64_t msr_tsc(const struct sim *s, int64_t now_ns)
{
	uint32_t khz = s->m->platform.tsc_khz ? s->m->platform.tsc_khz : s->m->base_khz;

	return (uint64_t)((unsigned __int128)(uint64_t)now_ns * khz / 1000000);
}

/* ---- counters -------------------------------------------------------------------------- */

/* Time in C0, that is executing; a polling state is no other. */
static uint64_t c0_ns(const struct sim_cpu *c)
{
	const struct sim *s = c->sim;
	uint64_t ns = c->busy_ns + c->idle_loop_ns;
	bool halted = c->act == ACT_OFF || c->act == ACT_IDLE || c->act == ACT_IDLE_WAKE;

	if (s->m->idle.states[0].polling)
		ns += c->state_ns[0];
	if (c->act == ACT_IDLE && s->m->idle.states[c->state].polling)
		halted = false;
	return halted ? ns : ns + (uint64_t)(s->now_ns - c->since_ns);
}

/* The core's frequency is about to change, or is asked for. */
void msr_count(struct sim_cpu *c)
{
	uint64_t ns = c0_ns(c);

	c->registers.aperf += (unsigned __int128)(ns - c->registers.c0_ns) * c->core->khz;
	c->registers.c0_ns = ns;
}

static uint64_t aperf(struct sim_cpu *c)
{
	msr_count(c);
	return (uint64_t)(c->registers.aperf / 1000000);
}

/* ---- P-states -------------------------------------------------------------------------- */

static uint64_t platform_info(const struct machine *m)
{
	return (uint64_t)(m->min_khz / BUS_CLOCK_KHZ) << 40 |
	       (uint64_t)(m->base_khz / BUS_CLOCK_KHZ) << 8;
}

static uint64_t turbo_ratios(const struct machine *m)
{
	uint64_t value = 0;

	for (int i = 0; i < m->nr_turbo && i < 8; i++)
		value |= (uint64_t)(m->turbo_khz[i] / BUS_CLOCK_KHZ) << 8 * i;
	return value;
}

static uint32_t thread_request(const struct sim_cpu *c)
{
	const struct cpu_registers *r = &c->registers;
	uint32_t base = c->sim->m->base_khz;
	bool turbo =
		!(r->perf_ctl & PERF_CTL_NO_TURBO) && !(r->misc_enable & MISC_ENABLE_TURBO_DISABLE);

	return turbo || c->request_khz < base ? c->request_khz : base;
}

int64_t msr_change_ns(const struct sim *s, const struct sim_core *core, int64_t now_ns)
{
	int64_t step = s->m->change_grid_ns;
	int64_t into = step ? (now_ns + s->packages[core->package].grid_ns) % step : 0;

	return (into ? now_ns + step - into : now_ns) + s->m->transition_ns;
}

/* Looks at what the core's threads ask for, and has it granted when the hardware comes to it. */
static void request(struct sim *s, struct sim_core *core, int64_t now_ns)
{
	uint32_t khz = 0;

	for (int i = 0; i < core->nr_threads; i++)
		if (thread_request(core->threads[i]) > khz)
			khz = thread_request(core->threads[i]);
	if (!khz || s->hwp_on)
		return;
	core->next_khz = khz;
	if (!s->started)
		core_request(core, khz);
	else if (!node_queued(&core->node) && khz != core->request_khz)
		queue_set(&s->queue, &core->node, msr_change_ns(s, core, now_ns));
}

void msr_request(struct sim *s, int64_t now_ns, int cpu, uint32_t khz)
{
	s->cpus[cpu].request_khz = khz;
	request(s, s->cpus[cpu].core, now_ns);
}

/* ---- registers ------------------------------------------------------------------------- */

int msr_read(struct sim *s, int64_t now_ns, int cpu, uint32_t reg, uint64_t *value)
{
	struct sim_cpu *c = &s->cpus[cpu];

	if (s->m->platform.vendor == VENDOR_AMD && reg != MSR_IA32_APERF && reg != MSR_IA32_MPERF)
		return -EIO;
	switch (reg) {
	case MSR_PLATFORM_INFO:
		*value = platform_info(s->m);
		return 0;
	case MSR_TURBO_RATIO_LIMIT:
		*value = turbo_ratios(s->m);
		return 0;
	case MSR_IA32_PERF_STATUS:
		*value = (uint64_t)(c->core->khz / BUS_CLOCK_KHZ) << 8;
		return 0;
	case MSR_IA32_PERF_CTL:
		*value = c->registers.perf_ctl;
		return 0;
	case MSR_IA32_APERF:
		*value = aperf(c);
		return 0;
	case MSR_IA32_MPERF: /* rounded as the TSC, which it never overtakes */
		*value = msr_tsc(s, (int64_t)c0_ns(c));
		return 0;
	case MSR_IA32_MISC_ENABLE:
		*value = c->registers.misc_enable;
		return 0;
	case MSR_IA32_ENERGY_PERF_BIAS:
		*value = c->registers.energy_bias;
		return s->m->platform.epb ? 0 : -EIO;
	case MSR_MISC_PWR_MGMT:
		*value = 0;
		return 0;
	default:
		return -EIO;
	}
}

int msr_write(struct sim *s, int64_t now_ns, int cpu, uint32_t reg, uint64_t value)
{
	struct sim_cpu *c = &s->cpus[cpu];

	if (s->m->platform.vendor == VENDOR_AMD)
		return -EIO;
	switch (reg) {
	case MSR_IA32_PERF_CTL:
		c->registers.perf_ctl = value;
		msr_request(s, now_ns, cpu, ratio_field(value, 8) * BUS_CLOCK_KHZ);
		return 0;
	case MSR_IA32_MISC_ENABLE:
		c->registers.misc_enable = value;
		request(s, c->core, now_ns);
		return 0;
	case MSR_IA32_ENERGY_PERF_BIAS: /* only held: what it does to turbo is not known */
		c->registers.energy_bias = value & 0xf;
		return s->m->platform.epb ? 0 : -EIO;
	default:
		return -EIO;
	}
}

/*
 * What CPUs ask for when the run begins. Firmware leaves the highest. Under a governor that follows
 * load the system has been up and idle for long, and the lowest is what every CPU last asked for:
 * one that runs nothing in this run would never be asked to give up more, and would hold up its
 * sibling.
 */
static uint32_t first_khz(const struct sim *s)
{
	const struct driver *d = s->driver;
	bool registers = d == &driver_table || d == &driver_acpi_cpufreq;

	return registers && s->p->governor->on_util ? s->m->min_khz : s->m->max_khz;
}

void msr_init(struct sim *s)
{
	uint32_t khz = first_khz(s);

	for (int i = 0; i < s->m->nr_packages && s->m->change_grid_ns; i++) {
		struct rng rng;

		rng_init(&rng, s->options->seed, SWITCH_STREAM + (uint64_t)i);
		s->packages[i].grid_ns = (int64_t)rng_below(&rng, (uint64_t)s->m->change_grid_ns);
	}
	for (int i = 0; i < s->m->nr_cores; i++) {
		struct sim_core *core = &s->cores[i];

		core->request_khz = core->next_khz = khz;
		node_init(&core->node, NODE_FREQ, core);
		for (int n = 0; n < core->nr_threads; n++) {
			struct sim_cpu *c = core->threads[n];

			c->request_khz = c->online ? khz : 0;
			c->registers.perf_ctl = (uint64_t)(khz / BUS_CLOCK_KHZ) << 8;
			if (khz == s->m->min_khz && s->m->platform.nr_pss)
				c->registers.amd_perf_ctl = (uint64_t)s->m->platform.nr_pss - 1;
			c->registers.energy_bias = ENERGY_BIAS_NORMAL;
		}
	}
}
