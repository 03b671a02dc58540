// SPDX-License-Identifier: GPL-2.0-or-later
/* Generated programs: the same for the same (seed, task), and of the shape that is documented. */
#include "workload/workload.h"

#include "base/units.h"

#include "../cmocka_all.h"

#include <string.h>

static struct workload *open_ok(const char *spec)
{
	struct workload *w;
	struct error err;

	if (workload_open(spec, &w, &err))
		fail_msg("%s: %s", spec, err.text);
	return w;
}

static void deterministic(void **state)
{
	enum { OPS = 2000 };
	static const char *const specs[] = { "pipe-test", "periodic:tasks=7,jitter_us=300",
		"busy:tasks=3", "idle", "kernbench:jobs=3", "kernbench:suite=1",
		"sqlite-insert:fs=xfs", "dbench4:clients=3", "gpu-frame-loop", "nas-omp",
		"nas-mpi:kernel=ep.C", "kernel-compile-noop", "x264", "gitsource",
		"specpower:threads=3", "server-tdp:threads=2,io_threads=2", "idle-desktop" };

	for (size_t i = 0; i < ARRAY_LEN(specs); i++) {
		struct workload *a = open_ok(specs[i]), *b = open_ok(specs[i]);
		struct error err;

		workload_rewind(a, 42, &err);
		workload_rewind(b, 42, &err);
		/* a task by task, b interleaved after a detour. */
		for (int k = 0; k < 100; k++) {
			struct op op;

			program_next(b, 0, &op, &err);
		}
		workload_rewind(b, 42, &err);
		for (int n = 0; n < OPS; n++)
			for (int t = 0; t < a->nr_tasks; t++) {
				struct op x = { 0 }, y = { 0 };
				int p = program_next(a, t, &x, &err);
				int q = program_next(b, t, &y, &err);

				if (p != q || memcmp(&x, &y, sizeof(x)))
					fail_msg("%s: task %d op %d differs", specs[i], t, n);
			}
		workload_free(a);
		workload_free(b);
	}
}

/* Every number of jobs does the same work, and all of its tasks come to their end. */
static void kernbench_work(void **state)
{
	static const char *const specs[] = { "kernbench:jobs=1,scale=0.1,spread_permille=0",
		"kernbench:jobs=2,scale=0.1,spread_permille=0",
		"kernbench:jobs=8,scale=0.1,spread_permille=0",
		"kernbench:jobs=30,scale=0.01,spread_permille=0" };
	static const int nr_files[] = { 180, 180, 184, 30 };
	static const double share[] = { 1, 1, 1, 0.1 };
	uint64_t user[ARRAY_LEN(specs)] = { 0 }, files[ARRAY_LEN(specs)] = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(specs); i++) {
		struct workload *w = open_ok(specs[i]);
		struct error err;
		struct op op;

		workload_rewind(w, 1, &err);
		for (int t = 0; t < w->nr_tasks; t++) {
			while (program_next(w, t, &op, &err) > 0) {
				if (op.kind == OP_RUN && !(op.flags & OP_SYSTEM))
					user[i] += op.cycles;
				if (op.kind == OP_COUNT)
					files[i] += op.cycles;
			}
			assert_int_equal(op.kind, OP_EXIT);
		}
		assert_int_equal(files[i], nr_files[i]);
		/* A tenth of 612 s at 3 GHz, in whatever number of files. */
		assert_true((double)user[i] > 183.6e9 * share[i] * 0.995);
		assert_true((double)user[i] < 183.6e9 * share[i] * 1.005);
		workload_free(w);
	}
}

static void seeds_differ(void **state)
{
	struct workload *a = open_ok("pipe-test"), *b = open_ok("pipe-test");
	bool differ = false;
	struct error err;

	workload_rewind(a, 1, &err);
	workload_rewind(b, 2, &err);
	for (int n = 0; n < 100; n++) {
		struct op x, y;

		program_next(a, 0, &x, &err);
		program_next(b, 0, &y, &err);
		differ |= x.cycles != y.cycles;
	}
	assert_true(differ);
	workload_free(a);
	workload_free(b);
}

/* Tokens put into each channel equal those taken, and the loops asked for are counted. */
static void pipe_balance(void **state)
{
	struct workload *w = open_ok("pipe-test:loops=1000");
	uint64_t count = 0, runs = 0;
	int tokens[2] = { 0 };
	struct error err;

	for (int t = 0; t < 2; t++) {
		enum op_kind last = OP_KINDS;
		struct op op;

		while (program_next(w, t, &op, &err) == 1) {
			last = op.kind;
			if (op.kind == OP_SIGNAL)
				tokens[op.target]++;
			if (op.kind == OP_WAIT)
				tokens[op.target]--;
			if (op.kind == OP_COUNT)
				count += op.cycles;
			runs += op.kind == OP_RUN;
		}
		assert_int_equal(last, OP_EXIT);
	}
	assert_int_equal(tokens[0], 0);
	assert_int_equal(tokens[1], 0);
	assert_int_equal(count, 1000);
	assert_int_equal(runs, 4000);
	assert_int_equal(w->duration_ns, 0);
	assert_int_equal(w->metrics[1].per_op, 2);
	workload_free(w);
}

