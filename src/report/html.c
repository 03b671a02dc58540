// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/html.h"
#include "base/array.h"
#include "corepace/version.h"
#include "report/comparison.h"
#include "report/html_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const hash_names[HTML_HASHES] = { "code", "machine", "workload", "preset",
	"plug-ins" };

struct html *html_new(void)
{
	struct html *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->runs = json_array();
	h->notes = json_array();
	h->timelines = json_array();
	h->note_index = json_object();
	return h;
}

void html_by_machine(struct html *h)
{
	h->samples.by_machine = true;
}

struct html *html_free(struct html *h)
{
	if (!h)
		return NULL;
	json_decref(h->runs);
	json_decref(h->notes);
	json_decref(h->timelines);
	json_decref(h->note_index);
	free(h->timeline_note);
	for (int i = 0; i < h->nr_collectors; i++)
		html_collector_free(h->collectors[i]);
	free(h->collectors);
	free(h->places);
	samples_release(&h->samples);
	free(h);
	return NULL;
}

/* Text as JSON; bytes that are no UTF-8 become '?'. */
json_t *html_text(const char *text)
{
	json_t *json = json_string(text);
	char *copy;

	if (json)
		return json;
	copy = strdup(text);
	for (char *p = copy; p && *p; p++)
		if ((unsigned char)*p >= 0x80)
			*p = '?';
	json = json_string(copy ? copy : "");
	free(copy);
	return json;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Notes are told once and referred to by number. */
static json_t *notes_of(struct html *h, const struct run_result *r)
{
	json_t *list = json_array();

	for (int i = 0; i < r->nr_notes; i++) {
		json_t *text = html_text(r->notes[i]);
		json_t *index = json_object_get(h->note_index, json_string_value(text));

		if (!index) {
			index = json_integer((json_int_t)json_array_size(h->notes));
			json_object_set_new(h->note_index, json_string_value(text), index);
			json_array_append(h->notes, text);
		}
		json_array_append(list, index);
		json_decref(text);
	}
	return list;
}

static json_t *idle_of(const struct run_result *r)
{
	json_t *list = json_array();

	for (int i = 0; i < r->nr_idle; i++)
		json_array_append_new(list,
			json_pack("[o,o,o]", html_text(r->idle[i].state),
				json_count(r->idle[i].time_ns), json_count(r->idle[i].usage)));
	return list;
}

static json_t *freq_of(const struct run_result *r)
{
	json_t *list = json_array();

	for (int i = 0; i < r->nr_freqs; i++)
		json_array_append_new(list, json_pack("[o,o]", json_count(r->freqs[i].khz),
						    json_count(r->freqs[i].time_ns)));
	return list;
}

static json_t *buckets_of(const struct run_result *r)
{
	json_t *list = json_array();

	for (int i = 0; i < WAKE_BUCKETS; i++)
		if (r->wake_buckets[i])
			json_array_append_new(list, json_pack("[o,o]", json_count(1ULL << i),
							    json_count(r->wake_buckets[i])));
	return list;
}

static json_t *run_to_json(struct html *h, const struct html_run *run, const struct run_result *r)
{
	json_t *json = json_object(), *hashes = json_array();
	uint64_t busy = 0;

	for (int i = 0; i < r->nr_cpus; i++)
		busy += r->cpus[i].busy_ns;
	for (int i = 0; i < HTML_HASHES; i++)
		json_array_append_new(hashes, html_text(run->hashes[i] ? run->hashes[i] : ""));
	json_object_set_new(json, "id", html_text(run->id));
	json_object_set_new(json, "machine", html_text(r->machine));
	json_object_set_new(json, "workload", html_text(r->workload));
	json_object_set_new(json, "policy", html_text(r->policy));
	json_object_set_new(json, "scaling", html_text(*r->scaling ? r->scaling : "known"));
	json_object_set_new(json, "seed", json_count(r->seed));
	json_object_set_new(json, "iteration", json_integer(r->iteration));
	json_object_set_new(json, "version", html_text(run->version));
	json_object_set_new(json, "command", html_text(run->command));
	json_object_set_new(json, "hashes", hashes);
	json_object_set_new(json, "elapsed", json_count(r->elapsed_ns));
	json_object_set_new(json, "package_uj", json_count(r->package_uj));
	json_object_set_new(json, "busy", json_count(busy));
	json_object_set_new(json, "idle", idle_of(r));
	json_object_set_new(json, "freq", freq_of(r));
	json_object_set_new(json, "wake",
		json_pack("[o,o,o,o,o,o]", json_count(r->wake_p50_ns), json_count(r->wake_p90_ns),
			json_count(r->wake_p99_ns), json_count(r->wake_p999_ns),
			json_count(r->wake_max_ns), json_count(r->wake_count)));
	json_object_set_new(json, "buckets", buckets_of(r));
	json_object_set_new(json, "notes", notes_of(h, r));
	return json;
}

static int place(struct html *h, const struct html_run *run, const struct run_result *r)
{
	void *grown = array_grow(h->places, h->nr_places, sizeof(*h->places));
	struct sample_group *group;

	if (!grown)
		return -ENOMEM;
	h->places = grown;
	/* Both are there already. */
	samples_group(&h->samples, r->machine, r->workload, r->scaling, &group);
	h->places[h->nr_places].group = (int)(group - h->samples.groups);
	h->places[h->nr_places++].config = group_config(group, run->config);
	return 0;
}

int html_add(struct html *h, const struct html_run *run, const struct run_result *result,
	struct error *err)
{
	int rc = samples_add_result(&h->samples, result, run->config, err);

	if (rc)
		return rc;
	if (place(h, run, result) || json_array_append_new(h->runs, run_to_json(h, run, result)))
		return error_set(err, ENOMEM, "out of memory");
	return (int)json_array_size(h->runs) - 1;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static json_t *metrics_to_json(const struct sample_group *g)
{
	json_t *list = json_array();

	for (int m = 0; m < g->nr_metrics; m++) {
		const struct sample_metric *metric = &g->metrics[m];

		json_array_append_new(
			list, json_pack("{s:o,s:o,s:i,s:i}", "name", html_text(metric->name),
				      "unit", html_text(metric->unit), "better", metric->better,
				      "section", (int)metric->section));
	}
	return list;
}

/* [n, mean, deviation, percent, verdict] of each metric. */
static json_t *cells_of(const struct comparisons *c, const struct sample_group *g, int config)
{
	json_t *list = json_array();

	for (int i = 0; i < c->nr; i++) {
		const struct compared *it;

		if (c->list[i].group != g)
			continue;
		it = &c->list[i].configs[config];
		json_array_append_new(list, json_pack("[o,o,o,o,i]", json_count(it->s.n),
						    json_number(summary_mean(&it->s)),
						    json_number(summary_deviation(&it->s)),
						    json_number(config ? it->percent : 0),
						    config ? (int)it->verdict : 0));
	}
	return list;
}

static json_t *config_to_json(
	const struct html *h, const struct comparisons *c, const struct sample_group *g, int config)
{
	json_t *runs = json_array();
	int group = (int)(g - h->samples.groups);

	for (size_t i = 0; i < h->nr_places; i++)
		if (h->places[i].group == group && h->places[i].config == config)
			json_array_append_new(runs, json_integer((json_int_t)i));
	return json_pack("{s:o,s:o,s:o,s:o}", "name", html_text(g->configs[config].name), "band",
		json_number(g->configs[config].energy_band), "runs", runs, "cells",
		cells_of(c, g, config));
}

static json_t *groups_to_json(const struct html *h, const struct comparisons *c)
{
	json_t *list = json_array();

	for (int i = 0; i < h->samples.nr_groups; i++) {
		const struct sample_group *g = &h->samples.groups[i];
		json_t *configs = json_array();

		for (int k = 0; k < g->nr_configs; k++)
			json_array_append_new(configs, config_to_json(h, c, g, k));
		json_array_append_new(list,
			json_pack("{s:o,s:o,s:o,s:b,s:o,s:o}", "machine", html_text(g->machine),
				"workload", html_text(g->workload), "scaling",
				html_text(g->scaling), "fixed_time", g->fixed_time > 0, "metrics",
				metrics_to_json(g), "configs", configs));
	}
	return list;
}

static json_t *verdicts_to_json(void)
{
	json_t *list = json_array();

	for (int i = 0; i <= VERDICT_ENDS_DISAGREE; i++)
		json_array_append_new(list,
			html_text(verdict_name((enum verdict)i) ? verdict_name((enum verdict)i)
								: ""));
	return list;
}

static json_t *data_to_json(struct html *h, const struct comparisons *c)
{
	json_t *data = json_schema(), *names = json_array();

	for (int i = 0; i < HTML_HASHES; i++)
		json_array_append_new(names, json_string(hash_names[i]));
	for (int i = 0; i < h->nr_collectors; i++)
		json_array_append_new(h->timelines, html_collector_to_json(h->collectors[i]));
	json_object_set_new(data, "version", json_string(COREPACE_VERSION));
	json_object_set_new(data, "groups", groups_to_json(h, c));
	json_object_set_new(data, "verdicts", verdicts_to_json());
	json_object_set_new(data, "hash_names", names);
	json_object_set(data, "notes", h->notes);
	json_object_set(data, "runs", h->runs);
	json_object_set(data, "timelines", h->timelines);
	json_object_set_new(
		data, "timeline_note", html_text(h->timeline_note ? h->timeline_note : ""));
	return data;
}

int html_timeline_note(struct html *h, const char *text)
{
	free(h->timeline_note);
	h->timeline_note = strdup(text);
	return h->timeline_note ? 0 : -ENOMEM;
}

int html_write(struct html *h, FILE *out, struct error *err)
{
	struct comparisons c;
	json_t *data;
	char *text;
	int rc = compare_samples(&h->samples, &c, err);

	if (rc)
		return rc;
	data = data_to_json(h, &c);
	comparisons_release(&c);
	text = json_dumps(
		data, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(JSON_DIGITS));
	json_decref(data);
	rc = text ? html_page(text, out, err) : error_set(err, ENOMEM, "out of memory");
	free(text);
	return rc;
}
