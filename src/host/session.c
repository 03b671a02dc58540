// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/session.h"
#include "base/units.h"
#include "host/command.h"
#include "workload/facts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OUTPUT_KEPT_MAX = 64 << 10 };

/* The parts of one run. */
struct session {
	const struct session_options *options;
	struct session_signals *signals;
	struct source *source;
	struct session_result result;
	struct command command;
	bool running; /* the command, or the time without a command */
	uint64_t start_ns, deadline_ns;
	int output_fd; /* pipe from the command's stdout, -1: not looked at */
	int output_write_fd;
	char *output; /* the last part of it */
	size_t output_len;
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* ---- signals --------------------------------------------------------------------------- */

int session_block_signals(struct session_signals *s, struct error *err)
{
	static const int blocked[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD, SIGPIPE };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_LEN(blocked); i++)
		sigaddset(&set, blocked[i]);
	sigprocmask(SIG_BLOCK, &set, &s->before);
	sigdelset(&set, SIGPIPE);
	s->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->fd < 0) {
		int code = errno;

		sigprocmask(SIG_SETMASK, &s->before, NULL);
		return error_set(err, code, "signalfd: %s", strerror(code));
	}
	return 0;
}

void session_restore_signals(struct session_signals *s)
{
	struct timespec at_once = { 0 };
	struct signalfd_siginfo info;
	sigset_t pipe_only;

	/* What was answered already must not end the process now. */
	while (read(s->fd, &info, sizeof(info)) > 0)
		;
	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	while (sigtimedwait(&pipe_only, NULL, &at_once) > 0)
		;
	close(s->fd);
	s->fd = -1;
	sigprocmask(SIG_SETMASK, &s->before, NULL);
}

/* Ends the command: first as the signal says, the second time for good. */
static void end_early(struct session *s, int signal, bool command_has_it)
{
	if (!s->command.pid) {
		s->running = false;
		return;
	}
	if (s->result.signal || s->result.timed_out)
		kill(s->command.pid, SIGKILL);
	else if (!command_has_it)
		kill(s->command.pid, signal);
}

static void reap(struct session *s)
{
	int status;

	if (!s->command.pid || waitpid(s->command.pid, &status, WNOHANG) != s->command.pid)
		return;
	s->result.elapsed_ns = now_ns() - s->start_ns;
	s->result.status = status;
	s->command.pid = 0;
	s->running = false;
}

static void take_signals(struct session *s)
{
	struct signalfd_siginfo info;

	while (read(s->signals->fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD) {
			reap(s);
			continue;
		}
		/* A terminal sends its signals to the command as well. */
		end_early(s, info.ssi_signo, info.ssi_code == SI_KERNEL);
		s->result.signal = info.ssi_signo;
	}
}

/* ---- the command's output -------------------------------------------------------------- */

