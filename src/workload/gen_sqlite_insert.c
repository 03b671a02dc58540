// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sqlite-insert: one process inserts rows into a table, each in a transaction of its own, in the
 * default mode (rollback journal, synchronous=full).
 *
 * The real one: SQL and B-tree work; the old page goes into a journal file, which is synced (a new
 * file: the file system's log has to be written); the page is written to the database, which is
 * synced (nothing but data: no log write, the disk's cache is flushed); the journal is unlinked,
 * which commits. Modelled: these five parts, and what the two syncs do in the file system, see
 * gen_fsync.h. Not modelled: the growth of the tree, checkpoints of the file system's log,
 * write-back that the kernel starts by itself.
 *
 * Fitted on the rows of T1 (2,099 transactions a second, 2,292 with the boost) and of T3 (2,610 and
 * 5,518): tx_cycles, together with the service times of the two machines' disks and the floor of
 * HWP's choice on xeon-e3-1240v5 (corepace fit, the command is in those machines' files). How
 * tx_cycles are divided between the parts is estimated.
 */
#include "base/units.h"
#include "workload/gen_fsync.h"

enum { FS, TRANSACTIONS, SECONDS, CYCLES, SPREAD, NR_KEYS };

static const struct gen_key keys[NR_KEYS] = {
	[FS] = { .name = "fs", .words = fsync_fs_names },
	[TRANSACTIONS] = { "transactions", 0, 1, 1000000000000 },
	[SECONDS] = { "seconds", 0, 1, WORKLOAD_SECONDS_MAX },
	[CYCLES] = { "tx_cycles", 246026, 1000, 1000000000 },
	[SPREAD] = { "spread_permille", 200, 0, 1000 },
};

enum { TRANSACTIONS_DEFAULT = 4000 };

/* A transaction: SQL, sync of the journal, page to the database, sync of it, unlink, count. */
enum {
	STEP_SQL,
	STEP_JOURNAL,
	STEP_PAGE = STEP_JOURNAL + FSYNC_STEPS,
	STEP_DATABASE,
	STEP_UNLINK = STEP_DATABASE + FSYNC_STEPS,
	STEP_COUNT,
	STEPS,
};

/* Of tx_cycles, per mille: the rest is the two syncs'. */
enum { SQL_SHARE = 400, PAGE_SHARE = 50, UNLINK_SHARE = 100, WRITE_SHARE = 100, RETURN_SHARE = 25 };
enum {
	LOG_SHARE = 1000 - SQL_SHARE - PAGE_SHARE - UNLINK_SHARE - 2 * (WRITE_SHARE + RETURN_SHARE)
};

static uint64_t share(const struct gen *g, uint64_t permille)
{
	return g->key[CYCLES] * permille / 1000;
}

static struct fsync_costs costs(const struct gen *g)
{
	return (struct fsync_costs){ .write_cycles = share(g, WRITE_SHARE),
		.log_cycles = share(g, LOG_SHARE),
		.return_cycles = share(g, RETURN_SHARE),
		.spread_permille = g->key[SPREAD] };
}

static void run(const struct gen *g, struct gen_task *t, uint64_t permille, struct op *ret)
{
	ret->kind = OP_RUN;
	ret->cycles = gen_spread(&t->rng, share(g, permille), g->key[SPREAD]);
}

static void sqlite_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	struct fsync_costs c = costs(g);
	int step = t->step;

	if (task) {
		fsync_log_step(&c, (enum fsync_fs)g->key[FS], 0, t, ret);
		return;
	}
	t->step = (step + 1) % STEPS;
	if (step == STEP_SQL && g->key[TRANSACTIONS] && t->round++ == g->key[TRANSACTIONS])
		ret->kind = OP_EXIT;
	else if (step == STEP_SQL)
		run(g, t, SQL_SHARE, ret);
	else if (step < STEP_PAGE)
		fsync_op(&c, step - STEP_JOURNAL, 0, true, &t->rng, ret);
	else if (step == STEP_PAGE)
		run(g, t, PAGE_SHARE, ret);
	else if (step < STEP_UNLINK)
		fsync_op(&c, step - STEP_DATABASE, 0, false, &t->rng, ret);
	else if (step == STEP_UNLINK)
		run(g, t, UNLINK_SHARE, ret);
	else
		*ret = (struct op){ .kind = OP_COUNT, .cycles = 1 };
}

int gen_sqlite_insert(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	if (!key[SECONDS] && !key[TRANSACTIONS])
		key[TRANSACTIONS] = TRANSACTIONS_DEFAULT;
	key[TRANSACTIONS] = gen_scaled(w, key[TRANSACTIONS]);
	r = gen_init(w, spec_get(spec, "pin"), 1 + FSYNC_TASKS, key, sqlite_step, err);
	if (r)
		return r;
	fsync_tasks(w, (enum fsync_fs)key[FS]);
	w->nr_channels = FSYNC_CHANNELS;
	w->duration_ns = key[SECONDS] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "transaction");
	gen_metric(w, "tx_per_s", "1/s", METRIC_OPS_PER_S, true, 1);
	return 0;
}
