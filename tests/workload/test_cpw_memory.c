// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory does not grow with the length of a recording: 5 million ops of 300 tasks are written and
 * read in less than 64 MB, and so are more chunks than the reader keeps. A program of its own,
 * since the peak is that of the whole process.
 */
#include "folder.h"
#include "sample.h"

#include "../cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { TASKS = 300, OPS = 5000000, PEAK_MAX_KB = 64 << 10 };

static bool under_sanitizer(void)
{
#if defined(__SANITIZE_ADDRESS__)
	return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
	return true;
#endif
#endif
	return false;
}

static long peak_kb(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static struct op any_op(struct rng *rng, int task)
{
	struct op op = { .kind = (enum op_kind)rng_below(rng, OP_EXTERNAL) };

	op.cycles = rng_below(rng, 1 << 20);
	op.ns = rng_below(rng, 1ULL << 40);
	if (op.kind == OP_WAIT || op.kind == OP_SIGNAL)
		op.target = (uint32_t)task;
	return op;
}

static void finish(struct cpw_writer *w, int nr_tasks)
{
	struct workload_task *tasks = sample_tasks(nr_tasks);
	struct workload_truth truth = { 0 };
	struct workload_env env = { 0 };
	struct error err;

	assert_int_equal(
		cpw_finish(w, tasks, nr_tasks, nr_tasks, &env, &truth, NULL, 0, "", false, &err),
		0);
	free(tasks);
}

static void assert_peak(const char *what)
{
	print_message("%s: peak %ld kB\n", what, peak_kb());
	assert_true(peak_kb() < PEAK_MAX_KB);
}

static void interleaved(void **state)
{
	struct cpw_writer *w;
	struct rng rng;
	struct error err;
	uint64_t digest;

	rng_init(&rng, 1, 1);
	assert_int_equal(cpw_create(path, &w, &err), 0);
	for (int i = 0; i < OPS; i++) {
		int task = (int)rng_below(&rng, TASKS);
		struct op op = any_op(&rng, task);

		if (cpw_add_op(w, task, &op, &err))
			fail_msg("%s", err.text);
	}
	finish(w, TASKS);
	assert_peak("written");
	if (walk(path, OPS, &digest, &err))
		fail_msg("%s", err.text);
	assert_peak("read");
}

/*
 * Task after task, so that chunks are full: all first chunks together pass the reader's bound, and
 * what is left of the tasks in the writer passes the test's.
 */
static void more_than_the_reader_keeps(void **state)
{
	enum { MANY = 2500, EACH = 4000, ROUNDS = 8 };
	struct cpw_writer *w;
	struct workload *read;
	struct error err;
	struct rng *rng = test_calloc(MANY, sizeof(*rng)), order;
	int *got = test_calloc(MANY, sizeof(*got));

	assert_int_equal(cpw_create(path, &w, &err), 0);
	for (int t = 0; t < MANY; t++) {
		rng_init(&rng[t], 2, (uint64_t)t);
		for (int i = 0; i < EACH; i++) {
			struct op op = any_op(&rng[t], t);

			if (cpw_add_op(w, t, &op, &err))
				fail_msg("%s", err.text);
		}
		rng_init(&rng[t], 2, (uint64_t)t);
	}
	finish(w, MANY);
	assert_int_equal(workload_open(path, &read, &err), 0);
	/*
	 * A part at a time: each round over the tasks reads the dropped chunks again. At random, so
	 * that the task whose chunk would be dropped next is also the one that reads.
	 */
	rng_init(&order, 3, 3);
	for (int n = 0; n < ROUNDS * MANY; n++) {
		int t = (int)rng_below(&order, MANY);

		for (int k = 0; k < EACH / ROUNDS / 2 && got[t] < EACH; k++, got[t]++) {
			struct op want = any_op(&rng[t], t), op;

			if (program_next(read, t, &op, &err) != 1 || !same_op(&op, &want))
				fail_msg("task %d op %d differs", t, got[t]);
		}
	}
	workload_free(read);
	test_free(rng);
	test_free(got);
	assert_peak("chunks dropped and read again");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interleaved),
		cmocka_unit_test(more_than_the_reader_keeps),
	};

	if (under_sanitizer()) {
		puts("skipped: a sanitizer's own memory counts in the peak");
		return 77;
	}
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
