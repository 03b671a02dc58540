// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * schbench: message threads that wake workers, and workers that compute between.
 *
 * The real one (version of 2016): a worker sleeps for a time, spins for a time, puts itself on its
 * message thread's list and sleeps on a futex; the message thread wakes all that are on its list.
 * Reported are percentiles of the time from a wake-up to when the worker runs. Modelled: these. The
 * mean that is reported here runs from the moment a worker has asked to when it runs again, and so
 * holds the message thread's wake-up too; percentiles of single wake-ups are in every result
 * (wake_p99_us). Spinning is by the clock, so a faster CPU changes nothing of it.
 *
 * Nothing is fitted; times are the program's defaults.
 */
#include "base/units.h"
#include "workload/generator.h"

enum { MESSAGE, WORKERS, RUN_US, SLEEP_US, SECONDS, CYCLES, SPREAD, NR_KEYS };
enum { THREADS_MAX = 64 };

static const struct gen_key keys[NR_KEYS] = {
	[MESSAGE] = { "message_threads", 2, 1, THREADS_MAX },
	[WORKERS] = { "workers", 16, 1, GEN_TASKS_MAX / THREADS_MAX - 1 },
	[RUN_US] = { "run_us", 30000, 1, 10000000 },
	[SLEEP_US] = { "sleep_us", 30000, 0, 10000000 },
	[SECONDS] = { "seconds", 5, 1, WORKLOAD_SECONDS_MAX },
	[CYCLES] = { "message_cycles", 3000, 1, 1000000000 },
	[SPREAD] = { "spread_permille", 100, 0, 1000 },
};

/* Tasks: the message threads, then their workers; each has the channel of its number. */
static void message_thread(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	uint32_t first = (uint32_t)(g->key[MESSAGE] + (uint64_t)task * g->key[WORKERS]);

	/* Workers ask in any order; woken is who waits next on the one channel that they share. */
	switch (t->step++) {
	case 0:
		*ret = (struct op){ .kind = OP_WAIT, .target = (uint32_t)task };
		break;
	case 1:
		*ret = (struct op){ .kind = OP_RUN,
			.cycles = gen_spread(&t->rng, g->key[CYCLES], g->key[SPREAD]) };
		break;
	default:
		*ret = (struct op){ .kind = OP_SIGNAL, .target = first };
		t->step = 0;
		break;
	}
}

static void worker(const struct gen *g, int number, struct gen_task *t, struct op *ret)
{
	uint32_t to = (uint32_t)((uint64_t)number / g->key[WORKERS]);
	uint32_t own = (uint32_t)(g->key[MESSAGE] + (uint64_t)to * g->key[WORKERS]);

	switch (t->step++) {
	case 0:
		*ret = (struct op){ .kind = OP_SLEEP_FOR,
			.ns = gen_spread(&t->rng, g->key[SLEEP_US], g->key[SPREAD]) *
			      NSEC_PER_USEC };
		break;
	case 1:
		*ret = (struct op){ .kind = OP_RUN,
			.ns = gen_spread(&t->rng, g->key[RUN_US], g->key[SPREAD]) * NSEC_PER_USEC };
		break;
	case 2:
		ret->kind = OP_LATENCY;
		break;
	case 3:
		*ret = (struct op){ .kind = OP_SIGNAL, .target = to };
		break;
	case 4:
		*ret = (struct op){ .kind = OP_WAIT, .target = own };
		break;
	case 5:
		*ret = (struct op){ .kind = OP_LATENCY, .ns = 1 };
		break;
	default:
		*ret = (struct op){ .kind = OP_COUNT, .cycles = 1 };
		t->step = 0;
		break;
	}
}

static void schbench_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	if (task < (int)g->key[MESSAGE])
		message_thread(g, task, t, ret);
	else
		worker(g, task - (int)g->key[MESSAGE], t, ret);
}

int gen_schbench(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	r = gen_init(w, spec_get(spec, "pin"), (int)(key[MESSAGE] * (key[WORKERS] + 1)), key,
		schbench_step, err);
	if (r)
		return r;
	w->nr_channels = w->nr_tasks;
	w->duration_ns = key[SECONDS] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "wake-up");
	gen_metric(w, "latency_us", "us", METRIC_LATENCY_US, false, 1);
	gen_metric(w, "wakeups_per_s", "1/s", METRIC_OPS_PER_S, true, 1);
	return 0;
}
