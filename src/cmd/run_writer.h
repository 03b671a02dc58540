/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts runs into a store from a thread of its own, several in one transaction, and moves the log
 * into the file from another one: those that run wait neither for SQLite nor for the disk. A
 * process that is killed loses what is not written yet: at most the runs of GROUP_NS, or of a
 * transaction that takes longer.
 */
#pragma once

#include "store/store.h"

struct run_writer;

/* From now on until its end the store is the writer's. path: of the store. replace: what is there.
 */
int run_writer_start(struct store *s, const char *path, bool replace, struct run_writer **ret,
	struct error *err);

/*
 * Hands a run over; its result, from malloc, is freed in any case, the other texts must stay until
 * the end. By any thread. Waits only when the store is far behind. Once writing has failed, that
 * failure.
 */
int run_writer_put(struct run_writer *w, const struct stored_run *run, struct error *err);

/* Returns when all is in the store, or writing has failed. ret_done: runs that are in. */
int run_writer_end(struct run_writer *w, int *ret_done, struct error *err);
