// SPDX-License-Identifier: GPL-2.0-or-later
/* Generators of tasks that exchange messages: what is sent is taken, what is done is counted. */
#include "workload/workload.h"

#include "base/units.h"

#include "../cmocka_all.h"

#include <string.h>

enum { CHANNELS = 512 };

static struct workload *open_ok(const char *spec)
{
	struct workload *w;
	struct error err;

	if (workload_open(spec, &w, &err))
		fail_msg("%s: %s", spec, err.text);
	return w;
}

/* What all programs of a workload do up to their ends. */
struct sums {
	int64_t tokens[CHANNELS]; /* sent less taken */
	uint64_t count, requests, begun, ended, latencies;
};

static void add(struct sums *s, const struct op *op)
{
	if (op->kind == OP_SIGNAL && op->flags & OP_TURN)
		s->ended++;
	else if (op->kind == OP_WAIT && op->flags & OP_TURN)
		s->begun++;
	else if (op->kind == OP_SIGNAL)
		s->tokens[op->target]++;
	else if (op->kind == OP_WAIT)
		s->tokens[op->target]--;
	else if (op->kind == OP_COUNT)
		s->count += op->cycles;
	else if (op->kind == OP_IO)
		s->requests++;
	else if (op->kind == OP_LATENCY)
		s->latencies++;
}

static void run_all(const char *spec, struct workload *w, struct sums *ret)
{
	struct error err;

	memset(ret, 0, sizeof(*ret));
	assert_in_range(w->nr_channels, 1, CHANNELS);
	workload_rewind(w, 3, &err);
	for (int t = 0; t < w->nr_tasks; t++) {
		struct op op = { 0 };

		if (w->tasks[t].service)
			continue;
		while (program_next(w, t, &op, &err) == 1) {
			if (op.kind == OP_WAIT || op.kind == OP_SIGNAL)
				assert_in_range(op.target, 0, w->nr_channels - 1);
			add(ret, &op);
		}
		if (op.kind != OP_EXIT)
			fail_msg("%s: task %d ends with op %d", spec, t, op.kind);
	}
}

