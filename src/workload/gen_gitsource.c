// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gitsource: the test suite of git, one script after the other: hundreds of thousands of processes
 * that live for milliseconds, each started when the last one is done.
 *
 * The real one: shell scripts whose cases call git and small tools some ten times each; nothing
 * runs side by side, but each process is placed on a CPU anew, which has been idle for a while, and
 * its load has no history there. Modelled: the shell works, forks, and sleeps until the process has
 * ended; the process's exec and its page faults are system time, its own work is exponentially
 * distributed. All files are in the page cache.
 *
 * Nothing is fitted. The number of processes is of the order of what git's suite of 2018 starts;
 * their times are estimates from such a run (half an hour in all, half of it in the kernel). Not
 * modelled: pipelines within a case, and the few cases that wait.
 */
#include "base/units.h"
#include "workload/generator.h"

enum { PROCESSES, USER_US, SYSTEM_US, SPREAD, NR_KEYS };

static const struct gen_key keys[NR_KEYS] = {
	[PROCESSES] = { "processes", 300000, 1, 1000000000000 },
	[USER_US] = { "user_us", 1800, 0, 1000000000 },
	[SYSTEM_US] = { "system_us", 1200, 0, 1000000000 },
	[SPREAD] = { "spread_permille", 200, 0, 1000 },
};

/* At 3 GHz. */
enum { KHZ = 3000000, SHELL_US = 500, FORK_US = 250, EXEC_US = 500, SIMULATED_PROCESSES = 5000 };
enum { GO, END, NR_CHANNELS };

static struct op run_us(const struct gen *g, struct gen_task *t, uint64_t us, uint32_t flags)
{
	return (struct op){ .kind = OP_RUN,
		.flags = flags,
		.cycles = gen_spread(&t->rng, us * (KHZ / 1000), g->key[SPREAD]) + 1 };
}

static struct op own_work(struct gen_task *t, uint64_t us, uint32_t flags)
{
	return (struct op){ .kind = OP_RUN,
		.flags = flags,
		.cycles = us ? rng_exponential(&t->rng, us * (KHZ / 1000)) + 1 : 1 };
}

static struct op shell_step(const struct gen *g, struct gen_task *t)
{
	enum { WORK, FORK, START, WAIT };

	switch (t->step++) {
	case WORK:
		if (t->round == g->key[PROCESSES])
			return (struct op){ .kind = OP_EXIT };
		return run_us(g, t, SHELL_US, 0);
	case FORK:
		return run_us(g, t, FORK_US, OP_SYSTEM);
	case START:
		return (struct op){ .kind = OP_SIGNAL, .target = GO };
	case WAIT:
		return (struct op){ .kind = OP_WAIT, .target = END };
	default:
		t->step = WORK;
		t->round++;
		return (struct op){ .kind = OP_COUNT, .cycles = 1 };
	}
}

static struct op process_step(const struct gen *g, struct gen_task *t)
{
	enum { BEGIN, EXEC, USER, SYSTEM };

	switch (t->step++) {
	case BEGIN:
		return (struct op){ .kind = OP_WAIT, .flags = OP_NEW, .target = GO };
	case EXEC:
		return run_us(g, t, EXEC_US, OP_SYSTEM);
	case USER:
		return own_work(t, g->key[USER_US], 0);
	case SYSTEM:
		return own_work(t, g->key[SYSTEM_US], OP_SYSTEM);
	default:
		t->step = BEGIN;
		return (struct op){ .kind = OP_SIGNAL, .target = END };
	}
}

static void gitsource_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	*ret = task ? process_step(g, t) : shell_step(g, t);
}

int gen_gitsource(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	gen_default_scale(w, (double)SIMULATED_PROCESSES / (double)key[PROCESSES]);
	key[PROCESSES] = gen_scaled(w, key[PROCESSES]);
	gen_warm_up(w);
	r = gen_init(w, spec_get(spec, "pin"), 2, key, gitsource_step, err);
	if (r)
		return r;
	snprintf(w->tasks[0].name, sizeof(w->tasks[0].name), "sh");
	snprintf(w->tasks[1].name, sizeof(w->tasks[1].name), "git");
	w->tasks[1].service = true;
	w->nr_channels = NR_CHANNELS;
	snprintf(w->op_name, sizeof(w->op_name), "process");
	gen_metric(w, "elapsed_s", "s", METRIC_ELAPSED_S, false, 1);
	gen_metric(w, "user_s", "s", METRIC_USER_S, false, 1);
	gen_metric(w, "system_s", "s", METRIC_SYSTEM_S, false, 1);
	return 0;
}
