/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hardware behind registers, as drivers see it. Each access moves the caller's time cursor;
 * what it changes takes effect at the cursor's time.
 */
#pragma once

#include "policy/driver/registers.h"

#include <stdint.h>

struct sim;

#define MSR_HWP_CAPABILITIES 0x771u
#define MSR_HWP_REQUEST 0x774u

/* Fills s->hw and puts every core at its power-on request. */
void hw_init(struct sim *s);

int hw_wrmsr(struct sim *s, int64_t *now_ns, int cpu, uint32_t reg, uint64_t value);

/* The capabilities register of a CPU, 0: no HWP. */
uint64_t hw_capabilities(const struct sim *s, int cpu);
