// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "cmd/plugins.h"
#include "report/json.h"
#include "score/score.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long ull;

static const char help[] =
	"Usage: corepace score -w F.cpw [-m MACHINE] -g IDLE [-g IDLE]... [--json]\n"
	"Give the idle periods of a recording to idle governors, one after the other,\n"
	"and count how often each picked the right state, what the picks cost, and how\n"
	"many are those that the recording kernel made. Beside them stands the oracle,\n"
	"which knows how long each period was.\n\n"
	"  -w F.cpw    the recording\n"
	"  -m MACHINE  the idle states and what they draw (default: the states that the\n"
	"              recording tells; energy is then not known)\n"
	"  -g IDLE     an idle governor (see `corepace list governors`), or X.so, a\n"
	"              plug-in made by `corepace governor build`\n"
	"      --json  print the result as JSON\n"
	"      --help  print this text\n\n"
	"Exit status: 0 done, 1 failed, 2 usage.\n";

enum { GOVERNORS_MAX = 16 };

struct options {
	const char *workload, *machine;
	const char *governors[GOVERNORS_MAX];
	int nr;
	bool json;
};

/* All that one scoring needs. */
struct scoring {
	struct machine *machine; /* NULL: none */
	struct workload *workload;
	struct idle_driver driver;
	uint32_t disabled; /* states that were, when recorded */
	struct policy policies[GOVERNORS_MAX];
	struct score_result results[GOVERNORS_MAX + 1];
	struct score_summary summary;
	bool other_states; /* picks are of states that these are not */
};

/* ---- text ---- */

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_governor(const struct scoring *s, int i, const char *name)
{
	const struct score_result *r = &s->results[i];

	printf("\n%s\n", name);
	printf("  %-10s %10s %10s %10s %10s %10s %8s\n", "state", "chosen", "right", "too deep",
		"shallow", "picked", "same");
	for (int k = 0; k < s->driver.nr_states; k++) {
		const struct score_state *c = &r->states[k];

		printf("  %-10s %10llu %10llu %10llu %10llu ", s->driver.states[k].name,
			(ull)c->chosen, (ull)c->right, (ull)c->above, (ull)c->below);
		if (c->picked)
			printf("%10llu %6.2f %%\n", (ull)c->picked, percent(c->equal, c->picked));
		else
			printf("%10s %8s\n", "-", "-");
	}
	printf("  waking costs %.2f us on average\n", r->wake_ns / 1000);
	if (!isnan(r->energy_uj))
		printf("  energy of the idle time %.3f mJ\n", r->energy_uj / 1000);
	if (!isnan(r->gain))
		printf("  %.1f %% of the possible gain\n", 100 * r->gain);
	if (r->compared)
		printf("  %.2f %% of the recording kernel's picks (%llu of %llu)\n",
			percent(r->equal, r->compared), (ull)r->equal, (ull)r->compared);
}

static void print_text(const struct scoring *s, const struct options *o)
{
	const struct score_summary *m = &s->summary;

	printf("%s: %llu idle periods\n", o->workload, (ull)m->rows);
	printf("%.2f %% of them rebuilt: %llu periods without events of their own, %llu without "
	       "the "
	       "next\n"
	       "timer, %llu without the next tick, %llu without the state of the tick\n",
		percent(m->rebuilt, m->rows), (ull)m->inferred, (ull)m->no_sleep_length,
		(ull)m->no_delta_tick, (ull)m->no_tick_stopped);
	if (s->other_states)
		printf("The recorded picks are of other idle states than the machine's: not "
		       "compared.\n");
	else if (!m->compared)
		printf("The recording has no picks of its kernel to compare with.\n");
	else
		printf("Always %s, the commonest pick: %.2f %% of the recording kernel's picks\n",
			s->driver.states[m->commonest_state].name,
			percent(m->commonest, m->compared));
	if (s->machine)
		printf("Energy with always %s: %.3f mJ\n", s->driver.states[m->baseline_state].name,
			m->baseline_uj / 1000);
	for (int i = 0; i < o->nr; i++)
		print_governor(s, i, o->governors[i]);
	print_governor(s, o->nr, "oracle");
}

