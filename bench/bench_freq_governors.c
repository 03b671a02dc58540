// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_freq_governors [-r ROUNDS] EMPTY.so OURS X.so [OURS X.so]...: cost of a call of the
 * utilisation hook, with the work that it queues now and then, our governor against a plug-in of
 * the kernel's own file, both called through struct freq_governor with the same events. Rounds of
 * both alternate, so that what disturbs one disturbs the other. The cost of the loop itself,
 * measured with a governor that does nothing, is taken off. EMPTY.so, a kernel file whose hook does
 * nothing, tells how much of the kernel's side is the shim's glue. Printed: medians of the rounds,
 * the ratio of ours to the kernel's, and that without glue.
 */
#include "base/rng.h"
#include "base/spec.h"
#include "base/units.h"
#include "host/plugin.h"
#include "policy/registry.h"
#include "rounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EVENTS = 20000, ROUNDS_MAX = 2000, CPUS = 4 };

struct event {
	struct util_event util;
	struct cpu_load loads[CPUS];
};

struct setup {
	const char *name;
	int nr_cpus;
	bool fast_switch;
};

static const struct setup setups[] = {
	{ "1 CPU, fast", 1, true },
	{ "1 CPU, slow", 1, false },
	{ "4 CPUs, fast", 4, true },
};

struct contender {
	const struct freq_governor *governor;
	void *state;
	double ns[ROUNDS_MAX]; /* per call */
};

static struct freq_snapshot snapshot;
static struct cpu_load loads[CPUS];
static uint32_t pstates[29];

/* A machine that works: ticks, wake-ups, now and then from I/O; phases of more and less load. */
static void make_events(struct event *events)
{
	struct cpu_load now[CPUS];
	struct rng rng;
	int64_t ns = NSEC_PER_SEC;

	rng_init(&rng, 1, 0);
	for (int i = 0; i < CPUS; i++)
		now[i] = (struct cpu_load){ .cpu = i, .capacity = 1024, .wall_ns = NSEC_PER_SEC };
	for (int i = 0; i < EVENTS; i++) {
		struct event *e = &events[i];
		int64_t step = 20000 + (int64_t)rng_below(&rng, 400000);
		uint64_t busy = (uint64_t)(i / 500 % 5) * 25;

		ns += step;
		for (int cpu = 0; cpu < CPUS; cpu++) {
			now[cpu].util = (uint32_t)(busy * 1024 / 100 + rng_below(&rng, 60));
			now[cpu].idle_calls += rng_below(&rng, 4) == 0;
			now[cpu].wall_ns += (uint64_t)step;
			now[cpu].idle_ns += (uint64_t)step * (100 - busy) / 100;
		}
		e->util = (struct util_event){ .now_ns = ns,
			.cpu = (int)rng_below(&rng, CPUS),
			.flags = rng_below(&rng, 10) ? 0 : UTIL_IOWAIT };
		memcpy(e->loads, now, sizeof(now));
	}
}

static void make_snapshot(const struct setup *setup)
{
	for (int i = 0; i < (int)ARRAY_LEN(pstates); i++)
		pstates[i] = 800000 + 100000 * (uint32_t)i;
	snapshot = (struct freq_snapshot){ .tick_ns = 4000000,
		.cur_khz = 800000,
		.min_khz = 800000,
		.max_khz = 3600000,
		.cpuinfo_min_khz = 800000,
		.cpuinfo_max_khz = 3600000,
		.nr_cpus = setup->nr_cpus,
		.cpus = loads,
		.invariant = true,
		.efficient_idle = true,
		.driver = { .khz = pstates,
			.nr_khz = ARRAY_LEN(pstates),
			.transition_delay_us = 1000,
			.fast_switch = setup->fast_switch } };
}

static bool apply(const struct freq_actions *actions, uint64_t *sum)
{
	bool work = false;

	for (int i = 0; i < actions->nr; i++) {
		*sum = *sum * 31 + actions->list[i].value;
		work |= actions->list[i].kind == FREQ_QUEUE_IRQ_WORK;
		if (actions->list[i].kind == FREQ_TARGET)
			snapshot.cur_khz = (uint32_t)actions->list[i].value / 100000 * 100000;
	}
	return work;
}

