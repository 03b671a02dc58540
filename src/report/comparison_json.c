// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/comparison.h"

#include <string.h>

static void set_by_percent(
	json_t *config, const char *prefix, const int *percents, const double *values, int nr)
{
	char key[32];

	for (int i = 0; i < nr; i++) {
		snprintf(key, sizeof(key), "%s_%d", prefix, percents[i]);
		json_object_set_new(config, key, json_number(values[i]));
	}
}

static json_t *compared_to_json(const struct sample_config *of, const struct compared *it)
{
	const struct summary *s = &it->s;
	const struct {
		const char *key;
		double value;
	} list[] = {
		{ "min", s->min },
		{ "max", s->max },
		{ "amean", s->amean },
		{ "hmean", s->hmean },
		{ "stddev", s->stddev },
		{ "hstddev", s->hstddev },
		{ "coeffvar", s->coeffvar },
	};
	json_t *config = json_pack("{s:s,s:o}", "config", of->name, "n", json_count(s->n));

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		json_object_set_new(config, list[i].key, json_number(list[i].value));
	set_by_percent(config, "bmean", best_fractions, s->best_mean, BEST_FRACTIONS);
	json_object_set_new(config, "percent", json_number(it->percent));
	json_object_set_new(
		config, "significant", it->measured ? json_boolean(it->significant) : json_null());
	json_object_set_new(config, "welch_p", json_number(it->welch_p));
	json_object_set_new(config, "gmean_ratio", json_number(it->gmean_ratio));
	set_by_percent(config, "pctile", percentiles, s->percentile, PERCENTILES);
	json_object_set_new(config, "ratio_low", json_number(it->ratio_low));
	json_object_set_new(config, "ratio_high", json_number(it->ratio_high));
	json_object_set_new(config, "iterations_needed", json_number(it->needed));
	json_object_set_new(config, "simulated", json_boolean(of->simulated));
	if (verdict_name(it->verdict))
		json_object_set_new(config, "no_verdict", json_string(verdict_name(it->verdict)));
	return config;
}

static json_t *comparison_to_json(const struct comparison *c)
{
	const struct sample_metric *m = c->metric;
	const struct sample_group *g = c->group;
	json_t *configs = json_array();
	json_t *json = json_pack("{s:s,s:s,s:s}", "metric", m->name, "unit", m->unit, "better",
		m->better < 0	? "lower"
		: m->better > 0 ? "higher"
				: "neither");

	if (*g->workload) {
		json_object_set_new(
			json, "machine", *g->machine ? json_string(g->machine) : json_null());
		json_object_set_new(json, "workload", json_string(g->workload));
		json_object_set_new(
			json, "scaling", *g->scaling ? json_string(g->scaling) : json_null());
	}
	for (int k = 0; k < g->nr_configs; k++)
		json_array_append_new(configs, compared_to_json(&g->configs[k], &c->configs[k]));
	json_object_set_new(json, "configs", configs);
	return json;
}

/* Each configuration against the first of its group, over all metrics of the work. */
static json_t *gmeans_to_json(const struct comparisons *c)
{
	json_t *list = json_array();

	for (int i = 0; i < c->samples->nr_groups; i++) {
		const struct sample_group *g = &c->samples->groups[i];

		for (int k = 1; k < g->nr_configs; k++)
			for (int better = 1; better >= -1; better -= 2) {
				struct group_ratio r = comparisons_gmean(c, g, k, better);

				if (!r.metrics)
					continue;
				json_array_append_new(list,
					json_pack("{s:s,s:s,s:s,s:i,s:o}", "workload", g->workload,
						"config", g->configs[k].name, "better",
						better > 0 ? "higher" : "lower", "metrics",
						r.metrics, "ratio", json_number(r.gmean)));
			}
	}
	return list;
}

json_t *comparisons_to_json(const struct comparisons *c, const char *metric)
{
	json_t *document = json_schema(), *list = json_array(), *notes = json_array();

	for (int i = 0; i < c->nr; i++)
		if (!metric || !strcmp(metric, c->list[i].metric->name))
			json_array_append_new(list, comparison_to_json(&c->list[i]));
	json_object_set_new(document, "comparisons", list);
	if (!metric)
		json_object_set_new(document, "gmean", gmeans_to_json(c));
	json_object_set_new(document, "detect_percent", json_number(c->detect_percent));
	for (int i = 0; i < c->samples->nr_notes; i++)
		json_array_append_new(notes, json_string(c->samples->notes[i]));
	json_object_set_new(document, "notes", notes);
	return document;
}
