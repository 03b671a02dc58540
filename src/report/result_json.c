// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/result_json.h"
#include "corepace/version.h"

#include <stddef.h>
#include <string.h>

static const char *better_name(int better)
{
	return better < 0 ? "lower" : better > 0 ? "higher" : "neither";
}

static json_t *metrics(const struct run_result *r)
{
	json_t *all = json_object();

	for (int i = 0; i < r->nr_metrics; i++) {
		const struct result_metric *m = &r->metrics[i];

		json_object_set_new(all, m->name,
			json_pack("{s:o,s:s,s:s}", "value", json_number(m->value), "unit", m->unit,
				"better", better_name(m->better)));
	}
	return all;
}

static json_t *idle_states(const struct result_idle *idle, int nr)
{
	json_t *all = json_array();

	for (int i = 0; i < nr; i++)
		json_array_append_new(
			all, json_pack("{s:s,s:o,s:o,s:o,s:o,s:o}", "state", idle[i].state,
				     "time_ns", json_count(idle[i].time_ns), "usage",
				     json_count(idle[i].usage), "above", json_count(idle[i].above),
				     "below", json_count(idle[i].below), "rejected",
				     json_count(idle[i].rejected)));
	return all;
}

static json_t *freqs(const struct run_result *r)
{
	json_t *all = json_array();

	for (int i = 0; i < r->nr_freqs; i++)
		json_array_append_new(
			all, json_pack("{s:o,s:o}", "khz", json_count(r->freqs[i].khz), "time_ns",
				     json_count(r->freqs[i].time_ns)));
	return all;
}

static json_t *cpus(const struct run_result *r)
{
	json_t *all = json_array();

	for (int i = 0; i < r->nr_cpus; i++) {
		const struct result_cpu *cpu = &r->cpus[i];

		json_array_append_new(
			all, json_pack("{s:i,s:o,s:o,s:o,s:o,s:o}", "cpu", i, "busy_ns",
				     json_count(cpu->busy_ns), "user_ns", json_count(cpu->user_ns),
				     "system_ns", json_count(cpu->system_ns), "irq_ns",
				     json_count(cpu->irq_ns), "idle",
				     idle_states(cpu->idle, r->nr_idle)));
	}
	return all;
}

/* Empty buckets are left out; bucket i holds latencies below 2^i ns. */
static json_t *wake_latency(const struct run_result *r)
{
	json_t *buckets = json_array();

	for (int i = 0; i < WAKE_BUCKETS; i++)
		if (r->wake_buckets[i])
			json_array_append_new(buckets, json_pack("[o,o]", json_count(1ULL << i),
							       json_count(r->wake_buckets[i])));
	return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "p50", json_count(r->wake_p50_ns), "p90",
		json_count(r->wake_p90_ns), "p99", json_count(r->wake_p99_ns), "p999",
		json_count(r->wake_p999_ns), "max", json_count(r->wake_max_ns), "count",
		json_count(r->wake_count), "buckets", buckets);
}

#define COUNTER(field)                                                                             \
	{                                                                                          \
#field, offsetof(struct result_counters, field)                                    \
	}

const struct counter_name counter_names[] = {
	COUNTER(events),
	COUNTER(switches),
	COUNTER(migrations),
	COUNTER(wakeups),
	COUNTER(ipis),
	COUNTER(ticks),
	COUNTER(ticks_stopped),
	COUNTER(io_requests),
	COUNTER(msr_writes),
	COUNTER(freq_changes),
	COUNTER(mailbox_calls),
	COUNTER(boosts),
	COUNTER(mailbox_waits),
	COUNTER(mailbox_wait_ns),
	COUNTER(stalls),
	COUNTER(stall_ns),
	{ NULL, 0 },
};

static json_t *counters(const struct result_counters *c)
{
	json_t *all = json_object();

	for (const struct counter_name *n = counter_names; n->name; n++) {
		uint64_t value;

		memcpy(&value, (const char *)c + n->offset, sizeof(value));
		json_object_set_new(all, n->name, json_count(value));
	}
	return all;
}

static json_t *notes(const struct run_result *r)
{
	json_t *all = json_array();

	for (int i = 0; i < r->nr_notes; i++)
		json_array_append_new(all, json_string(r->notes[i]));
	return all;
}

static json_t *result_to_json(const struct run_result *r)
{
	json_t *run = json_pack("{s:s,s:s,s:s,s:o,s:i}", "machine", r->machine, "workload",
		r->workload, "policy", r->policy, "seed", json_count(r->seed), "iteration",
		r->iteration);

	json_object_set_new(run, "scaling", json_string(*r->scaling ? r->scaling : "known"));
	if (r->scale > 0 && r->scale < 1)
		json_object_set_new(run, "scale", json_number(r->scale));
	json_object_set_new(run, "metrics", metrics(r));
	json_object_set_new(run, "energy_uj",
		json_pack("{s:o,s:o,s:o,s:o}", "package", json_count(r->package_uj), "cores",
			json_count(r->cores_uj), "gpu", json_count(r->gpu_uj), "devices",
			json_count(r->devices_uj)));
	json_object_set_new(
		run, "energy_band", r->energy_band < 0 ? json_null() : json_number(r->energy_band));
	json_object_set_new(run, "elapsed_ns", json_count(r->elapsed_ns));
	json_object_set_new(run, "operations", json_count(r->operations));
	json_object_set_new(run, "fixed", json_string(r->fixed_time ? "time" : "work"));
	json_object_set_new(run, "idle", idle_states(r->idle, r->nr_idle));
	json_object_set_new(run, "freq", freqs(r));
	json_object_set_new(run, "cpus", cpus(r));
	json_object_set_new(run, "wake_latency_ns", wake_latency(r));
	json_object_set_new(run, "counters", counters(&r->counters));
	json_object_set_new(run, "notes", notes(r));
	return run;
}

json_t *results_to_json(const struct run_result *runs, int nr)
{
	json_t *document = json_schema(), *list = json_array();

	json_object_set_new(document, "version", json_string(COREPACE_VERSION));
	for (int i = 0; i < nr; i++)
		json_array_append_new(list, result_to_json(&runs[i]));
	json_object_set_new(document, "runs", list);
	return document;
}

char *result_text(const struct run_result *r)
{
	json_t *run = result_to_json(r);
	char *text = json_dumps(run, JSON_COMPACT | JSON_REAL_PRECISION(JSON_DIGITS));

	json_decref(run);
	return text;
}
