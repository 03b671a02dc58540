/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of store/ share. */
#pragma once

#include "store/store.h"

#include <sqlite3.h>

enum { STORE_APPLICATION_ID = 0x63706163 }; /* "cpac" */

struct store {
	sqlite3 *db;
	char *path;
	/* Made when first needed. */
	sqlite3_stmt *has, *put, *replace;
};

/* The error of the last call on the database, as -errno and text. */
int store_failed(const struct store *s, struct error *err);

/* Statements without results. */
int store_exec(const struct store *s, const char *sql, struct error *err);

/* The first column of the first row as a number; 0 without a row. */
int store_number(const struct store *s, const char *sql, int64_t *ret, struct error *err);

int store_prepare(const struct store *s, const char *sql, sqlite3_stmt **ret, struct error *err);

/* The newest schema that this program knows. */
extern const int store_schema;

/*
 * Brings a database of an older schema, or an empty one, to the newest. Another process may do the
 * same at the same time.
 */
int store_migrate(const struct store *s, struct error *err);

/*
 * Whether it is a store that this program can read; ret_schema 0: empty. After a failure the
 * database can only be closed.
 */
int store_check(const struct store *s, int *ret_schema, struct error *err);

/* All files of another store. */
int store_copy_files(struct store *s, struct store *from, struct error *err);

/* Those that no run names. */
int store_prune_files(const struct store *s, struct error *err);
