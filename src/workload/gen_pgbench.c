// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pgbench-rw and pgbench-ro: client threads that each talk to a database process of their own over
 * a Unix socket; transactions that write, or that select one row.
 *
 * The real one: pgbench's default transaction is seven statements (BEGIN, UPDATE, SELECT, two
 * UPDATEs, INSERT, END), each a message to the backend and an answer. At END the backend writes the
 * log and syncs it: the log's file is allocated beforehand, so the sync writes data and flushes the
 * disk's cache, and no file system's journal takes part. One backend at a time does that, for all
 * that has come so far; the others sleep on its lock (not I/O wait), and who came while it wrote
 * waits for the next write, which one of them does for all (group commit). Select-only transactions
 * are one statement, and never touch the disk.
 *
 * Modelled: these. The lock goes to the first who waits; the real ones all wake and compete. Not
 * modelled: row locks, the background writer, checkpoints, autovacuum, a growing table. Hence fs=
 * makes no difference: it is there because checkpoints would.
 *
 * Fitted on T1's rows for four threads that write: tx_cycles and flush_requests, the disk's time of
 * a sync beside the pages of each transaction. tx_cycles of pgbench-ro and the division between
 * client and backend are estimated; the log's share is some 20 us for a commit's record, its pages
 * and the requests. With one thread T1 shows no gain by the boost (-1 % +- 9 %), for no known
 * cause; the model has one.
 */
#include "base/units.h"
#include "workload/gen_fsync.h"
#include "workload/gen_pair.h"

enum { FS, THREADS, TRANSACTIONS, SECONDS, CYCLES, SPREAD, FLUSHES, NR_KEYS };

static const struct gen_key keys_rw[NR_KEYS] = {
	[FS] = { .name = "fs", .words = fsync_fs_names },
	[THREADS] = { "threads", 1, 1, GEN_TASKS_MAX / 2 },
	[TRANSACTIONS] = { "transactions", 0, 1, 1000000000000 },
	[SECONDS] = { "seconds", 0, 1, WORKLOAD_SECONDS_MAX },
	[CYCLES] = { "tx_cycles", 820000, 1000, 1000000000 },
	[SPREAD] = { "spread_permille", 300, 0, 1000 },
	[FLUSHES] = { "flush_requests", 3, 1, 100 },
};

static const struct gen_key keys_ro[NR_KEYS] = {
	[FS] = { .name = "fs", .words = fsync_fs_names },
	[THREADS] = { "threads", 1, 1, GEN_TASKS_MAX / 2 },
	[TRANSACTIONS] = { "transactions", 0, 1, 1000000000000 },
	[SECONDS] = { "seconds", 0, 1, WORKLOAD_SECONDS_MAX },
	[CYCLES] = { "tx_cycles", 140000, 1000, 1000000000 },
	[SPREAD] = { "spread_permille", 300, 0, 1000 },
};

enum { SECONDS_DEFAULT = 1 };

/* The statements of a transaction. */
enum { STATEMENTS_RW = 7, STATEMENTS_RO = 1 };

/* Of tx_cycles, per mille: the rest is the statements' in the backend. */
enum { CLIENT_SHARE = 250, RETURN_SHARE = 40, LOG_SHARE = 120 };

/* A pair's channels; after them the lock of the log. */
enum { REQUEST, ANSWER, CHANNELS };

static void run(
	const struct gen *g, struct gen_task *t, uint64_t permille, int parts, struct op *ret)
{
	uint64_t cycles = g->key[CYCLES] * permille / 1000 / (uint64_t)parts;

	*ret = (struct op){ .kind = OP_RUN, .cycles = gen_spread(&t->rng, cycles, g->key[SPREAD]) };
}

/* t->due: the statement of the transaction. */
static void client(
	const struct gen *g, uint32_t channel, struct gen_task *t, int statements, struct op *ret)
{
	switch (t->step++) {
	case 0:
		if (g->key[TRANSACTIONS] && t->round == g->key[TRANSACTIONS])
			ret->kind = OP_EXIT;
		else if (!t->due)
			ret->kind = OP_LATENCY;
		else
			ret->kind = OP_RUN;
		break;
	case 1:
		run(g, t, CLIENT_SHARE, statements, ret);
		break;
	case 2:
		*ret = (struct op){ .kind = OP_SIGNAL, .target = channel + REQUEST };
		break;
	case 3:
		*ret = (struct op){ .kind = OP_WAIT, .target = channel + ANSWER };
		if ((int)++t->due < statements)
			t->step = 0;
		break;
	case 4:
		*ret = (struct op){ .kind = OP_LATENCY, .ns = 1 };
		break;
	default:
		*ret = (struct op){ .kind = OP_COUNT, .cycles = 1 };
		t->round++;
		t->due = 0;
		t->step = 0;
		break;
	}
}

