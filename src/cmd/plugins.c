// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/plugins.h"

#include "cmd/cmd.h"
#include "cmd/plugin_watch.h"
#include "host/plugin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = PLUGIN_PATH_SIZE };

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
	plugin_watch_thread();
	plugin_enter(l->path, "init");
	r = l->idle->init(cpu, arg);
	plugin_leave();
	return r;
}

static int watched_tune(struct idle_cpu *cpu, const char *key, const char *value)
{
	const struct loaded *l = loaded_of(cpu);
	int r;

	plugin_enter(l->path, "tune");
	r = l->idle->tune(cpu, key, value);
	plugin_leave();
	return r;
}

static void watched_select(
	struct idle_cpu *cpu, const struct idle_snapshot *snapshot, struct idle_choice *choice)
{
	const struct loaded *l = loaded_of(cpu);

	plugin_enter(l->path, "select");
	l->idle->select(cpu, snapshot, choice);
	plugin_leave();
	if (choice->state >= 0 && choice->state < cpu->driver->nr_states)
		return;
	fprintf(stderr, "corepace: plug-in %s chose idle state %d, the machine has 0 to %d\n",
		l->path, choice->state, cpu->driver->nr_states - 1);
	_exit(EXIT_FAILED);
}

static void watched_reflect(struct idle_cpu *cpu, const struct idle_outcome *outcome)
{
	const struct loaded *l = loaded_of(cpu);

	plugin_enter(l->path, "reflect");
	l->idle->reflect(cpu, outcome);
	plugin_leave();
}

static int load_idle(const char *path, const struct idle_governor **ret, struct error *err)
{
	struct loaded *l = calloc(1, sizeof(*l));
	const struct corepace_plugin *plugin;
	int r;

	if (!l)
		return error_set(err, ENOMEM, "%s: out of memory", path);
	snprintf(l->path, sizeof(l->path), "%s", path);
	r = plugin_watch_load(l->path, &plugin, &l->handle, err);
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

static int resolve_idle(struct policy *policy, const char *value, struct error *err)
{
	const struct idle_governor *governor;
	const char *arg;
	int r = plugin_idle_find(value, &governor, &arg, err);

	if (r)
		return r;
	if (arg && strlen(arg) >= sizeof(policy->idle_arg))
		return error_set(err, EINVAL, "idle: '%s', argument longer than %zu characters",
			value, sizeof(policy->idle_arg) - 1);
	policy_set_idle(policy, governor, arg);
	return 0;
}

static int resolve(
	void *ctx, struct policy *policy, const char *key, const char *value, struct error *err)
{
	if (!strcmp(key, "idle"))
		return resolve_idle(policy, value, err);
	if (!strcmp(key, "governor"))
		return plugin_freq_find(value, &policy->governor, err);
	return error_set(
		err, EINVAL, "%s: '%s', plug-ins stand for 'idle' and 'governor' only", key, value);
}

const struct preset_resolver plugin_resolver = { .resolve = resolve };
