/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What generators share. A generator is a table of its keys, a function that sets up the tasks
 * and a step function that gives one task's next op from that task's own state: so a program is
 * the same for the same (seed, task), in whatever order the tasks are read.
 */
#pragma once

#include "workload/cpu_list.h"
#include "workload/workload.h"

enum { GEN_KEYS_MAX = 8, GEN_TASKS_MAX = 4096 };

/*
 * Keys that all generators have are pin and scale, the share of the work or of the fixed time that
 * is done. open finds it in w->scale (0: not given), sets a default if it wants another one than 1,
 * and passes all amounts of work through gen_scaled; w->duration_ns is cut for it. Times, energy
 * and operations of the result are scaled back where the simulator makes it.
 */

/* All keys but those are numbers, or one of some words: then the value is the word's index. */
struct gen_key {
	const char *name;
	uint64_t value; /* default */
	uint64_t min, max;
	const char *const *words; /* NULL-terminated; NULL: a number */
};

/* One task's place in its program, zeroed by a rewind. */
struct gen_task {
	struct rng rng;
	int step;
	uint64_t round; /* loops, periods, ... done */
	uint64_t due;	/* workload time of the current job, where there are jobs */
	bool done;	/* OP_EXIT was given */
};

struct gen {
	uint64_t key[GEN_KEYS_MAX]; /* values in the order of the table */
	/* Fills ret, which is zeroed; OP_EXIT ends the program. */
	void (*step)(const struct gen *g, int task, struct gen_task *t, struct op *ret);
	struct gen_task *tasks;
};

/* Opens g: reads scale, lets g open, cuts the fixed time. */
int gen_open(
	const struct generator *g, const struct spec *spec, struct workload *w, struct error *err);

/* The scale when the key is not given. */
void gen_default_scale(struct workload *w, double scale);

/*
 * What is done of n pieces of work, at least one of them; w->scale becomes exactly that share. So a
 * workload of several amounts passes the one that counts last.
 */
uint64_t gen_scaled(struct workload *w, uint64_t n);

/*
 * For programs that end after their work, or after a fixed time: so many seconds when neither is
 * given (0), and what is done of the work.
 */
void gen_work_or_time(
	struct workload *w, uint64_t *work, uint64_t *seconds, uint64_t default_seconds);

/*
 * Where only a part is done of work that is the same from beginning to end: some time before it
 * that does not count. Call it after gen_scaled.
 */
void gen_warm_up(struct workload *w);

/* Reads the keys; `pin` is left to the caller. An unknown key lists the known ones. */
int gen_keys(const struct spec *spec, const struct gen_key *keys, int nr, uint64_t *ret,
	struct error *err);

/*
 * Sets w up with nr tasks that start at once, anywhere, named after the generator, and pins all of
 * them to pin, a list of CPUs (NULL or "none": not).
 */
int gen_init(struct workload *w, const char *pin, int nr, const uint64_t *keys,
	void (*step)(const struct gen *g, int task, struct gen_task *t, struct op *ret),
	struct error *err);

void gen_metric(struct workload *w, const char *name, const char *unit, enum metric_kind kind,
	bool higher_is_better, int per_op);

/* value changed by up to permille in either direction, uniformly. */
uint64_t gen_spread(struct rng *rng, uint64_t value, uint64_t permille);

/* One per gen_NAME.c, listed in generators.c. */
int gen_busy(const struct spec *spec, struct workload *w, struct error *err);
int gen_nas_omp(const struct spec *spec, struct workload *w, struct error *err);
int gen_nas_mpi(const struct spec *spec, struct workload *w, struct error *err);
int gen_specpower(const struct spec *spec, struct workload *w, struct error *err);
int gen_server_tdp(const struct spec *spec, struct workload *w, struct error *err);
int gen_x264(const struct spec *spec, struct workload *w, struct error *err);
int gen_gitsource(const struct spec *spec, struct workload *w, struct error *err);
int gen_idle_desktop(const struct spec *spec, struct workload *w, struct error *err);
int gen_compile_noop(const struct spec *spec, struct workload *w, struct error *err);
int gen_idle(const struct spec *spec, struct workload *w, struct error *err);
int gen_kernbench(const struct spec *spec, struct workload *w, struct error *err);
int gen_periodic(const struct spec *spec, struct workload *w, struct error *err);
int gen_dbench4(const struct spec *spec, struct workload *w, struct error *err);
int gen_gpu_frame_loop(const struct spec *spec, struct workload *w, struct error *err);
int gen_sqlite_insert(const struct spec *spec, struct workload *w, struct error *err);
int gen_tbench(const struct spec *spec, struct workload *w, struct error *err);
int gen_hackbench(const struct spec *spec, struct workload *w, struct error *err);
int gen_pgbench_rw(const struct spec *spec, struct workload *w, struct error *err);
int gen_pgbench_ro(const struct spec *spec, struct workload *w, struct error *err);
int gen_sockperf(const struct spec *spec, struct workload *w, struct error *err);
int gen_netperf(const struct spec *spec, struct workload *w, struct error *err);
int gen_siege(const struct spec *spec, struct workload *w, struct error *err);
int gen_schbench(const struct spec *spec, struct workload *w, struct error *err);
int gen_tiobench(const struct spec *spec, struct workload *w, struct error *err);
int gen_file_io(const struct spec *spec, struct workload *w, struct error *err);
int gen_fio_rand_read(const struct spec *spec, struct workload *w, struct error *err);
int gen_pipe_test(const struct spec *spec, struct workload *w, struct error *err);
