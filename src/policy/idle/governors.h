/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each file of this folder offers; registry.c lists them. */
#pragma once

#include "corepace/policy.h"

extern const struct idle_governor idle_null, idle_poll, idle_deepest, idle_state;
extern const struct idle_governor idle_haltpoll_6_1, idle_ladder_6_1;
extern const struct idle_governor idle_menu_4_4, idle_menu_4_5, idle_menu_4_6_TRUSTED,
	idle_menu_4_6, idle_menu_4_16, idle_menu_4_17, idle_menu_4_19, idle_menu_4_20,
	idle_menu_5_4, idle_menu_5_12, idle_menu_6_1, idle_menu_6_6, idle_menu_6_12, idle_menu_6_13,
	idle_menu_6_19, idle_menu_7_1;
extern const struct idle_governor idle_teo_6_1, idle_teo_6_6, idle_teo_6_12, idle_teo_7_1;
