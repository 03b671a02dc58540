/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the scheduler's hook into process context. An irq work is an action for the simulator; the
 * glue runs it, and what it queues in its turn, when the governor's work op is called.
 */
#pragma once

#include <linux/cpu.h>

static inline void init_irq_work(struct irq_work *work, void (*func)(struct irq_work *))
{
	work->func = func;
}

static inline bool irq_work_queue(struct irq_work *work)
{
	shim_policy->irq_work = work;
	shim_act(FREQ_QUEUE_IRQ_WORK, shim_policy->own_thread, 0);
	return true;
}

#define irq_work_sync(work) ((void)(work), (void)(shim_policy->irq_work = NULL))

#define INIT_WORK(item, function) ((void)((item)->func = (function)))

static inline bool schedule_work_on(unsigned int cpu, struct work_struct *work)
{
	shim_policy->work = work;
	return true;
}

#define cancel_work_sync(item) ((void)(item), (void)(shim_policy->work = NULL))
