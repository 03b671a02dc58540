/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of a command (or a stretch of time) with a source of events around it, or without one
 * for the untraced rate.
 *
 * Order of calls: session_block_signals once, before anything that must be undone at exit is done;
 * then session_run as often as wanted; session_restore_signals.
 */
#pragma once

#include "host/counters.h"
#include "host/source.h"

#include <regex.h>
#include <signal.h>

struct session_signals {
	sigset_t before;
	int fd; /* signalfd */
};

struct session_result;

struct session_options {
	char *const *argv;	 /* NULL: no command, only time */
	uint64_t seconds;	 /* 0: as long as the command runs */
	uint64_t operations;	 /* that the command does; 0: not known */
	const regex_t *ops_from; /* finds the number of operations in the output; may be NULL */
	const struct session_result *untraced; /* of the same command before; may be NULL */
	const struct workload_env *env;	       /* goes into the stream as markers; may be NULL */
};

struct session_result {
	struct workload_truth truth; /* counters' differences, operations */
	uint64_t elapsed_ns;	     /* from the command's start to its end */
	int status;		     /* of wait(); 0 without a command */
	int signal;		     /* that ended the session early, or 0 */
	bool timed_out;		     /* the command was ended after `seconds` */
};

/* Signals that would end the process arrive through a descriptor from now on. */
int session_block_signals(struct session_signals *s, struct error *err);
void session_restore_signals(struct session_signals *s);

/* source NULL: untraced. On failure the command does not run any more, and source is stopped. */
int session_run(const struct session_options *options, struct session_signals *signals,
	struct source *source, struct session_result *ret, struct error *err);
