// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * periodic: each task sleeps until its period begins, works for run_us and sleeps until the next
 * one, as a control loop, an audio buffer or `cyclictest` with work does.
 *
 * A job is due at the beginning of its period plus a uniform 0..jitter_us; its latency runs from
 * there to the end of its work. Tasks are spread evenly over the first period. run_us is work
 * at khz and becomes cycles: on a faster CPU it takes less time. A job that is late makes the
 * next one start late, none is left out. Nothing is estimated: all figures are the user's.
 */
#include "base/units.h"
#include "workload/generator.h"

enum { TASKS, PERIOD, RUN, JITTER, SECONDS, PERIODS, KHZ, NR_KEYS };

static const struct gen_key keys[NR_KEYS] = {
	[TASKS] = { "tasks", 1, 1, GEN_TASKS_MAX },
	[PERIOD] = { "period_us", 10000, 1, 3600ULL * 1000000 },
	[RUN] = { "run_us", 1000, 0, 3600ULL * 1000000 },
	[JITTER] = { "jitter_us", 0, 0, 3600ULL * 1000000 },
	[SECONDS] = { "seconds", 0, 1, WORKLOAD_SECONDS_MAX },
	[PERIODS] = { "periods", 0, 1, 1000000000 },
	[KHZ] = { "khz", 2000000, 1, 10000000 },
};

enum { SECONDS_DEFAULT = 10 };

enum step { STEP_SLEEP, STEP_BEGIN, STEP_RUN, STEP_END, STEP_COUNT, STEPS };

static uint64_t due(const struct gen *g, int task, struct gen_task *t)
{
	uint64_t period = g->key[PERIOD] * NSEC_PER_USEC;
	uint64_t phase = period * (uint64_t)task / g->key[TASKS];
	uint64_t jitter = rng_below(&t->rng, g->key[JITTER] * NSEC_PER_USEC + 1);

	/* Not the beginning of time: the first job sleeps like all others. */
	return (t->round + 1) * period + phase + jitter;
}

static void periodic_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	switch ((enum step)t->step) {
	case STEP_SLEEP:
		if (g->key[PERIODS] && t->round == g->key[PERIODS]) {
			ret->kind = OP_EXIT;
			return;
		}
		t->due = due(g, task, t);
		*ret = (struct op){ .kind = OP_SLEEP_UNTIL, .ns = t->due };
		break;
	case STEP_BEGIN:
		*ret = (struct op){ .kind = OP_LATENCY, .ns = t->due };
		break;
	case STEP_RUN:
		*ret = (struct op){ .kind = OP_RUN,
			.cycles = ns_to_cycles(g->key[RUN] * NSEC_PER_USEC, g->key[KHZ]) };
		break;
	case STEP_END:
		*ret = (struct op){ .kind = OP_LATENCY, .ns = 1 };
		break;
	case STEP_COUNT:
	case STEPS:
		*ret = (struct op){ .kind = OP_COUNT, .cycles = 1 };
		t->round++;
		break;
	}
	t->step = (t->step + 1) % STEPS;
}

int gen_periodic(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	gen_work_or_time(w, &key[PERIODS], &key[SECONDS], SECONDS_DEFAULT);
	r = gen_init(w, spec_get(spec, "pin"), (int)key[TASKS], key, periodic_step, err);
	if (r)
		return r;
	w->duration_ns = key[SECONDS] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "job");
	gen_metric(w, "latency_ms", "ms", METRIC_LATENCY_MS, false, 1);
	if (key[PERIODS])
		gen_metric(w, "elapsed_s", "s", METRIC_ELAPSED_S, false, 1);
	return 0;
}
