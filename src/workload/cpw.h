/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The .cpw file, see corepace-cpw(5): a header, then typed, length-prefixed zstd sections with
 * checksums; unknown types are skipped. Ops stand in sections per task, in order.
 *
 * Writing: cpw_create, cpw_add_op and cpw_add_idle in any interleaving, cpw_finish with the task
 * table. The file appears under its name only when finished; cpw_abort leaves nothing behind.
 */
#pragma once

#include "workload/workload.h"

struct cpw_writer;

/* One idle period of a CPU, what `score` needs. -1 or UINT64_MAX where not known. */
struct idle_record {
	uint64_t entry_ns; /* workload time */
	uint64_t residency_ns;
	int64_t sleep_length_ns; /* to the next timer at entry, INT64_MIN unknown */
	int64_t delta_tick_ns;	 /* INT64_MIN unknown */
	uint16_t cpu;
	int8_t picked;	      /* state entered, -1 not recorded */
	uint8_t wake;	      /* enum idle_wake */
	uint8_t tick_stopped; /* 0 no, 1 yes, 2 unknown */
	uint8_t inferred;     /* rebuilt, not seen in events */
	uint16_t nr_iowait;
};

enum idle_wake {
	IDLE_WAKE_UNKNOWN,
	IDLE_WAKE_TICK,
	IDLE_WAKE_TIMER,
	IDLE_WAKE_IPI, /* another CPU, if only by its wish to have a polling one's attention */
	IDLE_WAKE_IRQ,
	IDLE_WAKE_LIMIT, /* none: a poll ended by its limit */
};

int cpw_create(const char *path, struct cpw_writer **ret, struct error *err);
int cpw_add_op(struct cpw_writer *w, int task, const struct op *op, struct error *err);
int cpw_add_idle(struct cpw_writer *w, const struct idle_record *rec, struct error *err);
/*
 * anonymous: names, pids, the command and the kernel's command line are left out. Frees w, also on
 * failure.
 */
int cpw_finish(struct cpw_writer *w, const struct workload_task *tasks, int nr_tasks,
	int nr_channels, const struct workload_env *env, const struct workload_truth *truth,
	const struct workload_metric *metrics, int nr_metrics, const char *op_name, bool anonymous,
	struct error *err);
struct cpw_writer *cpw_abort(struct cpw_writer *w);

/* Opens a .cpw as a workload (called by workload_open). */
int cpw_open(const char *path, struct workload *w, struct error *err);

/* Reads the idle log record by record: 1 record, 0 end, negative errno. */
struct cpw_idle_reader;
int cpw_idle_open(const char *path, struct cpw_idle_reader **ret, struct error *err);
int cpw_idle_next(struct cpw_idle_reader *r, struct idle_record *ret, struct error *err);
struct cpw_idle_reader *cpw_idle_close(struct cpw_idle_reader *r);
