/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Says which plug-in crashed, and in which hook, in one line, and ends the process. Whoever calls
 * into a plug-in says so before and after; a thread calls plugin_watch_thread before its first such
 * call.
 */
#pragma once

#include "base/error.h"
#include "corepace/policy.h"

enum { PLUGIN_PATH_SIZE = 4096 };

void plugin_watch_thread(void);

/* What this thread runs: two stores per call, cheap enough to be always on. */
extern __thread const char *volatile plugin_running;
extern __thread const char *volatile plugin_running_hook;

static inline void plugin_enter(const char *path, const char *hook)
{
	plugin_running_hook = hook;
	plugin_running = path;
}

static inline void plugin_leave(void)
{
	plugin_running = NULL;
}

/* As plugin_load, watched. path must stay. */
int plugin_watch_load(
	const char *path, const struct corepace_plugin **ret, void **ret_handle, struct error *err);
