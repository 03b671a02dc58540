/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers that drivers use and that the machine models behind `struct hardware` answer. */
#pragma once

#include <stdint.h>

enum { BUS_CLOCK_KHZ = 100000 };

#define MSR_PLATFORM_INFO 0x0ceu     /* 15:8 highest ratio without turbo, 47:40 lowest ratio */
#define MSR_IA32_PERF_STATUS 0x198u  /* 15:8 ratio in force */
#define MSR_IA32_PERF_CTL 0x199u     /* 15:8 ratio asked for */
#define MSR_TURBO_RATIO_LIMIT 0x1adu /* 7:0 ratio with one active core, 0: no turbo */

#define MSR_IA32_MPERF 0x0e7u /* counts at the TSC's rate while the CPU executes */
#define MSR_IA32_APERF 0x0e8u /* counts at the CPU's own rate while it executes */
#define MSR_IA32_MISC_ENABLE 0x1a0u
#define MISC_ENABLE_TURBO_DISABLE (1ULL << 38)
#define MSR_MISC_PWR_MGMT 0x1aau	 /* bits 8, 18: P-states are controlled out of band */
#define MSR_IA32_ENERGY_PERF_BIAS 0x1b0u /* 3:0 */
#define PERF_CTL_NO_TURBO (1ULL << 32)

#define MSR_CONFIG_TDP_NOMINAL 0x648u /* levels 1 and 2 follow: 23:16 their ratio */
#define MSR_CONFIG_TDP_CONTROL 0x64bu /* 1:0 level in force */
#define MSR_TURBO_ACTIVATION_RATIO 0x64cu

#define MSR_RAPL_POWER_UNIT 0x606u   /* 12:8 energy: 1/2^n J */
#define MSR_PKG_POWER_LIMIT 0x610u   /* 14:0 PL1 in power units, 23:17 its window, 46:32 PL2 */
#define MSR_PKG_ENERGY_STATUS 0x611u /* 31:0 in energy units */
#define MSR_PP0_ENERGY_STATUS 0x639u /* the cores' part */
#define MSR_PP1_ENERGY_STATUS 0x641u /* the graphics' part */

#define MSR_PM_ENABLE 0x770u	    /* bit 0: HWP on; off only by a reset */
#define MSR_HWP_CAPABILITIES 0x771u /* 7:0 highest, guaranteed, efficient, 31:24 lowest */
#define MSR_HWP_REQUEST_PKG 0x772u  /* as the request, for threads that leave it to it */
#define MSR_HWP_INTERRUPT 0x773u
#define MSR_HWP_REQUEST 0x774u /* 7:0 min, max, desired, 31:24 EPP, 41:32 activity window */
#define MSR_HWP_STATUS 0x777u

enum { HWP_PACKAGE_CONTROL_BIT = 42 };

#define MSR_K7_HWCR 0xc0010015u
#define HWCR_CPB_DISABLE (1ULL << 25)
#define MSR_AMD_PERF_CTL 0xc0010062u	/* number of the P-state asked for */
#define MSR_AMD_PERF_STATUS 0xc0010063u /* and in force */

/* Lowest, lowest nonlinear, nominal, highest: bytes from 0. */
#define MSR_AMD_CPPC_CAP1 0xc00102b0u
#define MSR_AMD_CPPC_ENABLE 0xc00102b1u
#define MSR_AMD_CPPC_CAP2 0xc00102b2u
#define MSR_AMD_CPPC_REQ 0xc00102b3u /* max, min, desired, EPP: bytes from 0 */
#define MSR_AMD_CPPC_STATUS 0xc00102b4u

static inline uint64_t with_byte(uint64_t reg, int shift, uint32_t byte)
{
	return (reg & ~(0xffULL << shift)) | (uint64_t)(byte & 0xff) << shift;
}

static inline uint32_t ratio_field(uint64_t value, int shift)
{
	return (uint32_t)(value >> shift & 0xff);
}
