// SPDX-License-Identifier: GPL-2.0-or-later
/* Turns: one task at a time does it for all that came, and a gate is shut meanwhile. Spinning. */
#include "fixture.h"

#include "sim/internal.h"

enum { TASKS = 4, MS = 1000000, ROUNDS = 100 };

/* All commit at once, 1 ms each: the first alone, then the other three together. */
static const struct op commit[] = {
	{ OP_WAIT, .flags = OP_TURN | OP_EACH, .target = 0, .cycles = 2 },
	{ OP_IO, .flags = OP_IOWAIT, .ns = MS },
	{ OP_SIGNAL, .flags = OP_TURN, .target = 0 },
	{ OP_COUNT, .cycles = 1 },
};

static uint64_t requests(const struct op *ops, int nr, int tasks, int times, int64_t *ret_ns)
{
	struct machine *m = machine_new(4);
	struct ops_workload *o = ops_new(1);
	struct run_result r;
	struct policy p;
	uint64_t n;

	policy_make(&p, "poll");
	for (int i = 0; i < tasks; i++)
		ops_add(o, ops, nr, times);
	r = run_checked(m, o, &p);
	assert_int_equal(r.operations, tasks * times);
	n = r.counters.io_requests;
	*ret_ns = (int64_t)r.elapsed_ns;
	result_release(&r);
	free(o);
	free(m);
	return n;
}

static void test_shared(void **state)
{
	int64_t ns;

	assert_int_equal(requests(commit, ARRAY_LEN(commit), 1, ROUNDS, &ns), ROUNDS);
	assert_in_range(ns, ROUNDS * MS, ROUNDS * MS * 11 / 10);
	assert_int_equal(requests(commit, ARRAY_LEN(commit), TASKS, 1, &ns), 2);
	assert_in_range(ns, 2 * MS, 2 * MS + MS / 10);
	/* From then on those that were woken come while one writes: every round is shared. */
	assert_in_range(requests(commit, ARRAY_LEN(commit), TASKS, ROUNDS, &ns), ROUNDS,
		ROUNDS * TASKS / 2);
}

/* Time for each that shares: 1 ms, then 3 ms. */
static void test_each(void **state)
{
	struct op ops[ARRAY_LEN(commit)];
	int64_t ns;

	memcpy(ops, commit, sizeof(ops));
	ops[1] = (struct op){ OP_RUN, .flags = OP_EACH, .cycles = MS };
	requests(ops, ARRAY_LEN(ops), TASKS, 1, &ns);
	assert_in_range(ns, 4 * MS, 4 * MS + MS / 5);
}

/* Who only passes waits for the end of a turn, and takes none. */
static void test_gate(void **state)
{
	static const struct op holder[] = {
		{ OP_WAIT, .flags = OP_TURN, .target = 0, .cycles = 2 },
		{ OP_RUN, .cycles = 5 * MS },
		{ OP_SIGNAL, .flags = OP_TURN, .target = 0 },
	};
	static const struct op passer[] = {
		{ OP_RUN, .cycles = MS },
		{ OP_WAIT, .flags = OP_TURN | OP_ALL, .target = 0 },
		{ OP_RUN, .cycles = 2 * MS },
		{ OP_WAIT, .flags = OP_TURN | OP_ALL, .target = 0 },
	};
	struct machine *m = machine_new(4);
	struct ops_workload *o = ops_new(1);
	struct run_result r;
	struct policy p;

	policy_make(&p, "poll");
	ops_add(o, holder, ARRAY_LEN(holder), 1);
	for (int i = 0; i < 3; i++)
		ops_add(o, passer, ARRAY_LEN(passer), 1);
	r = run_checked(m, o, &p);
	assert_in_range(r.elapsed_ns, 7 * MS, 7 * MS + MS / 10);
	result_release(&r);
	free(o);
	free(m);
}

/* Spins to a moment, whatever came between; a moment that has passed takes no time. */
static void test_until(void **state)
{
	static const struct op ops[] = {
		{ OP_RUN, .cycles = MS },
		{ OP_RUN, .flags = OP_UNTIL, .ns = 3 * MS },
		{ OP_RUN, .flags = OP_UNTIL, .ns = 2 * MS },
		{ OP_COUNT, .cycles = 1 },
	};
	int64_t ns;

	requests(ops, ARRAY_LEN(ops), 1, 1, &ns);
	assert_in_range(ns, 3 * MS, 3 * MS + MS / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_each),
		cmocka_unit_test(test_gate),
		cmocka_unit_test(test_until),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
