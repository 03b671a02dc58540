// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/registers.h"

static const uint32_t listed[] = {
	MSR_PLATFORM_INFO,
	MSR_PKG_CST_CONFIG,
	MSR_MPERF,
	MSR_APERF,
	MSR_PERF_STATUS,
	MSR_PERF_CTL,
	MSR_THERM_STATUS,
	MSR_MISC_ENABLE,
	MSR_MISC_PWR_MGMT,
	MSR_TURBO_RATIO_LIMIT,
	MSR_TURBO_RATIO_LIMIT1,
	MSR_TURBO_RATIO_LIMIT2,
	MSR_ENERGY_PERF_BIAS,
	MSR_PKG_THERM_STATUS,
	MSR_POWER_CTL,
	MSR_RAPL_POWER_UNIT,
	MSR_PKG_POWER_LIMIT,
	MSR_PKG_ENERGY_STATUS,
	MSR_PKG_POWER_INFO,
	MSR_CORE_PERF_LIMIT_REASONS,
	MSR_CORE_PERF_LIMIT_REASONS_OLD,
	MSR_PM_ENABLE,
	MSR_HWP_CAPABILITIES,
	MSR_HWP_REQUEST,
	MSR_HWP_STATUS,
	MSR_AMD_HWCR,
	MSR_AMD_PSTATE_LIMIT,
	MSR_AMD_RAPL_POWER_UNIT,
	MSR_AMD_CPPC_CAP1,
	MSR_AMD_CPPC_ENABLE,
	MSR_AMD_CPPC_REQ,
};

const uint32_t *register_list(size_t *ret_nr)
{
	*ret_nr = sizeof(listed) / sizeof(listed[0]);
	return listed;
}

bool register_is_listed(uint32_t reg)
{
	for (size_t i = 0; i < sizeof(listed) / sizeof(listed[0]); i++) {
		if (listed[i] == reg)
			return true;
	}
	return false;
}
