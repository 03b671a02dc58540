// SPDX-License-Identifier: GPL-2.0-or-later
/* Tasks that serve others: transactions that many wait for, and the end of a workload. */
#include "fixture.h"

enum { ASK, DONE, CLIENTS = 8, COMMIT_NS = 1000000 };

/* Takes what was asked for, commits in a millisecond, and tells as many as had asked. */
static const struct op server[] = {
	{ OP_WAIT, .target = ASK },
	{ OP_WAIT, .flags = OP_ALL, .target = ASK },
	{ OP_RUN, .ns = COMMIT_NS },
	{ OP_COUNT, .cycles = 1 },
	{ OP_SIGNAL, .flags = OP_ALL, .target = DONE },
};

static const struct op client[] = {
	{ OP_RUN, .ns = 1000 },
	{ OP_SIGNAL, .target = ASK },
	{ OP_WAIT, .target = DONE },
};

static struct run_result serve(int clients, int rounds)
{
	struct machine *m = machine_new(CLIENTS + 1);
	struct ops_workload *o = ops_new(2);
	struct run_result r;
	struct policy p;

	policy_make(&p, "poll");
	ops_add(o, server, 5, 1000000)->service = true;
	o->defs[0].allowed[0] = 1;
	for (int i = 1; i <= clients; i++)
		ops_add(o, client, 3, rounds)->allowed[0] = 1ULL << i;
	r = run_checked(m, o, &p);
	free(o);
	free(m);
	return r;
}

/* The run ends though the server would serve for ever; each client's request is a commit. */
static void test_one_client(void **state)
{
	struct run_result r = serve(1, 50);

	assert_int_equal(r.operations, 50);
	assert_in_range(r.elapsed_ns, 50 * COMMIT_NS, 52 * COMMIT_NS);
	result_release(&r);
}

/* What comes during a commit is in the next one: at most twice the commits of one client. */
static void test_group_commit(void **state)
{
	struct run_result r = serve(CLIENTS, 50);

	assert_in_range(r.operations, 50, 2 * 50 + 1);
	assert_in_range(r.elapsed_ns, 50 * COMMIT_NS, 104LL * COMMIT_NS);
	result_release(&r);
}

/* Only servers left, and they wait: over, no deadlock. Clients that wait for ever: a deadlock. */
static void test_deadlock(void **state)
{
	static const struct op waits[] = { { OP_WAIT, .target = DONE } };
	struct sim_options options = { .seed = 1 };
	struct machine *m = machine_new(2);
	struct ops_workload *o = ops_new(2);
	struct error err = { "" };
	struct run_result r;
	struct policy p;

	policy_make(&p, "poll");
	ops_add(o, server, 5, 1)->service = true;
	ops_add(o, waits, 1, 1);
	assert_int_equal(sim_run(m, &o->w, &p, &options, &r, &err), -EDEADLK);
	free(o);
	free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_client),
		cmocka_unit_test(test_group_commit),
		cmocka_unit_test(test_deadlock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
