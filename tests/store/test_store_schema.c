// SPDX-License-Identifier: GPL-2.0-or-later
/* Stores of every age are read, and brought up to date when they are written to. */
#include "fixture.h"

#include <sqlite3.h>
#include <sys/wait.h>

static void sql(const char *path, const char *statements)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, statements, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s", sqlite3_errmsg(db));
	sqlite3_close(db);
}

static int number(const char *path, const char *query)
{
	sqlite3_stmt *stmt;
	sqlite3 *db;
	int value;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, query, -1, &stmt, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	value = sqlite3_column_int(stmt, 0);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return value;
}

static char *read_all(const char *path, size_t *ret_size)
{
	FILE *f = fopen(path, "r");
	char *text = malloc(1 << 20);

	assert_non_null(f);
	*ret_size = fread(text, 1, (1 << 20) - 1, f);
	text[*ret_size] = 0;
	fclose(f);
	return text;
}

/* Two runs and no files, as schema 1 had them. */
static void make_old(const char *path)
{
	size_t size;
	char *text = read_all(TEST_DIR "/schema-1.sql", &size);

	sql(path, text);
	free(text);
	assert_int_equal(number(path, "PRAGMA user_version"), 1);
}

static const char *const old_runs = "performance:idle=poll/1 idle=menu@6.1/1 ";

static void test_an_old_store_is_read_as_it_is(void **state)
{
	const struct folder *f = *state;
	size_t before, after;
	char *was, *is, *name, *content;
	struct error err;
	struct store *s;

	make_old(f->file);
	was = read_all(f->file, &before);
	s = must_open(f->file, STORE_READ);
	assert_string_equal(listing(s, NULL), old_runs);
	assert_int_equal(store_file(s, "44", &name, &content, &before, &err), -ENOENT);
	store_close(s);
	is = read_all(f->file, &after);
	assert_int_equal(number(f->file, "PRAGMA user_version"), 1);
	assert_memory_equal(was, is, after);
	free(was);
	free(is);
}

/* Ids are what they were: the runs are found, not done again. */
static void test_an_old_store_is_brought_up_to_date(void **state)
{
	const struct folder *f = *state;
	struct stored_run run;
	struct store_query *q;
	struct store *s;
	struct error err;
	char id[STORE_ID_SIZE];
	bool has;

	make_old(f->file);
	s = must_open(f->file, STORE_WRITE);
	assert_string_equal(listing(s, NULL), old_runs);
	assert_int_equal(store_query(s, NULL, &q, &err), 0);
	while (store_next(q, &run, &err) == 1) {
		run_key_id(&run.key, id);
		assert_string_equal(id, run.id);
		assert_int_equal(store_has(s, id, &has, &err), 0);
		assert_true(has);
	}
	store_query_free(q);
	assert_int_equal(store_keep_file(s, "abcd", TEST_DIR "/schema-1.sql", &err), 0);
	store_close(s);
	assert_int_equal(number(f->file, "PRAGMA user_version"), 2);
	assert_int_equal(number(f->file, "SELECT count(*) FROM files"), 1);
}

static void test_an_old_store_is_merged(void **state)
{
	const struct folder *f = *state;
	struct store *s = must_open(f->file, STORE_WRITE);
	struct error err;
	int64_t nr;

	make_old(f->other);
	assert_int_equal(store_merge(s, f->other, &nr, &err), 0);
	assert_true(nr == 2);
	assert_string_equal(listing(s, NULL), old_runs);
	store_close(s);
	assert_int_equal(number(f->other, "PRAGMA user_version"), 1);
}

static void test_several_bring_it_up_to_date_at_once(void **state)
{
	const struct folder *f = *state;
	struct store *s = NULL;
	pid_t pids[4];
	int status;

	make_old(f->file);
	for (int i = 0; i < 4; i++) {
		pids[i] = fork();
		if (!pids[i])
			_exit(store_open(f->file, STORE_WRITE, &s, NULL) ? 1 : 0);
	}
	for (int i = 0; i < 4; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	s = must_open(f->file, STORE_READ);
	assert_string_equal(listing(s, NULL), old_runs);
	store_close(s);
}

static const struct {
	const char *name, *sql;
	int code;
	const char *text;
} refusals[] = {
	{ "newer", "PRAGMA application_id = 1668309347; PRAGMA user_version = 3", -ENOTSUP,
		"runs.db: schema 3, expected at most 2: a newer corepace wrote it" },
	{ "somebody else's", "CREATE TABLE runs (id)", -EINVAL,
		"runs.db: a database, but not of corepace's runs" },
	{ "somebody else's number", "PRAGMA application_id = 7", -EINVAL,
		"runs.db: a database, but not of corepace's runs" },
};

static void test_refusals(void **state)
{
	const struct folder *f = *state;

	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		for (int mode = STORE_READ; mode <= STORE_WRITE; mode++) {
			struct error err = { "" };
			struct store *s;

			unlink(f->file);
			sql(f->file, refusals[i].sql);
			if (store_open(f->file, (enum store_mode)mode, &s, &err) !=
					refusals[i].code ||
				!strstr(err.text, refusals[i].text))
				fail_msg("%s: '%s'", refusals[i].name, err.text);
		}
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_an_old_store_is_read_as_it_is),
		TEST(test_an_old_store_is_brought_up_to_date),
		TEST(test_an_old_store_is_merged),
		TEST(test_several_bring_it_up_to_date_at_once),
		TEST(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
