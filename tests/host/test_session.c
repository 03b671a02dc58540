// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs of commands: their ends, their output, signals, and a made-up source around them. */
#include "host/session.h"

#include "base/units.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A source that only writes down what is asked of it. */
struct recorder {
	struct source source;
	char log[4096];
	int fail_start, fail_stop;
};

static void note(struct source *s, const char *text)
{
	struct recorder *r = (struct recorder *)s;
	size_t len = strlen(r->log);

	snprintf(r->log + len, sizeof(r->log) - len, "%.40s;", text);
}

static int start(struct source *s, struct error *err)
{
	note(s, "start");
	if (!((struct recorder *)s)->fail_start)
		return 0;
	return error_set(err, EIO, "start failed");
}

static int watch(struct source *s, struct pollfd *fds, int max)
{
	return 0;
}

static int drain(struct source *s, const struct pollfd *fds, int nr, struct error *err)
{
	return 0;
}

static int stop(struct source *s, struct error *err)
{
	note(s, "stop");
	return ((struct recorder *)s)->fail_stop ? error_set(err, EIO, "stop failed") : 0;
}

static const struct source_ops recorder_ops = { start, watch, drain, note, stop };

static int run(const struct session_options *options, struct recorder *recorder,
	struct session_result *ret, struct error *err)
{
	struct session_signals signals;
	int code;

	assert_int_equal(session_block_signals(&signals, err), 0);
	code = session_run(options, &signals, recorder ? &recorder->source : NULL, ret, err);
	session_restore_signals(&signals);
	/* No child is left behind. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	return code;
}

static void ends(void **state)
{
	static const struct {
		const char *name;
		char *argv[4];
		uint64_t seconds;
		int exited, signaled;
		bool timed_out;
	} rows[] = {
		{ "good", { "true" }, 0, 0, 0, false },
		{ "status", { "sh", "-c", "exit 5" }, 0, 5, 0, false },
		{ "signal", { "sh", "-c", "kill -9 $$" }, 0, -1, 9, false },
		{ "time", { "sleep", "20" }, 1, -1, SIGTERM, true },
		{ "before the time", { "true" }, 20, 0, 0, false },
		{ "no command", { NULL }, 1, 0, 0, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct session_options options = { .seconds = rows[i].seconds };
		struct session_result res;
		struct error err;
		int code;

		if (rows[i].argv[0])
			options.argv = rows[i].argv;
		code = run(&options, NULL, &res, &err);
		if (code)
			fail_msg("%s: %s", rows[i].name, err.text);
		if ((WIFEXITED(res.status) ? WEXITSTATUS(res.status) : -1) != rows[i].exited ||
			(WIFSIGNALED(res.status) ? WTERMSIG(res.status) : 0) != rows[i].signaled ||
			res.timed_out != rows[i].timed_out || res.signal)
			fail_msg("%s: status %d, timed_out %d, signal %d", rows[i].name, res.status,
				res.timed_out, res.signal);
		if (!res.elapsed_ns || res.elapsed_ns > 10ull * NSEC_PER_SEC ||
			res.elapsed_ns != res.truth.elapsed_ns)
			fail_msg("%s: %llu ns", rows[i].name, (unsigned long long)res.elapsed_ns);
	}
}

static void cannot_run(void **state)
{
	static const struct {
		char *argv[2];
		int code;
		const char *text;
	} rows[] = {
		{ { "no-such-command-at-all" }, -ENOENT,
			"no-such-command-at-all: command not found" },
		{ { "/etc/passwd" }, -EACCES, "/etc/passwd: cannot be run: Permission denied" },
		{ { "/" }, -EACCES, "/: cannot be run: Permission denied" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct session_options options = { .argv = rows[i].argv };
		struct recorder recorder = { .source.ops = &recorder_ops };
		struct session_result res;
		struct error err;
		int code = run(&options, &recorder, &res, &err);

		if (code != rows[i].code || strcmp(err.text, rows[i].text))
			fail_msg("%s: %d '%s'", rows[i].argv[0], code, err.text);
		if (strncmp(recorder.log, "start;", 6) || !strstr(recorder.log, ";stop;"))
			fail_msg("%s: %s", rows[i].argv[0], recorder.log);
	}
}

static void source_in_order(void **state)
{
	static const struct workload_env env = { .hz = 250 };
	char *argv[] = { "true", NULL };
	struct session_options options = { .argv = argv, .env = &env, .operations = 9 };
	struct recorder recorder = { .source.ops = &recorder_ops };
	struct session_result res;
	struct error err;

	assert_int_equal(run(&options, &recorder, &res, &err), 0);
	assert_int_equal(strncmp(recorder.log, "start;corepace:hz=250;corepace:start pid=", 41), 0);
	assert_non_null(strstr(recorder.log, ";corepace:end;corepace:ops=9;corepace:elapsed_ns="));
	assert_non_null(strstr(recorder.log, ";corepace:busy=0 "));
	assert_string_equal(recorder.log + strlen(recorder.log) - 6, ";stop;");

	options.argv = NULL;
	options.seconds = 1;
	recorder.log[0] = '\0';
	assert_int_equal(run(&options, &recorder, &res, &err), 0);
	assert_non_null(strstr(recorder.log, ";corepace:start;corepace:end;"));
}

static void source_fails(void **state)
{
	char *argv[] = { "sh", "-c", "touch /tmp/corepace-must-not-run", NULL };
	struct session_options options = { .argv = argv };
	struct recorder recorder = { .source.ops = &recorder_ops, .fail_start = 1 };
	struct session_result res;
	struct error err;

	assert_int_equal(run(&options, &recorder, &res, &err), -EIO);
	assert_string_equal(err.text, "start failed");
	assert_int_equal(access("/tmp/corepace-must-not-run", F_OK), -1);

	argv[0] = "true";
	argv[1] = NULL;
	recorder = (struct recorder){ .source.ops = &recorder_ops, .fail_stop = 1 };
	assert_int_equal(run(&options, &recorder, &res, &err), -EIO);
	assert_string_equal(err.text, "stop failed");
}

/* The output goes through and the number of operations is found in its end. */
static void operations(void **state)
{
	static const struct {
		const char *name, *script, *regex;
		uint64_t operations;
	} rows[] = {
		{ "group", "echo 'x 5'; echo '# Executed 1000000 pipe operations'",
			"Executed ([0-9]+)", 1000000 },
		{ "no group", "echo 77 ops", "[0-9]+", 77 },
		{ "not there", "echo nothing", "Executed ([0-9]+)", 3 },
		{ "after much output", "yes | head -n 200000; echo done 12", "^done ([0-9]+)$",
			12 },
		{ "beginning is forgotten", "echo done 12; yes | head -n 200000", "^done ([0-9]+)$",
			3 },
	};
	int out = dup(STDOUT_FILENO), fds[2];
	FILE *file = tmpfile();

	assert_non_null(file);
	assert_int_equal(pipe(fds), 0);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *argv[] = { "sh", "-c", (char *)rows[i].script, NULL };
		struct session_options options = { .argv = argv, .operations = 3 };
		struct session_result res;
		struct error err;
		regex_t regex;
		off_t before;
		int code;

		assert_int_equal(regcomp(&regex, rows[i].regex, REG_EXTENDED | REG_NEWLINE), 0);
		options.ops_from = &regex;
		fflush(stdout);
		dup2(fileno(file), STDOUT_FILENO);
		before = lseek(STDOUT_FILENO, 0, SEEK_CUR);
		code = run(&options, NULL, &res, &err);
		before = lseek(STDOUT_FILENO, 0, SEEK_CUR) - before;
		dup2(out, STDOUT_FILENO);
		if (code)
			fail_msg("%s: %s", rows[i].name, err.text);
		if (res.truth.operations != rows[i].operations)
			fail_msg(
				"%s: %llu", rows[i].name, (unsigned long long)res.truth.operations);
		if (strstr(rows[i].script, "200000") && before < 400000)
			fail_msg("%s: only %lld bytes came through", rows[i].name,
				(long long)before);
		regfree(&regex);
	}
	fclose(file);
	close(out);
}

