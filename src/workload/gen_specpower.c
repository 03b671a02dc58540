// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * specpower: a server under graduated load, from all that it can do down to nothing, and how much
 * it does for its power.
 *
 * The real one (SPECpower_ssj2008): as many worker threads of virtual machines as CPUs; batches of
 * transactions arrive at random, exponentially distributed, at 100 % of a calibrated rate, then 90
 * %, and so on to 10 %, and then none; each level is held for 240 s. The score is the sum of all
 * levels' operations a second over the sum of their mean power, idle included. Nothing touches a
 * disk.
 *
 * Modelled: each thread has arrivals of its own and works them off one after the other; what is not
 * done when a level ends goes into the next. The score is operations over the energy of the
 * packages, which is the same as all levels are equally long; the rest of the system's power is not
 * in it.
 *
 * Estimated: how much a thread can do, batch_us at 1.5 GHz worth of work, about what a thread of
 * two on a core gets on skylake-104cpu at its power limit; the real one is calibrated anew on each
 * machine. How long a batch is. The operations of a batch are nominal: the score is a ratio, not
 * ssj_ops. Nothing is fitted. Not modelled: garbage collection, ramps between levels.
 */
#include "base/units.h"
#include "workload/generator.h"

enum { THREADS, LEVEL_SECONDS, BATCH_US, SPREAD, NR_KEYS, LEVEL_NS = NR_KEYS };
enum { LEVELS = 11 /* 100 % ... 10 %, 0 % */, OPS_PER_BATCH = 1000, KHZ = 1500000 };

static const struct gen_key keys[NR_KEYS] = {
	[THREADS] = { "threads", 104, 1, GEN_TASKS_MAX },
	[LEVEL_SECONDS] = { "level_seconds", 240, 1, WORKLOAD_SECONDS_MAX / LEVELS },
	[BATCH_US] = { "batch_us", 10000, 1, 10000000 },
	[SPREAD] = { "spread_permille", 200, 0, 1000 },
};

enum { SIMULATED_LEVEL_SECONDS = 1 }; /* unless scale says otherwise */

/* The time of the next batch: the last one's, and a while by the level that that falls into. */
static uint64_t next_arrival(const struct gen *g, struct gen_task *t)
{
	uint64_t level = t->due / g->key[LEVEL_NS], mean;

	if (level >= LEVELS - 1)
		return LEVELS * g->key[LEVEL_NS];
	mean = g->key[BATCH_US] * NSEC_PER_USEC * (LEVELS - 1) / (LEVELS - 1 - level);
	return t->due + rng_exponential(&t->rng, mean) + 1;
}

static void specpower_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	enum { ARRIVAL, WORK, COUNT };

	switch (t->step++) {
	case ARRIVAL:
		t->due = next_arrival(g, t);
		*ret = (struct op){ .kind = OP_SLEEP_UNTIL, .ns = t->due };
		break;
	case WORK:
		*ret = (struct op){ .kind = OP_RUN,
			.cycles = gen_spread(&t->rng,
				ns_to_cycles(g->key[BATCH_US] * NSEC_PER_USEC, KHZ),
				g->key[SPREAD]) };
		if (t->due >= LEVELS * g->key[LEVEL_NS])
			*ret = (struct op){ .kind = OP_EXIT };
		break;
	default:
		*ret = (struct op){ .kind = OP_COUNT, .cycles = 1 };
		t->step = ARRIVAL;
	}
}

int gen_specpower(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	gen_default_scale(w, (double)SIMULATED_LEVEL_SECONDS / (double)key[LEVEL_SECONDS]);
	key[LEVEL_NS] = (uint64_t)((double)key[LEVEL_SECONDS] * NSEC_PER_SEC * w->scale);
	key[LEVEL_NS] += !key[LEVEL_NS];
	r = gen_init(w, spec_get(spec, "pin"), (int)key[THREADS], key, specpower_step, err);
	if (r)
		return r;
	w->duration_ns = LEVELS * key[LEVEL_SECONDS] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "batch");
	gen_metric(w, "ops_per_w", "1/J", METRIC_OPS_PER_W, true, OPS_PER_BATCH);
	gen_metric(w, "ops_per_s", "1/s", METRIC_OPS_PER_S, true, OPS_PER_BATCH);
	return 0;
}
