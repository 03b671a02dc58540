// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/run_notes.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits of the design: beyond them a recording does not serve for what it is used for. */
static const double recorder_cost_limit = 0.10, outside_limit = 0.20;
/* Recorded: the busiest CPU's share of all work. Replayed: CPUs that were busy on average. */
static const double alone_limit = 0.90, busy_limit = 1.1;

static const struct provenance *find_provenance(const struct machine *m, const char *path)
{
	for (int i = 0; i < m->nr_provenance; i++)
		if (!strcmp(m->provenance[i].path, path))
			return &m->provenance[i];
	return NULL;
}

/* By which share a value may be off; 0 when it has no range. */
static double spread(const struct machine *m, const char *path)
{
	const struct provenance *p = find_provenance(m, path);
	double value;

	/* What is drawn is no longer off: the draws themselves are the band. */
	if (!p || p->low >= p->high || !strcmp(p->confidence, "drawn"))
		return 0;
	if (p->kind != PROVENANCE_NUMBER)
		return fmax(1 - p->low, p->high - 1);
	value = strtod(p->value, NULL);
	return value > 0 ? fmax(value - p->low, p->high - value) / value : 0;
}

static uint32_t average_khz(const struct run_result *r, const struct machine *m)
{
	double cycles = 0, ns = 0;

	for (int i = 0; i < r->nr_freqs; i++) {
		cycles += (double)r->freqs[i].khz * (double)r->freqs[i].time_ns;
		ns += (double)r->freqs[i].time_ns;
	}
	return ns > 0 ? (uint32_t)(cycles / ns) : m->base_khz;
}

double energy_band(const struct run_result *r, const struct machine *m)
{
	double rest = (double)r->package_uj - (double)r->cores_uj;
	double energy = 0, off = 0, busy = 0, weight;
	uint32_t khz = average_khz(r, m);
	char path[sizeof(m->provenance[0].path)];

	if (!r->package_uj)
		return 0;
	for (int i = 0; i < r->nr_cpus; i++)
		busy += (double)r->cpus[i].busy_ns;
	weight = busy * curve_mw(&m->core_active, khz);
	energy = weight;
	off = weight * fmax(spread(m, "power.core_active"), spread(m, "power.core_active_smt"));
	for (int i = 0; i < r->nr_idle; i++) {
		weight = (double)r->idle[i].time_ns * curve_mw(&m->idle_real[i].core_power, khz);
		snprintf(path, sizeof(path), "power.core_idle.%s.mw_by_khz", r->idle[i].state);
		energy += weight;
		off += weight * spread(m, path);
	}
	off = energy > 0 ? off / energy * (double)r->cores_uj : 0;
	off += rest * fmax(spread(m, "power.uncore"), spread(m, "power.floor_mw"));
	return off / (double)r->package_uj;
}

/* How many of the power values are not measured. */
static void note_power(struct run_result *r, const struct machine *m)
{
	int estimated = 0, all = 0;

	for (int i = 0; i < m->nr_provenance; i++) {
		const struct provenance *p = &m->provenance[i];

		if (strncmp(p->path, "power.", 6))
			continue;
		all++;
		estimated += !strncmp(p->confidence, "estimated", 9) ||
			     !strncmp(p->confidence, "fitted", 6) ||
			     !strcmp(p->confidence, "drawn");
	}
	if (estimated)
		result_note(r,
			"energy comes from a power model of %s, %d of whose %d values are "
			"estimated",
			m->name, estimated, all);
}

static void note_recorder_cost(struct run_result *r, const struct workload_truth *t)
{
	double cost;

	if (!t->untraced_elapsed_ns || !t->elapsed_ns) {
		result_note(r, "what the recorder itself cost is not known");
		return;
	}
	cost = (double)t->elapsed_ns / (double)t->untraced_elapsed_ns - 1;
	if ((double)t->elapsed_ns > (1 + recorder_cost_limit) * (double)t->untraced_elapsed_ns)
		result_note(r,
			"the recorder itself cost %.0f %%, above %.0f %%: this recording is not "
			"fit for conclusions",
			100 * cost, 100 * recorder_cost_limit);
	else
		result_note(r, "the recorder itself cost %.1f %%", 100 * cost);
}

