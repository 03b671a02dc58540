// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pipe-test: two tasks hand one token back and forth over two pipes.
 *
 * The real one (the scheduler developers' pipe-test; `perf bench sched pipe` is its descendant):
 * the first task writes to one pipe and reads from the other, its peer reads from the first and
 * writes to the second. One loop is a whole round trip: two writes, two reads, two wake-ups. It
 * prints microseconds per loop, and kHz that count both directions (2.36 us are 847 kHz).
 *
 * Modelled: per half of a loop the work from the wake-up to the moment the other task is woken
 * (return from read, write, copy, wake-up), which is on the critical path, and the work after it
 * (return from write, read until it blocks), which overlaps with the other task's wake-up. The
 * switches, idle entry and exit, ticks and wake-up latencies are the simulator's and the machine's.
 * Not modelled: cache lines that travel between the cores, system call cost per kernel version.
 *
 * Long runs are simulated in part: 250000 loops, after a warm-up.
 *
 * Estimated, not fitted yet: work_cycles, return_cycles and spread_permille. With the costs that
 * the machine models have today, the published loop of 2.28 us on haswell-8cpu (T9, polling) wants
 * about 3200 work_cycles and that of 3.34 us on i7-2600k (T14, polling) about 3950: 3500 lies
 * between, 6 % off on the one and 8 % on the other. A pipe read and write without a switch take a
 * few hundred ns each, of which return_cycles are the part after the wake-up. spread_permille is a
 * guess that keeps two loops from being exactly equal.
 */
#include "base/units.h"
#include "workload/generator.h"

#include <string.h>

enum { LOOPS, SECONDS, WORK, RETURN, SPREAD, NR_KEYS };

static const struct gen_key keys[NR_KEYS] = {
	[LOOPS] = { "loops", 0, 1, 1000000000000 },
	[SECONDS] = { "seconds", 0, 1, WORKLOAD_SECONDS_MAX },
	[WORK] = { "work_cycles", 3500, 1, 1000000000 },
	[RETURN] = { "return_cycles", 900, 0, 1000000000 },
	[SPREAD] = { "spread_permille", 50, 0, 1000 },
};

/* More than that is simulated in part only, unless scale says otherwise. */
enum { LOOPS_DEFAULT = 1000000, SIMULATED_LOOPS = 250000, SIMULATED_SECONDS = 1 };

/* One loop of each task. RUN: key of its cycles. The first counts, when the token is back. */
static const struct {
	enum op_kind kind;
	int key;
	uint32_t channel;
} loop[2][5] = {
	{ { OP_RUN, WORK, 0 }, { OP_SIGNAL, 0, 0 }, { OP_RUN, RETURN, 0 }, { OP_WAIT, 0, 1 },
		{ OP_COUNT, 0, 0 } },
	{ { OP_WAIT, 0, 0 }, { OP_RUN, WORK, 0 }, { OP_SIGNAL, 0, 1 }, { OP_RUN, RETURN, 0 } },
};
static const int loop_length[2] = { 5, 4 };

static void pipe_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	if (t->step == loop_length[task]) {
		t->step = 0;
		t->round++;
	}
	if (g->key[LOOPS] && t->round == g->key[LOOPS]) {
		ret->kind = OP_EXIT;
		return;
	}
	ret->kind = loop[task][t->step].kind;
	ret->target = loop[task][t->step].channel;
	if (ret->kind == OP_RUN)
		ret->cycles = gen_spread(&t->rng, g->key[loop[task][t->step].key], g->key[SPREAD]);
	if (ret->kind == OP_COUNT)
		ret->cycles = 1;
	t->step++;
}

/* pin=same and pin=2cores are this workload's own: one CPU for both, or CPU 0 and CPU 1. */
static void pin_pair(struct workload *w, bool two_cores)
{
	for (int i = 0; i < 2; i++) {
		uint64_t allowed[CPU_LIST_WORDS] = { 0 };

		allowed[0] = two_cores ? 1ULL << i : 1;
		workload_pin(&w->tasks[i], allowed);
	}
}

static double default_scale(uint64_t loops, uint64_t seconds)
{
	double by_loops = loops ? (double)SIMULATED_LOOPS / (double)loops : 0;
	double by_time = seconds ? (double)SIMULATED_SECONDS / (double)seconds : 0;

	return by_loops > by_time ? by_loops : by_time;
}

int gen_pipe_test(const struct spec *spec, struct workload *w, struct error *err)
{
	const char *pin = spec_get(spec, "pin");
	bool pair = pin && (!strcmp(pin, "same") || !strcmp(pin, "2cores"));
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	if (!key[LOOPS] && !key[SECONDS])
		key[LOOPS] = LOOPS_DEFAULT;
	gen_default_scale(w, default_scale(key[LOOPS], key[SECONDS]));
	key[LOOPS] = gen_scaled(w, key[LOOPS]);
	gen_warm_up(w);
	r = gen_init(w, pair ? "none" : pin, 2, key, pipe_step, err);
	if (r)
		return r;
	if (pair)
		pin_pair(w, !strcmp(pin, "2cores"));
	w->nr_channels = 2;
	w->duration_ns = key[SECONDS] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "loop");
	gen_metric(w, "usecs_per_loop", "us", METRIC_USECS_PER_OP, false, 1);
	gen_metric(w, "loops_khz", "kHz", METRIC_KHZ, true, 2);
	return 0;
}
