// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * side-by-side X.so...: plug-ins of idle and of frequency governors do not disturb each other.
 * Several simulations of each plug-in are run alone, then all of them in turns in one thread, then
 * each in a thread of its own: the decisions must be the same each time.
 */
#include "host/plugin.h"
#include "base/units.h"
#include "freq_play.h"
#include "play.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIMULATIONS_MAX = 32, SEEDS = 3, EVENTS = 20000 };

#define FNV_BASE 14695981039346656037u
#define FNV_PRIME 1099511628211u

struct simulation;

/* What an idle and a frequency governor are played with. */
struct kind {
	int (*begin)(struct simulation *s, const struct corepace_plugin *plugin, struct error *err);
	void (*restart)(struct simulation *s);
	void (*advance)(struct simulation *s); /* one event */
	void (*release)(struct simulation *s);
};

struct simulation {
	const char *plugin;
	const struct kind *kind;
	uint64_t seed, digest; /* FNV-1a of all decisions */
	union {
		struct {
			struct pair pair;
			struct events events;
		} idle;
		struct {
			struct freq_pair pair;
			struct freq_events events;
		} freq;
	};
};

/* ---- idle ------------------------------------------------------------------------------ */

static const struct idle_driver driver = {
	.nr_states = 4,
	.tick_ns = 4000000,
	.states = { { "POLL", 0, 0, true }, { "C1", 2000, 2000, false },
		{ "C1E", 10000, 20000, false }, { "C6", 133000, 400000, false } },
};

static int idle_begin(struct simulation *s, const struct corepace_plugin *plugin, struct error *err)
{
	return pair_init(&s->idle.pair, plugin->idle, plugin->idle, &driver, NULL, err);
}

static void idle_restart(struct simulation *s)
{
	events_init(&s->idle.events, &driver, s->seed);
	pair_begin(&s->idle.pair);
}

static void idle_advance(struct simulation *s)
{
	struct decision decisions[2];
	const unsigned char *bytes = (const unsigned char *)decisions;
	struct diff_event event;

	events_next(&s->idle.events, &event);
	(void)pair_play(&s->idle.pair, &event, decisions);
	for (size_t i = 0; i < sizeof(decisions); i++)
		s->digest = (s->digest ^ bytes[i]) * FNV_PRIME;
}

static void idle_release(struct simulation *s)
{
	pair_release(&s->idle.pair);
}

static const struct kind idle_kind = { idle_begin, idle_restart, idle_advance, idle_release };

/* ---- frequency ------------------------------------------------------------------------- */

static const struct freq_setup setup = { "side by side", 2, 4000000, 800000, 3600000, 100000, 0,
	true, false, false, true, true };

static const struct freq_tunable no_tunables[FREQ_TUNABLES_MAX + 1];

static int freq_begin(struct simulation *s, const struct corepace_plugin *plugin, struct error *err)
{
	return freq_pair_init(
		&s->freq.pair, plugin->governor, plugin->governor, &setup, no_tunables, err);
}

static void freq_restart(struct simulation *s)
{
	struct error err;

	freq_events_init(&s->freq.events, &setup, 1000000, s->seed);
	(void)freq_pair_begin(&s->freq.pair, &err);
}

static void freq_advance(struct simulation *s)
{
	struct freq_actions actions[2];
	struct freq_event event;

	freq_events_next(&s->freq.events, &event);
	(void)freq_pair_play(&s->freq.pair, &event, actions);
	for (int i = 0; i < actions[1].nr; i++)
		s->digest = (s->digest ^ actions[1].list[i].value ^
				    (uint64_t)actions[1].list[i].kind << 60) *
			    FNV_PRIME;
}

static void freq_release(struct simulation *s)
{
	freq_pair_release(&s->freq.pair);
}

static const struct kind freq_kind = { freq_begin, freq_restart, freq_advance, freq_release };

/* ---- both ------------------------------------------------------------------------------ */

static int begin(
	struct simulation *s, const char *path, const struct corepace_plugin *plugin, uint64_t seed)
{
	struct error err = { "no governor" };

	*s = (struct simulation){ .plugin = path, .seed = seed };
	s->kind = plugin->idle ? &idle_kind : plugin->governor ? &freq_kind : NULL;
	if (s->kind && !s->kind->begin(s, plugin, &err))
		return 0;
	fprintf(stderr, "side-by-side: %s: %s\n", path, err.text);
	return 1;
}

static void restart(struct simulation *s)
{
	s->digest = FNV_BASE;
	s->kind->restart(s);
}

static void *run(void *simulation)
{
	struct simulation *s = simulation;

	restart(s);
	for (int i = 0; i < EVENTS; i++)
		s->kind->advance(s);
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
			s[i].kind->advance(&s[i]);
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
		for (int seed = 1; seed <= SEEDS; seed++, nr++)
			if (begin(&simulations[nr], argv[i], plugin, (uint64_t)seed))
				return 1;
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
		simulations[i].kind->release(&simulations[i]);
	while (nr_plugins > 0)
		plugin_unload(handles[--nr_plugins]);
	return bad || !nr;
}
