// SPDX-License-Identifier: GPL-2.0-or-later
#include "fixture.h"

#include <pthread.h>
#include <sys/wait.h>

static void test_gives_back_what_was_put(void **state)
{
	const struct folder *f = *state;
	struct store *s = must_open(f->file, STORE_WRITE);
	struct stored_run run = make_run("performance:idle=poll", 9223372036854775807ULL), back;
	struct store_query *q;
	char id[STORE_ID_SIZE];
	struct error err;

	run.key.workload_hash = "b2";
	run.key.preset_hash = "c3";
	run.key.plugin_hash = "d4 e5";
	run.key.scaling = "none";
	run.iteration = 3;
	run.rank = 1LL << 40;
	must_put(s, &run);
	store_close(s);

	s = must_open(f->file, STORE_READ);
	assert_int_equal(store_query(s, NULL, &q, &err), 0);
	assert_int_equal(store_next(q, &back, &err), 1);
	run_key_id(&run.key, id);
	assert_string_equal(back.id, id);
	run_key_id(&back.key, id);
	assert_string_equal(back.id, id);
	assert_string_equal(back.version, "0.1.0");
	assert_string_equal(back.key.plugin_hash, "d4 e5");
	assert_string_equal(back.key.scaling, "none");
	assert_true(back.key.seed == run.key.seed);
	assert_int_equal(back.iteration, 3);
	assert_true(back.rank == run.rank);
	assert_string_equal(back.result, run.result);
	assert_int_equal(store_next(q, &back, &err), 0);
	store_query_free(q);
	store_close(s);
}

/* Each field of the key makes another run; version, iteration and rank do not. */
static void test_identity(void **state)
{
	struct stored_run base = make_run("p", 1), run;
	char ids[12][STORE_ID_SIZE];
	const char **texts[] = { &run.key.code, &run.key.machine, &run.key.workload,
		&run.key.policy, &run.key.machine_hash, &run.key.workload_hash,
		&run.key.preset_hash, &run.key.plugin_hash, &run.key.scaling };
	int nr = 0;

	run_key_id(&base.key, ids[nr++]);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		run = base;
		*texts[i] = "other";
		run_key_id(&run.key, ids[nr++]);
	}
	run = base;
	run.key.seed++;
	run_key_id(&run.key, ids[nr++]);
	for (int i = 0; i < nr; i++)
		for (int k = 0; k < i; k++)
			assert_string_not_equal(ids[i], ids[k]);
	/* What moves from one field to the next is no accident of putting them together. */
	run = base;
	run.key.preset_hash = "x";
	run_key_id(&run.key, ids[0]);
	run.key.preset_hash = "";
	run.key.plugin_hash = "x";
	run_key_id(&run.key, ids[1]);
	assert_string_not_equal(ids[0], ids[1]);
}

static void test_what_is_there_stays(void **state)
{
	const struct folder *f = *state;
	struct store *s = must_open(f->file, STORE_WRITE);
	struct stored_run run = make_run("p", 1), back;
	char id[STORE_ID_SIZE];
	struct store_query *q;
	struct error err;
	bool has;

	run_key_id(&run.key, id);
	assert_int_equal(store_has(s, id, &has, &err), 0);
	assert_false(has);
	must_put(s, &run);
	assert_int_equal(store_has(s, id, &has, &err), 0);
	assert_true(has);
	run.result = "{}";
	for (int replace = 0; replace < 2; replace++) {
		assert_int_equal(store_put(s, &run, replace, &err), 0);
		assert_int_equal(store_query(s, NULL, &q, &err), 0);
		assert_int_equal(store_next(q, &back, &err), 1);
		assert_int_equal(strcmp(back.result, "{}") == 0, replace);
		assert_int_equal(store_next(q, &back, &err), 0);
		store_query_free(q);
	}
	store_close(s);
}

struct term {
	enum store_field field;
	const char *value;
};

