// SPDX-License-Identifier: GPL-2.0-or-later
/* What a run gives back: everything counted, put into the result. */
#include "sim/internal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_PER_OCTAVE = 16 };

static int bucket_of(uint64_t ns)
{
	int octave;

	if (ns < STEPS_PER_OCTAVE)
		return (int)ns;
	octave = 63 - __builtin_clzll(ns);
	return (octave - 3) * STEPS_PER_OCTAVE + (int)(ns >> (octave - 4) & (STEPS_PER_OCTAVE - 1));
}

/* The highest value that falls into the bucket. */
static uint64_t bucket_top(int i)
{
	int octave = i / STEPS_PER_OCTAVE + 3;

	if (i < STEPS_PER_OCTAVE)
		return (uint64_t)i;
	return ((uint64_t)(STEPS_PER_OCTAVE + i % STEPS_PER_OCTAVE + 1) << (octave - 4)) - 1;
}

void wake_count(struct wake_histogram *h, uint64_t ns)
{
	h->count++;
	h->bucket[bucket_of(ns)]++;
	if (ns > h->max_ns)
		h->max_ns = ns;
}

static uint64_t quantile(const struct wake_histogram *h, unsigned permille)
{
	uint64_t rank = (h->count * permille + 999) / 1000, seen = 0;

	for (int i = 0; i < (int)ARRAY_LEN(h->bucket); i++) {
		seen += h->bucket[i];
		if (seen >= rank && seen)
			return bucket_top(i) < h->max_ns ? bucket_top(i) : h->max_ns;
	}
	return 0;
}

static void tally_wake(struct sim *s, struct run_result *r)
{
	const struct wake_histogram *h = &s->wake;

	r->wake_count = h->count;
	r->wake_max_ns = h->max_ns;
	r->wake_p50_ns = quantile(h, 500);
	r->wake_p90_ns = quantile(h, 900);
	r->wake_p99_ns = quantile(h, 990);
	r->wake_p999_ns = quantile(h, 999);
	for (int i = 0; i < (int)ARRAY_LEN(h->bucket); i++) {
		uint64_t top = bucket_top(i);
		int b = top ? 64 - __builtin_clzll(top) : 0;

		if (h->bucket[i])
			r->wake_buckets[b < WAKE_BUCKETS ? b : WAKE_BUCKETS - 1] += h->bucket[i];
	}
}

static int tally_cpus(struct sim *s, struct run_result *r)
{
	r->cpus = calloc((size_t)s->nr_cpus, sizeof(*r->cpus));
	if (!r->cpus)
		return error_set(s->err, ENOMEM, "out of memory");
	r->nr_cpus = s->nr_cpus;
	r->nr_idle = s->m->idle.nr_states;
	for (int i = 0; i < r->nr_idle; i++)
		strcpy(r->idle[i].state, s->m->idle.states[i].name);
	for (int n = 0; n < s->nr_cpus; n++) {
		struct sim_cpu *c = &s->cpus[n];
		struct result_cpu *rc = &r->cpus[n];

		cpu_close(c);
		rc->busy_ns = c->busy_ns;
		rc->user_ns = c->user_ns;
		rc->system_ns = c->system_ns;
		rc->irq_ns = c->irq_ns;
		for (int i = 0; i < r->nr_idle; i++) {
			rc->idle[i] = c->idle_count[i];
			rc->idle[i].time_ns = c->state_ns[i];
			strcpy(rc->idle[i].state, r->idle[i].state);
			r->idle[i].time_ns += c->state_ns[i];
			r->idle[i].usage += c->idle_count[i].usage;
			r->idle[i].above += c->idle_count[i].above;
			r->idle[i].below += c->idle_count[i].below;
			r->idle[i].rejected += c->idle_count[i].rejected;
		}
	}
	return 0;
}

static void tally_energy(struct sim *s, struct run_result *r)
{
	for (int i = 0; i < s->m->nr_packages; i++) {
		struct sim_package *p = &s->packages[i];

		package_close(s, p);
		r->cores_uj += p->cores_uj;
		r->package_uj += p->cores_uj + p->uncore_uj + p->devices_uj;
	}
	for (int i = 0; i < s->m->nr_devices; i++) {
		struct sim_device *d = &s->devices[i];

		device_close(s, d);
		r->devices_uj += d->uj;
		if (d->def->kind == DEVICE_GPU)
			r->gpu_uj += d->uj;
	}
}

