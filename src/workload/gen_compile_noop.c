// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel-compile-noop: make in a kernel tree that is built already, and packages made of it, some
 * times over in a window of time.
 *
 * The real one: make looks at the dates of all files, and for each starts shell pipelines that
 * compare command lines and names; in the end what is there is installed and packed, one long
 * compression that another process feeds. All of it is in the page cache. Modelled: a run has
 * commands one after the other, then the packing. A command: make works, starts a process (placed
 * anew) that starts a second one and writes lines into a pipe, each of which the second one reads
 * and works on for a shorter time than the first one needs for the next: idle periods of a
 * microsecond, as in pipe-test, and after them longer ones on the same CPUs. Make sleeps until the
 * second one has ended. The packing: one process compresses block by block, its feeder is woken for
 * each.
 *
 * Runs begin evenly spread over the window; one that takes longer than its share delays the next.
 * scale cuts the window and the work of a run alike, the number of runs stays. An operation is a
 * command.
 *
 * Fitted on T16's row for menu of 4.6 (48.6 kJ in 2000 s, 24.3 W): run_seconds, one parameter. All
 * else is estimated: what a run is divided into, and above all the lines of a command. Not
 * modelled: jobs of make side by side, whatever of the tree is not in the page cache, and the disk.
 */
#include "base/units.h"
#include "workload/generator.h"

enum { TIMES, WINDOW, RUN_SECONDS, LINES, SPREAD, NR_KEYS, COMMANDS = NR_KEYS, BLOCKS, PERIOD_US };

static const struct gen_key keys[NR_KEYS] = {
	[TIMES] = { "times", 9, 1, 100000 },
	[WINDOW] = { "window", 2000, 1, WORKLOAD_SECONDS_MAX },
	[RUN_SECONDS] = { "run_seconds", 190, 1, 1000000 },
	[LINES] = { "lines", 100, 1, 100000 },
	[SPREAD] = { "spread_permille", 300, 0, 1000 },
};

/* At 3.8 GHz, in us; how long a run takes depends on the machine, run_seconds is about i7-2600k. */
enum { KHZ = 3800000 };
enum {
	MAKE_US = 6000,
	FORK_US = 200,
	EXEC_US = 500,
	WORK_US = 1500,
	WRITE_US = 5,
	READ_US = 2,
	EXIT_US = 200,
	COMMAND_US = MAKE_US + 2 * FORK_US + 2 * EXEC_US + WORK_US + 2 * EXIT_US,
	BLOCK_US = 20000,
	FEED_US = 60,
};

enum { SIMULATED_SECONDS = 800 }; /* of the window, unless scale says otherwise */

enum task { MAKE, FIRST, SECOND, COMPRESSOR, FEEDER, NR_TASKS };
enum channel { FIRST_GO, SECOND_GO, LINE, COMMAND_END, COMPRESS, BLOCK, PACKED, NR_CHANNELS };

static struct op run_us(const struct gen *g, struct gen_task *t, uint64_t us, uint32_t flags)
{
	return (struct op){ .kind = OP_RUN,
		.flags = flags,
		.cycles = gen_spread(&t->rng, us * (KHZ / 1000), g->key[SPREAD]) + 1 };
}

static struct op signal_to(enum channel channel)
{
	return (struct op){ .kind = OP_SIGNAL, .target = channel };
}

static struct op wait_for(enum channel channel, uint32_t flags)
{
	return (struct op){ .kind = OP_WAIT, .flags = flags, .target = channel };
}

/* due counts the commands of a run, round the runs. */
static struct op make_step(const struct gen *g, struct gen_task *t)
{
	enum { DATE, WORK, FORK, START, END, COUNT, PACK };

	switch (t->step++) {
	case DATE:
		if (t->round == g->key[TIMES])
			return (struct op){ .kind = OP_EXIT };
		return (struct op){ .kind = OP_SLEEP_UNTIL,
			.ns = t->round * g->key[PERIOD_US] * NSEC_PER_USEC };
	case WORK:
		return run_us(g, t, MAKE_US, 0);
	case FORK:
		return run_us(g, t, FORK_US, OP_SYSTEM);
	case START:
		return signal_to(FIRST_GO);
	case END:
		return wait_for(COMMAND_END, 0);
	case COUNT:
		t->step = ++t->due < g->key[COMMANDS] ? WORK : PACK;
		return (struct op){ .kind = OP_COUNT, .cycles = 1 };
	case PACK:
		return signal_to(COMPRESS);
	default:
		t->due = 0;
		t->round++;
		t->step = DATE;
		return wait_for(PACKED, 0);
	}
}

