// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_idle_governors [-r ROUNDS] EMPTY.so OURS X.so [OURS X.so]...: cost of a pair of select and
 * reflect, our governor against a plug-in of the kernel's own file, both called through struct
 * idle_governor with the same events. Rounds of both alternate, so that what disturbs one disturbs
 * the other. The cost of the loop itself, measured with a governor that does nothing, is taken off.
 * EMPTY.so, a kernel file that decides nothing, tells how much of the kernel's side is the shim's
 * glue. Printed: medians of the rounds, the ratio of ours to the kernel's, and that without glue.
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

enum { EVENTS = 20000, ROUNDS_MAX = 2000 };

/* Haswell's states, the hsw5 of the decision vectors. */
static const struct idle_driver driver = {
	.nr_states = 5,
	.tick_ns = 4000000,
	.states = { { "POLL", 0, 0, true }, { "C1", 2000, 2000, false },
		{ "C1E", 10000, 20000, false }, { "C3", 33000, 100000, false },
		{ "C6", 133000, 400000, false } },
};

struct event {
	struct idle_snapshot snapshot;
	int64_t length_ns;
	bool got_tick;
};

struct contender {
	const struct idle_governor *governor;
	struct idle_cpu cpu;
	double ns[ROUNDS_MAX]; /* per pair */
};

/* Idle periods as of a machine that works: most end early, by a wake-up nobody announced. */
static int64_t idle_length(struct rng *rng, int phase)
{
	switch (phase % 5) {
	case 0: /* ping-pong over a pipe */
		return 1700 + (int64_t)rng_below(rng, 700);
	case 1: /* network interrupts */
		return 20000 + (int64_t)rng_below(rng, 30000);
	case 2: /* bimodal: bursts and pauses */
		return rng_below(rng, 10) ? 5000 + (int64_t)rng_below(rng, 2000) : 3000000;
	case 3: /* heavy tail */
		return 1000 + (int64_t)(rng_next(rng) >> (34 + rng_below(rng, 20)));
	default: /* timers */
		return INT64_MAX;
	}
}

static void make_events(struct event *events)
{
	struct rng rng;
	int64_t now = NSEC_PER_SEC;

	rng_init(&rng, 1, 0);
	for (int i = 0; i < EVENTS; i++) {
		struct event *e = &events[i];
		struct idle_snapshot *s = &e->snapshot;
		int64_t to_tick = 1 + (int64_t)rng_below(&rng, (uint64_t)driver.tick_ns);

		s->now_ns = now;
		s->sleep_length_ns = 100000 + (int64_t)rng_below(&rng, 40000000);
		s->delta_tick_ns = min_i64(to_tick, s->sleep_length_ns);
		s->latency_req_ns = LATENCY_NO_LIMIT_NS;
		s->nr_iowait = rng_below(&rng, 8) ? 0 : 1;
		e->length_ns = min_i64(idle_length(&rng, i / 500), s->sleep_length_ns);
		e->got_tick = e->length_ns > to_tick && rng_below(&rng, 4) == 0;
		now += e->length_ns + 5000;
	}
}

/* ns per pair. sum keeps the compiler from leaving anything out. */
static double play(struct contender *c, const struct event *events, uint64_t *sum)
{
	const struct idle_governor *governor = c->governor;
	struct idle_cpu *cpu = &c->cpu;
	double start = now_ns();

	for (int i = 0; i < EVENTS; i++) {
		struct idle_choice choice = { .stop_tick = true };
		struct idle_outcome outcome;

		governor->select(cpu, &events[i].snapshot, &choice);
		*sum = *sum * 3 + (uint64_t)choice.state * 2 + choice.stop_tick;
		cpu->device.last_residency_ns = events[i].length_ns;
		cpu->device.poll_time_limit = false;
		outcome.now_ns = events[i].snapshot.now_ns + events[i].length_ns;
		outcome.entered = choice.state;
		outcome.got_tick = events[i].got_tick;
		governor->reflect(cpu, &outcome);
	}
	return (now_ns() - start) / EVENTS;
}

static int contender_init(struct contender *c, const struct idle_governor *governor)
{
	memset(c, 0, sizeof(*c));
	c->governor = governor;
	c->cpu.governor = governor;
	c->cpu.driver = &driver;
	c->cpu.state = calloc(1, governor->state_size + 1);
	return !c->cpu.state || (governor->init && governor->init(&c->cpu, NULL));
}

/* The loop with nothing in it: two indirect calls that return at once. */
static void nothing_select(
	struct idle_cpu *cpu, const struct idle_snapshot *s, struct idle_choice *choice)
{
	choice->state = 1;
}

static void nothing_reflect(struct idle_cpu *cpu, const struct idle_outcome *outcome)
{
}

static const struct idle_governor nothing = {
	.name = "nothing",
	.select = nothing_select,
	.reflect = nothing_reflect,
};

static int find(const char *name, struct contender *c, void **ret_handle)
{
	const struct idle_governor *governor = NULL;
	const struct corepace_plugin *plugin;
	struct error err;
	int r;

	if (!spec_plugin_length(name)) {
		r = idle_governor_find(name, &governor, NULL, &err);
	} else {
		r = plugin_load(name, &plugin, ret_handle, &err);
		if (!r)
			governor = plugin->idle;
	}
	if (r) {
		fprintf(stderr, "bench_idle_governors: %s\n", err.text);
		return r;
	}
	return contender_init(c, governor);
}

static int bench(const char *empty, const char *name, const char *path, const struct event *events,
	int rounds)
{
	static struct contender c[CONTENDERS];
	void *handles[CONTENDERS] = { NULL };
	uint64_t sums[CONTENDERS] = { 0 };
	double ns[CONTENDERS];

	if (contender_init(&c[LOOP], &nothing) || find(empty, &c[EMPTY], &handles[EMPTY]) ||
		find(name, &c[OURS], &handles[OURS]) || find(path, &c[KERNELS], &handles[KERNELS]))
		return 1;
	/* Round 0 warms up. */
	for (int i = 0; i <= rounds; i++)
		for (int k = 0; k < CONTENDERS; k++)
			c[k].ns[i] = play(&c[k], events, &sums[k]);
	if (sums[OURS] != sums[KERNELS]) {
		fprintf(stderr, "bench_idle_governors: %s and %s do not decide the same\n", name,
			path);
		return 1;
	}
	for (int k = 0; k < CONTENDERS; k++)
		ns[k] = median(c[k].ns + 1, rounds) - (k ? ns[LOOP] : 0);
	printf("%-14s %8.1f %8.1f %8.1f %8.1f %8.2f %14.2f\n", name, ns[LOOP], ns[EMPTY], ns[OURS],
		ns[KERNELS], ns[OURS] / ns[KERNELS], ns[OURS] / (ns[KERNELS] - ns[EMPTY]));
	for (int k = 0; k < CONTENDERS; k++) {
		free(c[k].cpu.state);
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
		fprintf(stderr, "usage: bench_idle_governors [-r ROUNDS] EMPTY.so OURS X.so [OURS "
				"X.so]...\n");
		return 2;
	}
	make_events(events);
	printf("ns per pair of select and reflect, median of %d alternating rounds of %d\n",
		(int)rounds, EVENTS);
	printf("%-14s %8s %8s %8s %8s %8s %14s\n", "governor", "loop", "glue", "ours", "kernel's",
		"ratio", "without glue");
	for (int i = optind + 1; i < argc; i += 2)
		if (bench(argv[optind], argv[i], argv[i + 1], events, (int)rounds))
			return 1;
	return 0;
}
