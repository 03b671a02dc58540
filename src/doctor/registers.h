/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every model-specific register that is read, as doctor/paths.h does for files. Numbers: Intel SDM
 * volume 4; AMD PPR of families 17h and 19h.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	MSR_MPERF = 0xe7,
	MSR_APERF = 0xe8,
	MSR_PLATFORM_INFO = 0xce,
	MSR_PKG_CST_CONFIG = 0xe2,
	MSR_PERF_STATUS = 0x198,
	MSR_PERF_CTL = 0x199,
	MSR_THERM_STATUS = 0x19c,
	MSR_MISC_ENABLE = 0x1a0,
	MSR_MISC_PWR_MGMT = 0x1aa,
	MSR_TURBO_RATIO_LIMIT = 0x1ad,
	MSR_TURBO_RATIO_LIMIT1 = 0x1ae,
	MSR_TURBO_RATIO_LIMIT2 = 0x1af,
	MSR_ENERGY_PERF_BIAS = 0x1b0,
	MSR_PKG_THERM_STATUS = 0x1b1,
	MSR_POWER_CTL = 0x1fc,
	MSR_RAPL_POWER_UNIT = 0x606,
	MSR_PKG_POWER_LIMIT = 0x610,
	MSR_PKG_ENERGY_STATUS = 0x611,
	MSR_PKG_POWER_INFO = 0x614,
	MSR_CORE_PERF_LIMIT_REASONS = 0x64f,
	MSR_CORE_PERF_LIMIT_REASONS_OLD = 0x690,
	MSR_PM_ENABLE = 0x770,
	MSR_HWP_CAPABILITIES = 0x771,
	MSR_HWP_REQUEST = 0x774,
	MSR_HWP_STATUS = 0x777,
};

#define MSR_AMD_HWCR 0xc0010015U
#define MSR_AMD_PSTATE_LIMIT 0xc0010061U
#define MSR_AMD_RAPL_POWER_UNIT 0xc0010299U
#define MSR_AMD_CPPC_CAP1 0xc00102b0U
#define MSR_AMD_CPPC_ENABLE 0xc00102b1U
#define MSR_AMD_CPPC_REQ 0xc00102b3U

/* Ascending. */
const uint32_t *register_list(size_t *ret_nr);

bool register_is_listed(uint32_t reg);
