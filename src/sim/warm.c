// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The warm-up of a run that stands for a longer one. What happens once in the beginning, as the
 * rise of frequencies and the forgetting of long idle periods, would count as often as the part
 * goes into the whole. So all is counted from the beginning, remembered when the warm-up is over,
 * and taken off in the end. Of fixed work the operations say which share is left; without
 * operations, or when the work is over before, nothing is taken off.
 */
#include "sim/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct sim_warm {
	struct run_result r;
	uint64_t user_ns, system_ns, latency_ns, latency_count;
	struct wake_histogram wake;
};

int warm_end(struct sim *s)
{
	struct sim_warm *warm = calloc(1, sizeof(*warm));
	int r;

	if (!warm)
		return error_set(s->err, ENOMEM, "out of memory");
	s->now_ns = (int64_t)s->w->warm_up_ns;
	warm->r.elapsed_ns = s->w->warm_up_ns;
	warm->user_ns = s->task_user_ns;
	warm->system_ns = s->task_system_ns;
	warm->latency_ns = s->latency_ns;
	warm->latency_count = s->latency_count;
	warm->wake = s->wake;
	s->warm = warm;
	r = tally_counts(s, &warm->r);
	memcpy(warm->r.freqs, s->freqs, sizeof(warm->r.freqs));
	warm->r.nr_freqs = s->nr_freqs;
	return r;
}

static void take_off_idle(struct result_idle *idle, const struct result_idle *before, int nr)
{
	for (int i = 0; i < nr; i++) {
		idle[i].time_ns -= before[i].time_ns;
		idle[i].usage -= before[i].usage;
		idle[i].above -= before[i].above;
		idle[i].below -= before[i].below;
		idle[i].rejected -= before[i].rejected;
	}
}

static void take_off_wake(struct wake_histogram *h, const struct wake_histogram *before)
{
	h->count -= before->count;
	for (size_t i = 0; i < ARRAY_LEN(h->bucket); i++)
		h->bucket[i] -= before->bucket[i];
}

static void take_off_counters(struct run_result *r, const struct run_result *before)
{
	uint64_t *counters = (uint64_t *)&r->counters, events = r->counters.events;
	const uint64_t *old = (const uint64_t *)&before->counters;

	for (size_t i = 0; i < sizeof(r->counters) / sizeof(*counters); i++)
		counters[i] -= old[i];
	r->counters.events = events; /* the simulator's own effort */
}

static void take_off_cpus(struct run_result *r, const struct run_result *before)
{
	for (int i = 0; i < r->nr_cpus; i++) {
		r->cpus[i].busy_ns -= before->cpus[i].busy_ns;
		r->cpus[i].user_ns -= before->cpus[i].user_ns;
		r->cpus[i].system_ns -= before->cpus[i].system_ns;
		r->cpus[i].irq_ns -= before->cpus[i].irq_ns;
		take_off_idle(r->cpus[i].idle, before->cpus[i].idle, r->nr_idle);
	}
}

double warm_take_off(struct sim *s, struct run_result *r)
{
	const struct sim_warm *warm = s->warm;
	double left = 1;

	if (!warm || (!s->w->duration_ns && r->operations <= warm->r.operations) ||
		r->elapsed_ns <= warm->r.elapsed_ns)
		return 1;
	if (!s->w->duration_ns)
		left -= (double)warm->r.operations / (double)r->operations;
	r->elapsed_ns -= warm->r.elapsed_ns;
	r->operations -= warm->r.operations;
	r->package_uj -= warm->r.package_uj;
	r->cores_uj -= warm->r.cores_uj;
	r->devices_uj -= warm->r.devices_uj;
	r->gpu_uj -= warm->r.gpu_uj;
	take_off_idle(r->idle, warm->r.idle, r->nr_idle);
	take_off_cpus(r, &warm->r);
	take_off_counters(r, &warm->r);
	take_off_wake(&s->wake, &warm->wake);
	s->task_user_ns -= warm->user_ns;
	s->task_system_ns -= warm->system_ns;
	s->latency_ns -= warm->latency_ns;
	s->latency_count -= warm->latency_count;
	for (int i = 0; i < warm->r.nr_freqs; i++) /* the list only grows */
		s->freqs[i].time_ns -= warm->r.freqs[i].time_ns;
	return left;
}

void warm_release(struct sim *s)
{
	if (s->warm)
		result_release(&s->warm->r);
	free(s->warm);
}
