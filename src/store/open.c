// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BUSY_SECONDS = 60, RETRY_MS = 20 };

/* What the system said to the file, for SQLite's own memory of it often holds no longer. */
static int last_errno(const struct store *s, int which)
{
	sqlite3_file *file = NULL;
	int code = 0;

	if (sqlite3_file_control(s->db, "main", which, &file) == SQLITE_OK && file &&
		file->pMethods)
		file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &code);
	return code;
}

static int io_failed(const struct store *s, struct error *err)
{
	int code = sqlite3_system_errno(s->db);

	code = code ? code : last_errno(s, SQLITE_FCNTL_JOURNAL_POINTER); /* or the WAL */
	code = code ? code : last_errno(s, SQLITE_FCNTL_FILE_POINTER);
	code = code ? code : EIO;
	return error_set(err, code, "%s: %s", s->path, strerror(code));
}

int store_failed(const struct store *s, struct error *err)
{
	switch (sqlite3_errcode(s->db) & 0xff) {
	case SQLITE_FULL:
		return error_set(err, ENOSPC, "%s: %s", s->path, strerror(ENOSPC));
	case SQLITE_READONLY:
		return error_set(err, EROFS, "%s: cannot be written, only read", s->path);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return error_set(err, EBUSY, "%s: another process has kept it locked for %d s",
			s->path, BUSY_SECONDS);
	case SQLITE_NOTADB:
		return error_set(
			err, EINVAL, "%s: no SQLite database, expected a store of runs", s->path);
	case SQLITE_CORRUPT:
		return error_set(err, EINVAL, "%s: damaged: %s", s->path, sqlite3_errmsg(s->db));
	case SQLITE_NOMEM:
		return error_set(err, ENOMEM, "%s: out of memory", s->path);
	case SQLITE_CANTOPEN:
	case SQLITE_IOERR:
		return io_failed(s, err);
	default:
		return error_set(err, EIO, "%s: %s", s->path, sqlite3_errmsg(s->db));
	}
}

int store_exec(const struct store *s, const char *sql, struct error *err)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : store_failed(s, err);
}

int store_prepare(const struct store *s, const char *sql, sqlite3_stmt **ret, struct error *err)
{
	return sqlite3_prepare_v2(s->db, sql, -1, ret, NULL) == SQLITE_OK ? 0
									  : store_failed(s, err);
}

int store_number(const struct store *s, const char *sql, int64_t *ret, struct error *err)
{
	sqlite3_stmt *stmt;
	int rc = store_prepare(s, sql, &stmt, err), step;

	if (rc)
		return rc;
	step = sqlite3_step(stmt);
	if (step == SQLITE_ROW)
		*ret = sqlite3_column_int64(stmt, 0);
	else if (step == SQLITE_DONE)
		*ret = 0;
	else
		rc = store_failed(s, err);
	sqlite3_finalize(stmt);
	return rc;
}

static int open_database(struct store *s, const char *name, int flags, struct error *err)
{
	int rc = sqlite3_open_v2(name, &s->db, flags | SQLITE_OPEN_EXRESCODE, NULL);

	if (!s->db)
		return error_set(err, ENOMEM, "%s: out of memory", s->path);
	if (rc != SQLITE_OK)
		return store_failed(s, err);
	sqlite3_busy_timeout(s->db, BUSY_SECONDS * 1000);
	return 0;
}

/* The change to WAL does not wait by itself when another process makes it at the same time. */
static int set_wal(const struct store *s, struct error *err)
{
	const struct timespec pause = { .tv_nsec = RETRY_MS * 1000000L };
	int rc = store_exec(s, "PRAGMA journal_mode = WAL", err);

	for (int ms = 0; rc == -EBUSY && ms < BUSY_SECONDS * 1000; ms += RETRY_MS) {
		nanosleep(&pause, NULL);
		rc = store_exec(s, "PRAGMA journal_mode = WAL", err);
	}
	return rc;
}

/* Why a file that does not exist cannot be made: SQLite only says that there is none. */
static int check_folder(const struct store *s, struct error *err)
{
	const char *slash = strrchr(s->path, '/');
	char *folder;
	int code = 0;

	if (!access(s->path, F_OK))
		return 0;
	folder = slash ? strndup(s->path, (size_t)(slash - s->path) + 1) : strdup(".");
	if (!folder)
		code = ENOMEM;
	else if (faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS))
		code = errno;
	free(folder);
	return code ? error_set(err, code, "%s: %s", s->path, strerror(code)) : 0;
}

