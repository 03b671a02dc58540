/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a recording beside a benchmark's results tells: wake-up latency, busy time, switches. */
#pragma once

#include "report/samples.h"

/* One sample of each; ctx is not used. Errors name the file and the place in it. */
int compare_trace(void *ctx, struct samples *samples, const char *path, const char *workload,
	const char *config, struct error *err);