/* ns per call. sum keeps the compiler from leaving anything out, and tells what was asked for. */
static double play(struct contender *c, const struct event *events, uint64_t *sum)
{
	const struct freq_governor *g = c->governor;
	struct freq_actions actions = { 0 };
	double start;

	snapshot.cur_khz = 800000;
	snapshot.cpus = events[0].loads;
	g->start(c->state, &snapshot, &actions);
	start = now_ns();
	for (int i = 0; i < EVENTS; i++) {
		struct util_event util = events[i].util;

		util.index = util.cpu % snapshot.nr_cpus;
		snapshot.cpus = events[i].loads;
		snapshot.now_ns = util.now_ns;
		actions.nr = 0;
		g->on_util(c->state, &util, &snapshot, &actions);
		if (actions.nr && apply(&actions, sum)) {
			actions.nr = 0;
			g->work(c->state, &snapshot, &actions);
			apply(&actions, sum);
		}
	}
	start = now_ns() - start;
	if (g->stop)
		g->stop(c->state);
	return start / EVENTS;
}

static void nothing_start(void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
}

static void nothing_on_util(void *state, const struct util_event *event,
	const struct freq_snapshot *s, struct freq_actions *actions)
{
}

static const struct freq_governor nothing = {
	.name = "nothing",
	.start = nothing_start,
	.on_util = nothing_on_util,
};

static int contender_init(struct contender *c, const struct freq_governor *governor)
{
	size_t size = governor->state_size + CPUS * governor->cpu_state_size;

	memset(c, 0, sizeof(*c));
	c->governor = governor;
	c->state = aligned_alloc(64, (size + 64) & ~63UL);
	if (!c->state)
		return 1;
	memset(c->state, 0, size);
	if (governor->init)
		governor->init(governor, c->state, &snapshot);
	return 0;
}

static int find(const char *name, struct contender *c, void **ret_handle)
{
	const struct freq_governor *governor = NULL;
	const struct corepace_plugin *plugin;
	struct error err;
	int r;

	if (!spec_plugin_length(name)) {
		r = freq_governor_find(name, &governor, &err);
	} else {
		r = plugin_load(name, &plugin, ret_handle, &err);
		if (!r)
			governor = plugin->governor;
	}
	if (r) {
		fprintf(stderr, "bench_freq_governors: %s\n", err.text);
		return r;
	}
	return contender_init(c, governor);
}

static int bench(const char *empty, const char *name, const char *path, const struct event *events,
	const struct setup *setup, int rounds)
{
	static struct contender c[CONTENDERS];
	void *handles[CONTENDERS] = { NULL };
	uint64_t sums[CONTENDERS] = { 0 };
	double ns[CONTENDERS];

	make_snapshot(setup);
	if (contender_init(&c[LOOP], &nothing) || find(empty, &c[EMPTY], &handles[EMPTY]) ||
		find(name, &c[OURS], &handles[OURS]) || find(path, &c[KERNELS], &handles[KERNELS]))
		return 1;
	/* Round 0 warms up. */
	for (int i = 0; i <= rounds; i++)
		for (int k = 0; k < CONTENDERS; k++)
			c[k].ns[i] = play(&c[k], events, &sums[k]);
	if (sums[OURS] != sums[KERNELS]) {
		fprintf(stderr, "bench_freq_governors: %s and %s do not ask for the same\n", name,
			path);
		return 1;
	}
	for (int k = 0; k < CONTENDERS; k++)
		ns[k] = median(c[k].ns + 1, rounds) - (k ? ns[LOOP] : 0);
	printf("%-14s %-14s %8.1f %8.1f %8.1f %8.1f %8.2f %14.2f\n", name, setup->name, ns[LOOP],
		ns[EMPTY], ns[OURS], ns[KERNELS], ns[OURS] / ns[KERNELS],
		ns[OURS] / (ns[KERNELS] - ns[EMPTY]));
	for (int k = 0; k < CONTENDERS; k++) {
		free(c[k].state);
		plugin_unload(handles[k]);
	}
	return 0;
}

int main(int argc, char **argv)
{
	static struct event events[EVENTS];
	unsigned long long rounds = 300;
	struct error err;
	int c;

	while ((c = getopt(argc, argv, "r:")) != -1)
		if (c != 'r' || parse_u64(optarg, 1, ROUNDS_MAX - 1, "-r", &rounds, &err))
			return 2;
	if (argc - optind < 3 || (argc - optind) % 2 != 1) {
		fprintf(stderr, "usage: bench_freq_governors [-r ROUNDS] EMPTY.so OURS X.so [OURS "
				"X.so]...\n");
		return 2;
	}
	make_events(events);
	printf("ns per call of the utilisation hook, median of %d alternating rounds of %d\n",
		(int)rounds, EVENTS);
	printf("%-14s %-14s %8s %8s %8s %8s %8s %14s\n", "governor", "policy", "loop", "glue",
		"ours", "kernel's", "ratio", "without glue");
	for (int i = optind + 1; i < argc; i += 2)
		for (size_t k = 0; k < ARRAY_LEN(setups); k++)
			if (bench(argv[optind], argv[i], argv[i + 1], events, &setups[k],
				    (int)rounds))
				return 1;
	return 0;
}
