// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * nas-omp, nas-mpi: the NAS parallel benchmarks, class C: numerical kernels whose threads (OpenMP)
 * or processes (MPI) compute between barriers or exchanges with their neighbours.
 *
 * Modelled: the kernel's work in pieces of equal size, one per thread, that ends at a barrier; each
 * thread's piece varies a little, and whoever is early waits for the latest. Part of the time of a
 * piece is memory's and does not scale with frequency. ep has none. With MPI a
 * process waits for the pieces of its two neighbours in a ring instead, and is never more than one
 * piece ahead of them.
 *
 * Of the real kernels: the numbers of iterations (class C of the benchmarks' own text), and the
 * number of parallel regions in one, counted roughly. Fitted on T1's rows for bt.C (169.8 s): the
 * seconds of bt.C, one parameter. The other kernels' seconds follow from the number of operations
 * that the benchmarks state, at bt.C's speed, and from the memory shares, which are estimates by
 * what is generally said of the kernels (ep none, mg and sp bound by memory); is, ua and ep, whose
 * operations are other ones, are estimates of the order of magnitude. None of them was compared
 * with T1 before it was set.
 *
 * Simplified: who waits sleeps at once; the real libraries spin first, for milliseconds, so that
 * waiting costs more energy there, and never leads to an idle state. The pipeline of lu is a row of
 * barriers. Threads do not slow one another down in the caches and at the memory controller: memory
 * time is what it is with all threads busy.
 */
#include "base/units.h"
#include "workload/generator.h"

enum { KERNEL, THREADS, IMBALANCE, NR_KEYS, PIECES = NR_KEYS };
enum { THREADS_MAX = 1024, KHZ = 3000000 /* that seconds are stated at */ };

static const char *const kernel_names[] = { "bt.C", "cg.C", "ep.C", "ft.C", "is.C", "lu.C", "mg.C",
	"sp.C", "ua.C", NULL };

static const struct kernel {
	uint64_t iterations, pieces; /* between barriers, of an iteration */
	uint64_t seconds;	     /* of one thread in all */
	uint64_t memory_permille;    /* of them */
	bool no_barrier;
} kernels[] = {
	{ 200, 14, 1306, 300, false },
	{ 75, 100, 185, 750, false },
	{ 65536, 1, 143, 0, true }, /* blocks of 65536 pairs */
	{ 20, 6, 213, 400, false },
	{ 10, 5, 16, 600, false },
	{ 250, 10, 1096, 400, false },
	{ 20, 45, 143, 650, false },
	{ 400, 20, 1560, 700, false },
	{ 200, 100, 1100, 400, false },
};

static const struct gen_key keys[NR_KEYS] = {
	[KERNEL] = { .name = "kernel", .words = kernel_names },
	[THREADS] = { "threads", 8, 1, THREADS_MAX },
	[IMBALANCE] = { "imbalance_permille", 20, 0, 1000 },
};

enum { SIMULATED_SECONDS = 20 }; /* unless scale says otherwise */

static void compute(const struct gen *g, struct gen_task *t, struct op *ret)
{
	const struct kernel *k = &kernels[g->key[KERNEL]];
	uint64_t ns = k->seconds * NSEC_PER_SEC / (k->iterations * k->pieces);
	uint64_t memory_ns;

	ns = gen_spread(&t->rng, ns / (k->no_barrier ? 1 : g->key[THREADS]), g->key[IMBALANCE]);
	memory_ns = ns * k->memory_permille / 1000;
	*ret = (struct op){
		.kind = OP_RUN, .cycles = ns_to_cycles(ns - memory_ns, KHZ) + 1, .ns = memory_ns
	};
}

/* Without barriers the blocks are dealt out instead of being cut up. */
static bool is_over(const struct gen *g, int task, const struct gen_task *t)
{
	uint64_t threads = g->key[THREADS];

	if (kernels[g->key[KERNEL]].no_barrier)
		return t->round * threads + (uint64_t)task >= g->key[PIECES];
	return t->round == g->key[PIECES];
}

/* Channel 0: who has arrived; then one for each thread that may go on. */
static void barrier_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	int threads = (int)g->key[THREADS], step = t->step - 1;

	if (task) {
		*ret = (struct op){ .kind = step ? OP_WAIT : OP_SIGNAL,
			.target = step ? (uint32_t)task : 0 };
		t->step = step ? 0 : t->step + 1;
		return;
	}
	/* The first thread: all others have arrived, all others may go on, counted. */
	if (step < threads - 1)
		*ret = (struct op){ .kind = OP_WAIT };
	else if (step < 2 * (threads - 1))
		*ret = (struct op){ .kind = OP_SIGNAL, .target = (uint32_t)(step - threads + 2) };
	else
		*ret = (struct op){ .kind = OP_COUNT, .cycles = 1 };
	t->step = ret->kind == OP_COUNT ? 0 : t->step + 1;
}

