// SPDX-License-Identifier: GPL-2.0-or-later
/* The files that runs name by their hashes. */
#include "store/private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int put(struct store *s, const char *hash, const char *name, const void *content,
	size_t size, struct error *err)
{
	sqlite3_stmt *stmt;
	int rc = store_prepare(s,
		"INSERT OR IGNORE INTO files (hash, name, content) VALUES (?1, ?2, ?3)", &stmt,
		err);

	if (rc)
		return rc;
	sqlite3_bind_text(stmt, 1, hash, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 2, name, -1, SQLITE_STATIC);
	sqlite3_bind_blob(stmt, 3, content, (int)size, SQLITE_STATIC);
	if (sqlite3_step(stmt) != SQLITE_DONE)
		rc = store_failed(s, err);
	sqlite3_finalize(stmt);
	return rc;
}

static int has(struct store *s, const char *hash, bool *ret, struct error *err)
{
	sqlite3_stmt *stmt;
	int rc = store_prepare(s, "SELECT 1 FROM files WHERE hash = ?1", &stmt, err), step;

	if (rc)
		return rc;
	sqlite3_bind_text(stmt, 1, hash, -1, SQLITE_STATIC);
	step = sqlite3_step(stmt);
	if (step != SQLITE_ROW && step != SQLITE_DONE)
		rc = store_failed(s, err);
	*ret = step == SQLITE_ROW;
	sqlite3_finalize(stmt);
	return rc;
}

static int slurp(const char *path, char *buf, size_t *ret_size, struct error *err)
{
	FILE *f = fopen(path, "r");
	int code = 0;

	if (!f)
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	*ret_size = fread(buf, 1, STORE_FILE_MAX + 1, f);
	if (ferror(f))
		code = errno ? errno : EIO;
	fclose(f);
	return code ? error_set(err, code, "%s: %s", path, strerror(code)) : 0;
}

int store_keep_file(struct store *s, const char *hash, const char *path, struct error *err)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	size_t size = 0;
	bool there;
	char *buf;
	int rc = has(s, hash, &there, err);

	if (rc || there)
		return rc;
	buf = malloc(STORE_FILE_MAX + 1);
	if (!buf)
		return error_set(err, ENOMEM, "%s: out of memory", path);
	rc = slurp(path, buf, &size, err);
	if (!rc && size <= STORE_FILE_MAX)
		rc = put(s, hash, name, buf, size, err);
	free(buf);
	return rc;
}

static int take(sqlite3_stmt *stmt, char **ret_name, char **ret_content, size_t *ret_size)
{
	const char *name = (const char *)sqlite3_column_text(stmt, 0);
	const void *content = sqlite3_column_blob(stmt, 1);
	size_t size = (size_t)sqlite3_column_bytes(stmt, 1);

	*ret_name = strdup(name ? name : "");
	*ret_content = malloc(size + 1);
	if (!*ret_name || !*ret_content) {
		free(*ret_name);
		free(*ret_content);
		return -ENOMEM;
	}
	if (size)
		memcpy(*ret_content, content, size);
	(*ret_content)[size] = 0;
	*ret_size = size;
	return 0;
}

int store_file(struct store *s, const char *hash, char **ret_name, char **ret_content,
	size_t *ret_size, struct error *err)
{
	sqlite3_stmt *stmt;
	int step, rc = store_prepare(s,
			  "SELECT name, content FROM files WHERE hash >= ?1 AND hash < ?1 || 'g'"
			  " ORDER BY hash LIMIT 1",
			  &stmt, err);

	if (rc)
		return rc;
	sqlite3_bind_text(stmt, 1, hash, -1, SQLITE_STATIC);
	step = sqlite3_step(stmt);
	if (step == SQLITE_DONE)
		rc = error_set(
			err, ENOENT, "%s: no file with a hash that begins with %s", s->path, hash);
	else if (step != SQLITE_ROW)
		rc = store_failed(s, err);
	else if (take(stmt, ret_name, ret_content, ret_size))
		rc = error_set(err, ENOMEM, "%s: out of memory", s->path);
	sqlite3_finalize(stmt);
	return rc;
}

int store_copy_files(struct store *s, struct store *from, struct error *err)
{
	sqlite3_stmt *stmt;
	int step, rc = store_prepare(from, "SELECT hash, name, content FROM files", &stmt, err);

	if (rc)
		return rc;
	while (!rc && (step = sqlite3_step(stmt)) != SQLITE_DONE) {
		const char *hash = (const char *)sqlite3_column_text(stmt, 0);
		const char *name = (const char *)sqlite3_column_text(stmt, 1);
		const void *content = sqlite3_column_blob(stmt, 2);

		rc = step != SQLITE_ROW
			     ? store_failed(from, err)
			     : put(s, hash ? hash : "", name ? name : "", content ? content : "",
				       (size_t)sqlite3_column_bytes(stmt, 2), err);
	}
	sqlite3_finalize(stmt);
	return rc;
}

int store_prune_files(const struct store *s, struct error *err)
{
	return store_exec(s,
		"DELETE FROM files WHERE hash NOT IN (SELECT machine_hash FROM runs)"
		" AND hash NOT IN (SELECT preset_hash FROM runs)",
		err);
}
