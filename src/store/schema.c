// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The schema and its history. A store says its schema in user_version. Step i of the table brings a
 * store from schema i to i + 1; steps are only ever added, for stores of any age are around.
 */
#include "store/private.h"
#include "base/units.h"

#include <errno.h>
#include <stdio.h>

static const char *const steps[] = {
	"CREATE TABLE runs ("
	" id TEXT PRIMARY KEY,"
	" version TEXT NOT NULL,"
	" code TEXT NOT NULL,"
	" machine TEXT NOT NULL,"
	" machine_hash TEXT NOT NULL,"
	" workload TEXT NOT NULL,"
	" workload_hash TEXT NOT NULL,"
	" policy TEXT NOT NULL,"
	" preset_hash TEXT NOT NULL,"
	" plugin_hash TEXT NOT NULL,"
	" scaling TEXT NOT NULL,"
	" seed INTEGER NOT NULL,"
	" iteration INTEGER NOT NULL,"
	" rank INTEGER NOT NULL,"
	" result TEXT NOT NULL);"
	"CREATE INDEX runs_order ON runs (rank, id);"
	/* For whoever looks in with sqlite3(1): a row per run and metric. */
	"CREATE VIEW samples AS SELECT runs.id, machine, workload, policy, scaling, seed,"
	" m.key AS metric, json_extract(m.value, '$.value') AS value,"
	" json_extract(m.value, '$.unit') AS unit, json_extract(m.value, '$.better') AS better"
	" FROM runs, json_each(runs.result, '$.metrics') AS m;",
	/* Text that runs name by its hash: machines' files and presets. */
	"CREATE TABLE files ("
	" hash TEXT PRIMARY KEY,"
	" name TEXT NOT NULL,"
	" content BLOB NOT NULL);",
};

const int store_schema = ARRAY_LEN(steps);

/* In one transaction: another process may be making the store. */
int store_check(const struct store *s, int *ret_schema, struct error *err)
{
	int64_t application = 0, schema = 0, tables = 0;
	bool begin = sqlite3_get_autocommit(s->db);
	int rc = begin ? store_exec(s, "BEGIN", err) : 0;

	rc = rc ? rc : store_number(s, "PRAGMA application_id", &application, err);
	rc = rc ? rc : store_number(s, "PRAGMA user_version", &schema, err);
	rc = rc ? rc : store_number(s, "SELECT count(*) FROM sqlite_master", &tables, err);
	if (!rc && begin)
		rc = store_exec(s, "COMMIT", err);
	if (rc)
		return rc;
	if (application != STORE_APPLICATION_ID && (application || schema || tables))
		return error_set(
			err, EINVAL, "%s: a database, but not of corepace's runs", s->path);
	if (schema > store_schema)
		return error_set(err, ENOTSUP,
			"%s: schema %lld, expected at most %d: a newer corepace wrote it", s->path,
			(long long)schema, store_schema);
	*ret_schema = (int)schema;
	return 0;
}

int store_migrate(const struct store *s, struct error *err)
{
	char sql[80];
	int schema, rc = store_exec(s, "BEGIN IMMEDIATE", err);

	if (rc)
		return rc;
	/* Again, now that nobody else can write. */
	rc = store_check(s, &schema, err);
	for (int i = schema; !rc && i < store_schema; i++)
		rc = store_exec(s, steps[i], err);
	snprintf(sql, sizeof(sql), "PRAGMA user_version = %d; PRAGMA application_id = %d",
		store_schema, STORE_APPLICATION_ID);
	rc = rc ? rc : store_exec(s, sql, err);
	rc = rc ? rc : store_exec(s, "COMMIT", err);
	if (rc)
		store_exec(s, "ROLLBACK", NULL);
	return rc;
}