static void tally_metrics(struct sim *s, struct run_result *r)
{
	double seconds = (double)r->elapsed_ns / NSEC_PER_SEC, ops = (double)r->operations;

	for (int i = 0; i < s->w->nr_metrics; i++) {
		const struct workload_metric *m = &s->w->metrics[i];
		double value = 0, counted = ops * (m->per_op ? m->per_op : 1);

		if (!r->operations && m->kind != METRIC_ELAPSED_S && m->kind != METRIC_LATENCY_MS &&
			m->kind != METRIC_USER_S && m->kind != METRIC_SYSTEM_S)
			continue;
		switch (m->kind) {
		case METRIC_USECS_PER_OP:
			value = seconds * 1e6 / ops;
			break;
		case METRIC_OPS_PER_S:
			value = counted / seconds;
			break;
		case METRIC_KHZ:
			value = counted / seconds / 1000;
			break;
		case METRIC_MB_PER_S:
			value = counted / seconds / 1e6;
			break;
		case METRIC_ELAPSED_S:
			value = seconds;
			break;
		case METRIC_USER_S:
			value = (double)s->task_user_ns / NSEC_PER_SEC;
			break;
		case METRIC_SYSTEM_S:
			value = (double)s->task_system_ns / NSEC_PER_SEC;
			break;
		case METRIC_OPS_PER_W:
			if (!r->package_uj)
				continue;
			value = counted / ((double)r->package_uj / 1e6);
			break;
		case METRIC_LATENCY_MS:
		case METRIC_LATENCY_US:
			if (!s->latency_count)
				continue;
			value = (double)s->latency_ns / (double)s->latency_count;
			value /= m->kind == METRIC_LATENCY_MS ? NSEC_PER_MSEC : NSEC_PER_USEC;
			break;
		}
		result_metric(r, m->name, m->unit, value, m->higher_is_better ? 1 : -1);
	}
	result_derive(r);
}

static void scale_back(uint64_t *n, double scale)
{
	*n = (uint64_t)llround((double)*n / scale);
}

static void scale_idle(struct result_idle *idle, int nr, double scale)
{
	for (int i = 0; i < nr; i++) {
		scale_back(&idle[i].time_ns, scale);
		scale_back(&idle[i].usage, scale);
		scale_back(&idle[i].above, scale);
		scale_back(&idle[i].below, scale);
		scale_back(&idle[i].rejected, scale);
	}
}

/*
 * Of a part of the work to the whole: times, energy, operations, counts. What is a rate, a latency
 * or a power stays, and so do counters.events, the simulator's own effort, and the wake-ups of the
 * latencies' distribution, which say how many it stands on.
 */
static void tally_whole(struct sim *s, struct run_result *r, double scale)
{
	uint64_t events = r->counters.events;
	uint64_t *counters = (uint64_t *)&r->counters;

	if (!(scale > 0 && scale < 1))
		return;
	r->scale = scale;
	scale_back(&r->elapsed_ns, scale);
	scale_back(&r->operations, scale);
	scale_back(&s->task_user_ns, scale);
	scale_back(&s->task_system_ns, scale);
	scale_back(&r->package_uj, scale);
	scale_back(&r->cores_uj, scale);
	scale_back(&r->devices_uj, scale);
	scale_back(&r->gpu_uj, scale);
	scale_idle(r->idle, r->nr_idle, scale);
	for (int i = 0; i < r->nr_freqs; i++)
		scale_back(&r->freqs[i].time_ns, scale);
	for (int i = 0; i < r->nr_cpus; i++) {
		scale_back(&r->cpus[i].busy_ns, scale);
		scale_back(&r->cpus[i].user_ns, scale);
		scale_back(&r->cpus[i].system_ns, scale);
		scale_back(&r->cpus[i].irq_ns, scale);
		scale_idle(r->cpus[i].idle, r->nr_idle, scale);
	}
	for (size_t i = 0; i < sizeof(r->counters) / sizeof(*counters); i++)
		scale_back(&counters[i], scale);
	r->counters.events = events;
	if (s->warm)
		result_note(r,
			"simulated %.3g %% of the work after %.2g s of warm-up; times, joules and "
			"counts scaled back",
			100 * scale, (double)s->w->warm_up_ns / NSEC_PER_SEC);
	else
		result_note(r,
			"simulated %.3g %% of the work; times, joules and counts scaled back",
			100 * scale);
}

