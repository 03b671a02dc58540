// SPDX-License-Identifier: GPL-2.0-or-later
/* Generators of computing: the work is the one that is stated, and no token is left over or
 * missing. */
#include "workload/workload.h"

#include "base/units.h"

#include "../cmocka_all.h"

#include <stdlib.h>
#include <string.h>

enum { CHANNELS_MAX = 4096, OPS_MAX = 20000000 };

/* What all programs of a workload come to when each is read to its end. */
struct total {
	uint64_t cycles, memory_ns, count, runs, system_cycles;
	int64_t left[CHANNELS_MAX]; /* tokens */
	int exited;
};

static void add_op(struct total *t, const struct op *op)
{
	switch (op->kind) {
	case OP_RUN:
		t->cycles += op->cycles;
		t->system_cycles += op->flags & OP_SYSTEM ? op->cycles : 0;
		t->memory_ns += op->ns;
		t->runs++;
		break;
	case OP_COUNT:
		t->count += op->cycles;
		break;
	case OP_SIGNAL:
		t->left[op->target]++;
		break;
	case OP_WAIT:
		t->left[op->target]--;
		break;
	default:
		t->exited += op->kind == OP_EXIT;
	}
}

/* Of the tasks that have an end; services' programs are read as far as tokens for them go. */
static struct total *total(const char *spec, struct workload **ret)
{
	struct total *t = calloc(1, sizeof(*t));
	struct workload *w;
	struct error err;
	struct op op;
	bool more = true;

	if (workload_open(spec, &w, &err))
		fail_msg("%s: %s", spec, err.text);
	assert_true(w->nr_channels <= CHANNELS_MAX);
	workload_rewind(w, 1, &err);
	for (int i = 0; i < w->nr_tasks; i++)
		for (int n = 0; !w->tasks[i].service && program_next(w, i, &op, &err) == 1; n++) {
			if (n == OPS_MAX)
				fail_msg("%s: task %d has no end", spec, i);
			add_op(t, &op);
		}
	while (more) {
		more = false;
		for (int i = 0; i < w->nr_tasks; i++) {
			if (!w->tasks[i].service)
				continue;
			do {
				if (program_next(w, i, &op, &err) != 1)
					break;
				if (op.kind == OP_WAIT && t->left[op.target] <= 0) {
					/* asked for too much: put what it waits for back */
					t->left[op.target]--;
					w->tasks[i].service = false;
					break;
				}
				add_op(t, &op);
				more = true;
			} while (true);
		}
	}
	*ret = w;
	return t;
}

static void none_left(const struct total *t, const struct workload *w, int waiting)
{
	int missing = 0;

	for (int i = 0; i < w->nr_channels; i++) {
		if (t->left[i] > 0)
			fail_msg("%s: %lld tokens left in channel %d", w->text,
				(long long)t->left[i], i);
		missing -= (int)t->left[i];
	}
	assert_int_equal(missing, waiting);
}

static const struct {
	const char *spec;
	double seconds; /* of one thread at 3 GHz, in all */
	uint64_t count;
} nas[] = {
	{ "nas-omp:kernel=bt.C,scale=0.01", 13.06, 28 },
	{ "nas-omp:kernel=bt.C,scale=0.01,threads=3", 13.06, 28 },
	{ "nas-omp:kernel=bt.C,scale=0.01,threads=1", 13.06, 28 },
	{ "nas-omp:kernel=ep.C,scale=0.01", 1.43, 655 },
	{ "nas-omp:kernel=sp.C,scale=0.001", 1.56, 8 },
	{ "nas-mpi:kernel=mg.C,scale=0.1", 14.3, 90 },
	{ "nas-mpi:kernel=ep.C,scale=0.01", 1.43, 655 },
	{ "nas-mpi:kernel=cg.C,scale=0.01,threads=2", 1.85, 75 },
};

static void test_nas(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(nas); i++) {
		struct workload *w;
		struct total *t = total(nas[i].spec, &w);
		double seconds = (double)t->cycles / 3e9 + (double)t->memory_ns / 1e9;

		none_left(t, w, 0);
		assert_int_equal(t->exited, w->nr_tasks);
		if (seconds < nas[i].seconds * 0.99 || seconds > nas[i].seconds * 1.01 ||
			t->count < nas[i].count || t->count > nas[i].count + 1)
			fail_msg("%s: %.3f s, counted %llu", nas[i].spec, seconds,
				(unsigned long long)t->count);
		workload_free(w);
		free(t);
	}
}

/* Every run is done, whatever the scale, and takes the share of the work that the scale says. */
static void test_compile_noop(void **state)
{
	static const char *const specs[] = { "kernel-compile-noop:window=100,run_seconds=5,scale=1",
		"kernel-compile-noop:window=100,run_seconds=5,scale=0.1" };
	uint64_t cycles[2], commands[2];

	for (int i = 0; i < 2; i++) {
		struct workload *w;
		struct total *t = total(specs[i], &w);

		assert_int_equal(t->exited, 1);
		assert_int_equal(t->count % 9, 0);
		commands[i] = t->count;
		cycles[i] = t->cycles;
		assert_true(t->system_cycles > t->cycles / 10 && t->system_cycles < t->cycles / 4);
		workload_free(w);
		free(t);
	}
	/* 9 x 5 s at 3.8 GHz, and what is beside make */
	assert_true(cycles[0] > 162000000000 && cycles[0] < 200000000000);
	assert_true(cycles[1] > cycles[0] / 11 && cycles[1] < cycles[0] / 9);
	assert_true(commands[1] > commands[0] / 11 && commands[1] < commands[0] / 9);
}

