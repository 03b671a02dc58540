/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recorder knows and no event tells, as lines of text: the recorder writes them into the
 * stream through trace_marker, whoever imports the stream reads them back. So a recording carries
 * them whatever its format is.
 *
 *   corepace:start pid=N     the command starts (no pid: the whole system is recorded)
 *   corepace:end             it has ended
 *   corepace:ops=N           it did N operations
 *   corepace:KEY=VALUE       a field of struct workload_env or struct workload_truth
 */
#pragma once

#include "workload/workload.h"

#define FACT_PREFIX "corepace:"
#define FACT_START FACT_PREFIX "start"
#define FACT_END FACT_PREFIX "end"

enum { FACT_LINE_MAX = 1024 };

/* Calls emit with each line for what is known (not zero). Either struct may be NULL. */
typedef void (*facts_emit)(void *context, const char *line);
void facts_write(const struct workload_env *env, const struct workload_truth *truth,
	facts_emit emit, void *context);

/*
 * Takes one line up where the field is still zero. 1: it was a fact, 0: it was something else,
 * -EINVAL: a fact whose value makes no sense (nothing is changed).
 */
int facts_read(const char *line, struct workload_env *env, struct workload_truth *truth,
	struct error *err);
