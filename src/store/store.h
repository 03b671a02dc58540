/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The archive of runs: one SQLite file that holds each run with what it was made of and what came
 * of it. A run is in it as a whole or not at all; several processes may read and write it at once.
 *
 * Order of calls: store_open; then store_has, store_put and queries in any order; store_close. A
 * query: store_query, store_next until it returns no 1, store_query_free. A store and its queries
 * serve one thread at a time.
 *
 * Errors begin with the file's name. -ENOSPC, -EROFS, -EBUSY (another process held it for a
 * minute), -ENOTSUP (written by a newer corepace), -EINVAL (no store at all, or damaged).
 */
#pragma once

#include "base/error.h"
#include "store/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	STORE_ID_SIZE = 33,    /* 32 hexadecimal digits and the end */
	STORE_TERMS_MAX = 256, /* of a filter */
};

struct store;

enum store_mode {
	STORE_READ,  /* must exist; nothing in it changes */
	STORE_WRITE, /* made when it does not exist, brought to the newest schema when it does */
};

int store_open(const char *path, enum store_mode mode, struct store **ret, struct error *err);
struct store *store_close(struct store *s);

/*
 * What makes a run this run: two with equal keys give the same result. No field is NULL; those of
 * stored runs live until the next call of store_next.
 */
struct run_key {
	const char *code; /* hash of the sources that decide what a simulation does */
	const char *machine, *workload, *policy; /* specifications, as given */
	/* SHA-256 of the machine's file, the recording ("" for a generator), the preset ("" for
	 * none), and the plug-ins in the policy's order, with a space between ("" for none). */
	const char *machine_hash, *workload_hash, *preset_hash, *plugin_hash;
	const char *scaling; /* all, none, known: as in results */
	uint64_t seed;
};

/* The name of a run in every store: a hash of its key. */
void run_key_id(const struct run_key *key, char ret[STORE_ID_SIZE]);

struct stored_run {
	char id[STORE_ID_SIZE];
	struct run_key key;
	const char *version; /* of the corepace that did it */
	int iteration;
	int64_t rank;	    /* its place in the run or sweep that it was done for */
	const char *result; /* JSON: one element of "runs" in results, schema 1 */
};

int store_has(struct store *s, const char *id, bool *ret, struct error *err);

/*
 * Puts a run in; run->id is not read. A run that is there already stays as it is, or is replaced.
 */
int store_put(struct store *s, const struct stored_run *run, bool replace, struct error *err);

enum { STORE_FILE_MAX = 1 << 20 };

/*
 * Keeps the contents of a machine's file or a preset, which runs name by this hash, for the file
 * may change or get lost. What is there already is not read again, larger ones are not kept.
 */
int store_keep_file(struct store *s, const char *hash, const char *path, struct error *err);

/*
 * The file whose hash begins so; both to be freed, the content ends with a NUL beyond its size.
 * -ENOENT: not kept.
 */
int store_file(struct store *s, const char *hash, char **ret_name, char **ret_content,
	size_t *ret_size, struct error *err);

/*
 * Everything between both is in as a whole, or, after store_rollback or store_close instead of
 * store_commit, not at all. Nobody else can write meanwhile.
 */
int store_begin(struct store *s, struct error *err);
/* For many queries: one state of the store until store_commit, and one lock. Others can write. */
int store_begin_reading(struct store *s, struct error *err);
int store_commit(struct store *s, struct error *err);
void store_rollback(struct store *s);

/*
 * Runs are written to a log beside the file, and from there to the file from time to time, which
 * waits for the disk. Who writes much has another thread do that: on the writer's store
 * store_defer_checkpoints once, on the other thread's own store store_checkpoint again and again,
 * which fails without harm.
 */
int store_defer_checkpoints(struct store *s, struct error *err);
void store_checkpoint(struct store *s);

enum store_field {
	STORE_ID, /* the value: first digits of it */
	STORE_MACHINE,
	STORE_WORKLOAD,
	STORE_POLICY,
	STORE_SCALING,
	STORE_SEED,
	STORE_VERSION, /* or the first digits of the code's hash */
	STORE_FIELDS,
};

/*
 * Which runs: a run must meet one of the terms of each field that has terms. A value of machine,
 * workload or policy is the specification or a pattern for it (* ? []).
 */
struct store_filter {
	int nr;
	struct {
		enum store_field field;
		const char *value;
	} terms[STORE_TERMS_MAX];
};

/* -E2BIG when there are too many terms. */
int store_filter_add(
	struct store_filter *filter, enum store_field field, const char *value, struct error *err);

struct store_query;

/*
 * Runs that the filter (NULL: all) lets through. Those that meet an earlier term for id or policy
 * come first; within that the order is that of the sweep, whatever order they were done in.
 */
int store_query(struct store *s, const struct store_filter *filter, struct store_query **ret,
	struct error *err);

/* The same without results, which are "" then: quicker where only the rest is looked at. */
int store_query_keys(struct store *s, const struct store_filter *filter, struct store_query **ret,
	struct error *err);

/* 1: ret is the next run, valid until the next call; 0: no more; or -errno. */
int store_next(struct store_query *q, struct stored_run *ret, struct error *err);
struct store_query *store_query_free(struct store_query *q);

/* How many runs the filter lets through. */
int store_count(
	struct store *s, const struct store_filter *filter, int64_t *ret, struct error *err);

/* Deletes them, and the files that no run names any more. ret may be NULL. */
int store_delete(
	struct store *s, const struct store_filter *filter, int64_t *ret, struct error *err);

/*
 * Puts all runs of another store in, with the files that they name, all or none. -EEXIST: a run is
 * in both with different results, the error names it. ret_new: how many were not there.
 */
int store_merge(struct store *s, const char *path, int64_t *ret_new, struct error *err);

/* The command that repeats a run, quoted for the shell; to be freed. NULL: out of memory. */
char *stored_run_command(const struct stored_run *run);
