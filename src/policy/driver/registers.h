/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers that drivers use and that the machine models behind `struct hardware` answer. */
#pragma once

#include <stdint.h>

enum { BUS_CLOCK_KHZ = 100000 };

#define MSR_PLATFORM_INFO 0x0ceu     /* 15:8 highest ratio without turbo, 47:40 lowest ratio */
#define MSR_IA32_PERF_STATUS 0x198u  /* 15:8 ratio in force */
#define MSR_IA32_PERF_CTL 0x199u     /* 15:8 ratio asked for */
#define MSR_TURBO_RATIO_LIMIT 0x1adu /* 7:0 ratio with one active core, 0: no turbo */

#define MSR_HWP_CAPABILITIES 0x771u
#define MSR_HWP_REQUEST 0x774u

static inline uint32_t ratio_field(uint64_t value, int shift)
{
	return (uint32_t)(value >> shift & 0xff);
}
