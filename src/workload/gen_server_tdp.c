// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * server-tdp: a server that its packages' power limit holds back: threads that serve requests as
 * fast as they can, beside others that a storage array holds back.
 *
 * No single real program: the case that is argued about boosts for I/O wait, a server that is
 * limited by its power and not by its latency. Modelled: one class of threads computes, request
 * after request, with all power that the package leaves them. The other class reads from an array
 * that is busy all the time: each read takes array_us, whatever the CPU does, and what it brought
 * is checked, io_cycles. Those wait for I/O, nearly always, and gain nothing from a faster CPU; the
 * power that it takes is missing where the requests are served.
 *
 * Nothing is fitted: all figures are estimates. threads and io_threads are for skylake-104cpu, so
 * that requests take two thirds of its cores and the packages are at their limits under any policy.
 * The code that serves them takes power_permille of a spinning thread's power: vector code, which
 * at the power limit runs at 1.3 to 1.7 of the 2.1 GHz that other code is guaranteed there. How the
 * array's queue grows is not modelled, nor that a request may need what the other threads read.
 */
#include "base/units.h"
#include "workload/generator.h"

enum { THREADS, IO_THREADS, SECONDS, REQUEST, IO_CYCLES, ARRAY_US, POWER, SPREAD, NR_KEYS };
enum { THREADS_MAX = GEN_TASKS_MAX / 2, SECONDS_DEFAULT = 30 };

static const struct gen_key keys[NR_KEYS] = {
	[THREADS] = { "threads", 36, 1, THREADS_MAX },
	[IO_THREADS] = { "io_threads", 20, 0, THREADS_MAX },
	[SECONDS] = { "seconds", SECONDS_DEFAULT, 1, WORKLOAD_SECONDS_MAX },
	[REQUEST] = { "request_cycles", 3000000, 1, 1000000000000 },
	[IO_CYCLES] = { "io_cycles", 900000, 1, 1000000000 },
	[ARRAY_US] = { "array_us", 500, 1, 10000000 },
	[POWER] = { "power_permille", 2500, 1, 5000 },
	[SPREAD] = { "spread_permille", 300, 0, 1000 },
};

/* Unless scale says otherwise; after a warm-up in which the packages have come down to PL1. */
enum { SIMULATED_SECONDS = 3, WARM_UP_SECONDS = 3 };

static struct op work(const struct gen *g, struct gen_task *t, int key)
{
	return (struct op){ .kind = OP_RUN,
		.cycles = gen_spread(&t->rng, g->key[key], g->key[SPREAD]) };
}

/* The array is no device of the machine's: what it serves comes back after its time. */
static struct op io_step(const struct gen *g, int task, struct gen_task *t)
{
	enum { READ, WAIT, CHECK };
	uint32_t channel = (uint32_t)task - (uint32_t)g->key[THREADS];
	uint64_t ns = g->key[ARRAY_US] * NSEC_PER_USEC;

	switch (t->step++) {
	case READ:
		return (struct op){ .kind = OP_SIGNAL,
			.flags = OP_IOWAIT,
			.target = channel,
			.ns = gen_spread(&t->rng, ns, g->key[SPREAD]) };
	case WAIT:
		return (struct op){ .kind = OP_WAIT, .flags = OP_IOWAIT, .target = channel };
	default:
		t->step = READ;
		return work(g, t, IO_CYCLES);
	}
}

static void server_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	if ((uint64_t)task >= g->key[THREADS]) {
		*ret = io_step(g, task, t);
		return;
	}
	t->step = !t->step;
	*ret = t->step ? work(g, t, REQUEST) : (struct op){ .kind = OP_COUNT, .cycles = 1 };
}

int gen_server_tdp(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	gen_default_scale(w, (double)SIMULATED_SECONDS / (double)key[SECONDS]);
	if (w->scale < 1)
		w->warm_up_ns = WARM_UP_SECONDS * (uint64_t)NSEC_PER_SEC;
	r = gen_init(w, spec_get(spec, "pin"), (int)(key[THREADS] + key[IO_THREADS]), key,
		server_step, err);
	if (r)
		return r;
	for (int i = 0; i < (int)key[THREADS]; i++)
		w->tasks[i].power_permille = (int)key[POWER];
	w->nr_channels = (int)key[IO_THREADS];
	w->duration_ns = key[SECONDS] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "request");
	gen_metric(w, "requests_per_s", "1/s", METRIC_OPS_PER_S, true, 1);
	return 0;
}
