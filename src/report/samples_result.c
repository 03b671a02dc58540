// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples out of simulated runs: the workload's metrics, energy, wake-ups, what the CPUs did. */
#include "report/samples.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct adder {
	struct sample_group *group;
	int config;
	int rc;
};

static void add(struct adder *a, enum sample_section section, const char *name, const char *unit,
	int better, double value)
{
	struct sample_metric m = { .better = better, .section = section };
	int metric;

	if (a->rc < 0)
		return;
	snprintf(m.name, sizeof(m.name), "%s", name);
	snprintf(m.unit, sizeof(m.unit), "%s", unit);
	metric = group_metric(a->group, &m);
	a->rc = metric < 0 ? metric : group_add(a->group, metric, a->config, value);
}

static void add_cpu_shares(struct adder *a, const struct run_result *r)
{
	double busy = 0, total = 0, cycles = 0, running = 0;
	char name[48];

	for (int i = 0; i < r->nr_cpus; i++)
		busy += (double)r->cpus[i].busy_ns;
	total = busy;
	for (int i = 0; i < r->nr_idle; i++)
		total += (double)r->idle[i].time_ns;
	if (!(total > 0))
		return;
	add(a, SECTION_CPU, "busy_pct", "%", 0, 100 * busy / total);
	for (int i = 0; i < r->nr_idle; i++) {
		snprintf(name, sizeof(name), "%s_pct", r->idle[i].state);
		add(a, SECTION_CPU, name, "%", 0, 100 * (double)r->idle[i].time_ns / total);
	}
	for (int i = 0; i < r->nr_freqs; i++) {
		cycles += (double)r->freqs[i].khz * (double)r->freqs[i].time_ns;
		running += (double)r->freqs[i].time_ns;
	}
	if (running > 0)
		add(a, SECTION_CPU, "avg_mhz", "MHz", 0, cycles / running / 1000);
}

static int add_result(struct samples *samples, const struct run_result *r, const char *name)
{
	struct adder a = { 0 };
	struct sample_config *config;
	int rc = samples_group(samples, r->machine, r->workload, r->scaling, &a.group);

	if (rc < 0)
		return rc;
	a.config = group_config(a.group, name);
	if (a.config < 0)
		return a.config;
	a.group->fixed_time = r->fixed_time;
	config = &a.group->configs[a.config];
	config->runs++;
	config->operations += (double)r->operations;
	config->energy_band = r->energy_band;
	config->simulated = true;
	/* Times in idle states stand there as shares. */
	for (int i = 0; i < r->nr_metrics; i++)
		if (strncmp(r->metrics[i].name, "idle_s:", 7))
			add(&a, section_of_metric(r->metrics[i].name, r->metrics[i].unit),
				r->metrics[i].name, r->metrics[i].unit, r->metrics[i].better,
				r->metrics[i].value);
	if (r->wake_count) {
		add(&a, SECTION_WAKE, "wake_p50_us", "us", -1, (double)r->wake_p50_ns / 1000);
		add(&a, SECTION_WAKE, "wake_p99_us", "us", -1, (double)r->wake_p99_ns / 1000);
	}
	add_cpu_shares(&a, r);
	for (int i = 0; i < r->nr_notes && a.rc >= 0; i++)
		a.rc = samples_note(samples, r->notes[i]);
	return a.rc;
}

/* What must stand beside the policy so that different runs have different names. */
struct naming {
	bool machine, file;
};

static bool same_run(const struct run_result *a, const struct run_result *b)
{
	return !strcmp(a->machine, b->machine) && !strcmp(a->workload, b->workload) &&
	       !strcmp(a->policy, b->policy) && !strcmp(a->scaling, b->scaling);
}

static struct naming choose_naming(const struct run_result *runs, int nr, const char *const *files)
{
	struct naming naming = { false, false };

	for (int i = 1; i < nr; i++)
		naming.machine |= strcmp(runs[0].machine, runs[i].machine) != 0;
	for (int i = 0; files && i < nr && !naming.file; i++)
		for (int k = 0; k < i && !naming.file; k++)
			naming.file = strcmp(files[i], files[k]) && same_run(&runs[i], &runs[k]);
	return naming;
}

int samples_add_result(
	struct samples *samples, const struct run_result *r, const char *name, struct error *err)
{
	int rc = add_result(samples, r, name);

	if (rc == -E2BIG)
		return error_set(err, E2BIG, "more than %d configurations", CONFIGS_MAX);
	if (rc == -EEXIST)
		return error_set(err, EINVAL,
			"runs of %s do not agree on a metric's unit or direction", r->workload);
	return rc < 0 ? error_set(err, -rc, "%s", strerror(-rc)) : 0;
}

int samples_add_results(struct samples *samples, const struct run_result *runs, int nr,
	const char *const *files, struct error *err)
{
	return samples_add_some_results(samples, runs, nr, files, 0, nr, err);
}

int samples_add_some_results(struct samples *samples, const struct run_result *runs, int nr,
	const char *const *files, int first, int end, struct error *err)
{
	struct naming naming = choose_naming(runs, nr, files);

	for (int i = first; i < end; i++) {
		char *name = NULL;
		int rc;

		if (asprintf(&name, "%s%s%s%s%s", naming.file ? files[i] : "",
			    naming.file ? " " : "", naming.machine ? runs[i].machine : "",
			    naming.machine ? " " : "", runs[i].policy) < 0)
			return error_set(err, ENOMEM, "out of memory");
		rc = add_result(samples, &runs[i], name);
		free(name);
		if (rc == -E2BIG)
			return error_set(err, E2BIG, "more than %d configurations", CONFIGS_MAX);
		if (rc == -EEXIST)
			return error_set(err, EINVAL,
				"%s%sruns of %s do not agree on a metric's unit or direction",
				files ? files[i] : "", files ? ": " : "", runs[i].workload);
		if (rc < 0)
			return error_set(err, -rc, "%s", strerror(-rc));
	}
	return 0;
}
