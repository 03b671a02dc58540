/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of tasks for a trace.dat: those that live and those that the kernel remembers. */
#pragma once

#include "base/error.h"

/*
 * Lines "PID NAME", sorted by pid, each pid once: from root/proc, and for tasks that have ended
 * from tracing_dir/saved_cmdlines. To be freed by the caller.
 */
int cmdlines_collect(const char *root, const char *tracing_dir, char **ret, struct error *err);
