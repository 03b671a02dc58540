/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hardware behind registers, as drivers see it. Each access moves the caller's time cursor;
 * what it changes takes effect at the cursor's time. hw.c takes an access to the kind of hardware
 * that knows the register: each kind is a file with a read and a write, -EIO: not one of its own.
 */
#pragma once

#include "policy/driver/registers.h"

#include <stdint.h>

struct sim;
struct sim_core;
struct sim_cpu;

/* Fills s->hw and puts every core at its power-on request. 0 or a negative errno. */
int hw_init(struct sim *s);

/* An access by a CPU to its own register, outside drivers: boosts, doctor's reads. */
int hw_rdmsr(struct sim *s, int64_t *now_ns, int cpu, uint32_t reg, uint64_t *value);
int hw_wrmsr(struct sim *s, int64_t *now_ns, int cpu, uint32_t reg, uint64_t value);

/* The capabilities register of a CPU, 0: no HWP. */
uint64_t hw_capabilities(const struct sim *s, int cpu);

/* hw_pcc.c: the mailbox; its accesses move the cursor themselves. */
int pcc_init(struct sim *s);
void pcc_started(struct sim *s); /* set-up is over: it took no time of the run */
int pcc_mem_read(
	struct sim *s, int64_t *now_ns, int cpu, uint64_t addr, int width, uint64_t *value);
int pcc_mem_write(
	struct sim *s, int64_t *now_ns, int cpu, uint64_t addr, int width, uint64_t value);
int pcc_port_read(struct sim *s, int64_t *now_ns, int cpu, uint16_t port, uint32_t *value);
int pcc_port_write(struct sim *s, int64_t *now_ns, int cpu, uint16_t port, uint32_t value);
void pcc_doorbell(struct sim_cpu *c); /* NODE_DOORBELL */
void pcc_answer(struct sim_cpu *c);   /* NODE_ANSWER */
void hw_lock(void *ctx, int64_t *now_ns, int cpu, int lock);
void hw_unlock(void *ctx, int64_t *now_ns, int cpu, int lock);

/* hw_msr.c: P-states, counters and switches of one CPU. now_ns is when the access happens. */
void msr_init(struct sim *s);
int msr_read(struct sim *s, int64_t now_ns, int cpu, uint32_t reg, uint64_t *value);
int msr_write(struct sim *s, int64_t now_ns, int cpu, uint32_t reg, uint64_t value);
/* hw_amd.c and hw_port.c: what there is beside, -EIO: not theirs. */
int amd_read(struct sim *s, int64_t now_ns, int cpu, uint32_t reg, uint64_t *value);
int amd_write(struct sim *s, int64_t now_ns, int cpu, uint32_t reg, uint64_t value);
int pss_port_read(struct sim *s, int64_t *now_ns, int cpu, uint16_t port, uint32_t *value);
int pss_port_write(struct sim *s, int64_t *now_ns, int cpu, uint16_t port, uint32_t value);
/* hw_rapl.c */
int rapl_read(struct sim *s, int cpu, uint32_t reg, uint64_t *value);

/* A CPU asks for a frequency, by whatever kind of register or port. */
void msr_request(struct sim *s, int64_t now_ns, int cpu, uint32_t khz);
/* When a change of the core's frequency that is asked for at now_ns is in force. */
int64_t msr_change_ns(const struct sim *s, const struct sim_core *core, int64_t now_ns);
/* Before the frequency of c's core changes: what was counted so far, counts at the old one. */
void msr_count(struct sim_cpu *c);
uint64_t msr_tsc(const struct sim *s, int64_t now_ns);
