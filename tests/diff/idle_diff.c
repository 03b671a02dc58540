// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * idle-diff [-n EVENTS] [-s SEED] [-t TABLE] [-p KEY=VALUE]... OURS REFERENCE: two idle governors,
 * built-in or plug-ins, over the same events, with the same tunables. Exit 0: they decide the same;
 * 3: they do not, and the shortest sequence found that shows it is printed as a file of vectors,
 * with the reference's decisions.
 */
#include "base/spec.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "host/plugin.h"
#include "policy/registry.h"
#include "shrink.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
	const char *name;
	int nr_states;
	struct {
		int latency_us, residency_us;
	} state[IDLE_STATES_MAX];
	bool polls; /* state 0 does */
};

/* Those of the decision vectors. */
static const struct table tables[] = {
	{ "hsw5", 5, { { 0, 0 }, { 2, 2 }, { 10, 20 }, { 33, 100 }, { 133, 400 } }, true },
	{ "skl9", 9,
		{ { 0, 0 }, { 2, 2 }, { 10, 20 }, { 70, 100 }, { 85, 200 }, { 124, 800 },
			{ 200, 800 }, { 480, 5000 }, { 890, 5000 } },
		true },
	{ "skx3", 3, { { 0, 0 }, { 2, 2 }, { 133, 600 } }, true },
	{ "hpoll2", 2, { { 0, 0 }, { 1, 1 } }, true },
	{ "wfi3", 3, { { 1, 1 }, { 60, 250 }, { 900, 6000 } }, false },
	{ "thr7", 7,
		{ { 0, 0 }, { 5, 14 }, { 9, 15 }, { 15, 20 }, { 20, 21 }, { 40, 4000 },
			{ 200, 8000 } },
		true },
	/* Only by name: haltpoll@6.1 chooses state 1 here, which is not there. */
	{ "one1", 1, { { 0, 0 } }, true },
};

/*
 * Ticks at HZ=250, 1000 and 100; then two as long as what governors compare a tick with: the
 * deepest state's target residency, and the middle between that and the next one's.
 */
enum { NR_TICKS = 5 };

static int64_t tick_of(const struct table *t, int number)
{
	static const int64_t fixed[] = { 4000000, 1000000, 10000000 };
	int deepest = t->state[t->nr_states - 1].residency_us;
	int before = t->nr_states > 1 ? t->state[t->nr_states - 2].residency_us : 0;

	if (number < (int)ARRAY_LEN(fixed))
		return fixed[number];
	return number == NR_TICKS - 1 ? max_i64((deepest + before) * 500LL, NSEC_PER_USEC)
				      : max_i64(deepest * 1000LL, NSEC_PER_USEC);
}

enum { TUNABLES_MAX = 8 };

static int complain(int status, const char *text)
{
	fprintf(stderr, "idle-diff: %s\n", text);
	return status;
}

struct task {
	const struct idle_governor *ours, *reference;
	int64_t nr;
	uint64_t seed;
	struct tunable tunables[TUNABLES_MAX + 1];
};

static void make_driver(const struct table *t, int64_t tick_ns, struct idle_driver *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->nr_states = t->nr_states;
	ret->tick_ns = tick_ns;
	for (int i = 0; i < t->nr_states; i++) {
		snprintf(ret->states[i].name, sizeof(ret->states[i].name), "S%d", i);
		ret->states[i].exit_latency_ns = t->state[i].latency_us * (int64_t)NSEC_PER_USEC;
		ret->states[i].target_residency_ns =
			t->state[i].residency_us * (int64_t)NSEC_PER_USEC;
		ret->states[i].polling = t->polls && !i;
	}
}

/* The events again, up to the difference; then fewer and fewer. */
static int show_difference(struct pair *pair, const struct task *task, int64_t nr)
{
	struct diff_event *all = malloc((size_t)nr * sizeof(*all));
	struct events events;
	int left;

	if (!all)
		return EXIT_FAILED;
	events_init(&events, pair->driver, task->seed);
	for (int64_t i = 0; i < nr; i++)
		events_next(&events, &all[i]);
	left = shrink(pair, all, (int)nr);
	printf("after %" PRId64 " events; shortest sequence found, of %d:\n", nr, left);
	pair_print(pair, all, left, stdout);
	free(all);
	return EXIT_AGAINST;
}