/*
 * The commit comes between the last statement's work and its answer: the turn, log pages of all
 * that share it, flushes, the end of the turn.
 */
enum { STEP_WAIT, STEP_STATEMENT, STEP_TURN, STEP_PAGES, STEP_WRITE, STEP_FLUSH };
enum { AFTER_TURN = STEP_FLUSH - STEP_PAGES + 1 }; /* ops of a turn beside the flushes */

static void commit(const struct gen *g, int step, uint32_t lock, struct gen_task *t, struct op *ret)
{
	switch (step) {
	case STEP_TURN:
		*ret = (struct op){ .kind = OP_WAIT,
			.flags = OP_TURN | OP_EACH,
			.target = lock,
			.cycles = AFTER_TURN + g->key[FLUSHES] };
		break;
	case STEP_PAGES:
		run(g, t, LOG_SHARE, 1, ret);
		ret->flags = OP_EACH;
		break;
	case STEP_WRITE:
		*ret = (struct op){
			.kind = OP_IO, .flags = OP_IOWAIT | OP_EACH, .target = IO_DISK
		};
		break;
	default:
		*ret = (struct op){ .kind = OP_IO, .flags = OP_IOWAIT, .target = IO_DISK };
		break;
	}
}

static void backend(const struct gen *g, uint32_t channel, uint32_t lock, struct gen_task *t,
	int statements, struct op *ret)
{
	bool last = (int)t->due + 1 == statements, commits = statements > 1;
	int step = t->step++, end = STEP_FLUSH + (int)g->key[FLUSHES];

	if (step == STEP_WAIT && g->key[TRANSACTIONS] && t->round == g->key[TRANSACTIONS]) {
		ret->kind = OP_EXIT;
	} else if (step == STEP_WAIT) {
		*ret = (struct op){ .kind = OP_WAIT, .target = channel + REQUEST };
	} else if (step == STEP_STATEMENT) {
		run(g, t, 1000 - CLIENT_SHARE - RETURN_SHARE - (commits ? LOG_SHARE : 0),
			statements, ret);
		if (!last || !commits)
			t->step = end + 1;
	} else if (step < end) {
		commit(g, step, lock, t, ret);
	} else if (step == end) {
		*ret = (struct op){ .kind = OP_SIGNAL, .flags = OP_TURN, .target = lock };
	} else if (step == end + 1) {
		*ret = (struct op){ .kind = OP_SIGNAL, .target = channel + ANSWER };
	} else {
		run(g, t, RETURN_SHARE, statements, ret);
		t->due = last ? 0 : t->due + 1;
		t->round += last;
		t->step = STEP_WAIT;
	}
}

static void transaction(
	const struct gen *g, int task, struct gen_task *t, int statements, struct op *ret)
{
	uint32_t channel = (uint32_t)(task / 2 * CHANNELS);

	if (task % 2)
		backend(g, channel, (uint32_t)g->key[THREADS] * CHANNELS, t, statements, ret);
	else
		client(g, channel, t, statements, ret);
}

static void step_rw(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	transaction(g, task, t, STATEMENTS_RW, ret);
}

static void step_ro(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	transaction(g, task, t, STATEMENTS_RO, ret);
}

static int open_pgbench(const struct spec *spec, struct workload *w, const struct gen_key *keys,
	void (*step)(const struct gen *g, int task, struct gen_task *t, struct op *ret),
	struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	gen_work_or_time(w, &key[TRANSACTIONS], &key[SECONDS], SECONDS_DEFAULT);
	r = gen_init(w, spec_get(spec, "pin"), 2 * (int)key[THREADS], key, step, err);
	if (r)
		return r;
	pair_names(w, "pgbench", "postgres");
	w->nr_channels = CHANNELS * (int)key[THREADS] + 1;
	w->duration_ns = key[SECONDS] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "transaction");
	gen_metric(w, "tx_per_s", "1/s", METRIC_OPS_PER_S, true, 1);
	gen_metric(w, "latency_ms", "ms", METRIC_LATENCY_MS, false, 1);
	return 0;
}

int gen_pgbench_rw(const struct spec *spec, struct workload *w, struct error *err)
{
	return open_pgbench(spec, w, keys_rw, step_rw, err);
}

int gen_pgbench_ro(const struct spec *spec, struct workload *w, struct error *err)
{
	return open_pgbench(spec, w, keys_ro, step_ro, err);
}
