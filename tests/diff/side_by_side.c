// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * side-by-side X.so...: plug-ins do not disturb each other. Several simulations of each plug-in are
 * run alone, then all of them in turns in one thread, then each in a thread of its own: the
 * decisions must be the same each time.
 */
#include "host/plugin.h"
#include "base/units.h"
#include "play.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIMULATIONS_MAX = 32, SEEDS = 3, EVENTS = 20000 };

static const struct idle_driver driver = {
	.nr_states = 4,
	.tick_ns = 4000000,
	.states = { { "POLL", 0, 0, true }, { "C1", 2000, 2000, false },
		{ "C1E", 10000, 20000, false }, { "C6", 133000, 400000, false } },
};

struct simulation {
	const char *plugin;
	struct pair pair;
	struct events events;
	uint64_t seed, digest;
};

static int begin(struct simulation *s, const struct idle_governor *governor, uint64_t seed)
{
	struct error err;

	s->seed = seed;
	if (pair_init(&s->pair, governor, governor, &driver, NULL, &err)) {
		fprintf(stderr, "side-by-side: %s\n", err.text);
		return 1;
	}
	return 0;
}

static void restart(struct simulation *s)
{
	events_init(&s->events, &driver, s->seed);
	pair_begin(&s->pair);
	s->digest = 14695981039346656037u;
}

/* One event; the digest (FNV-1a) takes in all that was decided. */
static void advance(struct simulation *s)
{
	struct decision decisions[2];
	const unsigned char *bytes = (const unsigned char *)decisions;
	struct diff_event event;

	events_next(&s->events, &event);
	(void)pair_play(&s->pair, &event, decisions);
	for (size_t i = 0; i < sizeof(decisions); i++)
		s->digest = (s->digest ^ bytes[i]) * 1099511628211u;
}

static void *run(void *simulation)
{
	restart(simulation);
	for (int i = 0; i < EVENTS; i++)
		advance(simulation);
	return NULL;
}

static int compare(const char *how, const struct simulation *s, int nr, const uint64_t *alone)
{
	int bad = 0;

	for (int i = 0; i < nr; i++) {
		if (s[i].digest == alone[i])
			continue;
		printf("%s, seed %d: other decisions %s\n", s[i].plugin, (int)s[i].seed, how);
		bad = 1;
	}
	if (!bad)
		printf("%d simulations %s: the same decisions as alone\n", nr, how);
	return bad;
}

static int in_turns(struct simulation *s, int nr, const uint64_t *alone)
{
	for (int i = 0; i < nr; i++)
		restart(&s[i]);
	for (int event = 0; event < EVENTS; event++)
		for (int i = 0; i < nr; i++)
			advance(&s[i]);
	return compare("in turns", s, nr, alone);
}

static int in_threads(struct simulation *s, int nr, const uint64_t *alone)
{
	pthread_t threads[SIMULATIONS_MAX];

	for (int i = 0; i < nr; i++)
		if (pthread_create(&threads[i], NULL, run, &s[i]))
			return 1;
	for (int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	return compare("in threads", s, nr, alone);
}

int main(int argc, char **argv)
{
	static struct simulation simulations[SIMULATIONS_MAX];
	void *handles[SIMULATIONS_MAX];
	uint64_t alone[SIMULATIONS_MAX];
	int nr = 0, nr_plugins = 0, bad;

	for (int i = 1; i < argc && nr + SEEDS <= SIMULATIONS_MAX; i++) {
		const struct corepace_plugin *plugin;
		struct error err;

		if (plugin_load(argv[i], &plugin, &handles[nr_plugins++], &err)) {
			fprintf(stderr, "side-by-side: %s\n", err.text);
			return 1;
		}
		for (int seed = 1; seed <= SEEDS; seed++, nr++) {
			simulations[nr].plugin = argv[i];
			if (begin(&simulations[nr], plugin->idle, (uint64_t)seed))
				return 1;
		}
	}
	for (int i = 0; i < nr; i++) {
		run(&simulations[i]);
		alone[i] = simulations[i].digest;
		/* Without this a plug-in that decides nothing would pass. */
		if (i && simulations[i].seed > 1 && alone[i] == alone[i - 1]) {
			printf("%s: the seed makes no difference\n", simulations[i].plugin);
			return 1;
		}
	}
	bad = in_turns(simulations, nr, alone) | in_threads(simulations, nr, alone);
	for (int i = 0; i < nr; i++)
		pair_release(&simulations[i].pair);
	while (nr_plugins > 0)
		plugin_unload(handles[--nr_plugins]);
	return bad || !nr;
}
