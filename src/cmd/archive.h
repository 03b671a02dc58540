/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs through a store: what is there is not done again, what is done is put in soon. Order of
 * calls: archive_open, archive_run as often as wanted, archive_close.
 */
#pragma once

#include "cmd/run_identity.h"
#include "cmd/run_jobs.h"
#include "store/store.h"

#include <pthread.h>

/* Jobs with what tells them apart; all point into what the caller keeps. */
struct archive_list {
	int nr;
	const struct run_job *jobs;
	const struct run_key *keys;
	const int64_t *ranks; /* NULL: the number of the job */
};

struct archive {
	struct store *store;
	bool again;	 /* do what is there, and replace it */
	bool dry_run;	 /* only count what is there; the store need not exist */
	bool keep_going; /* a run that fails is said on stderr and counted, the others go on */
	bool drop_cpus;	 /* in results: what single CPUs did, to save memory */
	/* With keep_going: told of a failure, by several threads at once, instead of stderr. */
	void (*on_failure)(void *ctx, int job, const struct error *err);
	void *ctx;
	/* Of the last archive_run: */
	int present, done, failed; /* done: now */
	/* Implementation. */
	const char *path;
	pthread_mutex_t lock; /* of failed */
	struct run_writer *writer;
	const struct archive_list *list;
	int *todo; /* index in the list of each job that is run */
	struct run_result *results;
	const char *verb;
};

/* From now on a limit of file sizes no longer ends the process, but fails. */
int archive_open(struct archive *a, const char *path, enum store_mode mode, const char *verb,
	struct error *err);
void archive_close(struct archive *a);

/* Keeps the machine's file, or the policy's preset, which have these hashes. */
int archive_keep_machine(struct archive *a, const char *spec, const char *hash, struct error *err);
int archive_keep_preset(struct archive *a, const char *spec, const char *hash, struct error *err);

/*
 * Does what is not there. options: threads, check, progress, stop. results: of all jobs in their
 * order, or NULL when they are not needed; zeroed before.
 */
int archive_run(struct archive *a, const struct archive_list *list, const struct run_list *options,
	struct run_result *results, struct error *err);
