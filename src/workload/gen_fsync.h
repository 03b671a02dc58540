/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What fsync does in two file systems, as the tasks that take part in it. Shared by the generators
 * whose programs sync files.
 *
 * The syncing task writes its dirty pages and waits for the disk (I/O wait); then the log has to be
 * written. ext4: the task wakes the one journal thread of the file system and sleeps until the
 * transaction is on disk (not I/O wait); the thread writes the log blocks, has the disk flush its
 * cache, writes the commit record, and waits for the disk each time (I/O wait); it wakes all that
 * waited for this transaction, and who came meanwhile is in the next one. Blocks and what there is
 * to flush grow with the tasks that are in it. Meanwhile nobody changes metadata: fsync_gate. xfs:
 * a worker of the CPU's own work queue writes the log; when the disk is done another one wakes the
 * tasks that wait; they share a log write likewise.
 */
#pragma once

#include "workload/generator.h"

enum fsync_fs { FS_EXT4, FS_XFS };
extern const char *const fsync_fs_names[];

/* Tasks and channels that a file system brings, after those of the program. */
enum { FSYNC_TASKS = 1, FSYNC_LOG = 0, FSYNC_DONE = 1, FSYNC_GATE = 2, FSYNC_CHANNELS = 3 };

/* Ops of a sync; with log: also the log is written. */
enum { FSYNC_STEPS = 5 };

struct fsync_costs {
	uint64_t write_cycles;	/* of the syncing task: find and submit dirty pages */
	uint64_t log_cycles;	/* of whoever writes the log */
	uint64_t return_cycles; /* of the syncing task, afterwards */
	uint64_t spread_permille;
};

/* The step-th op of a sync, FSYNC_STEPS in all; channel: the first of the file system's. */
void fsync_op(const struct fsync_costs *costs, int step, uint32_t channel, bool log,
	struct rng *rng, struct op *ret);

/* Before a change of metadata: ext4 lets nobody change what a transaction is about to write. */
void fsync_gate(uint32_t channel, struct op *ret);

/* The step of the task that writes the log; it never ends. */
void fsync_log_step(const struct fsync_costs *costs, enum fsync_fs fs, uint32_t channel,
	struct gen_task *t, struct op *ret);

/* Makes the last FSYNC_TASKS tasks of w the file system's. */
void fsync_tasks(struct workload *w, enum fsync_fs fs);
