/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A governor's own thread: the simulator has it, and calls the work op from there. */
#pragma once

#include <linux/cpu.h>

#define SCHED_DEADLINE 6
#define SCHED_FLAG_SUGOV 0x10000000

struct sched_attr {
	u32 size, sched_policy;
	u64 sched_flags;
	s32 sched_nice;
	u32 sched_priority;
	u64 sched_runtime, sched_deadline, sched_period;
};

#define IS_ERR(pointer) ((void)(pointer), false)
#define PTR_ERR(pointer) ((void)(pointer), 0L)

#define kthread_init_work(item, function) ((void)((item)->func = (function)))
#define kthread_init_worker(worker) ((void)(worker))

static inline int kthread_worker_fn(void *worker)
{
	return 0;
}

/* One thread per policy, so what it is need not be told apart. */
#define kthread_create(function, data, ...)                                                        \
	((void)(function), (void)(data), shim_policy->own_thread = true,                           \
		(struct task_struct *)shim_policy->arena)

static inline bool kthread_queue_work(struct kthread_worker *worker, struct kthread_work *work)
{
	shim_policy->thread_work = work;
	return true;
}

static inline int sched_setattr_nocheck(struct task_struct *task, const struct sched_attr *attr)
{
	return 0;
}

#define kthread_bind_mask(task, mask) ((void)(task), (void)(mask))
#define kthread_cancel_work_sync(item) ((void)(item), (void)(shim_policy->thread_work = NULL))
#define kthread_flush_worker(worker) ((void)(worker))
#define kthread_stop(task) ((void)(task))
#define wake_up_process(task) ((void)(task))