/* Ops of a kind on a target in the first nr ops of a task. */
static int count_ops(struct workload *w, int task, int nr, enum op_kind kind, uint32_t target)
{
	struct error err;
	struct op op;
	int n = 0;

	for (int i = 0; i < nr && program_next(w, task, &op, &err) == 1; i++)
		n += op.kind == kind && op.target == target;
	return n;
}

/* A transaction: two writes of data and a flush by the task, one log write by the journal. */
static void sqlite_transaction(void **state)
{
	enum { OPS = 14, ROUNDS = 100 };
	struct workload *w = open_ok("sqlite-insert:transactions=100");

	assert_int_equal(w->nr_tasks, 2);
	assert_true(w->tasks[1].service && w->tasks[1].kernel && !w->tasks[1].follows_waker);
	assert_int_equal(count_ops(w, 0, OPS * ROUNDS, OP_IO, IO_DISK), 3 * ROUNDS);
	workload_rewind(w, 1, NULL);
	assert_int_equal(count_ops(w, 0, OPS * ROUNDS, OP_SIGNAL, 0), ROUNDS);
	workload_rewind(w, 1, NULL);
	assert_int_equal(count_ops(w, 0, 100000, OP_COUNT, 0), ROUNDS);
	assert_int_equal(count_ops(w, 1, 10 * ROUNDS, OP_IO, IO_DISK), 3 * ROUNDS);
	workload_free(w);
	w = open_ok("sqlite-insert:fs=xfs");
	assert_true(w->tasks[1].follows_waker);
	assert_int_equal(count_ops(w, 1, 7 * ROUNDS, OP_IO, IO_DISK), 2 * ROUNDS);
	workload_free(w);
}

static void dbench4_load(void **state)
{
	struct workload *w = open_ok("dbench4:clients=2,loads=10,flushes=7");

	assert_int_equal(w->nr_tasks, 3);
	for (int t = 0; t < 2; t++) {
		workload_rewind(w, 1, NULL);
		assert_int_equal(count_ops(w, t, 100000, OP_SIGNAL, 0), 70);
		workload_rewind(w, 1, NULL);
		assert_int_equal(count_ops(w, t, 100000, OP_LATENCY, 0), 20);
		workload_rewind(w, 1, NULL);
		assert_int_equal(count_ops(w, t, 100000, OP_COUNT, 0), 10);
	}
	workload_free(w);
}

/* As many batches are handed over as are waited for, but the last two. */
static void gpu_batches(void **state)
{
	struct workload *w = open_ok("gpu-frame-loop:frames=10,batches=3");
	int handed = 0, waited = 0;

	for (uint32_t place = 0; place < 2; place++) {
		workload_rewind(w, 1, NULL);
		handed += count_ops(w, 0, 1000, OP_SIGNAL, place);
		workload_rewind(w, 1, NULL);
		waited += count_ops(w, 0, 1000, OP_WAIT, 2 + place);
		assert_int_equal(count_ops(w, 1 + (int)place, 300, OP_IO, IO_GPU), 100);
	}
	assert_int_equal(handed, 30);
	assert_int_equal(waited, 28);
	workload_rewind(w, 1, NULL);
	assert_int_equal(count_ops(w, 0, 1000, OP_COUNT, 0), 10);
	workload_free(w);
}

static void pins(void **state)
{
	static const struct {
		const char *spec;
		uint64_t allowed[2];
		int first_cpu[2];
	} rows[] = {
		{ "pipe-test", { 0, 0 }, { -1, -1 } },
		{ "pipe-test:pin=none", { 0, 0 }, { -1, -1 } },
		{ "pipe-test:pin=same", { 1, 1 }, { 0, 0 } },
		{ "pipe-test:pin=2cores", { 1, 2 }, { 0, 1 } },
		{ "pipe-test:pin=3", { 8, 8 }, { 3, 3 } },
		{ "pipe-test:pin=1-3,5,seconds=2", { 0x2e, 0x2e }, { 1, 1 } },
		{ "busy:tasks=2,pin=63", { 1ULL << 63, 1ULL << 63 }, { 63, 63 } },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct workload *w = open_ok(rows[i].spec);

		for (int t = 0; t < 2; t++)
			if (w->tasks[t].allowed[0] != rows[i].allowed[t] ||
				w->tasks[t].first_cpu != rows[i].first_cpu[t])
				fail_msg("%s: task %d", rows[i].spec, t);
		workload_free(w);
	}
}