static struct op first_step(const struct gen *g, struct gen_task *t)
{
	enum { BEGIN, EXEC, WORK, START, WRITE, PUT };

	switch (t->step++) {
	case BEGIN:
		t->due = 0;
		return wait_for(FIRST_GO, OP_NEW);
	case EXEC:
		return run_us(g, t, EXEC_US + FORK_US, OP_SYSTEM);
	case WORK:
		return run_us(g, t, WORK_US, 0);
	case START:
		return signal_to(SECOND_GO);
	case WRITE:
		return run_us(g, t, t->due ? WRITE_US : EXEC_US, OP_SYSTEM);
	case PUT:
		t->step = ++t->due < g->key[LINES] ? WRITE : PUT + 1;
		return signal_to(LINE);
	default:
		t->step = BEGIN;
		return run_us(g, t, EXIT_US, OP_SYSTEM);
	}
}

static struct op second_step(const struct gen *g, struct gen_task *t)
{
	enum { BEGIN, EXEC, GET, READ, EXIT };

	switch (t->step++) {
	case BEGIN:
		t->due = 0;
		return wait_for(SECOND_GO, OP_NEW);
	case EXEC:
		return run_us(g, t, EXEC_US / 2, OP_SYSTEM);
	case GET:
		return wait_for(LINE, 0);
	case READ:
		t->step = ++t->due < g->key[LINES] ? GET : EXIT;
		return run_us(g, t, READ_US, OP_SYSTEM);
	case EXIT:
		return run_us(g, t, EXIT_US, OP_SYSTEM);
	default:
		t->step = BEGIN;
		return signal_to(COMMAND_END);
	}
}

static struct op compressor_step(const struct gen *g, struct gen_task *t)
{
	enum { BEGIN, WORK, NEXT };

	switch (t->step++) {
	case BEGIN:
		t->due = 0;
		return wait_for(COMPRESS, OP_NEW);
	case WORK:
		return run_us(g, t, BLOCK_US, 0);
	case NEXT:
		t->step = ++t->due < g->key[BLOCKS] ? WORK : NEXT + 1;
		return signal_to(BLOCK);
	default:
		t->step = BEGIN;
		return signal_to(PACKED);
	}
}

static struct op feeder_step(const struct gen *g, struct gen_task *t)
{
	t->step = !t->step;
	return t->step ? wait_for(BLOCK, 0) : run_us(g, t, FEED_US, OP_SYSTEM);
}

static void noop_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	switch ((enum task)task) {
	case MAKE:
		*ret = make_step(g, t);
		break;
	case FIRST:
		*ret = first_step(g, t);
		break;
	case SECOND:
		*ret = second_step(g, t);
		break;
	case COMPRESSOR:
		*ret = compressor_step(g, t);
		break;
	default:
		*ret = feeder_step(g, t);
	}
}

int gen_compile_noop(const struct spec *spec, struct workload *w, struct error *err)
{
	static const char *const names[NR_TASKS] = { "make", "sh", "sed", "xz", "tar" };
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);
	double half_us;

	if (r)
		return r;
	gen_default_scale(w, (double)SIMULATED_SECONDS / (double)key[WINDOW]);
	half_us = (double)key[RUN_SECONDS] * 1e6 / 2;
	if (w->scale < 1)
		half_us *= w->scale;
	key[COMMANDS] = (uint64_t)(half_us / COMMAND_US) + 1;
	key[BLOCKS] = (uint64_t)(half_us / BLOCK_US) + 1;
	key[PERIOD_US] = (uint64_t)((double)key[WINDOW] * 1e6 * w->scale / (double)key[TIMES]);
	r = gen_init(w, spec_get(spec, "pin"), NR_TASKS, key, noop_step, err);
	if (r)
		return r;
	for (int i = 0; i < NR_TASKS; i++) {
		snprintf(w->tasks[i].name, sizeof(w->tasks[i].name), "%s", names[i]);
		w->tasks[i].service = i != MAKE;
	}
	w->nr_channels = NR_CHANNELS;
	w->duration_ns = key[WINDOW] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "command");
	gen_metric(w, "user_s", "s", METRIC_USER_S, false, 1);
	gen_metric(w, "system_s", "s", METRIC_SYSTEM_S, false, 1);
	return 0;
}
