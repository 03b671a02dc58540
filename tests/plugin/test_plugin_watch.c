// SPDX-License-Identifier: GPL-2.0-or-later
#include "../cmocka_all.h"

#include "base/units.h"
#include "cmd/plugins.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
	const char *plugin;
	const char *says; /* after "corepace: plug-in PATH" */
} rows[] = {
	{ "crash.so:init-segv", " crashed (SIGSEGV) in init\n" },
	{ "crash.so:select-segv", " crashed (SIGSEGV) in select\n" },
	{ "crash.so:select-call", " crashed (SIGSEGV) in select\n" },
	{ "crash.so:select-stack", " crashed (SIGSEGV) in select\n" },
	{ "crash.so:select-fpe", " crashed (SIGFPE) in select\n" },
	{ "crash.so:select-trap", " crashed (SIGILL) in select\n" },
	{ "crash.so:select-abort", " crashed (SIGABRT) in select\n" },
	{ "crash.so:select-state", " chose idle state 2, the machine has 0 to 1\n" },
	{ "crash.so:reflect-segv", " crashed (SIGSEGV) in reflect\n" },
	{ "crash.so:tune-segv", " crashed (SIGSEGV) in tune\n" },
	{ "crash_early.so", " crashed (SIGSEGV) in its constructors\n" },
};

static void *use(void *name)
{
	static const struct idle_driver driver = { .nr_states = 2, .tick_ns = 4000000 };
	const struct idle_snapshot snapshot = { 0 };
	const struct idle_outcome outcome = { 0 };
	struct idle_choice choice = { 0 };
	struct error err = { "" };
	struct idle_cpu cpu = { .driver = &driver };
	const char *arg = NULL;

	if (plugin_idle_find(name, &cpu.governor, &arg, &err)) {
		fprintf(stderr, "%s\n", err.text);
		_exit(7);
	}
	cpu.state = calloc(1, cpu.governor->state_size);
	if (cpu.governor->init(&cpu, arg))
		_exit(8);
	cpu.governor->tune(&cpu, "key", "value");
	cpu.governor->select(&cpu, &snapshot, &choice);
	cpu.governor->reflect(&cpu, &outcome);
	_exit(9);
}

/* Runs it in a child, in its first thread or in another; what came on standard error. */
static int run_child(char *name, bool threaded, char *text, size_t size)
{
	const struct rlimit no_core = { 0, 0 };
	int fds[2], status = 0;
	size_t used = 0;
	pthread_t thread;
	ssize_t n;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		dup2(fds[1], STDERR_FILENO);
		setrlimit(RLIMIT_CORE, &no_core);
		if (!threaded)
			use(name);
		if (!pthread_create(&thread, NULL, use, name))
			pthread_join(thread, NULL);
		_exit(10);
	}
	close(fds[1]);
	while (used + 1 < size && (n = read(fds[0], text + used, size - 1 - used)) > 0)
		used += (size_t)n;
	text[used] = 0;
	close(fds[0]);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static void crash_is_one_line(void **state)
{
	int failed = 0;

	for (size_t i = 0; i < 2 * ARRAY_LEN(rows); i++) {
		const char *plugin = rows[i / 2].plugin;
		char name[512], text[1024], want[1024];
		int status;

		snprintf(name, sizeof(name), "%s/%s", PLUGIN_DIR, plugin);
		snprintf(want, sizeof(want), "corepace: plug-in %s/%.*s%s", PLUGIN_DIR,
			(int)strcspn(plugin, ":"), plugin, rows[i / 2].says);
		status = run_child(name, i & 1, text, sizeof(text));
		if (status == 1 && !strcmp(text, want))
			continue;
		print_error("%s%s: status %d, '%s'\n", plugin, i & 1 ? " in a thread" : "", status,
			text);
		failed++;
	}
	assert_int_equal(failed, 0);
}

/* A crash of our own stays one, with its signal. */
static void own_crash_is_not_blamed(void **state)
{
	const struct rlimit no_core = { 0, 0 };
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		const struct idle_governor *governor;
		struct error err;

		setrlimit(RLIMIT_CORE, &no_core);
		if (plugin_idle_find(PLUGIN_DIR "/good.so", &governor, NULL, &err))
			_exit(7);
		raise(SIGSEGV);
		_exit(9);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSEGV);
}

static void names(void **state)
{
	const struct idle_governor *governor = NULL;
	const char *arg = "";
	struct error err = { "" };

	assert_int_equal(plugin_idle_find("poll", &governor, &arg, &err), 0);
	assert_string_equal(governor->name, "poll");
	assert_null(arg);
	assert_int_equal(plugin_idle_find("state:1", &governor, &arg, &err), 0);
	assert_string_equal(arg, "1");
}

static void in_policies(void **state)
{
	struct error err = { "" };
	struct policy policy;

	assert_int_equal(policy_load("idle=" PLUGIN_DIR "/good.so:a,poll-limit=none", ".",
				 &plugin_resolver, &policy, &err),
		0);
	assert_string_equal(policy.idle->name, "good");
	assert_string_equal(policy.idle_arg, "a");
	assert_int_equal(policy.poll_limit, POLL_LIMIT_NONE);
	assert_true(policy_load("idle=/nowhere/x.so", ".", &plugin_resolver, &policy, &err) < 0);
	assert_string_equal(
		err.text, "policy 'idle=/nowhere/x.so': /nowhere/x.so: No such file or directory");
	assert_true(policy_load("boost=x.so", ".", &plugin_resolver, &policy, &err) < 0);
	assert_string_equal(err.text, "policy 'boost=x.so': boost: 'x.so', plug-ins stand for "
				      "'idle' and 'governor' only");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(crash_is_one_line),
		cmocka_unit_test(own_crash_is_not_blamed),
		cmocka_unit_test(names),
		cmocka_unit_test(in_policies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
