// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Idle states and power. The driver's table is told; what a state really costs is not. Its wake
 * latency is taken as half of what the table declares, for tables hold a bound, and its power is
 * that of the nearest machine's state of that name, or of that depth.
 */
#include "doctor/model_section.h"

#include <ctype.h>
#include <string.h>

struct state {
	char name[16];
	int64_t latency_ns, residency_ns;
	bool polling, monitors, keeps_vote, keeps_uncore;
	int like; /* index of the nearest machine's state */
};

struct states {
	int nr;
	struct state s[IDLE_STATES_MAX];
};

/* Letters, digits, '-', '_' and blanks, no name twice. */
static void set_name(struct states *states, struct state *state, const char *name)
{
	size_t n = 0;

	for (; *name && n < sizeof(state->name) - 3; name++) {
		if (isalnum((unsigned char)*name) || *name == '-' || *name == '_' ||
			(*name == ' ' && n))
			state->name[n++] = *name;
	}
	state->name[n] = '\0';
	if (!n)
		snprintf(state->name, sizeof(state->name), "state%d", states->nr);
	for (int i = 0; i < states->nr; i++) {
		if (!strcmp(states->s[i].name, state->name))
			snprintf(state->name + strlen(state->name), 3, "-%d", states->nr);
	}
}

/* The state of that name, else the deepest that needs no longer stay. */
static int find_like(const struct machine *m, const struct state *state)
{
	int like = 0;

	if (state->polling)
		return 0;
	for (int i = 0; i < m->idle.nr_states; i++) {
		if (!strcmp(m->idle.states[i].name, state->name))
			return i;
	}
	for (int i = 1; i < m->idle.nr_states; i++) {
		if (m->idle.states[i].target_residency_ns <= state->residency_ns || !like)
			like = i;
	}
	return like;
}

/* Shallow by name or by stay: states that halt the clock and keep all else. */
static bool is_shallow(const struct state *state)
{
	return state->polling || !strncmp(state->name, "C1", 2) ||
	       state->residency_ns < 30 * NSEC_PER_USEC;
}

static void add_told(const struct model *m, struct states *states, int i)
{
	const struct idle_facts *idle = &m->facts->idle;
	const struct idle_state_facts *told = &idle->states[i];
	struct state *s = &states->s[states->nr], *before = states->nr ? s - 1 : NULL;

	memset(s, 0, sizeof(*s));
	set_name(states, s, has(&told->name) ? told->name.s : "");
	s->polling = !states->nr && !strcmp(s->name, "POLL");
	if (good(told->latency) && told->latency.number >= 0 && told->latency.number < 10000000)
		s->latency_ns = told->latency.number * NSEC_PER_USEC;
	s->residency_ns = s->latency_ns;
	if (good(told->residency) && told->residency.number >= 0 &&
		told->residency.number < 10000000)
		s->residency_ns = told->residency.number * NSEC_PER_USEC;
	/* Governors take the order for granted; some tables break it by a little. */
	if (before && s->latency_ns < before->latency_ns)
		s->latency_ns = before->latency_ns;
	if (before && s->residency_ns < before->residency_ns)
		s->residency_ns = before->residency_ns;
	s->monitors = !s->polling && (text_is(&idle->driver, "intel_idle") ||
					     (has(&told->desc) && strstr(told->desc.s, "MWAIT")));
	s->keeps_vote = s->polling || !strcmp(s->name, "C1");
	s->keeps_uncore = is_shallow(s);
	s->like = find_like(m->nearest, s);
	states->nr++;
}

static void add_carried(const struct machine *n, struct states *states, int i)
{
	states->s[states->nr++] = (struct state){
		.latency_ns = n->idle.states[i].exit_latency_ns,
		.residency_ns = n->idle.states[i].target_residency_ns,
		.polling = n->idle.states[i].polling,
		.monitors = n->idle_real[i].monitors,
		.keeps_vote = n->idle_real[i].keeps_vote,
		.keeps_uncore = n->idle_real[i].keeps_uncore,
		.like = i,
	};
	strcpy(states->s[i].name, n->idle.states[i].name);
}

