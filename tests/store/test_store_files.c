// SPDX-License-Identifier: GPL-2.0-or-later
#include "fixture.h"

static void write_file(const char *path, const char *text, size_t size)
{
	FILE *f = fopen(path, "w");

	assert_int_equal(fwrite(text, 1, size, f), size);
	fclose(f);
}

/* What a store holds under a hash; "-" for nothing. To be freed. */
static char *kept(struct store *s, const char *hash)
{
	char *name, *content;
	struct error err;
	size_t size;

	if (store_file(s, hash, &name, &content, &size, &err))
		return strdup("-");
	free(name);
	return content;
}

static void assert_kept(struct store *s, const char *hash, const char *expected)
{
	char *content = kept(s, hash);

	assert_string_equal(content, expected);
	free(content);
}

static void test_kept_by_hash(void **state)
{
	const struct folder *f = *state;
	struct store *s = must_open(f->file, STORE_WRITE);
	char *name, *content;
	struct error err;
	size_t size;

	write_file(f->other, "tick: 4\0!", 9);
	assert_int_equal(store_keep_file(s, "a1b2c3", f->other, &err), 0);
	assert_int_equal(store_file(s, "a1b2", &name, &content, &size, &err), 0);
	assert_int_equal(size, 9);
	assert_memory_equal(content, "tick: 4\0!", 10);
	assert_string_equal(name, "other.db");
	free(name);
	free(content);
	assert_kept(s, "a1b3", "-");
	/* What is there is not read again. */
	unlink(f->other);
	assert_int_equal(store_keep_file(s, "a1b2c3", f->other, &err), 0);
	assert_int_equal(store_keep_file(s, "dd", f->other, &err), -ENOENT);
	store_close(s);
}

static void test_too_large_is_left_out(void **state)
{
	const struct folder *f = *state;
	struct store *s = must_open(f->file, STORE_WRITE);
	char *large = malloc(STORE_FILE_MAX + 1);
	struct error err;

	memset(large, 'x', STORE_FILE_MAX + 1);
	write_file(f->other, large, STORE_FILE_MAX + 1);
	assert_int_equal(store_keep_file(s, "aa", f->other, &err), 0);
	assert_kept(s, "aa", "-");
	write_file(f->other, large, STORE_FILE_MAX);
	assert_int_equal(store_keep_file(s, "aa", f->other, &err), 0);
	large[STORE_FILE_MAX] = 0;
	assert_kept(s, "aa", large);
	free(large);
	store_close(s);
}

/* They go with the last run that names them, and come along in a merge. */
static void test_go_and_come_with_runs(void **state)
{
	const struct folder *f = *state;
	struct store *s = must_open(f->file, STORE_WRITE), *t;
	struct store_filter filter = { 0 };
	struct stored_run runs[] = { make_run("p", 1), make_run("q", 1) };
	char path[100];
	struct error err;
	int64_t nr;

	snprintf(path, sizeof(path), "%s/file", f->path);
	write_file(path, "text", 4);
	runs[1].key.machine_hash = "b2";
	runs[1].key.preset_hash = "c3";
	for (int i = 0; i < 2; i++)
		must_put(s, &runs[i]);
	assert_int_equal(store_keep_file(s, "a1", path, &err), 0);
	assert_int_equal(store_keep_file(s, "b2", path, &err), 0);
	assert_int_equal(store_keep_file(s, "c3", path, &err), 0);

	t = must_open(f->other, STORE_WRITE);
	assert_int_equal(store_merge(t, f->file, &nr, &err), 0);
	assert_kept(t, "c3", "text");
	store_close(t);

	store_filter_add(&filter, STORE_POLICY, "q", &err);
	assert_int_equal(store_delete(s, &filter, &nr, &err), 0);
	assert_true(nr == 1);
	assert_kept(s, "a1", "text");
	assert_kept(s, "b2", "-");
	assert_kept(s, "c3", "-");
	store_close(s);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_kept_by_hash),
		TEST(test_too_large_is_left_out),
		TEST(test_go_and_come_with_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
