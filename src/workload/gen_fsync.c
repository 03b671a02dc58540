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

/* Half of the work before each of the journal thread's two writes, the rest with the wake-ups. */
void fsync_log_step(const struct fsync_costs *costs, enum fsync_fs fs, uint32_t channel,
	struct gen_task *t, struct op *ret)
{
	switch (t->step) {
	case 0:
		*ret = (struct op){ .kind = OP_WAIT, .target = channel + FSYNC_LOG };
		break;
	case 1: /* whoever asked meanwhile is in this transaction too */
		*ret = (struct op){
			.kind = OP_WAIT, .flags = OP_ALL, .target = channel + FSYNC_LOG
		};
		break;
	case 2:
	case 4:
		run(&t->rng, costs->log_cycles / 2, costs, ret);
		break;
	case 3:
	case 5:
		disk(ret);
		/* A work queue's completion comes by interrupt, nobody waits for I/O. */
		if (fs == FS_XFS)
			ret->flags = 0;
		break;
	default:
		*ret = (struct op){
			.kind = OP_SIGNAL, .flags = OP_ALL, .target = channel + FSYNC_DONE
		};
		break;
	}
	t->step = t->step == 6 ? 0 : t->step + 1;
	/* xfs writes its log in one piece. */
	if (fs == FS_XFS && t->step == 4)
		t->step = 6;
}

void fsync_tasks(struct workload *w, enum fsync_fs fs)
{
	struct workload_task *t = &w->tasks[w->nr_tasks - 1];

	snprintf(t->name, sizeof(t->name), "%s", fs == FS_EXT4 ? "jbd2" : "kworker/xfs");
	t->kernel = true;
	t->service = true;
	t->follows_waker = fs == FS_XFS;
}