/* Whether the machine told any state. */
static bool collect(const struct model *m, struct states *states)
{
	const struct idle_facts *idle = &m->facts->idle;

	memset(states, 0, sizeof(*states));
	for (int i = 0; i < idle->nr && i < IDLE_STATES_MAX; i++)
		add_told(m, states, i);
	if (states->nr)
		return true;
	for (int i = 0; i < m->nearest->idle.nr_states; i++)
		add_carried(m->nearest, states, i);
	return false;
}

static void write_states(
	const struct model *m, const struct states *states, bool told, struct section *s)
{
	fprintf(s->out, "  states:\n");
	for (int i = 0; i < states->nr; i++) {
		const struct state *state = &states->s[i];
		int64_t wake = told ? state->latency_ns / 2 : m->nearest->idle_real[i].wake_ns;
		char field[64];

		fprintf(s->out, "    - name: %s\n", state->name);
		fprintf(s->out, "      exit_latency_ns: %lld\n", (long long)state->latency_ns);
		fprintf(s->out, "      target_residency_ns: %lld\n",
			(long long)state->residency_ns);
		fprintf(s->out, "      wake_ns: %lld\n", (long long)wake);
		fprintf(s->out, "      polling: %s\n", state->polling ? "true" : "false");
		fprintf(s->out, "      monitors: %s\n", state->monitors ? "true" : "false");
		fprintf(s->out, "      keeps_vote: %s\n", state->keeps_vote ? "true" : "false");
		fprintf(s->out, "      keeps_uncore: %s\n", state->keeps_uncore ? "true" : "false");
		snprintf(field, sizeof(field), "states.%s.wake_ns", state->name);
		if (told)
			section_estimated(s, field, "half of what the table declares", wake / 2,
				state->latency_ns);
	}
	if (!told)
		return;
	section_measured(s, "states.*.exit_latency_ns", "cpuidle/state*/latency");
	section_measured(s, "states.*.target_residency_ns", "cpuidle/state*/residency");
}

static void write_idle(const struct model *m, const struct states *states, bool told, FILE *out)
{
	const struct idle_facts *idle = &m->facts->idle;
	const struct machine *n = m->nearest;
	bool named = has(&idle->driver) && strlen(idle->driver.s) < sizeof(n->idle_driver_name);
	struct section s;

	section_begin(&s, out, "idle", n->name);
	fprintf(out, "  driver: ");
	section_text(out, named ? idle->driver.s : n->idle_driver_name);
	fputc('\n', out);
	if (named)
		section_measured(&s, "driver", "cpuidle/current_driver");
	section_number(&s, "poll_relax_ns", n->poll_relax_ns);
	section_number(&s, "poll_clock_read_ns", n->poll_clock_read_ns);
	write_states(m, states, told, &s);
	section_end(&s);
}

static void write_power(const struct model *m, const struct states *states, FILE *out)
{
	const struct machine *n = m->nearest;
	int their_cores = n->nr_cores / n->nr_packages;
	struct section s;

	/* What is a package's own grows with its cores; a core is a core. */
	section_begin(&s, out, "power", n->name);
	section_number(&s, "floor_mw", (int64_t)n->floor_mw * m->cores / their_cores);
	fprintf(out, "  uncore: ");
	section_curve(out, &n->uncore, m->cores, their_cores);
	fprintf(out, "  core_active: ");
	section_curve(out, &n->core_active, 1, 1);
	fprintf(out, "  core_active_smt: ");
	section_curve(out, &n->core_active_smt, 1, 1);
	fprintf(out, "  core_idle:\n");
	for (int i = 0; i < states->nr; i++) {
		fprintf(out, "    - state: %s\n      mw_by_khz: ", states->s[i].name);
		section_curve(out, &n->idle_real[states->s[i].like].core_power, 1, 1);
	}
	section_end(&s);
}

void model_write_idle(const struct model *m, FILE *out)
{
	struct states states;
	bool told = collect(m, &states);

	write_idle(m, &states, told, out);
	write_power(m, &states, out);
}