/* A signal reaches the command, the run ends, what was recorded is kept. */
static void signals(void **state)
{
	static const struct {
		const char *name, *script;
		int exited;
	} rows[] = {
		{ "command dies", "kill -TERM $PPID; sleep 20", -1 },
		{ "command cleans up",
			"trap 'kill $!; exit 3' TERM; sleep 20 & kill -TERM $PPID; wait", 3 },
		{ "command ignores it",
			"trap '' TERM; kill -TERM $PPID; sleep 0.3;"
			"kill -TERM $PPID; sleep 20",
			-1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *argv[] = { "bash", "-c", (char *)rows[i].script, NULL };
		struct session_options options = { .argv = argv };
		struct recorder recorder = { .source.ops = &recorder_ops };
		struct session_result res;
		struct error err;

		if (run(&options, &recorder, &res, &err))
			fail_msg("%s: %s", rows[i].name, err.text);
		if (res.signal != SIGTERM || res.elapsed_ns > 10ull * NSEC_PER_SEC)
			fail_msg("%s: signal %d, %llu ns", rows[i].name, res.signal,
				(unsigned long long)res.elapsed_ns);
		if ((WIFEXITED(res.status) ? WEXITSTATUS(res.status) : -1) != rows[i].exited)
			fail_msg("%s: status %d", rows[i].name, res.status);
		if (!strstr(recorder.log, "corepace:end;"))
			fail_msg("%s: %s", rows[i].name, recorder.log);
	}
}

/* What came before the command was there must not be taken for something that it has as well. */
static void early_signal(void **state)
{
	char *argv[] = { "sleep", "20", NULL };
	struct session_options options = { .argv = argv };
	struct recorder recorder = { .source.ops = &recorder_ops };
	struct session_signals signals;
	struct session_result res;
	struct error err;

	assert_int_equal(session_block_signals(&signals, &err), 0);
	kill(getpid(), SIGINT);
	assert_int_equal(session_run(&options, &signals, &recorder.source, &res, &err), -EINTR);
	assert_string_equal(err.text, "ended by signal 2 (Interrupt) before the start");
	session_restore_signals(&signals);
	assert_string_equal(recorder.log, "stop;");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends),
		cmocka_unit_test(cannot_run),
		cmocka_unit_test(source_in_order),
		cmocka_unit_test(source_fails),
		cmocka_unit_test(operations),
		cmocka_unit_test(signals),
		cmocka_unit_test(early_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
