/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands in the sections beside the chunks: the task table (binary) and environment, truth
 * and metrics (JSON objects; unknown members are skipped, missing ones are zero).
 */
#pragma once

#include "workload/cpw_section.h"
#include "workload/workload.h"

/* The tasks, the channels and what an operation is called. */
struct cpw_tasks {
	int nr_tasks;
	int nr_channels;
	struct workload_task *tasks; /* allocated when read */
};

/* Each appends to out, which the caller releases. */
int cpw_put_tasks(const struct cpw_tasks *t, bool anonymous, struct buffer *out, struct error *err);
int cpw_put_env(
	const struct workload_env *env, bool anonymous, struct buffer *out, struct error *err);
int cpw_put_truth(const struct workload_truth *truth, struct buffer *out, struct error *err);
int cpw_put_metrics(const struct workload_metric *metrics, int nr, const char *op_name,
	struct buffer *out, struct error *err);

/* Errors name what was found; the caller puts the place before it. */
int cpw_get_tasks(const struct buffer *in, struct cpw_tasks *ret, struct error *err);
int cpw_get_env(const struct buffer *in, struct workload_env *ret, struct error *err);
int cpw_get_truth(const struct buffer *in, struct workload_truth *ret, struct error *err);
/* Fills w's metrics and op_name. */
int cpw_get_metrics(const struct buffer *in, struct workload *w, struct error *err);
