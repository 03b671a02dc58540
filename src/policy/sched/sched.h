/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each file of this folder offers; registry.c lists them. */
#pragma once

#include "corepace/policy.h"

extern const struct sched_policy sched_fair;
extern const struct sched_policy sched_recorded;
