/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work with a temporary folder that is removed whatever becomes of the work: it is done in a child
 * process, and the parent only waits and cleans up, also when an interrupt or a crash ended it.
 */
#pragma once

#include "base/error.h"

/*
 * Runs work(ctx, folder) in a child and returns what it returned; failed when it did not return.
 * The folder is NAME.XXXXXX in $TMPDIR, or /tmp. An interrupt (SIGINT, SIGTERM, SIGHUP) ends work,
 * then the folder, then this process.
 */
int scratch_run(const char *name, int (*work)(void *ctx, const char *folder), void *ctx, int failed,
	struct error *err);

/* Removes a folder and all that is in it. */
void scratch_remove(const char *folder);
