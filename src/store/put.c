// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/shell.h"
#include "store/private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS                                                                                    \
	"id, version, code, machine, machine_hash, workload, workload_hash, policy, preset_hash,"  \
	" plugin_hash, scaling, seed, iteration, rank, result"
#define VALUES "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)"

void run_key_id(const struct run_key *key, char ret[STORE_ID_SIZE])
{
	char seed[24], hash[HASH_SIZE];
	const char *texts[] = { key->code, key->machine, key->machine_hash, key->workload,
		key->workload_hash, key->policy, key->preset_hash, key->plugin_hash, key->scaling,
		seed };

	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)key->seed);
	hash_texts(texts, sizeof(texts) / sizeof(texts[0]), hash);
	memcpy(ret, hash, STORE_ID_SIZE - 1);
	ret[STORE_ID_SIZE - 1] = 0;
}

/* The statement of a member, made when first needed, ready to be bound. */
static int statement(struct store *s, sqlite3_stmt **member, const char *sql, struct error *err)
{
	return *member ? 0 : store_prepare(s, sql, member, err);
}

int store_has(struct store *s, const char *id, bool *ret, struct error *err)
{
	int rc = statement(s, &s->has, "SELECT 1 FROM runs WHERE id = ?1", err), step;

	if (rc)
		return rc;
	sqlite3_bind_text(s->has, 1, id, -1, SQLITE_STATIC);
	step = sqlite3_step(s->has);
	if (step == SQLITE_ROW || step == SQLITE_DONE)
		*ret = step == SQLITE_ROW;
	else
		rc = store_failed(s, err);
	sqlite3_reset(s->has);
	return rc;
}

static void bind_run(sqlite3_stmt *stmt, const struct stored_run *run, const char *id)
{
	const struct run_key *k = &run->key;
	const char *texts[] = { id, run->version, k->code, k->machine, k->machine_hash, k->workload,
		k->workload_hash, k->policy, k->preset_hash, k->plugin_hash, k->scaling };
	int i, nr = sizeof(texts) / sizeof(texts[0]);

	for (i = 0; i < nr; i++)
		sqlite3_bind_text(stmt, i + 1, texts[i], -1, SQLITE_STATIC);
	sqlite3_bind_int64(stmt, ++i, (sqlite3_int64)k->seed);
	sqlite3_bind_int(stmt, ++i, run->iteration);
	sqlite3_bind_int64(stmt, ++i, run->rank);
	sqlite3_bind_text(stmt, ++i, run->result, -1, SQLITE_STATIC);
}

/* One statement is one transaction, where store_begin has not begun a larger one. */
int store_put(struct store *s, const struct stored_run *run, bool replace, struct error *err)
{
	sqlite3_stmt **stmt = replace ? &s->replace : &s->put;
	char id[STORE_ID_SIZE];
	int rc = statement(s, stmt,
		replace ? "REPLACE INTO runs (" COLUMNS ") VALUES " VALUES
			: "INSERT OR IGNORE INTO runs (" COLUMNS ") VALUES " VALUES,
		err);

	if (rc)
		return rc;
	run_key_id(&run->key, id);
	bind_run(*stmt, run, id);
	if (sqlite3_step(*stmt) != SQLITE_DONE)
		rc = store_failed(s, err);
	sqlite3_reset(*stmt);
	return rc;
}

int store_begin(struct store *s, struct error *err)
{
	return store_exec(s, "BEGIN IMMEDIATE", err);
}

int store_begin_reading(struct store *s, struct error *err)
{
	return store_exec(s, "BEGIN", err);
}

int store_commit(struct store *s, struct error *err)
{
	return store_exec(s, "COMMIT", err);
}

void store_rollback(struct store *s)
{
	store_exec(s, "ROLLBACK", NULL);
}

int store_defer_checkpoints(struct store *s, struct error *err)
{
	/* Pages, 64 MB: should the other thread not keep up, the log is not to grow for ever. */
	return store_exec(s, "PRAGMA wal_autocheckpoint = 16000", err);
}

void store_checkpoint(struct store *s)
{
	/*
	 * What there is now, beside the writer; then what came meanwhile, for which the writer
	 * waits a moment, so that the log begins anew instead of growing. Who reads an earlier
	 * state prevents that, and is not waited for.
	 */
	sqlite3_busy_timeout(s->db, 0);
	sqlite3_wal_checkpoint_v2(s->db, "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	sqlite3_wal_checkpoint_v2(s->db, "main", SQLITE_CHECKPOINT_RESTART, NULL, NULL);
}

static int check_same(struct store *s, sqlite3_stmt *stmt, const struct stored_run *run,
	const char *from, struct error *err)
{
	int step, rc = 0;

	sqlite3_bind_text(stmt, 1, run->id, -1, SQLITE_STATIC);
	step = sqlite3_step(stmt);
	if (step != SQLITE_ROW && step != SQLITE_DONE)
		rc = store_failed(s, err);
	else if (step == SQLITE_ROW &&
		 strcmp((const char *)sqlite3_column_text(stmt, 0), run->result))
		rc = error_set(err, EEXIST, "%s: run %s has another result than in %s", from,
			run->id, s->path);
	sqlite3_reset(stmt);
	return rc;
}

/*
 * Runs of one key in both: the same result, or something other than the key decides it, and then
 * nobody knows which is right.
 */
static int merge_runs(struct store *s, struct store *from, struct error *err)
{
	struct store_query *q = NULL;
	struct stored_run run;
	sqlite3_stmt *stmt = NULL;
	int rc = store_prepare(s, "SELECT result FROM runs WHERE id = ?1", &stmt, err);

	rc = rc ? rc : store_query(from, NULL, &q, err);
	while (!rc && (rc = store_next(q, &run, err)) == 1) {
		rc = check_same(s, stmt, &run, from->path, err);
		rc = rc ? rc : store_put(s, &run, false, err);
	}
	store_query_free(q);
	sqlite3_finalize(stmt);
	return rc;
}

int store_merge(struct store *s, const char *path, int64_t *ret_new, struct error *err)
{
	struct store *from = NULL;
	int64_t before = 0, after = 0;
	int rc = store_open(path, STORE_READ, &from, err);

	if (rc)
		return rc;
	rc = store_begin(s, err);
	if (!rc) {
		rc = store_count(s, NULL, &before, err);
		rc = rc ? rc : merge_runs(s, from, err);
		rc = rc ? rc : store_copy_files(s, from, err);
		rc = rc ? rc : store_count(s, NULL, &after, err);
		rc = rc ? rc : store_commit(s, err);
		if (rc)
			store_rollback(s);
	}
	store_close(from);
	if (!rc && ret_new)
		*ret_new = after - before;
	return rc;
}

char *stored_run_command(const struct stored_run *run)
{
	const struct {
		const char *option, *value;
	} parts[] = { { "-m", run->key.machine }, { "-w", run->key.workload },
		{ "-p", run->key.policy } };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	fputs("corepace run", f);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		fprintf(f, " %s ", parts[i].option);
		shell_word(f, parts[i].value);
	}
	fprintf(f, " --seed %llu", (unsigned long long)run->key.seed);
	if (strcmp(run->key.scaling, "known"))
		fprintf(f, " --scaling %s", run->key.scaling);
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}
