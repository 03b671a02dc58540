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
 * Fitted on T1's rows for four threads that write: tx_cycles. ro_cycles is a share of it and, like
 * the division between client and backend, estimated.
 */
#include "base/units.h"
#include "workload/gen_fsync.h"

enum { FS, THREADS, TRANSACTIONS, SECONDS, CYCLES, SPREAD, NR_KEYS };

static const struct gen_key keys_rw[NR_KEYS] = {
	[FS] = { .name = "fs", .words = fsync_fs_names },
	[THREADS] = { "threads", 1, 1, GEN_TASKS_MAX / 2 },
	[TRANSACTIONS] = { "transactions", 0, 1, 1000000000000 },
	[SECONDS] = { "seconds", 0, 1, WORKLOAD_SECONDS_MAX },
	[CYCLES] = { "tx_cycles", 700000, 1000, 1000000000 },
	[SPREAD] = { "spread_permille", 300, 0, 1000 },
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
enum { CLIENT_SHARE = 250, RETURN_SHARE = 40, LOG_SHARE = 60 };

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

/* The commit, between the last statement's work and its answer. */
enum { STEP_TURN = 2, STEP_WRITE, STEP_DATA, STEP_FLUSH, STEP_TURN_END, STEP_ANSWER, STEP_RETURN };
enum { COMMIT_OPS = STEP_TURN_END - STEP_TURN };

static void backend(const struct gen *g, uint32_t channel, uint32_t lock, struct gen_task *t,
	int statements, struct op *ret)
{
	bool last = (int)t->due + 1 == statements;

	switch (t->step++) {
	case 0:
		if (g->key[TRANSACTIONS] && t->round == g->key[TRANSACTIONS])
			ret->kind = OP_EXIT;
		else
			*ret = (struct op){ .kind = OP_WAIT, .target = channel + REQUEST };
		break;
	case 1:
		run(g, t, 1000 - CLIENT_SHARE - RETURN_SHARE - (statements > 1 ? LOG_SHARE : 0),
			statements, ret);
		if (!last || statements == 1)
			t->step = STEP_ANSWER;
		break;
	case STEP_TURN:
		*ret = (struct op){
			.kind = OP_WAIT, .flags = OP_TURN, .target = lock, .cycles = COMMIT_OPS
		};
		break;
	case STEP_WRITE:
		run(g, t, LOG_SHARE, 1, ret);
		break;
	case STEP_DATA:
	case STEP_FLUSH:
		*ret = (struct op){ .kind = OP_IO, .flags = OP_IOWAIT, .target = IO_DISK };
		break;
	case STEP_TURN_END:
		*ret = (struct op){ .kind = OP_SIGNAL, .flags = OP_TURN, .target = lock };
		break;
	case STEP_ANSWER:
		*ret = (struct op){ .kind = OP_SIGNAL, .target = channel + ANSWER };
		break;
	default:
		run(g, t, RETURN_SHARE, statements, ret);
		t->due = last ? 0 : t->due + 1;
		t->round += last;
		t->step = 0;
		break;
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
	if (!key[TRANSACTIONS] && !key[SECONDS])
		key[SECONDS] = SECONDS_DEFAULT;
	key[TRANSACTIONS] = gen_scaled(w, key[TRANSACTIONS]);
	r = gen_init(w, spec_get(spec, "pin"), 2 * (int)key[THREADS], key, step, err);
	if (r)
		return r;
	for (int i = 0; i < w->nr_tasks; i++)
		snprintf(w->tasks[i].name, sizeof(w->tasks[i].name), "%s/%d",
			i % 2 ? "postgres" : "pgbench", i / 2);
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
