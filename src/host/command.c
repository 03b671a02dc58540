// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/command.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child: nothing but system calls, then the program. */
static void run_child(char *const argv[], const sigset_t *mask, int stdout_fd, int gate, int result)
{
	char byte;
	ssize_t n;
	int code;

	do {
		n = read(gate, &byte, 1);
	} while (n < 0 && errno == EINTR);
	/* Nothing comes when the recorder died or gave up before the start. */
	if (n != 1)
		_exit(127);
	if (stdout_fd >= 0)
		dup2(stdout_fd, STDOUT_FILENO);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], argv);
	code = errno;
	if (write(result, &code, sizeof(code)) < 0)
		_exit(126);
	_exit(127);
}

int command_fork(struct command *c, char *const argv[], const sigset_t *mask, int stdout_fd,
	struct error *err)
{
	int gate[2], result[2], code;

	*c = (struct command){ .gate_fd = -1, .result_fd = -1 };
	if (pipe2(gate, O_CLOEXEC))
		return error_set(err, errno, "pipe: %s", strerror(errno));
	if (pipe2(result, O_CLOEXEC)) {
		code = errno;
		close(gate[0]);
		close(gate[1]);
		return error_set(err, code, "pipe: %s", strerror(code));
	}
	c->pid = fork();
	code = errno;
	if (c->pid == 0) {
		close(gate[1]);
		close(result[0]);
		run_child(argv, mask, stdout_fd, gate[0], result[1]);
	}
	close(gate[0]);
	close(result[1]);
	c->gate_fd = gate[1];
	c->result_fd = result[0];
	if (c->pid < 0) {
		c->pid = 0;
		command_close(c);
		return error_set(err, code, "fork: %s", strerror(code));
	}
	return 0;
}

int command_release(struct command *c, char *const argv[], struct error *err)
{
	int code = 0;
	ssize_t n;

	if (write(c->gate_fd, "", 1) != 1)
		return error_set(err, errno, "%s: %s", argv[0], strerror(errno));
	close(c->gate_fd);
	c->gate_fd = -1;
	do {
		n = read(c->result_fd, &code, sizeof(code));
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		return 0;
	if (code == ENOENT)
		return error_set(err, code, "%s: command not found", argv[0]);
	return error_set(err, code, "%s: cannot be run: %s", argv[0], strerror(code));
}

void command_kill(struct command *c)
{
	if (!c->pid)
		return;
	kill(c->pid, SIGKILL);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
}

void command_close(struct command *c)
{
	if (c->gate_fd >= 0)
		close(c->gate_fd);
	if (c->result_fd >= 0)
		close(c->result_fd);
	c->gate_fd = c->result_fd = -1;
}
