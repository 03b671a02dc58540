/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command that is recorded: a child that waits at a gate until the recording runs, so that its
 * first instruction is in it.
 *
 * Order of calls: command_fork, command_release, then waitpid (or command_kill), command_close.
 */
#pragma once

#include "base/error.h"

#include <signal.h>
#include <sys/types.h>

struct command {
	pid_t pid;     /* 0: none */
	int gate_fd;   /* closing it opens the gate */
	int result_fd; /* errno of a failed exec, end of file after a good one */
};

/* mask: the child's signal mask. stdout_fd: its standard output, -1: ours. */
int command_fork(struct command *c, char *const argv[], const sigset_t *mask, int stdout_fd,
	struct error *err);

/* Returns when the command's program runs. -errno and a text that names it when it cannot. */
int command_release(struct command *c, char *const argv[], struct error *err);

/* Ends a child that was not waited for. */
void command_kill(struct command *c);
void command_close(struct command *c);
