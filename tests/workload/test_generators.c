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
		"busy:tasks=3", "idle" };

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
		{ "pipe-test:lops=1", "unknown key 'lops', expected one of pin, loops, seconds" },
		{ "pipe-test:pin=1024", "pin: '1024', expected a list of CPUs" },
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
		cmocka_unit_test(pipe_balance),
		cmocka_unit_test(pins),
		cmocka_unit_test(bad_specs),
		cmocka_unit_test(periodic_due),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
