/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hardware P-states: the processor picks each core's frequency by itself inside the window that
 * software leaves it in the request register. What is modelled is written in hwp.c.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct sim;
struct sim_core;

void hwp_init(struct sim *s);

/* The HWP registers: 0, or -EIO for one that is not there or cannot be read or written so. */
int hwp_rdmsr(struct sim *s, int cpu, uint32_t reg, uint64_t *value);
int hwp_wrmsr(struct sim *s, int64_t now_ns, int cpu, uint32_t reg, uint64_t value);

/*
 * The choke point tells that a core begins or ceases to execute instructions (a polling idle state
 * executes some), or that one of its threads does. True: core->request_khz changed.
 */
bool hwp_activity(struct sim_core *core);

void hwp_window_end(struct sim_core *core);
