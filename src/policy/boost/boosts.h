/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each file of this folder offers; registry.c lists them. */
#pragma once

#include "corepace/policy.h"

extern const struct boost boost_none, boost_hwp_dynamic, boost_iowait, boost_migrate,
	boost_idle_placement;
