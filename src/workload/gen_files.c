// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tiobench and file-io: threads that read and write files larger than memory.
 *
 * The real ones. tiobench: each thread has a file; it writes and reads it in order and at random,
 * in blocks of 4 KB, and reports MB/s. file-io (sysbench's fileio, rndrw): blocks of 16 KB at
 * random in a set of files, three reads to two writes, an fsync after each 100 requests. Modelled,
 * in rounds: a read in order waits for the disk (I/O wait) once in a window of readahead, one at
 * random each time; a write fills the page cache; a sync writes it and has the log written
 * (gen_fsync.h). tiobench's four phases take turns within a round, so that any length of a run
 * holds the same mix. Not modelled: readahead that runs ahead of the reader, write-back that the
 * kernel starts by itself, throttling of writers, how a disk's time grows with the size of a
 * request.
 *
 * Nothing is fitted: block_cycles are a copy and a look-up in the page cache.
 */
#include "base/units.h"
#include "workload/gen_fsync.h"

enum { FS, THREADS, ROUNDS, SECONDS, CYCLES, SPREAD, NR_KEYS };
enum { THREADS_MAX = GEN_TASKS_MAX - FSYNC_TASKS };

static const struct gen_key tiobench_keys[NR_KEYS] = {
	[FS] = { .name = "fs", .words = fsync_fs_names },
	[THREADS] = { "threads", 2, 1, THREADS_MAX },
	[ROUNDS] = { "rounds", 0, 1, 1000000000 },
	[SECONDS] = { "seconds", 0, 1, WORKLOAD_SECONDS_MAX },
	[CYCLES] = { "block_cycles", 5000, 1, 1000000000 },
	[SPREAD] = { "spread_permille", 300, 0, 1000 },
};

static const struct gen_key file_io_keys[NR_KEYS] = {
	[FS] = { .name = "fs", .words = fsync_fs_names },
	[THREADS] = { "threads", 1, 1, THREADS_MAX },
	[ROUNDS] = { "rounds", 0, 1, 1000000000 },
	[SECONDS] = { "seconds", 0, 1, WORKLOAD_SECONDS_MAX },
	[CYCLES] = { "block_cycles", 15000, 1, 1000000000 },
	[SPREAD] = { "spread_permille", 300, 0, 1000 },
};

enum { SECONDS_DEFAULT = 2 };

/* A round: parts of so many pieces of so many blocks each. */
enum part_kind { READ, WRITE, SYNC, DONE };
struct part {
	enum part_kind kind;
	int pieces, blocks;
};

enum { READAHEAD = 32 }; /* 128 KB */

static const struct part tiobench[] = { { READ, 2, READAHEAD }, { READ, 16, 1 }, { WRITE, 1, 64 },
	{ SYNC, 1, 0 }, { WRITE, 1, 16 }, { SYNC, 1, 0 }, { DONE, 1, 160 } };
static const struct part file_io[] = { { READ, 15, 1 }, { WRITE, 1, 10 }, { READ, 15, 1 },
	{ WRITE, 1, 10 }, { READ, 15, 1 }, { WRITE, 1, 10 }, { READ, 15, 1 }, { WRITE, 1, 10 },
	{ SYNC, 1, 0 }, { DONE, 1, 100 } };
enum { TIOBENCH_BLOCK = 4096, FILE_IO_BLOCK = 16384 };

/* Of the cycles of a sync's 16 blocks, what its parts take: finding dirty pages, the log, the
 * return. */
enum { SYNC_WRITE = 8, SYNC_LOG = 8, SYNC_RETURN = 1 };

static struct fsync_costs costs(const struct gen *g)
{
	return (struct fsync_costs){ .write_cycles = SYNC_WRITE * g->key[CYCLES],
		.log_cycles = SYNC_LOG * g->key[CYCLES],
		.return_cycles = SYNC_RETURN * g->key[CYCLES],
		.spread_permille = g->key[SPREAD] };
}

static void copy(const struct gen *g, struct gen_task *t, int blocks, struct op *ret)
{
	*ret = (struct op){ .kind = OP_RUN,
		.cycles = gen_spread(&t->rng, (uint64_t)blocks * g->key[CYCLES], g->key[SPREAD]) };
}

/* Ops of a piece. */
static int length_of(enum part_kind kind)
{
	return kind == READ ? 2 : kind == SYNC ? FSYNC_STEPS : 1;
}

/* t->due: pieces done of the round; t->step: ops done of the piece. */
static void next_op(
	const struct gen *g, const struct part *parts, struct gen_task *t, struct op *ret)
{
	struct fsync_costs c = costs(g);
	int pieces = (int)t->due;

	if (!t->due && !t->step && g->key[ROUNDS] && t->round == g->key[ROUNDS]) {
		ret->kind = OP_EXIT;
		return;
	}
	for (; pieces >= parts->pieces; parts++)
		pieces -= parts->pieces;
	if (parts->kind == DONE)
		*ret = (struct op){ .kind = OP_COUNT, .cycles = (uint64_t)parts->blocks };
	else if (parts->kind == SYNC)
		fsync_op(&c, t->step, 0, true, &t->rng, ret);
	else if (parts->kind == READ && t->step == 0)
		*ret = (struct op){ .kind = OP_IO, .flags = OP_IOWAIT, .target = IO_DISK };
	else
		copy(g, t, parts->blocks, ret);
	if (++t->step < length_of(parts->kind))
		return;
	t->step = 0;
	t->due++;
	if (parts->kind == DONE) {
		t->due = 0;
		t->round++;
	}
}

static void files_step(
	const struct gen *g, const struct part *parts, int task, struct gen_task *t, struct op *ret)
{
	struct fsync_costs c = costs(g);

	if (task == (int)g->key[THREADS])
		fsync_log_step(&c, (enum fsync_fs)g->key[FS], 0, t, ret);
	else
		next_op(g, parts, t, ret);
}

static void tiobench_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	files_step(g, tiobench, task, t, ret);
}

static void file_io_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	files_step(g, file_io, task, t, ret);
}

static int open_files(const struct spec *spec, struct workload *w, const struct gen_key *keys,
	int block, void (*step)(const struct gen *g, int task, struct gen_task *t, struct op *ret),
	struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	gen_work_or_time(w, &key[ROUNDS], &key[SECONDS], SECONDS_DEFAULT);
	r = gen_init(w, spec_get(spec, "pin"), (int)key[THREADS] + FSYNC_TASKS, key, step, err);
	if (r)
		return r;
	fsync_tasks(w, (enum fsync_fs)key[FS]);
	w->nr_channels = FSYNC_CHANNELS;
	w->duration_ns = key[SECONDS] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "block");
	gen_metric(w, "mb_per_s", "MB/s", METRIC_MB_PER_S, true, block);
	gen_metric(w, "blocks_per_s", "1/s", METRIC_OPS_PER_S, true, 1);
	return 0;
}

int gen_tiobench(const struct spec *spec, struct workload *w, struct error *err)
{
	return open_files(spec, w, tiobench_keys, TIOBENCH_BLOCK, tiobench_step, err);
}

int gen_file_io(const struct spec *spec, struct workload *w, struct error *err)
{
	return open_files(spec, w, file_io_keys, FILE_IO_BLOCK, file_io_step, err);
}
