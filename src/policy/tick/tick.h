/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The orders of tick stop and selection; registry.c lists them. */
#pragma once

#include "corepace/policy.h"

extern const struct tick_policy tick_select_first, tick_stop_first, tick_periodic;