static int compare_freq(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void tally_notes(struct sim *s, struct run_result *r)
{
	char text[sizeof(r->notes[0])];

	for (int i = 0; policy_note(s->p, i, text, sizeof(text)) > 0; i++)
		result_note(r, "%s", text);
	if (*s->driver_note)
		result_note(r, "%s", s->driver_note);
	if (s->nr_policies && s->policies[0].offer.note)
		result_note(r, "driver %s: %s", s->driver->name, s->policies[0].offer.note);
	if (s->governor != s->p->governor)
		result_note(r,
			"Can't use %s governor as dynamic switching is disallowed. Fallback to %s "
			"governor",
			s->p->governor->name, s->governor->name);
	if (s->stranded)
		result_note(r,
			"%d tasks of the recording waited at the end for signals that never came",
			s->stranded);
	if (s->p->boost->on_util && !boost_hooked(s))
		result_note(r,
			"boost %s has nothing to raise: it needs a driver on hardware P-states "
			"with "
			"its own powersave policy",
			s->p->boost->name);
	if (!strcmp(s->m->idle_driver_name, "none"))
		result_note(r,
			"machine %s has no cpuidle driver: the kernel halts whatever the idle "
			"governor, and "
			"stops the tick only after one that came while it halted",
			s->m->name);
	for (int i = 0; i < s->m->nr_packages; i++) {
		const struct budget *b = &s->packages[i].budget;
		int64_t ns = b->limited_ns;

		ns += b->limited_since_ns ? s->end_ns - b->limited_since_ns : 0;
		if (ns && s->end_ns)
			result_note(r, "package %d was at its power limit %lld %% of the time", i,
				(long long)(100 * ns / s->end_ns));
	}
	if (s->nr_freqs == RESULT_FREQS_MAX)
		result_note(
			r, "more than %d frequencies: the rest is not listed", RESULT_FREQS_MAX);
}

int tally_counts(struct sim *s, struct run_result *r)
{
	int status = tally_cpus(s, r);

	tally_energy(s, r);
	r->operations = s->operations;
	r->counters = s->counters;
	return status;
}

int tally(struct sim *s, struct run_result *r)
{
	double left;
	int status;

	snprintf(r->machine, sizeof(r->machine), "%s", s->m->text);
	snprintf(r->workload, sizeof(r->workload), "%s", s->w->text);
	snprintf(r->policy, sizeof(r->policy), "%s", s->p->text);
	r->seed = s->options->seed;
	r->iteration = s->options->iteration;
	strcpy(r->scaling, !s->w->recorded		      ? "known"
			   : s->options->scaling == SCALE_ALL ? "all"
							      : "none");
	r->fixed_time = s->w->duration_ns != 0;
	/* Work without counted operations is done when the last task outside the kernel is. */
	if (s->w->recorded && !s->w->truth.operations && s->last_done_ns)
		r->elapsed_ns = (uint64_t)s->last_done_ns;
	else
		r->elapsed_ns = (uint64_t)s->end_ns;
	status = tally_counts(s, r);
	if (status < 0)
		return status;
	left = warm_take_off(s, r);
	tally_wake(s, r);
	qsort(s->freqs, (size_t)s->nr_freqs, sizeof(s->freqs[0]), compare_freq);
	memcpy(r->freqs, s->freqs, sizeof(r->freqs));
	r->nr_freqs = s->nr_freqs;
	tally_whole(s, r, s->w->scale * left);
	if (r->elapsed_ns)
		tally_metrics(s, r);
	tally_notes(s, r);
	return 0;
}
