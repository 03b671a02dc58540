/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each file of this folder offers; registry.c lists them. */
#pragma once

#include "corepace/policy.h"

extern const struct freq_governor freq_conservative, freq_ondemand, freq_performance,
	freq_powersave, freq_schedutil, freq_userspace;