/* Each frame but the first waits for all rows of the one before; who looks ahead is 40 ahead. */
static void test_x264(void **state)
{
	static const struct {
		const char *spec;
		uint64_t frames;
	} rows[] = { { "x264:frames=100", 100 }, { "x264:frames=1000,scale=0.1", 100 },
		{ "x264:frames=1", 1 }, { "x264:frames=30,threads=1", 30 },
		{ "x264:frames=101,threads=7", 101 } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct workload *w;
		struct total *t = total(rows[i].spec, &w);
		int64_t *through = &t->left[w->nr_channels - 1];
		double mean = (double)t->cycles / (double)rows[i].frames;

		assert_int_equal(*through, rows[i].frames < 40 ? rows[i].frames : 40);
		*through = 0;
		none_left(t, w, 0);
		assert_int_equal(t->exited, w->nr_tasks);
		assert_int_equal(t->count, rows[i].frames);
		if (rows[i].frames > 1 && (mean < 110e6 || mean > 130e6))
			fail_msg("%s: %.0f cycles a frame", rows[i].spec, mean);
		workload_free(w);
		free(t);
	}
}

static void test_gitsource(void **state)
{
	struct workload *w;
	struct total *t = total("gitsource:processes=20000,scale=0.5", &w);

	assert_int_equal(t->count, 10000);
	assert_true(w->scale == 0.5);
	none_left(t, w, 1); /* the next process */
	/* 4.25 ms each, 1.95 of them in the kernel */
	assert_true(t->cycles > 123000000000 && t->cycles < 132000000000);
	assert_true(t->system_cycles > 56000000000 && t->system_cycles < 61000000000);
	workload_free(w);
	free(t);
}

/* Batches that are due in each level: as many as the level says, and none in the last. */
static void test_specpower(void **state)
{
	enum { LEVELS = 11, THREADS = 8, SECONDS = 100 };
	struct workload *w;
	struct error err;
	int due[LEVELS + 1] = { 0 };
	struct op op;

	assert_int_equal(
		workload_open("specpower:threads=8,level_seconds=1000,scale=0.1", &w, &err), 0);
	assert_int_equal(w->nr_tasks, THREADS);
	assert_int_equal(w->duration_ns, (uint64_t)LEVELS * SECONDS * NSEC_PER_SEC);
	for (int i = 0; i < w->nr_tasks; i++)
		while (program_next(w, i, &op, &err) == 1)
			if (op.kind == OP_SLEEP_UNTIL)
				due[op.ns / (SECONDS * (uint64_t)NSEC_PER_SEC)]++;
	for (int i = 0; i < LEVELS; i++) {
		double want = THREADS * SECONDS * 100 * (LEVELS - 1 - i) / 10.0;

		if (due[i] < want * 0.97 - 20 || due[i] > want * 1.03 + 20)
			fail_msg("level %d: %d batches, expected %.0f", i, due[i], want);
	}
	assert_true(due[LEVELS] <= THREADS);
	workload_free(w);
}

/* First ops of a task. */
static void take(struct workload *w, int task, struct op *ops, int nr)
{
	struct error err;

	for (int i = 0; i < nr; i++)
		assert_int_equal(program_next(w, task, &ops[i], &err), 1);
}

static void test_server_tdp(void **state)
{
	struct workload *w;
	struct error err;
	struct op ops[6];

	assert_int_equal(workload_open("server-tdp:threads=3,io_threads=2", &w, &err), 0);
	assert_int_equal(w->nr_tasks, 5);
	take(w, 2, ops, 2);
	assert_true(ops[0].kind == OP_RUN && ops[1].kind == OP_COUNT && ops[1].cycles == 1);
	take(w, 4, ops, 6);
	for (int i = 0; i < 6; i += 3) {
		assert_true(ops[i].kind == OP_SIGNAL && ops[i].flags == OP_IOWAIT &&
			    ops[i].target == 1 && ops[i].ns > 300000 && ops[i].ns < 700000);
		assert_true(ops[i + 1].kind == OP_WAIT && ops[i + 1].flags == OP_IOWAIT &&
			    ops[i + 1].target == 1);
		assert_int_equal(ops[i + 2].kind, OP_RUN);
	}
	workload_free(w);
}

/* Some forty wake-ups a second by timers, and two frames of which one waits for an answer. */
static void test_idle_desktop(void **state)
{
	const uint64_t minute = 60 * (uint64_t)NSEC_PER_SEC;
	struct workload *w;
	struct error err;
	int wakeups = 0, answers = 0;

	assert_int_equal(workload_open("idle-desktop", &w, &err), 0);
	for (int i = 0; i < w->nr_tasks; i++)
		for (uint64_t now = 0; now < minute;) {
			struct op op;

			assert_int_equal(program_next(w, i, &op, &err), 1);
			if (op.kind == OP_SLEEP_UNTIL)
				now = op.ns;
			wakeups += op.kind == OP_SLEEP_UNTIL;
			answers += op.kind == OP_WAIT;
		}
	assert_true(wakeups > 40 * 60 && wakeups < 50 * 60);
	assert_true(answers >= 238 && answers <= 242);
	workload_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nas),
		cmocka_unit_test(test_compile_noop),
		cmocka_unit_test(test_x264),
		cmocka_unit_test(test_gitsource),
		cmocka_unit_test(test_specpower),
		cmocka_unit_test(test_server_tdp),
		cmocka_unit_test(test_idle_desktop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
