// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/gen_fsync.h"

#include <stdio.h>

const char *const fsync_fs_names[] = { "ext4", "xfs", NULL };

static void run(struct rng *rng, uint64_t cycles, const struct fsync_costs *costs, struct op *ret)
{
	ret->kind = OP_RUN;
	ret->cycles = gen_spread(rng, cycles, costs->spread_permille);
}

static void disk(struct op *ret)
{
	ret->kind = OP_IO;
	ret->target = IO_DISK;
	ret->flags = OP_IOWAIT;
}

void fsync_op(const struct fsync_costs *costs, int step, uint32_t channel, bool log,
	struct rng *rng, struct op *ret)
{
	switch (step) {
	case 0:
		run(rng, costs->write_cycles, costs, ret);
		break;
	case 1:
		disk(ret);
		break;
	case 2: /* without a log write the disk's cache is flushed instead */
		if (log)
			*ret = (struct op){ .kind = OP_SIGNAL, .target = channel + FSYNC_LOG };
		else
			disk(ret);
		break;
	case 3:
		if (log)
			*ret = (struct op){ .kind = OP_WAIT, .target = channel + FSYNC_DONE };
		else
			ret->kind = OP_RUN;
		break;
	default:
		run(rng, costs->return_cycles, costs, ret);
		break;
	}
}

/*
 * What is done once for a log write, and what for each task whose changes are in it: the log's
 * blocks and the disk's cache that is flushed before the commit record grow with them, the record
 * does not.
 */
static const struct {
	enum op_kind kind;
	uint32_t flags;
} log_ops[][10] = {
	[FS_EXT4] = {
		{ OP_WAIT, 0 },
		{ OP_WAIT, OP_ALL }, /* whoever asked meanwhile is in this transaction too */
		{ OP_WAIT, OP_TURN },
		{ OP_RUN, OP_EACH },
		{ OP_IO, OP_EACH }, /* blocks of the log */
		{ OP_RUN, OP_EACH },
		{ OP_IO, OP_EACH }, /* the disk's cache */
		{ OP_IO, 0 },       /* commit record */
		{ OP_SIGNAL, OP_TURN },
		{ OP_SIGNAL, OP_ALL },
	},
	/* The log in one piece; completion comes by interrupt, nobody waits for I/O. */
	[FS_XFS] = {
		{ OP_WAIT, 0 },
		{ OP_WAIT, OP_ALL },
		{ OP_RUN, OP_EACH },
		{ OP_IO, OP_EACH },
		{ OP_RUN, OP_EACH },
		{ OP_IO, 0 },
		{ OP_SIGNAL, OP_ALL },
	},
};
static const int log_length[] = { [FS_EXT4] = 10, [FS_XFS] = 7 };

void fsync_log_step(const struct fsync_costs *costs, enum fsync_fs fs, uint32_t channel,
	struct gen_task *t, struct op *ret)
{
	uint32_t flags = log_ops[fs][t->step].flags;

	switch (log_ops[fs][t->step].kind) {
	case OP_RUN:
		run(&t->rng, costs->log_cycles / 2, costs, ret);
		break;
	case OP_IO:
		disk(ret);
		if (fs == FS_XFS)
			ret->flags = 0;
		break;
	case OP_SIGNAL:
		*ret = (struct op){ .kind = OP_SIGNAL, .target = channel + FSYNC_DONE };
		break;
	default:
		*ret = (struct op){ .kind = OP_WAIT, .target = channel + FSYNC_LOG };
		break;
	}
	ret->flags |= flags;
	if (flags & OP_TURN)
		ret->target = channel + FSYNC_GATE;
	t->step = (t->step + 1) % log_length[fs];
}

void fsync_gate(uint32_t channel, struct op *ret)
{
	*ret = (struct op){
		.kind = OP_WAIT, .flags = OP_TURN | OP_ALL, .target = channel + FSYNC_GATE
	};
}

void fsync_tasks(struct workload *w, enum fsync_fs fs)
{
	struct workload_task *t = &w->tasks[w->nr_tasks - 1];

	snprintf(t->name, sizeof(t->name), "%s", fs == FS_EXT4 ? "jbd2" : "kworker/xfs");
	t->kernel = true;
	t->service = true;
	t->follows_waker = fs == FS_XFS;
}
