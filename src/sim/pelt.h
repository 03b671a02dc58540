/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Per-entity load tracking as the kernel's scheduler does it: geometric series over periods of
 * 1024 us (of 1024 ns each), halved in 32 periods, in integers. Pure functions of the time given;
 * what time means (scaled by frequency and capacity or not) is the caller's.
 *
 * An entity is a task, or the sum of the tasks on a CPU. What is added to the series in a stretch
 * of time: load (a task: 1 while it is on a run queue; a CPU: the weights of those that are),
 * runnable (a task: 1; a CPU: how many) and whether it ran.
 *
 * Source: pelt.c and fair.c of Linux 6.1, whose integer widths are kept.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { PELT_SUM_MAX = 47742, PELT_PERIOD = 1024 };

struct pelt {
	uint64_t last_ns; /* of the caller's clock */
	uint32_t contrib; /* of the period that is not full yet, 0..1023 */
	uint32_t util_sum;
	uint64_t load_sum, runnable_sum;
	uint32_t load_avg, runnable_avg; /* weights, and 1024 for each */
	uint32_t util_avg;		 /* of 1024 */
};

struct pelt_add {
	uint32_t load, runnable;
	bool running;
};

/*
 * Takes the series up to now_ns, weight being what load_avg is to be multiplied with (a task's own;
 * a CPU: 1). True when a period ended, that is when the averages are new.
 */
bool pelt_update(struct pelt *p, uint64_t now_ns, const struct pelt_add *add, uint32_t weight);

/* The same of something that runs or not, no more: only util_avg is of use. */
bool pelt_run(struct pelt *p, uint64_t now_ns, bool running);

/* A task of that weight comes to a CPU's sum, with the averages that it has, or leaves it. */
void pelt_attach(struct pelt *cpu, struct pelt *task, uint32_t weight);
void pelt_detach(struct pelt *cpu, const struct pelt *task, uint32_t weight);

/* Takes averages of tasks that have gone already out of the sum. */
void pelt_remove(struct pelt *cpu, uint32_t load, uint32_t runnable, uint32_t util);

/* value after n periods of nothing. */
uint64_t pelt_decay(uint64_t value, uint64_t n);
