// SPDX-License-Identifier: GPL-2.0-or-later
#include "score/score.h"
#include "base/units.h"
#include "policy/idle/idle.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* No CPU is without a timer for longer: the kernel's own come every second. */
#define ASSUMED_SLEEP_NS ((int64_t)NSEC_PER_SEC)

struct governor {
	const struct policy *policy; /* NULL: the oracle */
	struct idle_unit *units[CPUS_MAX];
	struct score_result result;
	double wake_ns; /* sum */
};

struct score {
	const struct idle_driver *driver;
	uint32_t disable_mask;
	const struct machine *machine;
	uint64_t state_uw[IDLE_STATES_MAX];
	double entry_uj[IDLE_STATES_MAX];  /* of going in and out */
	double always_uj[IDLE_STATES_MAX]; /* had it always been this state */
	struct score_summary summary;
	uint64_t picked[IDLE_STATES_MAX];
	int nr;
	struct governor governors[]; /* nr, and the oracle */
};

/* The oracle's choice: the deepest enabled state that the period is long enough for. */
static int best_state(const struct score *s, int64_t ns)
{
	int best = 0;

	for (int i = 1; i < s->driver->nr_states; i++)
		if (!(s->disable_mask >> i & 1) && s->driver->states[i].target_residency_ns <= ns)
			best = i;
	return best;
}

/*
 * What a state draws is in the machine's model; what it costs to go in and out is not. The target
 * residency says it: there a state breaks even with the one before it.
 */
static void set_energy(struct score *s, const struct machine *m, uint32_t khz)
{
	for (int i = 0; i < s->driver->nr_states; i++) {
		s->state_uw[i] = machine_core_uw(m, &i, 1, khz);
		if (!i || s->state_uw[i] >= s->state_uw[i - 1])
			s->entry_uj[i] = i ? s->entry_uj[i - 1] : 0;
		else
			s->entry_uj[i] = s->entry_uj[i - 1] +
					 (double)(s->state_uw[i - 1] - s->state_uw[i]) *
						 (double)s->driver->states[i].target_residency_ns /
						 NSEC_PER_SEC;
	}
}

static double period_uj(const struct score *s, int state, int64_t ns)
{
	return (double)s->state_uw[state] * (double)ns / NSEC_PER_SEC + s->entry_uj[state];
}

int score_new(const struct score_options *options, const struct policy *policies, int nr,
	struct score **ret, struct error *err)
{
	struct score *s = calloc(1, sizeof(*s) + (size_t)(nr + 1) * sizeof(s->governors[0]));

	if (!s)
		return error_set(err, ENOMEM, "out of memory");
	s->driver = options->driver;
	s->disable_mask = options->disable_mask;
	s->machine = options->machine;
	s->nr = nr;
	for (int i = 0; i < nr; i++) {
		s->governors[i].policy = &policies[i];
		s->governors[i].result.name = policies[i].idle->name;
	}
	s->governors[nr].result.name = "oracle";
	if (s->machine)
		set_energy(s, s->machine, options->khz);
	*ret = s;
	return 0;
}

struct score *score_free(struct score *s)
{
	if (!s)
		return NULL;
	for (int i = 0; i < s->nr; i++)
		for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
			if (s->governors[i].units[cpu])
				free(s->governors[i].units[cpu]->cpu.state);
			free(s->governors[i].units[cpu]);
		}
	free(s);
	return NULL;
}

static int get_unit(const struct score *s, struct governor *g, int cpu, struct idle_unit **ret,
	struct error *err)
{
	size_t state_size = g->policy->idle->state_size;
	struct idle_unit *unit;
	void *state;
	int r;

	if (g->units[cpu]) {
		*ret = g->units[cpu];
		return 0;
	}
	unit = calloc(1, sizeof(*unit));
	state = calloc(1, state_size ? state_size : 1);
	if (!unit || !state)
		r = error_set(err, ENOMEM, "out of memory");
	else
		r = idle_unit_init(unit, g->policy, s->driver, state, err);
	if (r < 0) {
		free(state);
		free(unit);
		return r;
	}
	*ret = g->units[cpu] = unit;
	return 0;
}

/* As the kernel counts them in its idle states' above and below. */
static void count_choice(
	struct score_state *states, const struct idle_driver *driver, int state, int64_t ns)
{
	const struct idle_state *st = driver->states;
	struct score_state *count = &states[state];

	count->chosen++;
	if (state && ns < st[state].target_residency_ns)
		count->above++;
	else if (ns >= st[state].target_residency_ns && state + 1 < driver->nr_states &&
		 ns - st[state].exit_latency_ns >= st[state + 1].target_residency_ns)
		count->below++;
	else
		count->right++;
}

static void count_result(
	struct score *s, struct governor *g, const struct idle_record *rec, int state)
{
	struct score_result *r = &g->result;
	int64_t ns = (int64_t)rec->residency_ns;

	r->rows++;
	count_choice(r->states, s->driver, state, ns);
	if (s->machine) {
		r->energy_uj += period_uj(s, state, ns);
		/* One CPU's log does not tell whether the package slept too: the worst case. */
		g->wake_ns += (double)(s->machine->idle_real[state].wake_ns +
				       s->machine->idle_real[state].package_wake_ns);
	} else {
		g->wake_ns += (double)s->driver->states[state].exit_latency_ns;
	}
	if (rec->picked < 0 || rec->picked >= s->driver->nr_states)
		return;
	r->compared++;
	r->states[rec->picked].picked++;
	if (state != rec->picked)
		return;
	r->equal++;
	r->states[state].equal++;
}

