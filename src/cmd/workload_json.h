/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `show --json` of a workload, the schema of corepace-show(1). */
#pragma once

#include "cmd/workload_summary.h"

/* Prints to stdout. s and log are NULL for a generated workload. */
int workload_json(const struct workload *w, const struct workload_summary *s,
	const struct idle_log_summary *log, struct error *err);
