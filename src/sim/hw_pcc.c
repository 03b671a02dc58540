// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Firmware behind the Processor Clocking Control mailbox: shared memory and a doorbell.
 *
 * At the doorbell the firmware reads the command and the input buffer of every CPU that has a valid
 * one, works for a service time and sets the status. A set takes effect then: the percentage of
 * nominal, but at least the lowest frequency; 100 % lets the turbo bins in. A get gives what the
 * core runs at, rounded down to a percent, and no cap. A doorbell while it works is lost.
 *
 * With a stall, the doorbell is a management interrupt: every CPU of the machine, online or not,
 * stands still for that part of the service.
 *
 * Sources: the layout in policy/driver/pcc.h; that one doorbell serves all valid buffers and that
 * any status but 1 is failure. What the words for latency and times hold was never published.
 */
#include "policy/driver/pcc.h"
#include "sim/hw.h"
#include "sim/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PCC_ERROR_BIT = 2 };
enum { FIRMWARE_STREAM = 2000 };
static const char signature[4] = { 'P', 'C', 'C', '$' };

static uint32_t word(const struct sim_pcc *p, uint64_t offset, int bytes)
{
	uint32_t v = 0;

	for (int i = bytes - 1; i >= 0; i--)
		v = v << 8 | p->memory[offset + (uint64_t)i];
	return v;
}

static void set_word(struct sim_pcc *p, uint64_t offset, int bytes, uint32_t v)
{
	for (int i = 0; i < bytes; i++)
		p->memory[offset + (uint64_t)i] = (uint8_t)(v >> 8 * i);
}

/* What the firmware has done until now_ns. */
static void settle(struct sim_pcc *p, int64_t now_ns)
{
	if (!p->busy || now_ns < p->answer_ns)
		return;
	p->busy = false;
	set_word(p, PCC_STATUS, 2, word(p, PCC_STATUS, 2) | p->answer);
}

static int64_t draw(struct sim *s, int64_t mean)
{
	int64_t half;

	switch (s->m->firmware.distribution) {
	case SERVICE_UNIFORM:
		half = mean * s->m->firmware.spread_permille / 1000;
		return mean - half + (int64_t)rng_below(&s->pcc.rng, 2 * (uint64_t)half + 1);
	case SERVICE_EXPONENTIAL:
		return (int64_t)rng_exponential(&s->pcc.rng, (uint64_t)mean);
	default:
		return mean;
	}
}

static void serve_cpu(struct sim *s, struct sim_cpu *c, uint32_t command, uint32_t input)
{
	const struct acpi_pcc *pcc = &s->m->platform.pcc;
	uint64_t percent = input >> PCC_PERCENT_SHIFT & PCC_PERCENT_MASK, khz;

	if (command == PCC_GET_AVERAGE) {
		khz = c->core->khz ? c->core->khz : s->m->base_khz;
		percent = khz * 100 / s->m->base_khz;
		percent = percent < PCC_PERCENT_MASK ? percent : PCC_PERCENT_MASK;
		set_word(&s->pcc, pcc->output + (uint32_t)c->id * pcc->stride, 4,
			(uint32_t)percent | PCC_NO_CAP << PCC_CAP_SHIFT);
		return;
	}
	khz = percent >= 100 ? s->m->max_khz : percent * s->m->base_khz / 100;
	if (khz < s->m->firmware.minimum_khz)
		khz = s->m->firmware.minimum_khz;
	if (node_queued(&c->answer)) /* the one before is not heard of yet */
		msr_request(s, s->pcc.answer_ns, c->id, c->answer_khz);
	c->answer_khz = (uint32_t)khz;
	if (s->started)
		queue_set(&s->queue, &c->answer, s->pcc.answer_ns);
	else
		msr_request(s, s->now_ns, c->id, c->answer_khz);
}

/* Returns when the CPU that rang can go on. */
static int64_t ring(struct sim *s, int64_t now_ns, int cpu)
{
	const struct machine_firmware *f = &s->m->firmware;
	const struct acpi_pcc *pcc = &s->m->platform.pcc;
	uint32_t command = word(&s->pcc, PCC_COMMAND, 2);
	struct sim_pcc *p = &s->pcc;
	int64_t service, stall;

	s->counters.mailbox_calls++;
	if (p->busy)
		return now_ns;
	service = draw(s, f->service_ns);
	stall = f->service_ns ? service * f->stall_ns / f->service_ns : 0;
	p->busy = f->behaviour != MAILBOX_NEVER;
	p->answer = f->behaviour == MAILBOX_ERROR ? PCC_COMPLETE | PCC_ERROR_BIT : PCC_COMPLETE;
	p->answer_ns = now_ns + service;
	for (int i = 0; i < s->nr_cpus && f->behaviour == MAILBOX_COMPLETES; i++) {
		uint32_t input = word(p, pcc->input + (uint32_t)i * pcc->stride, 4);

		if (input & PCC_VALID)
			serve_cpu(s, &s->cpus[i], command, input);
	}
	if (stall && s->started) {
		s->cpus[cpu].stall_ns = stall;
		queue_set(&s->queue, &s->cpus[cpu].doorbell, now_ns);
	}
	return now_ns + stall;
}

/* The mailbox belongs to whoever holds its lock; only buffers are cleared without. */
static void check_owner(struct sim *s, int cpu)
{
	if (s->locks[LOCK_PCC].owner != cpu)
		s->pcc.intruder = cpu;
}