static const struct {
	const char *name;
	struct term terms[4];
	const char *expected;
} filters[] = {
	{ "none", { { 0, NULL } }, "base/1 base/2 a=[x],b=*/1 perf/1 " },
	{ "exact, with signs of patterns", { { STORE_POLICY, "a=[x],b=*" } }, "a=[x],b=*/1 " },
	{ "pattern", { { STORE_POLICY, "*as*" } }, "base/1 base/2 " },
	{ "seed", { { STORE_SEED, "1" } }, "base/1 a=[x],b=*/1 perf/1 " },
	{ "two fields", { { STORE_SEED, "2" }, { STORE_POLICY, "base" } }, "base/2 " },
	{ "two values, in their order", { { STORE_POLICY, "perf" }, { STORE_POLICY, "base" } },
		"perf/1 base/1 base/2 " },
	{ "overlapping values", { { STORE_POLICY, "p*" }, { STORE_POLICY, "*" } },
		"perf/1 base/1 base/2 a=[x],b=*/1 " },
	{ "machine", { { STORE_MACHINE, "m5" } }, "" },
	{ "workload", { { STORE_WORKLOAD, "pipe*" }, { STORE_SEED, "2" } }, "base/2 " },
	{ "scaling", { { STORE_SCALING, "all" } }, "" },
	{ "version", { { STORE_VERSION, "0.1.0" }, { STORE_SEED, "2" } }, "base/2 " },
	{ "code", { { STORE_VERSION, "c0" }, { STORE_SEED, "2" } }, "base/2 " },
	{ "SQL", { { STORE_POLICY, "x' OR 1 OR '" } }, "" },
};

static void test_filters(void **state)
{
	const struct folder *f = *state;
	struct store *s = must_open(f->file, STORE_WRITE);
	struct stored_run runs[] = { make_run("perf", 1), make_run("base", 2), make_run("base", 1),
		make_run("a=[x],b=*", 1) };
	const int64_t ranks[] = { 9, 1, 0, 2 };
	struct store_filter *filter;
	struct error err;
	int64_t nr;

	for (int i = 0; i < 4; i++) {
		runs[i].rank = ranks[i];
		must_put(s, &runs[i]);
	}
	filter = malloc(sizeof(*filter));
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		const char *got;
		int64_t expected = 0;

		filter->nr = 0;
		for (const struct term *t = filters[i].terms; t->value; t++)
			assert_int_equal(store_filter_add(filter, t->field, t->value, &err), 0);
		got = listing(s, filter);
		if (strcmp(got, filters[i].expected))
			fail_msg("%s: '%s', expected '%s'", filters[i].name, got,
				filters[i].expected);
		for (const char *p = got; *p; p++)
			expected += *p == ' ';
		assert_int_equal(store_count(s, filter, &nr, &err), 0);
		assert_true(nr == expected);
	}
	free(filter);
	store_close(s);
}

static void test_ids_by_their_first_digits(void **state)
{
	const struct folder *f = *state;
	struct store *s = must_open(f->file, STORE_WRITE);
	struct stored_run runs[] = { make_run("a", 1), make_run("b", 1) };
	struct store_filter filter = { 0 };
	char ids[2][STORE_ID_SIZE];
	struct error err;
	int64_t nr;

	for (int i = 0; i < 2; i++) {
		run_key_id(&runs[i].key, ids[i]);
		must_put(s, &runs[i]);
	}
	ids[1][10] = 0;
	store_filter_add(&filter, STORE_ID, ids[1], &err);
	assert_string_equal(listing(s, &filter), "b/1 ");
	store_filter_add(&filter, STORE_ID, ids[0], &err);
	assert_string_equal(listing(s, &filter), "b/1 a/1 ");
	filter.nr = 1;
	assert_int_equal(store_delete(s, &filter, &nr, &err), 0);
	assert_true(nr == 1);
	assert_string_equal(listing(s, NULL), "a/1 ");
	while (filter.nr < STORE_TERMS_MAX)
		assert_int_equal(store_filter_add(&filter, STORE_ID, "1", &err), 0);
	assert_int_equal(store_filter_add(&filter, STORE_ID, "1", &err), -E2BIG);
	assert_string_equal(listing(s, &filter), "");
	store_close(s);
}

