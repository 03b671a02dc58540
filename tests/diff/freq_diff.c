// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * freq-diff [-n EVENTS] [-s SEED] [-p KEY=VALUE]... OURS REFERENCE: two frequency governors,
 * built-in or plug-ins, over the same events, with the same tunables, under drivers and policies of
 * all kinds, among which the events are divided. Exit 0: they ask for the same; 3: they do not, and
 * the shortest sequence found that shows it is printed.
 */
#include "base/spec.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "freq_play.h"
#include "host/plugin.h"
#include "policy/registry.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct freq_setup setups[] = {
	/* name, CPUs, tick, range and step, delay, fast, perf, limits, invariant, Intel */
	{ "fast, 1 CPU", 1, 4000000, 800000, 3600000, 100000, 0, true, false, false, true, true },
	{ "fast, 4 CPUs", 4, 4000000, 800000, 3600000, 100000, 0, true, false, false, true, true },
	{ "slow, 1 CPU", 1, 1000000, 1200000, 3000000, 300000, 10000, false, false, false, false,
		true },
	{ "slow, 3 CPUs", 3, 10000000, 1000000, 2000000, 250000, 500, false, false, true, true,
		false },
	{ "no table", 1, 4000000, 1200000, 2801000, 0, 300, false, false, false, true, true },
	{ "no table, fast", 2, 4000000, 400000, 5000000, 0, 20000, true, false, true, false, true },
	{ "performance levels", 1, 4000000, 400000, 4700000, 0, 500, true, true, true, true, true },
	{ "levels not invariant", 1, 1000000, 400000, 4700000, 0, 500, true, true, true, false,
		false },
	{ "two P-states", 2, 4000000, 1600000, 3400000, 1800000, 0, false, false, false, false,
		true },
};

struct task {
	const struct freq_governor *ours, *reference;
	int64_t nr;
	uint64_t seed;
	struct freq_tunable tunables[FREQ_TUNABLES_MAX + 1];
};

static int complain(int status, const char *text)
{
	fprintf(stderr, "freq-diff: %s\n", text);
	return status;
}

/* The rate that decides when something is due: what is set, or a governor's default. */
static int64_t rate_of(const struct task *task, const struct freq_setup *setup)
{
	int64_t delay_us = setup->transition_delay_us ? setup->transition_delay_us : 1000;

	for (const struct freq_tunable *t = task->tunables; t->key; t++)
		if (!strcmp(t->key, "rate_limit_us") || !strcmp(t->key, "sampling_rate"))
			return max_i64(atoll(t->value), 1) * NSEC_PER_USEC;
	if (strstr(task->ours->name, "schedutil"))
		return delay_us * NSEC_PER_USEC;
	return max_i64(2 * setup->tick_ns, delay_us * NSEC_PER_USEC);
}

/* Where the sequence first differs, or -1. */
static int first_difference(
	struct freq_pair *pair, const struct freq_event *events, int nr, struct freq_actions ret[2])
{
	struct error err;

	if (freq_pair_begin(pair, &err))
		return -1;
	for (int i = 0; i < nr; i++)
		if (!freq_pair_play(pair, &events[i], ret))
			return i;
	return -1;
}

/* Leaves out runs of events, shorter and shorter ones, as long as the difference stays. */
static int shrink(struct freq_pair *pair, struct freq_event *events, int nr)
{
	struct freq_event *trial = malloc((size_t)nr * sizeof(*trial));
	struct freq_actions actions[2];

	for (int run = nr / 2; run > 0 && trial; run /= 2) {
		for (int at = 0; at + run <= nr;) {
			int last;

			memcpy(trial, events, (size_t)at * sizeof(*trial));
			memcpy(trial + at, events + at + run,
				(size_t)(nr - at - run) * sizeof(*trial));
			last = first_difference(pair, trial, nr - run, actions);
			if (last < 0) {
				at += run;
				continue;
			}
			nr = last + 1;
			memcpy(events, trial, (size_t)nr * sizeof(*trial));
		}
	}
	free(trial);
	return nr;
}

