/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each file of this folder offers; registry.c lists them. */
#pragma once

#include "corepace/policy.h"

extern const struct idle_governor idle_null, idle_poll, idle_deepest, idle_state;
extern const struct idle_governor idle_haltpoll_6_1;
