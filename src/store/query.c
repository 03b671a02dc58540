// SPDX-License-Identifier: GPL-2.0-or-later
/* Filters as SQL, and what is read through them. */
#include "store/private.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct store_query {
	struct store *store;
	sqlite3_stmt *stmt;
};

/* ?N is the value of the term; AND binds stronger than OR between terms. A specification is also
 * what it is, whatever signs are in it. */
static const char *const conditions[STORE_FIELDS] = {
	[STORE_ID] = "id >= ?%d AND id < ?%d || 'g'",
	[STORE_MACHINE] = "machine = ?%d OR machine GLOB ?%d",
	[STORE_WORKLOAD] = "workload = ?%d OR workload GLOB ?%d",
	[STORE_POLICY] = "policy = ?%d OR policy GLOB ?%d",
	[STORE_SCALING] = "scaling = ?%d",
	[STORE_SEED] = "seed = CAST(?%d AS INTEGER)",
	[STORE_VERSION] = "version = ?%d OR substr(code, 1, length(?%d)) = ?%d",
};

int store_filter_add(
	struct store_filter *filter, enum store_field field, const char *value, struct error *err)
{
	if (filter->nr == STORE_TERMS_MAX)
		return error_set(err, E2BIG, "more than %d conditions", STORE_TERMS_MAX);
	filter->terms[filter->nr].field = field;
	filter->terms[filter->nr++].value = value;
	return 0;
}

static void condition(FILE *f, enum store_field field, int parameter)
{
	for (const char *p = conditions[field]; *p; p++)
		if (*p == '%')
			fprintf(f, "%d", parameter), p++;
		else
			fputc(*p, f);
}

static void where(FILE *f, const struct store_filter *filter)
{
	fputs(" WHERE 1", f);
	for (int field = 0; field < STORE_FIELDS; field++) {
		int nr = 0;

		for (int i = 0; i < filter->nr; i++) {
			if ((int)filter->terms[i].field != field)
				continue;
			fputs(nr++ ? " OR " : " AND (", f);
			condition(f, (enum store_field)field, i + 1);
		}
		if (nr)
			fputs(")", f);
	}
}

/* The number of the first term of the field that a run meets. */
static void order_by_term(FILE *f, const struct store_filter *filter, enum store_field field)
{
	int nr = 0;

	for (int i = 0; i < filter->nr; i++)
		nr += filter->terms[i].field == field;
	if (nr < 2)
		return;
	fputs(" CASE", f);
	for (int i = 0; i < filter->nr; i++) {
		if (filter->terms[i].field != field)
			continue;
		fputs(" WHEN ", f);
		condition(f, field, i + 1);
		fprintf(f, " THEN %d", i);
	}
	fputs(" END,", f);
}

enum order { UNORDERED, ORDERED };

static int prepare(struct store *s, const char *begin, const struct store_filter *filter,
	enum order order, sqlite3_stmt **ret, struct error *err)
{
	char *sql = NULL;
	size_t size;
	FILE *f = open_memstream(&sql, &size);
	int rc;

	if (!f)
		return error_set(err, ENOMEM, "%s: out of memory", s->path);
	fputs(begin, f);
	if (filter)
		where(f, filter);
	if (order == ORDERED) {
		fputs(" ORDER BY", f);
		if (filter) {
			order_by_term(f, filter, STORE_ID);
			order_by_term(f, filter, STORE_POLICY);
		}
		fputs(" rank, id", f);
	}
	if (fclose(f)) {
		free(sql);
		return error_set(err, ENOMEM, "%s: out of memory", s->path);
	}
	rc = store_prepare(s, sql, ret, err);
	free(sql);
	for (int i = 0; !rc && filter && i < filter->nr; i++)
		if (sqlite3_bind_text(*ret, i + 1, filter->terms[i].value, -1, SQLITE_TRANSIENT) !=
			SQLITE_OK) {
			rc = store_failed(s, err);
			sqlite3_finalize(*ret);
		}
	return rc;
}

#define KEYS                                                                                       \
	"SELECT id, version, code, machine, machine_hash, workload, workload_hash, policy,"        \
	" preset_hash, plugin_hash, scaling, seed, iteration, rank, "

static int query(struct store *s, const char *select, const struct store_filter *filter,
	struct store_query **ret, struct error *err)
{
	struct store_query *q = calloc(1, sizeof(*q));
	int rc;