static void balance(void **state)
{
	static const struct {
		const char *spec;
		int tasks;
		uint64_t count, requests, turns, latencies;
		int64_t left_even, left_odd; /* tokens of channels with even and odd numbers */
	} rows[] = {
		{ "tbench:clients=3,operations=100", 6, 300, 0, 0, 0, 0, 0 },
		{ "pgbench-rw:threads=2,transactions=50", 4, 100, 400, 100, 200, 0, 0 },
		{ "pgbench-ro:threads=3,transactions=50", 6, 150, 0, 0, 300, 0, 0 },
		{ "siege:clients=2,transactions=30", 4, 60, 0, 0, 120, 0, 0 },
		{ "fio-rand-read:jobs=2,reads=100", 2, 200, 0, 0, 0, 0, 0 },
		{ "fio-rand-read:reads=5", 1, 5, 0, 0, 0, 0, 0 },
		{ "sockperf:messages=100", 3, 100, 0, 0, 200, 0, 0 },
		{ "sockperf:mode=ping-pong,messages=100", 2, 100, 0, 0, 200, 0, 0 },
		{ "sockperf:mode=throughput,messages=100", 2, 100, 0, 0, 0, 0, 267 },
		{ "netperf:mode=udp,messages=100", 2, 100, 0, 0, 0, 0, 13 },
		{ "netperf:mode=tcp-rr,messages=100", 2, 100, 0, 0, 200, 0, 0 },
		{ "hackbench:groups=1,loops=5", 40, 2000, 0, 0, 0, 0, 640 },
		{ "hackbench:mode=thread,ipc=socket,groups=2,loops=3", 80, 2400, 0, 0, 0, 0, 270 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct workload *w = open_ok(rows[i].spec);
		struct sums s;

		run_all(rows[i].spec, w, &s);
		if (w->nr_tasks != rows[i].tasks || s.count != rows[i].count ||
			s.requests != rows[i].requests || s.begun != rows[i].turns ||
			s.ended != rows[i].turns || s.latencies != rows[i].latencies)
			fail_msg("%s: %d tasks, count %llu, requests %llu, turns %llu %llu",
				rows[i].spec, w->nr_tasks, (unsigned long long)s.count,
				(unsigned long long)s.requests, (unsigned long long)s.begun,
				(unsigned long long)s.ended);
		for (int c = 0; c < w->nr_channels; c++)
			if (s.tokens[c] != (c % 2 ? rows[i].left_odd : rows[i].left_even))
				fail_msg("%s: channel %d has %lld left", rows[i].spec, c,
					(long long)s.tokens[c]);
		workload_free(w);
	}
}

/* What is read and synced in a round, and that every sync asks for the log and waits for it. */
static void files(void **state)
{
	static const struct {
		const char *spec;
		uint64_t count, requests;
		int64_t syncs;
	} rows[] = {
		{ "tiobench:threads=2,rounds=3", 2 * 3 * 160, 2 * 3 * 20, 2 * 3 * 2 },
		{ "file-io:fs=xfs,threads=3,rounds=2", 3 * 2 * 100, 3 * 2 * 61, 3 * 2 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct workload *w = open_ok(rows[i].spec);
		struct sums s;

		run_all(rows[i].spec, w, &s);
		assert_true(w->tasks[w->nr_tasks - 1].service);
		if (s.count != rows[i].count || s.requests != rows[i].requests ||
			s.tokens[0] != rows[i].syncs || s.tokens[1] != -rows[i].syncs)
			fail_msg("%s: count %llu, requests %llu, log %lld", rows[i].spec,
				(unsigned long long)s.count, (unsigned long long)s.requests,
				(long long)s.tokens[0]);
		workload_free(w);
	}
}

/* A worker asks, its message thread wakes it; messages are due at the rate. */
static void order(void **state)
{
	struct workload *w = open_ok("schbench:message_threads=2,workers=3");
	struct op op = { 0 };

	assert_int_equal(w->nr_tasks, 8);
	for (int i = 0; op.kind != OP_SIGNAL && i < 10; i++)
		program_next(w, 7, &op, NULL);
	assert_int_equal(op.target, 1);
	program_next(w, 7, &op, NULL);
	assert_true(op.kind == OP_WAIT);
	for (int i = 0; i < 3; i++)
		program_next(w, 1, &op, NULL);
	assert_true(op.kind == OP_SIGNAL && op.target == 5);
	workload_free(w);

	w = open_ok("sockperf:rate=1000");
	for (uint64_t i = 1; i < 5; i++) {
		program_next(w, 0, &op, NULL);
		assert_true(op.kind == OP_RUN && op.flags & OP_UNTIL);
		assert_int_equal(op.ns, i * NSEC_PER_MSEC);
		program_next(w, 0, &op, NULL);
		program_next(w, 0, &op, NULL);
	}
	workload_free(w);
}

/* A turn's sharers leave out exactly what the turn's holder does, its end included. */
static void turn_skips(void **state)
{
	struct workload *w = open_ok("pgbench-rw:transactions=1");
	struct op op;
	int ops = 0;

	do
		assert_int_equal(program_next(w, 1, &op, NULL), 1);
	while (op.kind != OP_WAIT || !(op.flags & OP_TURN));
	for (uint64_t skip = op.cycles; skip; skip--) {
		assert_int_equal(program_next(w, 1, &op, NULL), 1);
		ops += op.kind == OP_IO;
	}
	assert_int_equal(ops, 4);
	assert_true(op.kind == OP_SIGNAL && op.flags & OP_TURN);
	assert_int_equal(program_next(w, 1, &op, NULL), 1);
	assert_true(op.kind == OP_SIGNAL && !(op.flags & OP_TURN));
	workload_free(w);
}

static void same_again(void **state)
{
	static const char *const specs[] = { "tbench:clients=2", "pgbench-rw:threads=2",
		"pgbench-ro:fs=xfs", "hackbench:ipc=socket", "siege:clients=2", "tiobench",
		"file-io:threads=2", "fio-rand-read:jobs=2", "sockperf", "netperf", "schbench" };

	for (size_t i = 0; i < ARRAY_LEN(specs); i++) {
		struct workload *a = open_ok(specs[i]), *b = open_ok(specs[i]);

		workload_rewind(a, 7, NULL);
		for (int n = 0; n < 50; n++) {
			struct op op;

			program_next(b, 0, &op, NULL);
		}
		workload_rewind(b, 7, NULL);
		for (int n = 0; n < 2000; n++)
			for (int t = 0; t < a->nr_tasks; t++) {
				struct op x = { 0 }, y = { 0 };
				int p = program_next(a, t, &x, NULL);

				if (p != program_next(b, t, &y, NULL) || memcmp(&x, &y, sizeof(x)))
					fail_msg("%s: task %d op %d differs", specs[i], t, n);
			}
		workload_free(a);
		workload_free(b);
	}
}

static void bad_keys(void **state)
{
	static const struct {
		const char *spec, *text;
	} rows[] = {
		{ "tbench:clients=0", "clients: '0', expected a number from 1" },
		{ "tbench:client=1", "unknown key 'client', expected one of" },
		{ "pgbench-rw:fs=zfs", "fs: 'zfs', expected one of ext4, xfs" },
		{ "pgbench-ro:threads=x", "threads: 'x', expected a number" },
		{ "hackbench:ipc=fifo", "ipc: 'fifo', expected one of pipe, socket" },
		{ "hackbench:mode=x", "mode: 'x', expected one of process, thread" },
		{ "netperf:protocol=udp", "unknown key 'protocol'" },
		{ "sockperf:rate=0", "rate: '0', expected a number from 1" },
		{ "siege:clients=0", "clients: '0'" },
		{ "schbench:workers=64", "workers: '64', expected a number from 1 to 63" },
		{ "file-io:threads=", "threads: ''" },
		{ "fio-rand-read:depth=0", "depth: '0'" },
		{ "hackbench:groups=103", "groups: '103', expected a number from 1 to 102" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct workload *w = NULL;
		struct error err;

		if (!workload_open(rows[i].spec, &w, &err))
			fail_msg("%s: opened", rows[i].spec);
		if (!strstr(err.text, rows[i].text))
			fail_msg("%s: '%s', expected '%s'", rows[i].spec, err.text, rows[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(balance),
		cmocka_unit_test(files),
		cmocka_unit_test(order),
		cmocka_unit_test(turn_skips),
		cmocka_unit_test(same_again),
		cmocka_unit_test(bad_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
