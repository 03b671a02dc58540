// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/plugins.h"

#include "cmd/cmd.h"
#include "host/plugin.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, SIGNAL_STACK = 64 << 10 };

/* A plug-in's governor, and the one that is handed out instead: the same hooks, watched. */
struct loaded {
	struct loaded *next;
	void *handle;
	const struct idle_governor *idle;
	struct idle_governor watched;
	char path[PATH_SIZE];
};

/* All of them: states of simulated CPUs may hold pointers into any. */
static struct loaded *all_loaded;

/*
 * What this thread runs of which plug-in, for the signal handler. Two stores per call: cheap enough
 * to be always on.
 */
static __thread const char *volatile running_plugin;
static __thread const char *volatile running_hook;

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
	char line[PATH_SIZE + 100] = "corepace: plug-in ";
	const char *name = "?";

	/* Not the plug-in's fault: the handler was for one time only, let it crash as it would. */
	if (!running_plugin) {
		raise(number);
		return;
	}
	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		if (crashes[i].number == number)
			name = crashes[i].name;
	append(line, sizeof(line), running_plugin);
	append(line, sizeof(line), " crashed (");
	append(line, sizeof(line), name);
	append(line, sizeof(line), ") in ");
	append(line, sizeof(line), running_hook);
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

static void watch_crashes(void)
{
	struct sigaction action = { .sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_RESETHAND };

	if (watching)
		return;
	watching = true;
	set_signal_stack();
	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		sigaction(crashes[i].number, &action, NULL);
}

static void enter(const char *path, const char *hook)
{
	running_hook = hook;
	running_plugin = path;
}

static void leave(void)
{
	running_plugin = NULL;
}

static const struct loaded *loaded_of(const struct idle_cpu *cpu)
{
	return (const struct loaded *)((const char *)cpu->governor -
				       offsetof(struct loaded, watched));
}

/* Also the place where a thread first meets a plug-in. */
static int watched_init(struct idle_cpu *cpu, const char *arg)
{
	const struct loaded *l = loaded_of(cpu);
	int r;

	if (!l->idle->init)
		return arg ? -EINVAL : 0;
	watch_crashes();
	enter(l->path, "init");
	r = l->idle->init(cpu, arg);
	leave();
	return r;
}

static int watched_tune(struct idle_cpu *cpu, const char *key, const char *value)
{
	const struct loaded *l = loaded_of(cpu);
	int r;

	enter(l->path, "tune");
	r = l->idle->tune(cpu, key, value);
	leave();
	return r;
}

static void watched_select(
	struct idle_cpu *cpu, const struct idle_snapshot *snapshot, struct idle_choice *choice)
{
	const struct loaded *l = loaded_of(cpu);

	enter(l->path, "select");
	l->idle->select(cpu, snapshot, choice);
	leave();
	if (choice->state >= 0 && choice->state < cpu->driver->nr_states)
		return;
	fprintf(stderr, "corepace: plug-in %s chose idle state %d, the machine has 0 to %d\n",
		l->path, choice->state, cpu->driver->nr_states - 1);
	_exit(EXIT_FAILED);
}

static void watched_reflect(struct idle_cpu *cpu, const struct idle_outcome *outcome)
{
	const struct loaded *l = loaded_of(cpu);

	enter(l->path, "reflect");
	l->idle->reflect(cpu, outcome);
	leave();
}

static int load(
	const char *path, const struct corepace_plugin **ret, void **ret_handle, struct error *err)
{
	int r;

	watch_crashes();
	enter(path, "its constructors");
	r = plugin_load(path, ret, ret_handle, err);
	leave();
	return r;
}

static int load_idle(const char *path, const struct idle_governor **ret, struct error *err)
{
	struct loaded *l = calloc(1, sizeof(*l));
	const struct corepace_plugin *plugin;
	int r;

	if (!l)
		return error_set(err, ENOMEM, "%s: out of memory", path);
	snprintf(l->path, sizeof(l->path), "%s", path);
	r = load(l->path, &plugin, &l->handle, err);
	if (!r && !plugin->idle)
		r = error_set(err, EINVAL, "%s: has no idle governor", path);
	if (r) {
		plugin_unload(l->handle);
		free(l);
		return r;
	}
	l->next = all_loaded;
	all_loaded = l;
	l->idle = plugin->idle;
	l->watched = *plugin->idle;
	l->watched.init = watched_init;
	l->watched.select = watched_select;
	if (plugin->idle->tune)
		l->watched.tune = watched_tune;
	if (plugin->idle->reflect)
		l->watched.reflect = watched_reflect;
	*ret = &l->watched;
	return 0;
}

int plugin_idle_find(
	const char *name, const struct idle_governor **ret, const char **ret_arg, struct error *err)
{
	size_t length = spec_plugin_length(name);
	char path[PATH_SIZE];
	int r;

	if (!length)
		return idle_governor_find(name, ret, ret_arg, err);
	if (length >= sizeof(path))
		return error_set(err, ENAMETOOLONG, "plug-in: path of more than %zu characters",
			sizeof(path) - 1);
	memcpy(path, name, length);
	path[length] = 0;
	r = load_idle(path, ret, err);
	if (!r && ret_arg)
		*ret_arg = name[length] ? name + length + 1 : NULL;
	return r;
}

static int resolve(
	void *ctx, struct policy *policy, const char *key, const char *value, struct error *err)
{
	const struct idle_governor *governor;
	const char *arg;
	int r;

	if (strcmp(key, "idle"))
		return error_set(
			err, EINVAL, "%s: '%s', plug-ins stand for 'idle' only", key, value);
	r = plugin_idle_find(value, &governor, &arg, err);
	if (r)
		return r;
	if (arg && strlen(arg) >= sizeof(policy->idle_arg))
		return error_set(err, EINVAL, "idle: '%s', argument longer than %zu characters",
			value, sizeof(policy->idle_arg) - 1);
	policy_set_idle(policy, governor, arg);
	return 0;
}

const struct preset_resolver plugin_resolver = { .resolve = resolve };
