// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/report.h"
#include "report/json.h"

#include <errno.h>
#include <string.h>

static json_t *evidence_json(const struct finding *g)
{
	json_t *list = json_array();

	for (int i = 0; i < g->nr_evidence; i++) {
		json_t *e = json_object();

		json_object_set_new(e, "path",
			json_stringn_nocheck(g->evidence[i].path, strlen(g->evidence[i].path)));
		json_object_set_new(e, "value",
			json_stringn_nocheck(g->evidence[i].value, strlen(g->evidence[i].value)));
		json_array_append_new(list, e);
	}
	return list;
}

static json_t *finding_json(const struct finding *g)
{
	json_t *o = json_object();

	json_object_set_new(o, "id", json_string(finding_name(g->id)));
	json_object_set_new(o, "severity", json_string(severity_name(g->severity)));
	json_object_set_new(o, "evidence", evidence_json(g));
	json_object_set_new(o, "title", json_string(finding_text(g->id)->title));
	if (*g->detail)
		json_object_set_new(o, "detail", json_string(g->detail));
	return o;
}

static void append_advice(json_t *list, const char *setting, const char *where, const char *value)
{
	json_t *o = json_object();

	json_object_set_new(o, "setting", json_string(setting));
	json_object_set_new(o, "where", json_string(where));
	json_object_set_new(o, "value", json_string(value));
	json_array_append_new(list, o);
}

static json_t *advice_json(const struct diagnosis *d)
{
	json_t *list = json_array();

	for (int i = 0; i < d->nr; i++) {
		const struct finding *g = &d->findings[i];
		const struct finding_text *t = finding_text(g->id);

		for (int k = 0; k < g->nr_advice; k++)
			append_advice(
				list, g->advice[k].setting, g->advice[k].where, g->advice[k].value);
		for (int k = 0; !g->own_advice && k < TABLE_ADVICE_MAX; k++)
			if (t->advice[k].setting)
				append_advice(list, t->advice[k].setting, t->advice[k].where,
					t->advice[k].value);
	}
	return list;
}

static json_t *tries_json(const struct diagnosis *d)
{
	const struct selection *s = &d->predicted;
	json_t *list = json_array();

	for (int i = 0; i < s->nr_tries; i++) {
		json_t *o = json_object();

		json_object_set_new(
			o, "driver", json_string(select_driver_name(s->tries[i].driver)));
		json_object_set_new(
			o, "registers", json_boolean(s->tries[i].reason == REASON_REGISTERED));
		json_object_set_new(
			o, "reason", json_string(select_reason_text(s->tries[i].reason)));
		json_object_set_new(o, "certain", json_boolean(s->tries[i].certain));
		json_array_append_new(list, o);
	}
	return list;
}

int report_json(const struct diagnosis *d, json_t *watched, FILE *out, struct error *err)
{
	json_t *o = json_schema(), *list = json_array();
	char verdict[256];

	report_verdict(d, verdict, sizeof(verdict));
	json_object_set_new(o, "driver", json_string(d->driver));
	json_object_set_new(o, "mode", json_string(d->mode));
	json_object_set_new(o, "governor", *d->governor ? json_string(d->governor) : json_null());
	json_object_set_new(o, "hwp",
		d->hwp == FACT_UNKNOWN ? json_null()
				       : json_string(d->hwp == FACT_YES ? "on" : "off"));
	json_object_set_new(o, "verdict", json_string(verdict));
	for (int i = 0; i < d->nr; i++)
		json_array_append_new(list, finding_json(&d->findings[i]));
	json_object_set_new(o, "findings", list);
	json_object_set_new(o, "advice", advice_json(d));
	json_object_set_new(o, "drivers", tries_json(d));
	if (watched)
		json_object_set_new(o, "watched", watched);
	return json_write(o, out, err);
}