static void note_outside(struct run_result *r, const struct workload_truth *t)
{
	double all = (double)t->waits_unknown, outside = all;

	for (int i = 0; i < OP_KINDS; i++)
		all += (double)t->waits[i];
	outside += (double)t->waits[OP_EXTERNAL];
	/* What wakes the system's own threads is not what the workload gets on by. */
	if (t->own_waits) {
		all = (double)t->own_waits;
		outside = (double)t->own_waits_outside;
	}
	if (!(all > 0))
		return;
	if (outside > outside_limit * all)
		result_note(r,
			"%.0f %% of the recorded waits were for the outside world or without a "
			"known cause, above %.0f %%: throughput is an input here, no result; read "
			"latency and energy only",
			100 * outside / all, 100 * outside_limit);
	else if (outside > 0)
		result_note(r,
			"%.1f %% of the recorded waits were for the outside world or without a "
			"known cause",
			100 * outside / all);
}

/*
 * Two tasks on one CPU hand over without a wait: who is woken does not sleep while the other runs.
 * A replay on more CPUs lets them run side by side, where they really would wait.
 */
static void note_one_cpu(struct run_result *r, const struct workload_truth *t)
{
	double recorded = 0, most = 0, replayed = 0;

	for (int i = 0; i < t->nr_cpus && i < (int)ARRAY_LEN(t->busy_ns); i++) {
		recorded += (double)t->busy_ns[i];
		most = fmax(most, (double)t->busy_ns[i]);
	}
	for (int i = 0; i < r->nr_cpus; i++)
		replayed += (double)r->cpus[i].busy_ns;
	if (t->waits[OP_WAIT] && most > alone_limit * recorded &&
		replayed > busy_limit * (double)r->elapsed_ns)
		result_note(r,
			"%.0f %% of the work was recorded on one CPU, and here %.1f CPUs share it: "
			"where tasks took turns on that CPU no wait was recorded, so their speed "
			"side by side is no prediction",
			100 * most / recorded, replayed / (double)r->elapsed_ns);
}

static void note_recording(struct run_result *r, const struct workload *w)
{
	const struct workload_truth *t = &w->truth;
	uint64_t switches = t->switches + t->switches_inferred;

	note_recorder_cost(r, t);
	note_outside(r, t);
	note_one_cpu(r, t);
	if (t->own_run_on)
		result_note(r,
			"%llu of the recorded tasks ran most of the time and hardly waited: they "
			"compute or they spin (polling, futex), the recording cannot tell; here it "
			"counts as work, but who spins is not done sooner on a faster CPU",
			(unsigned long long)t->own_run_on);
	if (t->lost_events)
		result_note(r, "%llu events of the recording were lost",
			(unsigned long long)t->lost_events);
	if (t->switches_inferred)
		result_note(r, "%.1f %% of the recorded switches were inferred, not seen",
			100 * (double)t->switches_inferred / (double)switches);
	if (strcmp(r->scaling, "known"))
		result_note(r, "the recording cannot tell how much of its run time scales with "
			       "frequency: the truth is between all of it and none of it");
}

static void note_drawn(struct run_result *r, const struct machine *m)
{
	int drawn = 0;

	for (int i = 0; i < m->nr_provenance; i++)
		drawn += !strcmp(m->provenance[i].confidence, "drawn");
	if (drawn)
		result_note(r,
			"a machine for each iteration: %d estimated values of %s are drawn from "
			"their ranges; what is measured, specified or fitted, words, and the "
			"workload's parameters are not",
			drawn, m->name);
}

void run_notes(struct run_result *r, const struct machine *m, const struct workload *w)
{
	result_note(r, "simulated: iterations are seeds, which are no evidence; no p-values");
	note_drawn(r, m);
	r->energy_band = energy_band(r, m);
	note_power(r, m);
	if (w->recorded)
		note_recording(r, w);
}
