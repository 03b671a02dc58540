// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/plugin_watch.h"

#include "cmd/cmd.h"
#include "host/plugin.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SIGNAL_STACK = 64 << 10 };

/*
 * What this thread runs of which plug-in, for the signal handler. Two stores per call: cheap enough
 * to be always on.
 */
__thread const char *volatile plugin_running;
__thread const char *volatile plugin_running_hook;

/* A plug-in that overflows the stack leaves none for the handler. */
static __thread char signal_stack[SIGNAL_STACK] __attribute__((aligned(16)));
static __thread bool watching;

static const struct {
	int number;
	const char *name;
} crashes[] = { { SIGSEGV, "SIGSEGV" }, { SIGBUS, "SIGBUS" }, { SIGFPE, "SIGFPE" },
	{ SIGILL, "SIGILL" }, { SIGTRAP, "SIGTRAP" }, { SIGABRT, "SIGABRT" } };

/* Appends; only what may be called in a signal handler. */
static void append(char *line, size_t size, const char *text)
{
	size_t used = strlen(line);

	while (*text && used + 1 < size) {
		line[used++] = (unsigned char)*text < 0x20 ? '?' : *text;
		text++;
	}
	line[used] = 0;
}

static void on_crash(int number)
{
	char line[PLUGIN_PATH_SIZE + 100] = "corepace: plug-in ";
	const char *name = "?";

	/* Not the plug-in's fault: the handler was for one time only, let it crash as it would. */
	if (!plugin_running) {
		raise(number);
		return;
	}
	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		if (crashes[i].number == number)
			name = crashes[i].name;
	append(line, sizeof(line), plugin_running);
	append(line, sizeof(line), " crashed (");
	append(line, sizeof(line), name);
	append(line, sizeof(line), ") in ");
	append(line, sizeof(line), plugin_running_hook);
	if (write(STDERR_FILENO, line, strlen(line)) < 0 || write(STDERR_FILENO, "\n", 1) < 0)
		_exit(EXIT_FAILED);
	_exit(EXIT_FAILED);
}

/* A stack that something else set for this thread, such as a sanitizer, will do. */
static void set_signal_stack(void)
{
	stack_t stack = { .ss_sp = signal_stack, .ss_size = sizeof(signal_stack) }, old;

	if (!sigaltstack(NULL, &old) && old.ss_flags & SS_DISABLE)
		sigaltstack(&stack, NULL);
}

void plugin_watch_thread(void)
{
	struct sigaction action = { .sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_RESETHAND };

	if (watching)
		return;
	watching = true;
	set_signal_stack();
	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		sigaction(crashes[i].number, &action, NULL);
}

int plugin_watch_load(
	const char *path, const struct corepace_plugin **ret, void **ret_handle, struct error *err)
{
	int r;

	plugin_watch_thread();
	plugin_enter(path, "its constructors");
	r = plugin_load(path, ret, ret_handle, err);
	plugin_leave();
	return r;
}
