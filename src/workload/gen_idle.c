// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * idle: an otherwise idle machine. Each task sleeps on its own timer for a time that is
 * exponentially distributed around 1/wakeups of a second, runs run_cycles and sleeps again.
 *
 * The real thing is the background of a system where nobody works: daemons and kernel threads. No
 * particular system is modelled. wakeups, tasks and run_cycles are estimates of the order of
 * magnitude: some tens of wake-ups a second in all, some tens of microseconds of work each.
 */
#include "base/units.h"
#include "workload/generator.h"

enum { TASKS, SECONDS, WAKEUPS, RUN_CYCLES, BACKGROUND, NR_KEYS };

static const struct gen_key keys[NR_KEYS] = {
	[TASKS] = { "tasks", 8, 1, GEN_TASKS_MAX },
	[SECONDS] = { "seconds", 10, 1, WORKLOAD_SECONDS_MAX },
	[WAKEUPS] = { "wakeups", 5, 1, 1000000 },
	[BACKGROUND] = { "background", 0, 0, 1000 },
	[RUN_CYCLES] = { "run_cycles", 60000, 1, 1000000000000 },
};

static void idle_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	if (t->step)
		*ret = (struct op){ .kind = OP_RUN, .cycles = g->key[RUN_CYCLES] };
	else
		*ret = (struct op){ .kind = OP_SLEEP_FOR,
			.ns = rng_exponential(&t->rng, NSEC_PER_SEC / g->key[WAKEUPS]) };
	t->step = !t->step;
}

int gen_idle(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	r = gen_init(w, spec_get(spec, "pin"), (int)key[TASKS], key, idle_step, err);
	if (r)
		return r;
	w->background_hz = (uint32_t)key[BACKGROUND];
	w->duration_ns = key[SECONDS] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "wake-up");
	return 0;
}
