// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * freq-side-by-side X.so...: plug-ins of frequency governors do not disturb each other. Several
 * policies of each plug-in are run alone, then all of them in turns in one thread, then each in a
 * thread of its own: the requests must be the same each time.
 */
#include "base/units.h"
#include "freq_play.h"
#include "host/plugin.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { POLICIES_MAX = 32, SEEDS = 3, EVENTS = 20000 };

static const struct freq_setup setup = { "side by side", 2, 4000000, 800000, 3600000, 100000, 0,
	true, false, false, true, true };

static const struct freq_tunable no_tunables[FREQ_TUNABLES_MAX + 1];

struct policy_run {
	const char *plugin;
	struct freq_pair pair;
	struct freq_events events;
	uint64_t seed, digest;
};

static int begin(struct policy_run *r, const struct freq_governor *governor, uint64_t seed)
{
	struct error err;

	r->seed = seed;
	if (!governor || freq_pair_init(&r->pair, governor, governor, &setup, no_tunables, &err)) {
		fprintf(stderr, "freq-side-by-side: %s: no frequency governor\n", r->plugin);
		return 1;
	}
	return 0;
}

static void restart(struct policy_run *r)
{
	struct error err;

	freq_events_init(&r->events, &setup, 1000000, r->seed);
	(void)freq_pair_begin(&r->pair, &err);
	r->digest = 14695981039346656037u;
}

/* One event; the digest (FNV-1a) takes in all that was asked for. */
static void advance(struct policy_run *r)
{
	struct freq_actions actions[2];
	struct freq_event event;

	freq_events_next(&r->events, &event);
	(void)freq_pair_play(&r->pair, &event, actions);
	for (int i = 0; i < actions[1].nr; i++)
		r->digest = (r->digest ^ actions[1].list[i].value ^
				    (uint64_t)actions[1].list[i].kind << 60) *
			    1099511628211u;
}

static void *run(void *policy_run)
{
	restart(policy_run);
	for (int i = 0; i < EVENTS; i++)
		advance(policy_run);
	return NULL;
}

static int compare(const char *how, const struct policy_run *r, int nr, const uint64_t *alone)
{
	int bad = 0;

	for (int i = 0; i < nr; i++) {
		if (r[i].digest == alone[i])
			continue;
		printf("%s, seed %d: other requests %s\n", r[i].plugin, (int)r[i].seed, how);
		bad = 1;
	}
	if (!bad)
		printf("%d policies %s: the same requests as alone\n", nr, how);
	return bad;
}

static int in_turns(struct policy_run *r, int nr, const uint64_t *alone)
{
	for (int i = 0; i < nr; i++)
		restart(&r[i]);
	for (int event = 0; event < EVENTS; event++)
		for (int i = 0; i < nr; i++)
			advance(&r[i]);
	return compare("in turns", r, nr, alone);
}

static int in_threads(struct policy_run *r, int nr, const uint64_t *alone)
{
	pthread_t threads[POLICIES_MAX];

	for (int i = 0; i < nr; i++)
		if (pthread_create(&threads[i], NULL, run, &r[i]))
			return 1;
	for (int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	return compare("in threads", r, nr, alone);
}

int main(int argc, char **argv)
{
	static struct policy_run runs[POLICIES_MAX];
	void *handles[POLICIES_MAX];
	uint64_t alone[POLICIES_MAX];
	int nr = 0, nr_plugins = 0, bad;

	for (int i = 1; i < argc && nr + SEEDS <= POLICIES_MAX; i++) {
		const struct corepace_plugin *plugin;
		struct error err;

		if (plugin_load(argv[i], &plugin, &handles[nr_plugins++], &err)) {
			fprintf(stderr, "freq-side-by-side: %s\n", err.text);
			return 1;
		}
		for (int seed = 1; seed <= SEEDS; seed++, nr++) {
			runs[nr].plugin = argv[i];
			if (begin(&runs[nr], plugin->governor, (uint64_t)seed))
				return 1;
		}
	}
	for (int i = 0; i < nr; i++) {
		run(&runs[i]);
		alone[i] = runs[i].digest;
		/* Without this a plug-in that asks for nothing would pass. */
		if (i && runs[i].seed > 1 && alone[i] == alone[i - 1]) {
			printf("%s: the seed makes no difference\n", runs[i].plugin);
			return 1;
		}
	}
	bad = in_turns(runs, nr, alone) | in_threads(runs, nr, alone);
	for (int i = 0; i < nr; i++)
		freq_pair_release(&runs[i].pair);
	while (nr_plugins > 0)
		plugin_unload(handles[--nr_plugins]);
	return bad || !nr;
}
