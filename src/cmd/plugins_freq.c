// SPDX-License-Identifier: GPL-2.0-or-later
/* Frequency governors of plug-ins, watched. */
#include "cmd/cmd.h"
#include "cmd/plugin_watch.h"
#include "cmd/plugins.h"
#include "host/plugin.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A plug-in's governor, and the one that is handed out instead: the same ops, watched. */
struct loaded {
	void *handle;
	const struct freq_governor *governor;
	struct freq_governor watched;
	char path[PLUGIN_PATH_SIZE];
	struct loaded *next;
};

/* All of them: states of simulated policies may hold pointers into any. */
static struct loaded *all_loaded;

/* Stands before the plug-in's own state; as large as what keeps that aligned. */
struct watched_state {
	_Alignas(64) const struct loaded *loaded;
};

static const struct loaded *loaded_of(void *state)
{
	return ((struct watched_state *)state)->loaded;
}

static void *inner(void *state)
{
	return (struct watched_state *)state + 1;
}

/* Also the place where a thread first meets a plug-in. */
static void watched_init(
	const struct freq_governor *governor, void *state, const struct freq_snapshot *s)
{
	const struct loaded *l =
		(const struct loaded *)((const char *)governor - offsetof(struct loaded, watched));

	((struct watched_state *)state)->loaded = l;
	if (!l->governor->init)
		return;
	plugin_watch_thread();
	plugin_enter(l->path, "init");
	l->governor->init(l->governor, inner(state), s);
	plugin_leave();
}

static int watched_tune(void *state, const char *key, const char *value)
{
	const struct loaded *l = loaded_of(state);
	int r;

	plugin_enter(l->path, "tune");
	r = l->governor->tune(inner(state), key, value);
	plugin_leave();
	return r;
}

static void watched_stop(void *state)
{
	const struct loaded *l = loaded_of(state);

	plugin_enter(l->path, "stop");
	l->governor->stop(inner(state));
	plugin_leave();
}

#define WATCHED(op)                                                                                \
	static void watched_##op(                                                                  \
		void *state, const struct freq_snapshot *s, struct freq_actions *actions)          \
	{                                                                                          \
		const struct loaded *l = loaded_of(state);                                         \
                                                                                                   \
		plugin_enter(l->path, #op);                                                        \
		l->governor->op(inner(state), s, actions);                                         \
		plugin_leave();                                                                    \
	}

WATCHED(start)
WATCHED(limits)
WATCHED(work)

static void watched_on_util(void *state, const struct util_event *event,
	const struct freq_snapshot *s, struct freq_actions *actions)
{
	const struct loaded *l = loaded_of(state);

	plugin_enter(l->path, "on_util");
	l->governor->on_util(inner(state), event, s, actions);
	plugin_leave();
}

static void watch(struct loaded *l)
{
	const struct freq_governor *g = l->governor;

	l->watched = (struct freq_governor){
		.name = g->name,
		.summary = g->summary,
		.state_size = sizeof(struct watched_state) + g->state_size,
		.cpu_state_size = g->cpu_state_size,
		.init = watched_init,
		.tune = g->tune ? watched_tune : NULL,
		.start = g->start ? watched_start : NULL,
		.stop = g->stop ? watched_stop : NULL,
		.limits = g->limits ? watched_limits : NULL,
		.on_util = g->on_util ? watched_on_util : NULL,
		.work = g->work ? watched_work : NULL,
	};
}

static int load(const char *path, const struct freq_governor **ret, struct error *err)
{
	struct loaded *l = calloc(1, sizeof(*l));
	const struct corepace_plugin *plugin;
	int r;

	if (!l)
		return error_set(err, ENOMEM, "%s: out of memory", path);
	snprintf(l->path, sizeof(l->path), "%s", path);
	r = plugin_watch_load(l->path, &plugin, &l->handle, err);
	if (!r && !plugin->governor)
		r = error_set(err, EINVAL, "%s: has no frequency governor", path);
	if (r) {
		plugin_unload(l->handle);
		free(l);
		return r;
	}
	l->next = all_loaded;
	all_loaded = l;
	l->governor = plugin->governor;
	watch(l);
	*ret = &l->watched;
	return 0;
}

int plugin_freq_find(const char *name, const struct freq_governor **ret, struct error *err)
{
	size_t length = spec_plugin_length(name);

	if (length && name[length])
		return error_set(err, EINVAL,
			"governor: '%s', a frequency governor takes no argument", name);
	if (length >= PLUGIN_PATH_SIZE)
		return error_set(err, ENAMETOOLONG, "plug-in: path of more than %d characters",
			PLUGIN_PATH_SIZE - 1);
	return length ? load(name, ret, err) : freq_governor_find(name, ret, err);
}