static void omp_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	if (t->step && kernels[g->key[KERNEL]].no_barrier) {
		*ret = (struct op){ .kind = OP_COUNT, .cycles = 1 };
		t->step = 0;
	} else if (t->step) {
		barrier_step(g, task, t, ret);
	} else if (is_over(g, task, t)) {
		ret->kind = OP_EXIT;
	} else {
		compute(g, t, ret);
		t->round++;
		t->step = 1;
	}
}

/* Channel 2 * n: from the process below n; 2 * n + 1: from that above it. */
static void mpi_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	enum { COMPUTE, DOWN, UP, BELOW, ABOVE, COUNT };
	uint32_t me = (uint32_t)task, nr = (uint32_t)g->key[THREADS];
	bool alone = kernels[g->key[KERNEL]].no_barrier;

	switch (t->step++) {
	case COMPUTE:
		if (is_over(g, task, t)) {
			ret->kind = OP_EXIT;
			return;
		}
		compute(g, t, ret);
		t->round++;
		t->step = alone ? COUNT : DOWN;
		break;
	case DOWN:
		*ret = (struct op){ .kind = OP_SIGNAL, .target = 2 * ((me + nr - 1) % nr) + 1 };
		break;
	case UP:
		*ret = (struct op){ .kind = OP_SIGNAL, .target = 2 * ((me + 1) % nr) };
		break;
	case BELOW:
		*ret = (struct op){ .kind = OP_WAIT, .target = 2 * me };
		break;
	case ABOVE:
		*ret = (struct op){ .kind = OP_WAIT, .target = 2 * me + 1 };
		break;
	default:
		*ret = (struct op){ .kind = OP_COUNT, .cycles = alone || !me };
		t->step = COMPUTE;
	}
}

static int open_nas(const struct spec *spec, struct workload *w,
	void (*step)(const struct gen *g, int task, struct gen_task *t, struct op *ret),
	struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);
	const struct kernel *k;

	if (r)
		return r;
	k = &kernels[key[KERNEL]];
	gen_default_scale(w, (double)SIMULATED_SECONDS * (double)key[THREADS] / (double)k->seconds);
	key[PIECES] = gen_scaled(w, k->iterations * k->pieces);
	gen_warm_up(w);
	r = gen_init(w, spec_get(spec, "pin"), (int)key[THREADS], key, step, err);
	if (r)
		return r;
	w->nr_channels = 2 * (int)key[THREADS];
	snprintf(w->op_name, sizeof(w->op_name), "piece");
	gen_metric(w, "elapsed_s", "s", METRIC_ELAPSED_S, false, 1);
	return 0;
}

int gen_nas_omp(const struct spec *spec, struct workload *w, struct error *err)
{
	return open_nas(spec, w, omp_step, err);
}

int gen_nas_mpi(const struct spec *spec, struct workload *w, struct error *err)
{
	return open_nas(spec, w, mpi_step, err);
}
