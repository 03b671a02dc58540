/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each file of this folder offers; registry.c lists them. */
#pragma once

#include "corepace/policy.h"

extern const struct driver driver_none, driver_table, driver_intel_pstate, driver_pcc;
extern const struct driver driver_acpi_cpufreq, driver_amd_pstate, driver_auto;
