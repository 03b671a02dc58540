/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows a governor's private state as the vectors' dbg_ columns write it, to find differences. */
#pragma once

#include "corepace/policy.h"

enum { IDLE_PRIVATE_COLUMNS = 6 };

extern const char *const idle_private_columns[IDLE_PRIVATE_COLUMNS];

/* Writes column (an index of idle_private_columns). False: the governor has no such thing. */
bool idle_private(const struct idle_cpu *cpu, int column, char *buf, size_t size);
