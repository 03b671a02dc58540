/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers that drivers use and that the machine models behind `struct hardware` answer. */
#pragma once

#include <stdint.h>

enum { BUS_CLOCK_KHZ = 100000 };

#define MSR_PLATFORM_INFO 0x0ceu     /* 15:8 highest ratio without turbo, 47:40 lowest ratio */
#define MSR_IA32_PERF_STATUS 0x198u  /* 15:8 ratio in force */
#define MSR_IA32_PERF_CTL 0x199u     /* 15:8 ratio asked for */
#define MSR_TURBO_RATIO_LIMIT 0x1adu /* 7:0 ratio with one active core, 0: no turbo */

#define MSR_PM_ENABLE 0x770u	    /* bit 0: HWP on; off only by a reset */
#define MSR_HWP_CAPABILITIES 0x771u /* 7:0 highest, guaranteed, efficient, 31:24 lowest */
#define MSR_HWP_REQUEST_PKG 0x772u  /* as the request, for threads that leave it to it */
#define MSR_HWP_INTERRUPT 0x773u
#define MSR_HWP_REQUEST 0x774u /* 7:0 min, max, desired, 31:24 EPP, 41:32 activity window */
#define MSR_HWP_STATUS 0x777u

enum { HWP_PACKAGE_CONTROL_BIT = 42 };

static inline uint32_t ratio_field(uint64_t value, int shift)
{
	return (uint32_t)(value >> shift & 0xff);
}