static int open_to_write(struct store *s, struct error *err)
{
	int schema, rc = check_folder(s, err);

	rc = rc ? rc : open_database(s, s->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
	/* SQLite opens for reading alone what it may not write, and says so at the first write. */
	if (!rc && sqlite3_db_readonly(s->db, "main") == 1)
		rc = error_set(err, EROFS, "%s: cannot be written, only read", s->path);
	rc = rc ? rc : store_check(s, &schema, err);
	rc = rc ? rc : set_wal(s, err);
	/* After a power failure the last runs may be missing, what is there is whole. */
	rc = rc ? rc : store_exec(s, "PRAGMA synchronous = NORMAL", err);
	if (!rc && schema < store_schema)
		rc = store_migrate(s, err);
	return rc;
}

/* Runs in an older schema, in a file that must stay as it is: read a copy. */
static int migrate_in_memory(struct store *s, struct error *err)
{
	struct store copy = { .path = s->path };
	sqlite3_backup *backup;
	int rc = open_database(&copy, ":memory:", SQLITE_OPEN_READWRITE, err);

	if (!rc) {
		backup = sqlite3_backup_init(copy.db, "main", s->db, "main");
		if (backup)
			sqlite3_backup_step(backup, -1);
		if (sqlite3_backup_finish(backup) != SQLITE_OK)
			rc = store_failed(&copy, err);
	}
	/* A database in memory has no WAL. */
	rc = rc ? rc : store_exec(&copy, "PRAGMA journal_mode = MEMORY", err);
	rc = rc ? rc : store_migrate(&copy, err);
	if (rc) {
		sqlite3_close(copy.db);
		return rc;
	}
	sqlite3_close(s->db);
	s->db = copy.db;
	return 0;
}

/*
 * Where a file system is read-only SQLite cannot make the index of the WAL. Without a WAL it needs
 * none, if it is told that nobody writes.
 */
static int open_immutable(struct store *s, struct error *err)
{
	char *name = NULL, *wal = sqlite3_mprintf("%s-wal", s->path);
	int rc = -ENOENT;

	if (wal && access(wal, F_OK))
		name = sqlite3_mprintf("file:%s?immutable=1", s->path);
	/* Characters that mean something in an URI: the first error stands. */
	if (name && !strpbrk(s->path, "?#%")) {
		sqlite3_close(s->db);
		s->db = NULL;
		rc = open_database(s, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
	}
	sqlite3_free(name);
	sqlite3_free(wal);
	return rc;
}

static bool needs_index(const struct store *s)
{
	int code = sqlite3_errcode(s->db) & 0xff;

	return code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
}

static int open_to_read(struct store *s, struct error *err)
{
	int schema, rc;

	if (access(s->path, R_OK))
		return error_set(err, errno, "%s: %s", s->path, strerror(errno));
	/* Who may write removes the log when it is the last to close; who only reads leaves it. */
	rc = open_database(s, s->path, SQLITE_OPEN_READWRITE, err);
	rc = rc ? rc : store_exec(s, "PRAGMA query_only = 1", err);
	rc = rc ? rc : store_check(s, &schema, err);
	if (rc && s->db && needs_index(s) && !open_immutable(s, err))
		rc = store_check(s, &schema, err);
	if (rc)
		return rc;
	return schema < store_schema ? migrate_in_memory(s, err) : 0;
}

/* What SQLite would take for a database that is gone at the end, or for an URI. */
static bool names_no_file(const char *path)
{
	return !*path || !strcmp(path, ":memory:") || !strncmp(path, "file:", 5);
}

int store_open(const char *path, enum store_mode mode, struct store **ret, struct error *err)
{
	struct store *s;
	int rc;

	if (names_no_file(path))
		return error_set(err, EINVAL, "'%s': expected the name of a file%s%s", path,
			*path ? ", such as ./" : "", path);
	s = calloc(1, sizeof(*s));
	if (s)
		s->path = strdup(path);
	if (!s || !s->path) {
		free(s);
		return error_set(err, ENOMEM, "%s: out of memory", path);
	}
	rc = mode == STORE_WRITE ? open_to_write(s, err) : open_to_read(s, err);
	if (rc)
		store_close(s);
	else
		*ret = s;
	return rc;
}

struct store *store_close(struct store *s)
{
	if (!s)
		return NULL;
	sqlite3_finalize(s->has);
	sqlite3_finalize(s->put);
	sqlite3_finalize(s->replace);
	sqlite3_close(s->db);
	free(s->path);
	free(s);
	return NULL;
}
