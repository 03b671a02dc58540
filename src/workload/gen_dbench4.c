// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dbench4: each client plays a load file, a recorded mix of a file server's operations, again and
 * again; the latency is the time that one run of the load file takes.
 *
 * The real one: of the operations that the default load file names, some eighty are done for one
 * flush: opening, closing and looking up files, directory searches, about 20 reads and 7 writes,
 * all of them in memory (the dentry, inode and page caches); a flush is an fsync. Modelled: between
 * two flushes work in the kernel and a little outside, in pieces, each of which changes metadata at
 * its end and so waits while the journal writes a transaction (gen_fsync.h); then the fsync. So
 * each client waits for the flushes of all. A load has as many flushes as its key says. Not
 * modelled: contention for locks of directories, memory bandwidth, write-back that the kernel
 * starts by itself.
 *
 * Fitted on the rows for one client of T1 (28.5 ms for a load, 19.7 ms with the boost) and of T4
 * (40.9 and 15.0 ms): load_cycles and flushes. How load_cycles are divided is estimated: the log's
 * share is that of some ten blocks of metadata, 1 to 2 us each. The pieces' number is estimated.
 */
#include "base/units.h"
#include "workload/gen_fsync.h"

enum { FS, CLIENTS, LOADS, SECONDS, CYCLES, FLUSHES, SPREAD, NR_KEYS };
enum { CLIENTS_MAX = GEN_TASKS_MAX - FSYNC_TASKS };

static const struct gen_key keys[NR_KEYS] = {
	[FS] = { .name = "fs", .words = fsync_fs_names },
	[CLIENTS] = { "clients", 4, 1, CLIENTS_MAX },
	[LOADS] = { "loads", 0, 1, 1000000000 },
	[SECONDS] = { "seconds", 0, 1, WORKLOAD_SECONDS_MAX },
	[CYCLES] = { "load_cycles", 54000000, 1000, 1000000000000 },
	[FLUSHES] = { "flushes", 29, 1, 100000 },
	[SPREAD] = { "spread_permille", 300, 0, 1000 },
};

enum { SECONDS_DEFAULT = 3 };

/* A load: begin; then each flush: operations, sync; then end and count. */
enum { CHANGES = 8 };
enum {
	STEP_BEGIN,
	STEP_OPERATIONS,
	STEP_SYNC = STEP_OPERATIONS + 2 * CHANGES,
	STEP_END = STEP_SYNC + FSYNC_STEPS,
	STEP_COUNT
};

/* Of the cycles between two flushes, per mille: the rest is the operations'. */
enum { WRITE_SHARE = 100, LOG_SHARE = 70, RETURN_SHARE = 20 };
enum { OPERATIONS_SHARE = 1000 - WRITE_SHARE - LOG_SHARE - RETURN_SHARE };

static uint64_t share(const struct gen *g, uint64_t permille)
{
	return g->key[CYCLES] / g->key[FLUSHES] * permille / 1000;
}

static struct fsync_costs costs(const struct gen *g)
{
	return (struct fsync_costs){ .write_cycles = share(g, WRITE_SHARE),
		.log_cycles = share(g, LOG_SHARE),
		.return_cycles = share(g, RETURN_SHARE),
		.spread_permille = g->key[SPREAD] };
}

static void dbench4_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	struct fsync_costs c = costs(g);
	int step = t->step;

	if (task == (int)g->key[CLIENTS]) {
		fsync_log_step(&c, (enum fsync_fs)g->key[FS], 0, t, ret);
		return;
	}
	t->step++;
	if (step == STEP_BEGIN && g->key[LOADS] && t->due++ == g->key[LOADS]) {
		ret->kind = OP_EXIT;
	} else if (step == STEP_BEGIN) {
		ret->kind = OP_LATENCY;
	} else if (step < STEP_SYNC && (step - STEP_OPERATIONS) % 2) {
		fsync_gate(0, ret);
	} else if (step < STEP_SYNC) {
		ret->kind = OP_RUN;
		ret->cycles =
			gen_spread(&t->rng, share(g, OPERATIONS_SHARE) / CHANGES, g->key[SPREAD]);
	} else if (step < STEP_END) {
		fsync_op(&c, step - STEP_SYNC, 0, true, &t->rng, ret);
		if (step == STEP_END - 1 && ++t->round % g->key[FLUSHES])
			t->step = STEP_OPERATIONS;
	} else if (step == STEP_END) {
		*ret = (struct op){ .kind = OP_LATENCY, .ns = 1 };
	} else {
		*ret = (struct op){ .kind = OP_COUNT, .cycles = 1 };
		t->step = STEP_BEGIN;
	}
}

int gen_dbench4(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	gen_work_or_time(w, &key[LOADS], &key[SECONDS], SECONDS_DEFAULT);
	r = gen_init(
		w, spec_get(spec, "pin"), (int)key[CLIENTS] + FSYNC_TASKS, key, dbench4_step, err);
	if (r)
		return r;
	fsync_tasks(w, (enum fsync_fs)key[FS]);
	w->nr_channels = FSYNC_CHANNELS;
	w->duration_ns = key[SECONDS] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "load");
	gen_metric(w, "latency_ms", "ms", METRIC_LATENCY_MS, false, 1);
	gen_metric(w, "loads_per_s", "1/s", METRIC_OPS_PER_S, true, 1);
	return 0;
}
