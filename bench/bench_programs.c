// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The programs that bench/simgrid gives to both simulators, here to ours: energy, idle states,
 * ticks, interrupts and all. An event is the end of a piece of work or of a wait of the program,
 * counted while it runs; what the simulator itself needs for it is printed beside.
 *
 * Usage: bench_programs DATA ping-pong|fork-join|idle CPUS TASKS ROUNDS
 * Prints: seconds, events, own events, simulated seconds, joules, peak memory in kB.
 */
#include "bench/programs.h"
#include "bench/rounds.h"
#include "machine/machine.h"
#include "machine/preset.h"
#include "sim/sim.h"
#include "workload/generator.h"

#include <stdio.h>
#include <string.h>

enum { PROGRAM, TASKS, ROUNDS };

static uint64_t nr_events;

static void ping_pong(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	if (t->round == g->key[ROUNDS]) {
		ret->kind = OP_EXIT;
		return;
	}
	/* The first works, signals and waits, the second waits, works and signals. */
	switch ((t->step + (task ? 2 : 0)) % 3) {
	case 0:
		*ret = (struct op){ .kind = OP_RUN, .cycles = PIECE_CYCLES };
		nr_events++;
		break;
	case 1:
		*ret = (struct op){ .kind = OP_SIGNAL, .target = (uint32_t)!task };
		break;
	default:
		*ret = (struct op){ .kind = OP_WAIT, .target = (uint32_t)task };
		nr_events++;
	}
	t->step = (t->step + 1) % 3;
	t->round += !t->step;
}

/* Task 0 gives a piece of work to each of the others and waits for all of them. */
static void fork_join(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	int others = (int)g->key[TASKS] - 1;

	if (t->round == g->key[ROUNDS]) {
		ret->kind = OP_EXIT;
		return;
	}
	if (!task && t->step < others) {
		*ret = (struct op){ .kind = OP_SIGNAL, .target = (uint32_t)t->step + 1 };
	} else if (!task) {
		*ret = (struct op){ .kind = OP_WAIT };
		nr_events++;
	} else if (t->step == 0) {
		*ret = (struct op){ .kind = OP_WAIT, .target = (uint32_t)task };
		nr_events++;
	} else if (t->step == 1) {
		*ret = (struct op){ .kind = OP_RUN, .cycles = PIECE_CYCLES };
		nr_events++;
	} else {
		*ret = (struct op){ .kind = OP_SIGNAL };
	}
	t->step++;
	if (t->step == (task ? 3 : 2 * others)) {
		t->step = 0;
		t->round++;
	}
}

/* Tasks that are there and do nothing. */
static void idle(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	ret->kind = t->step++ ? OP_EXIT : OP_SLEEP_FOR;
	ret->ns = NSEC_PER_SEC;
	nr_events += ret->kind == OP_SLEEP_FOR;
}

static int program(const char *name, const uint64_t *key, struct workload *w, struct error *err)
{
	int tasks = (int)key[TASKS];

	snprintf(w->name, sizeof(w->name), "%s", name);
	w->nr_channels = tasks + 1;
	if (!strcmp(name, "ping-pong"))
		return gen_init(w, NULL, 2, key, ping_pong, err);
	if (!strcmp(name, "fork-join"))
		return gen_init(w, NULL, tasks, key, fork_join, err);
	return gen_init(w, NULL, tasks, key, idle, err);
}

static int measure(char **argv, struct error *err)
{
	const struct sim_options options = { .seed = 1 };
	uint64_t key[GEN_KEYS_MAX] = {
		[TASKS] = strtoul(argv[4], NULL, 10), [ROUNDS] = strtoul(argv[5], NULL, 10)
	};
	char spec[64], machines[4096], policies[4096];
	struct machine *m = NULL;
	struct workload w = { 0 };
	struct policy p;
	struct run_result result;
	double begin;
	int r;

	snprintf(spec, sizeof(spec), "i7-2600k:cpus=%s", argv[3]);
	snprintf(machines, sizeof(machines), "%s/machines", argv[1]);
	snprintf(policies, sizeof(policies), "%s/policies", argv[1]);
	r = machine_load(spec, machines, &m, err);
	if (r >= 0)
		r = policy_load("performance", policies, NULL, &p, err);
	if (r >= 0)
		r = program(argv[2], key, &w, err);
	begin = now_ns();
	if (r >= 0)
		r = sim_run(m, &w, &p, &options, &result, err);
	if (r < 0)
		return r;
	printf("%.6f %llu %llu %.6f %.3f %ld\n", (now_ns() - begin) / 1e9,
		(unsigned long long)nr_events, (unsigned long long)result.counters.events,
		(double)result.elapsed_ns / 1e9, (double)result.package_uj / 1e6, peak_kb());
	result_release(&result);
	w.release(&w);
	free(w.tasks);
	machine_free(m);
	return 0;
}

int main(int argc, char **argv)
{
	struct error err = { 0 };

	if (argc != 6) {
		fprintf(stderr, "usage: %s DATA ping-pong|fork-join|idle CPUS TASKS ROUNDS\n",
			argv[0]);
		return 2;
	}
	if (measure(argv, &err) < 0) {
		fprintf(stderr, "%s: %s\n", argv[0], err.text);
		return 1;
	}
	return 0;
}