	if (!q)
		return error_set(err, ENOMEM, "%s: out of memory", s->path);
	q->store = s;
	rc = prepare(s, select, filter, ORDERED, &q->stmt, err);
	if (rc)
		free(q);
	else
		*ret = q;
	return rc;
}

int store_query(struct store *s, const struct store_filter *filter, struct store_query **ret,
	struct error *err)
{
	return query(s, KEYS "result FROM runs", filter, ret, err);
}

int store_query_keys(struct store *s, const struct store_filter *filter, struct store_query **ret,
	struct error *err)
{
	return query(s, KEYS "'' FROM runs", filter, ret, err);
}

/* Specifications end on terminals. */
static int check_text(const struct store_query *q, const struct stored_run *run, struct error *err)
{
	const char *texts[] = { run->version, run->key.code, run->key.machine,
		run->key.machine_hash, run->key.workload, run->key.workload_hash, run->key.policy,
		run->key.preset_hash, run->key.plugin_hash, run->key.scaling };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		for (const char *p = texts[i]; *p; p++)
			if ((unsigned char)*p < 0x20 || *p == 0x7f)
				return error_set(err, EINVAL,
					"%s: run %s: a control character, expected printable text",
					q->store->path, run->id);
	return 1;
}

/* Columns are NOT NULL, but a damaged file, or no memory, gives NULL all the same. */
static const char *text(sqlite3_stmt *stmt, int column)
{
	const char *value = (const char *)sqlite3_column_text(stmt, column);

	return value ? value : "";
}

int store_next(struct store_query *q, struct stored_run *ret, struct error *err)
{
	sqlite3_stmt *stmt = q->stmt;
	int step = sqlite3_step(stmt), column = 0;

	if (step == SQLITE_DONE)
		return 0;
	if (step != SQLITE_ROW)
		return store_failed(q->store, err);
	snprintf(ret->id, sizeof(ret->id), "%s", text(stmt, column++));
	ret->version = text(stmt, column++);
	ret->key.code = text(stmt, column++);
	ret->key.machine = text(stmt, column++);
	ret->key.machine_hash = text(stmt, column++);
	ret->key.workload = text(stmt, column++);
	ret->key.workload_hash = text(stmt, column++);
	ret->key.policy = text(stmt, column++);
	ret->key.preset_hash = text(stmt, column++);
	ret->key.plugin_hash = text(stmt, column++);
	ret->key.scaling = text(stmt, column++);
	ret->key.seed = (uint64_t)sqlite3_column_int64(stmt, column++);
	ret->iteration = sqlite3_column_int(stmt, column++);
	ret->rank = sqlite3_column_int64(stmt, column++);
	ret->result = text(stmt, column);
	return check_text(q, ret, err);
}

struct store_query *store_query_free(struct store_query *q)
{
	if (q)
		sqlite3_finalize(q->stmt);
	free(q);
	return NULL;
}

int store_count(struct store *s, const struct store_filter *filter, int64_t *ret, struct error *err)
{
	sqlite3_stmt *stmt;
	int rc = prepare(s, "SELECT count(*) FROM runs", filter, UNORDERED, &stmt, err);

	if (rc)
		return rc;
	if (sqlite3_step(stmt) == SQLITE_ROW)
		*ret = sqlite3_column_int64(stmt, 0);
	else
		rc = store_failed(s, err);
	sqlite3_finalize(stmt);
	return rc;
}

static int delete_runs(
	struct store *s, const struct store_filter *filter, int64_t *ret, struct error *err)
{
	sqlite3_stmt *stmt;
	int rc = prepare(s, "DELETE FROM runs", filter, UNORDERED, &stmt, err);

	if (rc)
		return rc;
	if (sqlite3_step(stmt) != SQLITE_DONE)
		rc = store_failed(s, err);
	else if (ret)
		*ret = sqlite3_changes64(s->db);
	sqlite3_finalize(stmt);
	return rc;
}

int store_delete(
	struct store *s, const struct store_filter *filter, int64_t *ret, struct error *err)
{
	int rc = store_begin(s, err);

	if (rc)
		return rc;
	rc = delete_runs(s, filter, ret, err);
	rc = rc ? rc : store_prune_files(s, err);
	rc = rc ? rc : store_commit(s, err);
	if (rc)
		store_exec(s, "ROLLBACK", NULL);
	return rc;
}