/* What the governor saw, as far as the recording tells. */
static void make_snapshot(
	struct score *s, const struct idle_record *rec, struct idle_snapshot *snapshot)
{
	struct score_summary *sum = &s->summary;
	bool no_sleep = rec->sleep_length_ns == INT64_MIN;
	bool no_delta = rec->delta_tick_ns == INT64_MIN;
	bool no_stopped = rec->tick_stopped > 1;

	*snapshot = (struct idle_snapshot){
		.now_ns = (int64_t)rec->entry_ns,
		.sleep_length_ns = no_sleep ? ASSUMED_SLEEP_NS : rec->sleep_length_ns,
		.delta_tick_ns = rec->delta_tick_ns,
		.latency_req_ns = LATENCY_NO_LIMIT_NS,
		.nr_iowait = rec->nr_iowait,
		.disable_mask = s->disable_mask,
		.tick_stopped = rec->tick_stopped == 1,
	};
	if (no_delta) {
		snapshot->delta_tick_ns = snapshot->sleep_length_ns;
		if (!snapshot->tick_stopped && snapshot->delta_tick_ns > s->driver->tick_ns)
			snapshot->delta_tick_ns = s->driver->tick_ns;
	}
	sum->rows++;
	sum->inferred += rec->inferred;
	sum->no_sleep_length += no_sleep;
	sum->no_delta_tick += no_delta;
	sum->no_tick_stopped += no_stopped;
	sum->rebuilt += rec->inferred || no_sleep || no_delta || no_stopped;
}

/* Where it was not recorded what ended a poll, and it lasted as long as its limit, that did. */
static bool timed_out(struct idle_unit *unit, const struct idle_record *rec)
{
	if (rec->wake != IDLE_WAKE_UNKNOWN)
		return rec->wake == IDLE_WAKE_LIMIT;
	return (int64_t)rec->residency_ns >= idle_unit_poll_limit_ns(unit, 0);
}

static int governor_record(struct score *s, struct governor *g, const struct idle_record *rec,
	const struct idle_snapshot *snapshot, struct error *err)
{
	int64_t ns = (int64_t)rec->residency_ns;
	struct idle_outcome outcome = { .now_ns = (int64_t)rec->entry_ns + ns,
		.got_tick = rec->wake == IDLE_WAKE_TICK };
	struct idle_choice choice;
	struct idle_unit *unit;
	int r;

	r = get_unit(s, g, rec->cpu, &unit, err);
	if (r < 0)
		return r;
	idle_unit_select(unit, snapshot, &choice);
	outcome.entered = choice.state;
	count_result(s, g, rec, choice.state);
	idle_unit_outcome(unit, &outcome, ns,
		s->driver->states[choice.state].polling && timed_out(unit, rec));
	return 0;
}

int score_record(struct score *s, const struct idle_record *rec, struct error *err)
{
	struct idle_snapshot snapshot;

	if (rec->cpu >= CPUS_MAX)
		return error_set(err, EINVAL, "cpu: %d, expected below %d", rec->cpu, CPUS_MAX);
	if (rec->residency_ns > INT64_MAX / 4) {
		s->summary.no_residency++;
		return 0;
	}
	make_snapshot(s, rec, &snapshot);
	for (int i = 0; i < s->nr; i++) {
		int r = governor_record(s, &s->governors[i], rec, &snapshot, err);

		if (r < 0)
			return r;
	}
	count_result(s, &s->governors[s->nr], rec, best_state(s, (int64_t)rec->residency_ns));
	for (int i = 0; i < s->driver->nr_states && s->machine; i++)
		s->always_uj[i] += period_uj(s, i, (int64_t)rec->residency_ns);
	if (rec->picked >= 0 && rec->picked < s->driver->nr_states)
		s->picked[rec->picked]++;
	return 0;
}

static void summarise(const struct score *s, struct score_summary *ret)
{
	*ret = s->summary;
	ret->commonest_state = -1;
	for (int i = 0; i < s->driver->nr_states; i++) {
		ret->compared += s->picked[i];
		if (s->picked[i] <= ret->commonest)
			continue;
		ret->commonest = s->picked[i];
		ret->commonest_state = i;
	}
	ret->baseline_state = ret->commonest_state < 0 ? 0 : ret->commonest_state;
	ret->baseline_uj = s->machine ? s->always_uj[ret->baseline_state] : NAN;
}

void score_results(const struct score *s, struct score_result *ret, struct score_summary *summary)
{
	double possible;

	summarise(s, summary);
	possible = summary->baseline_uj - s->governors[s->nr].result.energy_uj;
	for (int i = 0; i <= s->nr; i++) {
		const struct governor *g = &s->governors[i];

		ret[i] = g->result;
		ret[i].wake_ns = g->result.rows ? g->wake_ns / (double)g->result.rows : 0;
		ret[i].gain = NAN;
		if (!s->machine)
			ret[i].energy_uj = NAN;
		else if (possible > 0)
			ret[i].gain = (summary->baseline_uj - ret[i].energy_uj) / possible;
	}
}