static int compare(const struct task *task, const struct table *table, int64_t tick_ns, int64_t nr)
{
	struct decision decisions[2];
	struct idle_driver driver;
	struct diff_event event;
	struct events events;
	struct error err;
	struct pair pair;
	int status = EXIT_DONE;

	make_driver(table, tick_ns, &driver);
	if (pair_init(&pair, task->ours, task->reference, &driver, task->tunables, &err))
		return complain(EXIT_FAILED, err.text);
	events_init(&events, &driver, task->seed);
	printf("%s against %s, table %s, tick %" PRId64 " us, seed %" PRIu64 ": ", task->ours->name,
		task->reference->name, table->name, tick_ns / NSEC_PER_USEC, task->seed);
	pair_begin(&pair);
	for (int64_t i = 0; i < nr && !status; i++) {
		events_next(&events, &event);
		if (!pair_play(&pair, &event, decisions)) {
			printf("DIFFERENT ");
			status = show_difference(&pair, task, i + 1);
		}
	}
	if (!status)
		printf("%" PRId64 " events, equal\n", nr);
	pair_release(&pair);
	return status;
}

/* Ends at the first difference: others most often have the same cause. */
static int compare_all(const struct task *task, const char *only)
{
	int status = EXIT_DONE, nr = 0;

	for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
		if (only ? strcmp(only, tables[i].name) : tables[i].nr_states == 1)
			continue;
		nr++;
		/* The first tick, that of the vectors, gets most events. */
		for (int k = 0; k < NR_TICKS && !status; k++)
			status = compare(task, &tables[i], tick_of(&tables[i], k),
				k ? (task->nr + 9) / 10 : task->nr);
	}
	return nr ? status : complain(EXIT_USAGE, "no such table");
}

/* Not watched as the command line's are: here a wrong state is a difference like others. */
static int find(
	const char *name, const struct idle_governor **ret, void **ret_handle, struct error *err)
{
	const struct corepace_plugin *plugin;
	int r;

	if (!spec_plugin_length(name))
		return idle_governor_find(name, ret, NULL, err);
	r = plugin_load(name, &plugin, ret_handle, err);
	if (!r)
		*ret = plugin->idle;
	return r;
}

static int add_tunable(struct task *task, char *text)
{
	char *value = strchr(text, '=');
	int i = 0;

	while (task->tunables[i].key)
		i++;
	if (!value || i == TUNABLES_MAX)
		return complain(EXIT_USAGE, "-p: expected KEY=VALUE, at most 8 times");
	*value = 0;
	task->tunables[i] = (struct tunable){ text, value + 1 };
	return EXIT_DONE;
}

static int parse(int argc, char **argv, struct task *task, const char **ret_table)
{
	struct error err;
	unsigned long long v;
	int c;

	while ((c = getopt(argc, argv, "n:s:t:p:")) != -1) {
		if (c == 'n' || c == 's') {
			char name[] = { '-', (char)c, 0 };

			if (parse_u64(optarg, c == 'n', c == 'n' ? 100000000 : UINT64_MAX, name, &v,
				    &err))
				return complain(EXIT_USAGE, err.text);
			if (c == 'n')
				task->nr = (int64_t)v;
			else
				task->seed = v;
		} else if (c == 't') {
			*ret_table = optarg;
		} else if (c != 'p' || add_tunable(task, optarg)) {
			return EXIT_USAGE;
		}
	}
	return argc - optind == 2 ? EXIT_DONE : complain(EXIT_USAGE, "expected OURS and REFERENCE");
}

int main(int argc, char **argv)
{
	struct task task = { .nr = 100000, .seed = 1 };
	void *handles[2] = { NULL, NULL };
	const char *only = NULL;
	struct error err;
	int status = parse(argc, argv, &task, &only);

	if (status)
		return status;
	if (find(argv[optind], &task.ours, &handles[0], &err) ||
		find(argv[optind + 1], &task.reference, &handles[1], &err))
		status = complain(EXIT_FAILED, err.text);
	else
		status = compare_all(&task, only);
	plugin_unload(handles[0]);
	plugin_unload(handles[1]);
	return status;
}
