// SPDX-License-Identifier: GPL-2.0-or-later
#include "corepace/result.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void result_release(struct run_result *r)
{
	if (!r)
		return;
	free(r->cpus);
	r->cpus = NULL;
	r->nr_cpus = 0;
}

void result_note(struct run_result *r, const char *fmt, ...)
{
	char text[sizeof(r->notes[0])];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	for (int i = 0; i < r->nr_notes; i++)
		if (!strcmp(r->notes[i], text))
			return;
	if (r->nr_notes < RESULT_NOTES_MAX)
		strcpy(r->notes[r->nr_notes++], text);
	else /* losing a note silently would be worse than losing the last one */
		strcpy(r->notes[RESULT_NOTES_MAX - 1], "further notes did not fit");
}

const struct result_metric *result_find_metric(const struct run_result *r, const char *name)
{
	for (int i = 0; i < r->nr_metrics; i++)
		if (!strcmp(r->metrics[i].name, name))
			return &r->metrics[i];
	return NULL;
}

void result_metric(
	struct run_result *r, const char *name, const char *unit, double value, int better)
{
	struct result_metric *metric = (struct result_metric *)result_find_metric(r, name);

	if (!metric) {
		assert(r->nr_metrics < RESULT_METRICS_MAX);
		metric = &r->metrics[r->nr_metrics++];
	}
	assert(strlen(name) < sizeof(metric->name) && strlen(unit) < sizeof(metric->unit));
	strcpy(metric->name, name);
	strcpy(metric->unit, unit);
	metric->value = value;
	metric->better = better;
}

void result_derive(struct run_result *r)
{
	double joules = (double)r->package_uj / 1e6, idle = 0;

	if (r->elapsed_ns)
		result_metric(r, "package_w", "W", joules / ((double)r->elapsed_ns / 1e9), -1);
	result_metric(r, "package_j", "J", joules, -1);
	if (r->package_uj && r->operations)
		result_metric(r, "ops_per_j", "1/J", (double)r->operations / joules, 1);
	for (int i = 0; i < r->nr_idle; i++) {
		char name[32];

		snprintf(name, sizeof(name), "idle_s:%d", i);
		result_metric(r, name, "s", (double)r->idle[i].time_ns / 1e9, 0);
		idle += (double)r->idle[i].time_ns / 1e9;
	}
	if (r->nr_idle)
		result_metric(r, "idle_s:total", "s", idle, 0);
}