static int open_output(struct session *s, struct error *err)
{
	int fds[2];

	if (!s->options->ops_from)
		return 0;
	s->output = malloc(OUTPUT_KEPT_MAX + 1);
	if (!s->output)
		return error_set(err, ENOMEM, "out of memory");
	if (pipe2(fds, O_CLOEXEC))
		return error_set(err, errno, "pipe: %s", strerror(errno));
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	s->output_fd = fds[0];
	s->output_write_fd = fds[1];
	return 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Keeps the end of the output, where programs print their results. */
static void keep_output(struct session *s, const char *text, size_t len)
{
	size_t drop;

	if (s->output_len + len > OUTPUT_KEPT_MAX) {
		drop = s->output_len + len - OUTPUT_KEPT_MAX;
		memmove(s->output, s->output + drop, s->output_len - drop);
		s->output_len -= drop;
	}
	memcpy(s->output + s->output_len, text, len);
	s->output_len += len;
}

static void pass_output(struct session *s)
{
	char buf[4096];
	ssize_t n;

	while ((n = read(s->output_fd, buf, sizeof(buf))) > 0) {
		keep_output(s, buf, n);
		for (ssize_t done = 0, put; done < n; done += put) {
			put = write(STDOUT_FILENO, buf + done, n - done);
			if (put < 0 && errno != EINTR)
				break;
			put = put < 0 ? 0 : put;
		}
	}
	if (n == 0)
		close_fd(&s->output_fd);
}

/* The first group of the expression, or all that it matches, as a number of operations. */
static void find_operations(struct session *s)
{
	regmatch_t match[2];
	const char *text;

	s->result.truth.operations = s->options->operations;
	if (!s->output)
		return;
	s->output[s->output_len] = '\0';
	if (regexec(s->options->ops_from, s->output, ARRAY_LEN(match), match, 0))
		return;
	text = s->output + (match[1].rm_so >= 0 ? match[1].rm_so : match[0].rm_so);
	s->result.truth.operations = strtoull(text, NULL, 10);
}

/* How long the untraced run would have taken for as many operations. */
static void compare_untraced(struct session *s)
{
	const struct session_result *untraced = s->options->untraced;
	struct workload_truth *truth = &s->result.truth;

	if (!untraced)
		return;
	truth->untraced_elapsed_ns = untraced->elapsed_ns;
	if (s->output && untraced->truth.operations && truth->operations)
		truth->untraced_elapsed_ns =
			(uint64_t)((double)untraced->elapsed_ns * (double)truth->operations /
				   (double)untraced->truth.operations);
}

/* ---- markers --------------------------------------------------------------------------- */

static void mark(void *context, const char *line)
{
	struct source *source = context;

	source->ops->mark(source, line);
}

static void mark_start(struct session *s)
{
	char line[64] = FACT_START;

	if (s->options->env)
		facts_write(s->options->env, NULL, mark, s->source);
	if (s->command.pid)
		snprintf(line, sizeof(line), FACT_START " pid=%d", (int)s->command.pid);
	mark(s->source, line);
}

/* ---- the run --------------------------------------------------------------------------- */

static int poll_timeout_ms(const struct session *s)
{
	uint64_t now = now_ns();

	if (!s->deadline_ns)
		return -1;
	if (now >= s->deadline_ns)
		return 0;
	return min_i64((s->deadline_ns - now + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC, 1 << 30);
}

static void check_deadline(struct session *s)
{
	if (!s->deadline_ns || now_ns() < s->deadline_ns)
		return;
	s->deadline_ns = 0;
	if (s->command.pid) {
		end_early(s, SIGTERM, false);
		s->result.timed_out = true;
	} else {
		s->running = false;
	}
}

static int wait_for_end(struct session *s, struct error *err)
{
	enum { OWN_FDS = 2 };
	struct pollfd *fds = calloc(OWN_FDS + SOURCE_FDS_MAX, sizeof(*fds));
	int code = 0;

	if (!fds)
		return error_set(err, ENOMEM, "out of memory");
	while (s->running && !code) {
		int nr = 0;

		fds[0] = (struct pollfd){ .fd = s->signals->fd, .events = POLLIN };
		fds[1] = (struct pollfd){ .fd = s->output_fd, .events = POLLIN };
		if (s->source)
			nr = s->source->ops->watch(s->source, fds + OWN_FDS, SOURCE_FDS_MAX);
		if (poll(fds, OWN_FDS + nr, poll_timeout_ms(s)) < 0 && errno != EINTR) {
			code = error_set(err, errno, "poll: %s", strerror(errno));
			break;
		}
		take_signals(s);
		if (s->output_fd >= 0)
			pass_output(s);
		check_deadline(s);
		if (nr)
			code = s->source->ops->drain(s->source, fds + OWN_FDS, nr, err);
	}
	free(fds);
	return code;
}

/* A terminal's signal that came before the command was there never reaches it. */
static int check_signals(struct session *s, struct error *err)
{
	struct signalfd_siginfo info;

	while (read(s->signals->fd, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD)
			return error_set(err, EINTR, "ended by signal %u (%s) before the start",
				info.ssi_signo, strsignal(info.ssi_signo));
	return 0;
}

/* The counters are read as near to the command's start and end as can be. */
static int start(struct session *s, struct host_counters *before, struct error *err)
{
	int code = check_signals(s, err);

	if (!code && s->options->argv)
		code = command_fork(&s->command, s->options->argv, &s->signals->before,
			s->output_write_fd, err);
	if (!code && s->source)
		code = s->source->ops->start(s->source, err);
	if (!code)
		code = host_counters_read("", before, err);
	if (code)
		return code;
	if (s->source)
		mark_start(s);
	s->running = true;
	s->start_ns = now_ns();
	if (s->options->seconds)
		s->deadline_ns = s->start_ns + s->options->seconds * NSEC_PER_SEC;
	if (s->options->argv)
		code = command_release(&s->command, s->options->argv, err);
	close_fd(&s->output_write_fd);
	return code;
}

static int finish(struct session *s, const struct host_counters *before, struct error *err)
{
	struct host_counters after;
	int code;

	if (!s->options->argv)
		s->result.elapsed_ns = now_ns() - s->start_ns;
	if (s->source)
		mark(s->source, FACT_END);
	code = host_counters_read("", &after, err);
	if (code)
		return code;
	host_counters_difference(before, &after, &s->result.truth);
	/* The counters' window is a little longer than the command. */
	s->result.truth.elapsed_ns = s->result.elapsed_ns;
	for (int cpu = 0; cpu < s->result.truth.nr_cpus; cpu++)
		if (s->result.truth.busy_ns[cpu] > s->result.elapsed_ns)
			s->result.truth.busy_ns[cpu] = s->result.elapsed_ns;
	if (s->output_fd >= 0)
		pass_output(s);
	find_operations(s);
	compare_untraced(s);
	if (s->source)
		facts_write(NULL, &s->result.truth, mark, s->source);
	return 0;
}

static int run(struct session *s, struct error *err)
{
	struct host_counters before;
	int code = start(s, &before, err);

	if (!code)
		code = wait_for_end(s, err);
	if (!code)
		code = finish(s, &before, err);
	return code;
}

int session_run(const struct session_options *options, struct session_signals *signals,
	struct source *source, struct session_result *ret, struct error *err)
{
	struct session s = {
		.options = options,
		.signals = signals,
		.source = source,
		.command = { .gate_fd = -1, .result_fd = -1 },
		.output_fd = -1,
		.output_write_fd = -1,
	};
	int code = open_output(&s, err);

	if (!code)
		code = run(&s, err);
	command_kill(&s.command);
	command_close(&s.command);
	if (source) {
		struct error second;
		int stop_code = source->ops->stop(source, code ? &second : err);

		code = code ? code : stop_code;
	}
	close_fd(&s.output_fd);
	close_fd(&s.output_write_fd);
	free(s.output);
	if (!code)
		*ret = s.result;
	return code;
}