int pcc_mem_read(struct sim *s, int64_t *now_ns, int cpu, uint64_t addr, int width, uint64_t *value)
{
	const struct acpi_pcc *pcc = &s->m->platform.pcc;
	struct sim_pcc *p = &s->pcc;

	if (!pcc->doorbell_in_ports && pcc->size && addr == pcc->doorbell) {
		*now_ns += s->m->firmware.access_ns;
		*value = p->doorbell;
		return 0;
	}
	if (addr < pcc->base || addr - pcc->base + (uint64_t)width / 8 > pcc->size)
		return -EIO;
	*now_ns += s->m->firmware.access_ns;
	settle(p, *now_ns);
	*value = word(p, addr - pcc->base, width / 8);
	return 0;
}

int pcc_mem_write(struct sim *s, int64_t *now_ns, int cpu, uint64_t addr, int width, uint64_t value)
{
	const struct acpi_pcc *pcc = &s->m->platform.pcc;
	struct sim_pcc *p = &s->pcc;

	if (!pcc->doorbell_in_ports && pcc->size && addr == pcc->doorbell) {
		check_owner(s, cpu);
		*now_ns += s->m->firmware.access_ns;
		p->doorbell = value;
		*now_ns = ring(s, *now_ns, cpu);
		return 0;
	}
	if (addr < pcc->base || addr - pcc->base + (uint64_t)width / 8 > pcc->size)
		return -EIO;
	if (value || addr - pcc->base < PCC_HEADER)
		check_owner(s, cpu);
	*now_ns += s->m->firmware.access_ns;
	settle(p, *now_ns);
	set_word(p, addr - pcc->base, width / 8, (uint32_t)value);
	return 0;
}

int pcc_port_read(struct sim *s, int64_t *now_ns, int cpu, uint16_t port, uint32_t *value)
{
	const struct acpi_pcc *pcc = &s->m->platform.pcc;

	if (!pcc->size || !pcc->doorbell_in_ports || port != pcc->doorbell)
		return -EIO;
	*now_ns += s->m->firmware.access_ns;
	*value = (uint32_t)s->pcc.doorbell;
	return 0;
}

int pcc_port_write(struct sim *s, int64_t *now_ns, int cpu, uint16_t port, uint32_t value)
{
	const struct acpi_pcc *pcc = &s->m->platform.pcc;

	if (!pcc->size || !pcc->doorbell_in_ports || port != pcc->doorbell)
		return -EIO;
	check_owner(s, cpu);
	*now_ns += s->m->firmware.access_ns;
	s->pcc.doorbell = value;
	*now_ns = ring(s, *now_ns, cpu);
	return 0;
}

void pcc_doorbell(struct sim_cpu *c)
{
	stall_begin(c->sim, c->stall_ns);
}

void pcc_answer(struct sim_cpu *c)
{
	msr_request(c->sim, c->sim->now_ns, c->id, c->answer_khz);
}

/* ---- the lock -------------------------------------------------------------------------- */

void hw_lock(void *ctx, int64_t *now_ns, int cpu, int lock)
{
	struct sim *s = ctx;
	struct sim_lock *l = &s->locks[lock];

	if (*now_ns < l->free_ns) {
		s->counters.mailbox_waits++;
		s->counters.mailbox_wait_ns += (uint64_t)(l->free_ns - *now_ns);
		*now_ns = l->free_ns;
	}
	if (l->owner >= 0) /* calls run one after the other: it was never given back */
		s->pcc.intruder = cpu;
	l->owner = cpu;
}

void hw_unlock(void *ctx, int64_t *now_ns, int cpu, int lock)
{
	struct sim *s = ctx;
	struct sim_lock *l = &s->locks[lock];

	if (l->owner != cpu)
		s->pcc.intruder = cpu;
	l->owner = -1;
	l->free_ns = *now_ns;
}

void pcc_started(struct sim *s)
{
	settle(&s->pcc, INT64_MAX);
	for (int i = 0; i < LOCKS; i++)
		s->locks[i].free_ns = s->now_ns;
	s->counters.mailbox_calls = s->counters.mailbox_waits = s->counters.mailbox_wait_ns = 0;
}

int pcc_init(struct sim *s)
{
	const struct machine *m = s->m;
	struct sim_pcc *p = &s->pcc;

	p->intruder = -1;
	for (int i = 0; i < LOCKS; i++)
		s->locks[i].owner = -1;
	if (!m->platform.pcc.size)
		return 0;
	p->memory = calloc(1, m->platform.pcc.size);
	if (!p->memory)
		return error_set(s->err, ENOMEM, "out of memory");
	rng_init(&p->rng, s->options->seed, FIRMWARE_STREAM);
	memcpy(p->memory, signature, sizeof(signature));
	set_word(p, PCC_LENGTH, 2, (uint32_t)m->platform.pcc.size);
	p->memory[PCC_MAJOR] = 1;
	set_word(p, PCC_LATENCY, 4, (uint32_t)(m->firmware.service_ns / NSEC_PER_USEC));
	set_word(p, PCC_NOMINAL, 4, m->base_khz / 1000);
	set_word(p, PCC_THROTTLED, 4, m->firmware.minimum_khz / 1000);
	set_word(p, PCC_MINIMUM, 4, m->firmware.minimum_khz / 1000);
	return 0;
}