static int show_difference(struct freq_pair *pair, const struct task *task, int64_t nr)
{
	struct freq_event *all = malloc((size_t)nr * sizeof(*all));
	struct freq_actions actions[2];
	struct freq_events events;
	int left;

	if (!all)
		return complain(EXIT_FAILED, "out of memory");
	freq_events_init(&events, pair->setup, rate_of(task, pair->setup), task->seed);
	for (int64_t i = 0; i < nr; i++)
		freq_events_next(&events, &all[i]);
	left = shrink(pair, all, (int)nr);
	printf("differ after %" PRId64 " events; shortest sequence found, of %d:\n", nr, left);
	for (int i = 0; i < left; i++) {
		freq_event_print(pair, &all[i], stdout);
		putchar('\n');
	}
	first_difference(pair, all, left, actions);
	for (int i = 0; i < 2; i++) {
		printf("%s: ", pair->side[i].governor->name);
		freq_actions_print(&actions[i], stdout);
	}
	free(all);
	return EXIT_AGAINST;
}

static int compare(const struct task *task, const struct freq_setup *setup, int64_t nr)
{
	int64_t asked[6] = { 0 };
	struct freq_actions actions[2];
	struct freq_events events;
	struct freq_event event;
	struct freq_pair pair;
	struct error err;
	int status = EXIT_DONE;

	if (freq_pair_init(&pair, task->ours, task->reference, setup, task->tunables, &err) ||
		freq_pair_begin(&pair, &err))
		return complain(EXIT_FAILED, err.text);
	printf("%s against %s, %s, seed %" PRIu64 ": ", task->ours->name, task->reference->name,
		setup->name, task->seed);
	freq_events_init(&events, setup, rate_of(task, setup), task->seed);
	for (int64_t i = 0; i < nr && !status; i++) {
		freq_events_next(&events, &event);
		if (!freq_pair_play(&pair, &event, actions))
			status = show_difference(&pair, task, i + 1);
		for (int k = 0; k < actions[0].nr; k++)
			asked[actions[0].list[k].kind]++;
	}
	/* So many of each: a pair that asks for nothing would agree too. */
	if (!status)
		printf("%" PRId64 " events, the same requests: %" PRId64 " fast switches, %" PRId64
		       " targets, %" PRId64 " irq works, %" PRId64 " levels\n",
			nr, asked[FREQ_FAST_SWITCH], asked[FREQ_TARGET], asked[FREQ_QUEUE_IRQ_WORK],
			asked[FREQ_ADJUST_PERF]);
	if (!status && !asked[FREQ_FAST_SWITCH] && !asked[FREQ_TARGET] && !asked[FREQ_ADJUST_PERF])
		status = complain(EXIT_FAILED, "nothing was ever asked for");
	freq_pair_release(&pair);
	return status;
}

/* handle: of the plug-in, where it is one. */
static int find(
	const char *name, const struct freq_governor **ret, void **handle, struct error *err)
{
	const struct corepace_plugin *plugin;
	int r;

	if (!spec_plugin_length(name))
		return freq_governor_find(name, ret, err);
	r = plugin_load(name, &plugin, handle, err);
	if (r)
		return r;
	*ret = plugin->governor;
	return *ret ? 0 : error_set(err, 22, "%s: has no frequency governor", name);
}

int main(int argc, char **argv)
{
	struct task task = { .nr = 100000, .seed = 1 };
	unsigned long long number;
	int c, nr_tunables = 0, status = EXIT_DONE;
	void *handles[2] = { NULL };
	struct error err;

	while ((c = getopt(argc, argv, "n:s:p:")) != -1) {
		char *equals = c == 'p' ? strchr(optarg, '=') : NULL;

		if (c == 'p' && equals && nr_tunables < FREQ_TUNABLES_MAX) {
			*equals = 0;
			task.tunables[nr_tunables++] = (struct freq_tunable){ optarg, equals + 1 };
		} else if (c == 'n' && !parse_u64(optarg, 1, 1000000000, "-n", &number, &err)) {
			task.nr = (int64_t)number;
		} else if (c == 's' && !parse_u64(optarg, 0, UINT64_MAX, "-s", &number, &err)) {
			task.seed = number;
		} else {
			return complain(EXIT_USAGE, "[-n EVENTS] [-s SEED] [-p KEY=VALUE]... OURS "
						    "REFERENCE");
		}
	}
	if (argc - optind != 2)
		return complain(EXIT_USAGE, "expected two governors");
	if (find(argv[optind], &task.ours, &handles[0], &err) ||
		find(argv[optind + 1], &task.reference, &handles[1], &err))
		return complain(EXIT_FAILED, err.text);
	for (size_t i = 0; i < ARRAY_LEN(setups) && !status; i++)
		status = compare(&task, &setups[i],
			(task.nr + (int64_t)ARRAY_LEN(setups) - 1) / (int64_t)ARRAY_LEN(setups));
	for (int i = 0; i < 2; i++)
		if (handles[i])
			plugin_unload(handles[i]);
	return status;
}
