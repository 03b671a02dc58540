/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the programs of a workload hold, counted by reading each of them to its end. */
#pragma once

#include "workload/workload.h"

struct task_summary {
	uint64_t ops;
	uint64_t cycles, ns;	  /* of OP_RUN */
	uint64_t waits[OP_KINDS]; /* by cause, those of unknown cause apart */
	uint64_t waits_unknown;
	uint64_t operations;
};

struct workload_summary {
	struct task_summary *tasks;
	struct task_summary total;
};

/* A generated workload may have no end: only for recorded ones. Rewinds w. */
int workload_summarise(struct workload *w, struct workload_summary *ret, struct error *err);
void workload_summary_release(struct workload_summary *s);

/* All waits, also those of unknown cause. */
uint64_t task_summary_waits(const struct task_summary *t);

/* Time that the cycles and ns take at khz; ns alone when khz is 0. */
uint64_t task_summary_run_ns(const struct task_summary *t, uint64_t khz);

/* The kinds of op that wait, ended by OP_KINDS, and their cause in words. */
extern const enum op_kind wait_kinds[];
const char *wait_cause(enum op_kind kind);

/* Tasks by run time, the longest first; equal ones by number. NULL: out of memory; free it. */
struct task_rank {
	int task;
	uint64_t run_ns;
};
struct task_rank *rank_tasks(const struct workload *w, const struct workload_summary *s);

struct idle_log_summary {
	uint64_t records, inferred;
	uint64_t picked; /* with the recorded kernel's own pick */
};
int idle_log_summarise(const char *path, struct idle_log_summary *ret, struct error *err);