/* ---- JSON ---- */

static json_t *governor_json(const struct scoring *s, int i, const char *name)
{
	const struct score_result *r = &s->results[i];
	json_t *states = json_array();

	for (int k = 0; k < s->driver.nr_states; k++) {
		const struct score_state *c = &r->states[k];

		json_array_append_new(states,
			json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "state",
				s->driver.states[k].name, "chosen", json_count(c->chosen), "right",
				json_count(c->right), "above", json_count(c->above), "below",
				json_count(c->below), "picked", json_count(c->picked), "equal",
				json_count(c->equal)));
	}
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o}}", "name", name, "rows",
		json_count(r->rows), "states", states, "energy_uj", json_number(r->energy_uj),
		"wake_ns", json_number(r->wake_ns), "gain", json_number(r->gain), "agreement",
		"compared", json_count(r->compared), "equal", json_count(r->equal));
}

static int print_json(const struct scoring *s, const struct options *o, struct error *err)
{
	const struct score_summary *m = &s->summary;
	json_t *out = json_schema(), *list = json_array();

	for (int i = 0; i < o->nr; i++)
		json_array_append_new(list, governor_json(s, i, o->governors[i]));
	json_array_append_new(list, governor_json(s, o->nr, "oracle"));
	json_object_set_new(out, "governors", list);
	json_object_set_new(out, "rows", json_count(m->rows));
	json_object_set_new(out, "rebuilt", json_count(m->rebuilt));
	if (m->commonest_state >= 0)
		json_object_set_new(out, "commonest",
			json_pack("{s:s, s:o, s:o}", "state",
				s->driver.states[m->commonest_state].name, "compared",
				json_count(m->compared), "equal", json_count(m->commonest)));
	if (s->machine)
		json_object_set_new(out, "baseline",
			json_pack("{s:s, s:o}", "state", s->driver.states[m->baseline_state].name,
				"energy_uj", json_number(m->baseline_uj)));
	return json_write(out, stdout, err);
}

/* ---- scoring ---- */

static int find_governors(struct scoring *s, const struct options *o, struct error *err)
{
	for (int i = 0; i < o->nr; i++) {
		const struct idle_governor *governor;
		const char *arg;
		int r = plugin_idle_find(o->governors[i], &governor, &arg, err);

		if (r < 0)
			return r;
		policy_defaults(&s->policies[i]);
		policy_set_idle(&s->policies[i], governor, arg);
	}
	return 0;
}

/* Whether the recording's states, as far as they are known, are those to choose from. */
static bool same_states(const struct workload *w, const struct idle_driver *driver)
{
	const struct workload_truth *truth = &w->truth;
	struct idle_driver told;
	uint32_t disabled;
	struct error err;

	if (!score_recorded_states(&w->env, &told, &disabled, &err)) {
		if (told.nr_states != driver->nr_states)
			return false;
		for (int i = 0; i < told.nr_states; i++)
			if (strcmp(told.states[i].name, driver->states[i].name))
				return false;
	}
	for (int i = 0; i < truth->nr_states; i++)
		if (truth->state_name[i][0] &&
			(i >= driver->nr_states ||
				strcmp(truth->state_name[i], driver->states[i].name)))
			return false;
	return true;
}

static int find_states(struct scoring *s, const struct options *o, struct error *err)
{
	char dir[PATH_MAX];
	int r;

	if (!o->machine) {
		r = score_recorded_states(&s->workload->env, &s->driver, &s->disabled, err);
		return r < 0 ? error_prefix(err, r, "%s", o->workload) : 0;
	}
	r = machine_load(o->machine, data_dir("machines", dir, sizeof(dir)), &s->machine, err);
	if (r >= 0)
		r = machine_simulable(s->machine, err);
	if (r < 0)
		return r;
	s->driver = s->machine->idle;
	s->other_states = !same_states(s->workload, &s->driver);
	return 0;
}

