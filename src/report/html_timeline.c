// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects the changes of a time line: [time, state, name, ...] by CPU, [time, value, ...] else. */
#include "base/array.h"
#include "report/html_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct html_collector {
	int run;
	int64_t from_ns, to_ns;
	int changes;
	bool cut;
	json_t *names, *index; /* names that occur, and their numbers */
	json_t *cpus, *khz, *power;
};

/* The list of CPU or package number id. */
static json_t *list_of(json_t *lists, int id)
{
	while ((int)json_array_size(lists) <= id)
		json_array_append_new(lists, json_array());
	return json_array_get(lists, (size_t)id);
}

static json_t *name_index(struct html_collector *c, const char *name)
{
	json_t *text = html_text(name), *index;

	index = json_object_get(c->index, json_string_value(text));
	if (!index) {
		index = json_integer((json_int_t)json_array_size(c->names));
		json_object_set_new(c->index, json_string_value(text), index);
		json_array_append(c->names, text);
	}
	json_decref(text);
	return index;
}

static void take(void *ctx, const struct timeline_event *ev)
{
	struct html_collector *c = ctx;
	json_t *time = json_integer(ev->time_ns - c->from_ns), *list;

	if (ev->kind == TIMELINE_END || c->cut) {
		json_decref(time);
		if (!c->cut)
			c->to_ns = ev->time_ns;
		return;
	}
	/* All that holds at the beginning belongs to it. */
	if (ev->time_ns > c->from_ns && ++c->changes > HTML_TIMELINE_CHANGES) {
		c->cut = true;
		c->to_ns = ev->time_ns;
	}
	list = list_of(ev->kind == TIMELINE_CPU	  ? c->cpus
		       : ev->kind == TIMELINE_KHZ ? c->khz
						  : c->power,
		ev->id);
	if (c->cut) {
		json_decref(time);
		return;
	}
	json_array_append_new(list, time);
	if (ev->kind == TIMELINE_CPU) {
		json_array_append_new(list, json_integer(ev->state));
		json_array_append(list, name_index(c, ev->name));
	} else {
		json_array_append_new(list, json_count(ev->value));
	}
}

int html_timeline(struct html *h, int run, int64_t from_ns, struct timeline_sink *ret)
{
	struct html_collector *c = calloc(1, sizeof(*c));
	void *grown = array_grow(h->collectors, (size_t)h->nr_collectors, sizeof(*h->collectors));

	if (!c || !grown) {
		free(c);
		return -ENOMEM;
	}
	h->collectors = grown;
	h->collectors[h->nr_collectors++] = c;
	c->run = run;
	c->from_ns = c->to_ns = from_ns;
	c->names = json_array();
	c->index = json_object();
	c->cpus = json_array();
	c->khz = json_array();
	c->power = json_array();
	*ret = (struct timeline_sink){ take, c };
	return 0;
}

void html_timeline_drop(struct html *h)
{
	if (h->nr_collectors)
		html_collector_free(h->collectors[--h->nr_collectors]);
}

json_t *html_collector_to_json(const struct html_collector *c)
{
	/* Every CPU has a frequency, be it none. */
	if (json_array_size(c->cpus))
		list_of(c->khz, (int)json_array_size(c->cpus) - 1);
	return json_pack("{s:i,s:I,s:I,s:b,s:O,s:O,s:O,s:O}", "run", c->run, "from",
		(json_int_t)c->from_ns, "to", (json_int_t)c->to_ns, "cut", c->cut, "names",
		c->names, "cpus", c->cpus, "khz", c->khz, "power", c->power);
}

void html_collector_free(struct html_collector *c)
{
	json_decref(c->names);
	json_decref(c->index);
	json_decref(c->cpus);
	json_decref(c->khz);
	json_decref(c->power);
	free(c);
}