static void test_merge(void **state)
{
	const struct folder *f = *state;
	struct store *a = must_open(f->file, STORE_WRITE);
	struct store *b = must_open(f->other, STORE_WRITE);
	struct stored_run run = make_run("p", 1);
	struct error err = { "" };
	int64_t nr;

	must_put(a, &run);
	must_put(b, &run);
	run = make_run("q", 1);
	must_put(b, &run);
	assert_int_equal(store_merge(a, f->other, &nr, &err), 0);
	assert_true(nr == 1);
	assert_int_equal(store_merge(a, f->other, &nr, &err), 0);
	assert_true(nr == 0);
	/* Another result for the same run: nothing is merged. */
	run = make_run("0", 1);
	must_put(b, &run);
	run = make_run("p", 1);
	run.result = "{}";
	assert_int_equal(store_put(b, &run, true, &err), 0);
	assert_int_equal(store_merge(a, f->other, &nr, &err), -EEXIST);
	assert_non_null(strstr(err.text, "other.db: run "));
	assert_int_equal(store_count(a, NULL, &nr, &err), 0);
	assert_true(nr == 2);
	/* And the store can still be written. */
	run = make_run("r", 1);
	must_put(a, &run);
	store_close(a);
	store_close(b);
}

/* What was begun and not committed is not there, neither is it in the way. */
static void test_all_or_nothing(void **state)
{
	const struct folder *f = *state;
	struct store *s = must_open(f->file, STORE_WRITE);
	struct stored_run run = make_run("p", 1);
	struct error err;

	assert_int_equal(store_begin(s, &err), 0);
	must_put(s, &run);
	store_close(s);
	s = must_open(f->file, STORE_WRITE);
	assert_string_equal(listing(s, NULL), "");
	must_put(s, &run);
	store_close(s);
}

enum { WRITERS = 4, RUNS_EACH = 50 };

/* All open the store at once, so that they also make it at once. */
static int write_many(const char *path, int writer)
{
	struct store *s;
	struct error err;

	if (store_open(path, STORE_WRITE, &s, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	for (int i = 0; i < RUNS_EACH; i++) {
		/* Half of them are the same in every process. */
		struct stored_run run = make_run("p", (uint64_t)(i % 2 ? i : writer * 1000 + i));

		if (store_put(s, &run, false, &err)) {
			fprintf(stderr, "%s\n", err.text);
			return 1;
		}
	}
	store_close(s);
	return 0;
}

static void test_processes_at_once(void **state)
{
	const struct folder *f = *state;
	pid_t pids[WRITERS];
	struct store *s;
	struct error err;
	int64_t nr;

	for (int i = 0; i < WRITERS; i++) {
		pids[i] = fork();
		if (!pids[i])
			_exit(write_many(f->file, i));
	}
	for (int i = 0; i < WRITERS; i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	s = must_open(f->file, STORE_READ);
	assert_int_equal(store_count(s, NULL, &nr, &err), 0);
	assert_true(nr == RUNS_EACH / 2 + WRITERS * RUNS_EACH / 2);
	store_close(s);
}

static void test_commands(void **state)
{
	static const struct {
		const char *policy, *scaling, *expected;
	} rows[] = {
		{ "perf:idle=menu@6.1", "known",
			"corepace run -m m4 -w pipe-test -p perf:idle=menu@6.1 --seed 7" },
		{ "idle=./a b.so", "none",
			"corepace run -m m4 -w pipe-test -p 'idle=./a b.so' --seed 7 --scaling "
			"none" },
		{ "idle=./it's;x.so", "all",
			"corepace run -m m4 -w pipe-test -p 'idle=./it'\\''s;x.so' --seed 7 "
			"--scaling all" },
		{ "", "known", "corepace run -m m4 -w pipe-test -p '' --seed 7" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct stored_run run = make_run(rows[i].policy, 7);
		char *command;

		run.key.scaling = rows[i].scaling;
		command = stored_run_command(&run);
		assert_string_equal(command, rows[i].expected);
		free(command);
	}
}

/* RFC 6234's test vector, and what sha256sum says. */
static void test_hashes(void **state)
{
	const struct folder *f = *state;
	char hash[HASH_SIZE];
	struct error err;
	FILE *file = fopen(f->file, "w");

	fputs("abc", file);
	fclose(file);
	assert_int_equal(hash_file(f->file, hash, &err), 0);
	assert_string_equal(
		hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	assert_int_equal(hash_file(f->other, hash, &err), -ENOENT);
	assert_non_null(strstr(err.text, "other.db: No such file"));
	assert_int_equal(hash_file(f->path, hash, &err), -EISDIR);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_gives_back_what_was_put),
		TEST(test_identity),
		TEST(test_what_is_there_stays),
		TEST(test_filters),
		TEST(test_ids_by_their_first_digits),
		TEST(test_merge),
		TEST(test_all_or_nothing),
		TEST(test_processes_at_once),
		TEST(test_commands),
		TEST(test_hashes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