static int score_log(
	const struct scoring *s, struct score *score, const char *path, struct error *err)
{
	struct cpw_idle_reader *reader;
	struct idle_record rec;
	int r = cpw_idle_open(path, &reader, err);

	if (r < 0)
		return r;
	while ((r = cpw_idle_next(reader, &rec, err)) > 0) {
		if (s->other_states)
			rec.picked = -1;
		r = score_record(score, &rec, err);
		if (r < 0)
			break;
	}
	cpw_idle_close(reader);
	return r;
}

/* The file that was opened. Keys would change its tasks, which are not looked at here. */
static int recording_path(const struct workload *w, char *ret, size_t size, struct error *err)
{
	struct spec spec;
	int r;

	if (!w->recorded)
		return error_set(err, EINVAL, "-w %s: a generator, expected a recording", w->text);
	r = spec_parse(&spec, w->text, err);
	if (!r && spec.nr_keys)
		r = error_set(err, EINVAL, "-w %s: expected a recording without keys", w->text);
	if (r < 0)
		return r;
	snprintf(ret, size, "%s", spec.name);
	return 0;
}

static int score_all(struct scoring *s, const struct options *o, struct error *err)
{
	struct score_options options = { .driver = &s->driver, .disable_mask = s->disabled };
	struct score *score;
	char path[SPEC_TEXT_MAX];
	int r = open_workload(o->workload, &s->workload, err);

	if (r < 0)
		return r;
	r = recording_path(s->workload, path, sizeof(path), err);
	if (r < 0)
		return r;
	r = find_states(s, o, err);
	if (!r)
		r = find_governors(s, o, err);
	if (r < 0)
		return r;
	options.machine = s->machine;
	options.khz = s->machine ? s->machine->base_khz : 0;
	r = score_new(&options, s->policies, o->nr, &score, err);
	if (r < 0)
		return r;
	r = score_log(s, score, path, err);
	if (!r)
		score_results(score, s->results, &s->summary);
	score_free(score);
	if (!r && !s->summary.rows)
		r = error_set(err, ENODATA, "%s: has no idle periods", o->workload);
	return r;
}

static int parse_options(int argc, char **argv, struct options *o)
{
	static const struct option longs[] = { { "json", no_argument, NULL, 'J' }, { 0 } };
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "w:m:g:", longs, NULL)) != -1) {
		switch (c) {
		case 'w':
			o->workload = optarg;
			break;
		case 'm':
			o->machine = optarg;
			break;
		case 'g':
			if (o->nr == GOVERNORS_MAX)
				return usage("score", "-g: more than %d governors", GOVERNORS_MAX);
			o->governors[o->nr++] = optarg;
			break;
		case 'J':
			o->json = true;
			break;
		default:
			return usage(
				"score", "'%s' is no option, or lacks its value", argv[optind - 1]);
		}
	}
	if (optind < argc)
		return usage("score", "'%s': expected options only", argv[optind]);
	if (!o->workload || !o->nr)
		return usage("score", "expected %s", o->workload ? "-g IDLE" : "-w F.cpw");
	return 0;
}

static int run(int argc, char **argv)
{
	struct options o = { 0 };
	struct scoring *s;
	struct error err;
	int r = parse_options(argc, argv, &o);

	if (r)
		return r;
	s = calloc(1, sizeof(*s));
	if (!s)
		r = error_set(&err, ENOMEM, "out of memory");
	else
		r = score_all(s, &o, &err);
	if (!r && o.json)
		r = print_json(s, &o, &err);
	else if (!r)
		print_text(s, &o);
	if (s) {
		workload_free(s->workload);
		machine_free(s->machine);
	}
	free(s);
	return r < 0 ? fail("score", &err) : EXIT_DONE;
}

const struct verb verb_score = {
	.name = "score",
	.summary = "judge idle governors by the idle periods of a recording",
	.help = help,
	.run = run,
};
