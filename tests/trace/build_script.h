/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Short texts for the builder's tests: events in, ops out.
 *
 * Events, one a line: TIME CPU PID[/h][/s] WHAT [ARGUMENT]..., where PID is who is current (0 the
 * idle task), /h hard and /s soft interrupt context, and WHAT one of
 *   switch PID STATE   (S D I Z R, R+ preempted)     waking PID CPU     new PID
 *   fork PID   exec NAME   exit PID   migrate PID CPU
 *   irq+ irq-  softirq+ softirq-  timer+ timer- ipi+ ipi-  (entry and exit; timer: local vector)
 *   hrstart OBJECT EXPIRES rel|abs   hrcancel OBJECT   hrexpire OBJECT NOW
 *   tstart OBJECT DELAY   tcancel OBJECT   texpire OBJECT
 *   issue DEV SECTOR BYTES   complete DEV SECTOR
 *   idle STATE (-1 on exit)   freq CPU KHZ   tickstop 0|1   lost N   online CPU 0|1   mark TEXT
 * Empty lines and what follows a '#' are passed over. Names of tasks are "tPID", or what `name PID
 * NAME` says beforehand; one that begins with "rt" has real-time priority 50.
 *
 * Ops, one task a line: "PID: run 100, signal 11, wait 10", in the order in which tasks came up.
 *   run CYCLES  sleep NS  until NS  wait PID  signal PID[+NS]  io DEVICE NS  out NS  fork PID
 *   count N  exit; with the flags i (I/O wait) ? (unknown) r (remote) = (no switch) z (from idle)
 */
#pragma once

#include "trace/build_internal.h"

struct script_result {
	char ops[8192];
	char idle[4096]; /* "CPU ENTRY+RESIDENCY state=N next=N tick=N wake=N stopped=N io=N[
			    inferred]" */
	struct workload_task *tasks;
	int nr_tasks, nr_channels, nr_metrics;
	struct workload_env env;
	struct workload_truth truth;
	struct build_stats stats;
	char op_name[16];
	struct error err;
};

/* At 1 GHz, so that cycles are ns, unless options say otherwise. */
int script_run(const char *events, const struct build_options *options, struct script_result *ret);
void script_release(struct script_result *r);

/* One event from a line; false: the line is empty. The text of a mark points into line. */
bool script_event(const char *line, struct event *ret);

/* One rule: events and what becomes of them. */
struct script_counts {
	uint64_t inferred, unknown, missing, gap, timer_of_other, io_of_other, raced, twice, reused,
		unmatched, unbalanced;
};

struct script_row {
	const char *name, *events;
	const char *ops, *idle; /* NULL: not looked at */
	struct script_counts counts;
};

/* Runs each and fails the test at the first that comes out otherwise, after its name. */
void script_check(const struct script_row *rows, size_t nr);
