// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * busy: each task computes without a pause, in pieces of burst_cycles that count as one operation
 * each. No real program is modelled and nothing is estimated: it is what keeps CPUs busy in tests
 * and in the measure of simulated seconds per second.
 */
#include "base/units.h"
#include "workload/generator.h"

enum { TASKS, SECONDS, BURSTS, BURST_CYCLES, POWER, NR_KEYS };

static const struct gen_key keys[NR_KEYS] = {
	[TASKS] = { "tasks", 1, 1, GEN_TASKS_MAX },
	[SECONDS] = { "seconds", 0, 1, WORKLOAD_SECONDS_MAX },
	[BURSTS] = { "bursts", 0, 1, 1000000000000 },
	[BURST_CYCLES] = { "burst_cycles", 1000000, 1, 1000000000000 },
	[POWER] = { "power_permille", 1000, 0, 5000 },
};

enum { SECONDS_DEFAULT = 1 };

static void busy_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	if (t->step) {
		*ret = (struct op){ .kind = OP_COUNT, .cycles = 1 };
		t->step = 0;
		t->round++;
	} else if (g->key[BURSTS] && t->round == g->key[BURSTS]) {
		ret->kind = OP_EXIT;
	} else {
		*ret = (struct op){ .kind = OP_RUN, .cycles = g->key[BURST_CYCLES] };
		t->step = 1;
	}
}

int gen_busy(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	gen_work_or_time(w, &key[BURSTS], &key[SECONDS], SECONDS_DEFAULT);
	r = gen_init(w, spec_get(spec, "pin"), (int)key[TASKS], key, busy_step, err);
	if (r)
		return r;
	for (int i = 0; i < w->nr_tasks; i++)
		w->tasks[i].power_permille = key[POWER] ? (int)key[POWER] : 1;
	w->duration_ns = key[SECONDS] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "burst");
	gen_metric(w, "bursts_per_s", "1/s", METRIC_OPS_PER_S, true, 1);
	if (key[BURSTS])
		gen_metric(w, "elapsed_s", "s", METRIC_ELAPSED_S, false, 1);
	return 0;
}