static void bad_specs(void **state)
{
	static const struct {
		const char *spec, *text;
	} rows[] = {
		{ "no-such", "expected a .cpw file or one of busy, " },
		{ "pipe-test:loops=0", "loops: '0', expected a number from 1" },
		{ "pipe-test:loops=x", "loops: 'x'" },
		{ "pipe-test:lops=1", "unknown key 'lops', expected one of pin, scale, loops, " },
		{ "pipe-test:pin=1024", "pin: '1024', expected a list of CPUs" },
		{ "dbench4:fs=zfs", "fs: 'zfs', expected one of ext4, xfs" },
		{ "dbench4:fs=", "fs: '', expected one of ext4, xfs" },
		{ "dbench4:clients=0", "clients: '0', expected a number from 1 to 4095" },
		{ "pipe-test:scale=0", "scale: '0', expected a share from 1e-09 to 1" },
		{ "pipe-test:scale=1.1", "scale: '1.1', expected a share" },
		{ "pipe-test:scale=", "scale: '', expected a share" },
		{ "pipe-test:scale=1e-3", "scale: '1e-3', expected a share" },
		{ "pipe-test:scale=-0.5", "scale: '-0.5', expected a share" },
		{ "pipe-test:scale=0.1.1", "scale: '0.1.1', expected a share" },
		{ "pipe-test:pin=3-1", "pin: '3-1'" },
		{ "pipe-test:pin=", "pin: ''" },
		{ "periodic:tasks=5000", "tasks: '5000', expected a number from 1 to 4096" },
		{ "/nonexistent.cpw", "/nonexistent.cpw: No such file" },
		{ "/dev/zero", "/dev/zero: not a regular file" },
		{ "/", "/: not a regular file" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct workload *w = NULL;
		struct error err;

		if (!workload_open(rows[i].spec, &w, &err))
			fail_msg("%s: opened", rows[i].spec);
		if (w || !strstr(err.text, rows[i].text))
			fail_msg("%s: '%s', expected '%s'", rows[i].spec, err.text, rows[i].text);
	}
}

/* What is left of the work, and which share of it that is. */
static void scales(void **state)
{
	static const struct {
		const char *spec;
		double scale;
		uint64_t duration_ns;
	} rows[] = {
		{ "pipe-test:loops=1000", 1, 0 },
		{ "pipe-test:loops=1000,scale=1", 1, 0 },
		{ "pipe-test:loops=1000,scale=1.000", 1, 0 },
		{ "pipe-test:loops=1000,scale=0.02", 0.02, 0 },
		{ "pipe-test:loops=1000,scale=.0004", 0.001, 0 }, /* one loop at least */
		{ "pipe-test:loops=20000000", 0.0125, 0 },
		{ "pipe-test:loops=20000000,scale=1", 1, 0 },
		{ "pipe-test:seconds=100", 0.01, 1000000000 },
		{ "idle:seconds=3,scale=0.5", 0.5, 1500000000 },
		{ "busy:bursts=7,scale=0.5", 4 / 7.0, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct workload *w = open_ok(rows[i].spec);

		if (w->scale != rows[i].scale || w->duration_ns != rows[i].duration_ns)
			fail_msg("%s: %g, %llu ns", rows[i].spec, w->scale,
				(unsigned long long)w->duration_ns);
		workload_free(w);
	}
}

/* Jobs fall due in the order and at the distance that the keys say. */
static void periodic_due(void **state)
{
	struct workload *w = open_ok("periodic:tasks=4,period_us=1000,run_us=100,periods=50");
	struct error err;

	for (int t = 0; t < 4; t++) {
		int jobs = 0;
		struct op op;

		while (program_next(w, t, &op, &err) == 1) {
			if (op.kind == OP_SLEEP_UNTIL)
				assert_int_equal(op.ns, (jobs + 1) * 1000000 + t * 250000);
			if (op.kind == OP_RUN)
				assert_int_equal(op.cycles, 200000);
			jobs += op.kind == OP_COUNT;
		}
		assert_int_equal(jobs, 50);
	}
	workload_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deterministic),
		cmocka_unit_test(seeds_differ),
		cmocka_unit_test(kernbench_work),
		cmocka_unit_test(pipe_balance),
		cmocka_unit_test(sqlite_transaction),
		cmocka_unit_test(dbench4_load),
		cmocka_unit_test(gpu_batches),
		cmocka_unit_test(pins),
		cmocka_unit_test(scales),
		cmocka_unit_test(bad_specs),
		cmocka_unit_test(periodic_due),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
