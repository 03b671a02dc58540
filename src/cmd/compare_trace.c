// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/compare_trace.h"
#include "base/array.h"
#include "base/units.h"
#include "trace/event.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { PIDS_MAX = 1 << 22, TRACE_CPUS_MAX = 1024 };

struct tally {
	uint64_t *woken_ns;   /* by pid: when it was woken and did not run since; 0: not */
	uint64_t *latency_ns; /* of each wake-up */
	size_t nr_latencies;
	uint64_t first_ns, last_ns, switches, migrations, busy_ns;
	struct {
		bool known, busy;
		uint64_t since_ns;
	} cpus[TRACE_CPUS_MAX];
};

static int count_latency(struct tally *t, uint64_t ns)
{
	void *grown = array_grow(t->latency_ns, t->nr_latencies, sizeof(*t->latency_ns));

	if (!grown)
		return -ENOMEM;
	t->latency_ns = grown;
	t->latency_ns[t->nr_latencies++] = ns;
	return 0;
}

static int take_switch(struct tally *t, const struct event *ev)
{
	uint64_t since;

	t->switches++;
	if (ev->cpu >= 0 && ev->cpu < TRACE_CPUS_MAX) {
		since = t->cpus[ev->cpu].known ? t->cpus[ev->cpu].since_ns : t->first_ns;
		if (ev->pid) /* who goes was running since then */
			t->busy_ns += ev->time_ns - since;
		t->cpus[ev->cpu].known = true;
		t->cpus[ev->cpu].busy = ev->pid2 != 0;
		t->cpus[ev->cpu].since_ns = ev->time_ns;
	}
	if (ev->pid2 <= 0 || ev->pid2 >= PIDS_MAX || !t->woken_ns[ev->pid2])
		return 0;
	since = t->woken_ns[ev->pid2];
	t->woken_ns[ev->pid2] = 0;
	return count_latency(t, ev->time_ns > since ? ev->time_ns - since : 0);
}

static int take_event(struct tally *t, const struct event *ev)
{
	if (!t->first_ns)
		t->first_ns = ev->time_ns;
	t->last_ns = ev->time_ns;
	switch (ev->kind) {
	case EV_SWITCH:
		return take_switch(t, ev);
	case EV_WAKING:
	case EV_WAKEUP_NEW:
		if (ev->pid2 > 0 && ev->pid2 < PIDS_MAX)
			t->woken_ns[ev->pid2] = ev->time_ns;
		return 0;
	case EV_MIGRATE:
		t->migrations++;
		return 0;
	default:
		return 0;
	}
}

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static double percentile_us(const struct tally *t, unsigned percent)
{
	size_t rank = (t->nr_latencies * percent + 99) / 100;

	return (double)t->latency_ns[rank ? rank - 1 : 0] / 1000;
}

static int add_all(
	struct tally *t, struct samples *samples, const char *workload, const char *config)
{
	double seconds = (double)(t->last_ns - t->first_ns) / NSEC_PER_SEC;
	int rc = 0, cpus = 0;

	if (t->nr_latencies) {
		qsort(t->latency_ns, t->nr_latencies, sizeof(*t->latency_ns), by_size);
		rc = samples_measured(
			samples, workload, config, "wake_p50_us", "us", -1, percentile_us(t, 50));
		rc = rc ? rc
			: samples_measured(samples, workload, config, "wake_p99_us", "us", -1,
				  percentile_us(t, 99));
	}
	for (int i = 0; i < TRACE_CPUS_MAX; i++) {
		cpus += t->cpus[i].known;
		if (t->cpus[i].busy)
			t->busy_ns += t->last_ns - t->cpus[i].since_ns;
	}
	if (rc || !(seconds > 0) || !cpus)
		return rc;
	rc = samples_measured(samples, workload, config, "busy_pct", "%", 0,
		100 * (double)t->busy_ns / NSEC_PER_SEC / seconds / cpus);
	return rc ? rc
		  : samples_measured(samples, workload, config, "switches_per_s", "1/s", 0,
			    (double)t->switches / seconds);
}

int compare_trace(void *ctx, struct samples *samples, const char *path, const char *workload,
	const char *config, struct error *err)
{
	struct tally *t = calloc(1, sizeof(*t));
	struct trace_reader *r = NULL;
	struct event ev;
	int rc = trace_open(path, &r, err);

	if (!rc && t)
		t->woken_ns = calloc(PIDS_MAX, sizeof(*t->woken_ns));
	if (!rc && (!t || !t->woken_ns))
		rc = error_set(err, ENOMEM, "%s: out of memory", path);
	while (!rc && (rc = trace_next(r, &ev, err)) > 0) {
		rc = take_event(t, &ev);
		if (rc)
			error_set(err, -rc, "%s: %s", path, strerror(-rc));
	}
	if (!rc) {
		rc = add_all(t, samples, workload, config);
		if (rc)
			error_set(err, -rc, "%s: %s", path, strerror(-rc));
	}
	trace_close(r);
	if (t) {
		free(t->woken_ns);
		free(t->latency_ns);
	}
	free(t);
	return rc;
}
