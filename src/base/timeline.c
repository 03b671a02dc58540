// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/timeline.h"
#include "base/units.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = TIMELINE_END };

struct slot {
	struct timeline_event now, told;
	bool known, dirty, was_told;
};

struct timeline {
	struct timeline_sink sink;
	int64_t from_ns, to_ns, now_ns;
	bool started, ended;
	struct slot slots[KINDS][CPUS_MAX];
	struct slot *dirty[KINDS * CPUS_MAX];
	int nr_dirty;
};

struct timeline *timeline_new(const struct timeline_sink *sink, int64_t from_ns, int64_t to_ns)
{
	struct timeline *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->sink = *sink;
	t->from_ns = from_ns;
	t->to_ns = to_ns;
	return t;
}

struct timeline *timeline_free(struct timeline *t)
{
	free(t);
	return NULL;
}

static bool same(const struct timeline_event *a, const struct timeline_event *b)
{
	return a->state == b->state && a->value == b->value && !strcmp(a->name, b->name);
}

static void tell(struct timeline *t, struct slot *slot, int64_t time_ns)
{
	if (slot->was_told && same(&slot->now, &slot->told))
		return;
	slot->told = slot->now;
	slot->told.time_ns = time_ns;
	slot->was_told = true;
	t->sink.event(t->sink.ctx, &slot->told);
}

/* The window begins: what holds now. */
static void start(struct timeline *t)
{
	t->started = true;
	for (int kind = 0; kind < KINDS; kind++)
		for (int i = 0; i < CPUS_MAX; i++)
			if (t->slots[kind][i].known)
				tell(t, &t->slots[kind][i], t->from_ns);
}

/* Time goes on: what came of the changes up to now. */
static void flush(struct timeline *t)
{
	for (int i = 0; i < t->nr_dirty; i++) {
		struct slot *slot = t->dirty[i];

		slot->dirty = false;
		if (t->started)
			tell(t, slot, t->now_ns);
	}
	t->nr_dirty = 0;
}

static void end(struct timeline *t, int64_t time_ns)
{
	struct timeline_event ev = { .time_ns = time_ns, .kind = TIMELINE_END, .name = "" };

	t->ended = true;
	t->sink.event(t->sink.ctx, &ev);
}

static void advance(struct timeline *t, int64_t time_ns)
{
	if (time_ns == t->now_ns)
		return;
	flush(t);
	if (!t->started && time_ns > t->from_ns)
		start(t); /* all changes up to from_ns are in */
	t->now_ns = time_ns;
	if (!t->ended && time_ns >= t->to_ns)
		end(t, t->to_ns);
}

void timeline_event(struct timeline *t, const struct timeline_event *ev)
{
	struct slot *slot;

	assert(ev->kind < TIMELINE_END && ev->id >= 0 && ev->id < CPUS_MAX);
	assert(ev->time_ns >= t->now_ns);
	advance(t, ev->time_ns);
	if (t->ended)
		return;
	slot = &t->slots[ev->kind][ev->id];
	slot->now = *ev;
	slot->known = true;
	if (!slot->dirty)
		t->dirty[t->nr_dirty++] = slot;
	slot->dirty = true;
}

void timeline_end(struct timeline *t, int64_t time_ns)
{
	advance(t, time_ns);
	if (t->ended)
		return;
	flush(t);
	if (!t->started && time_ns >= t->from_ns)
		start(t);
	end(t, time_ns);
}

const char *timeline_state_name(enum timeline_state state)
{
	static const char *const names[] = { "off", "idle", "idle loop", "switch", "run", "irq" };

	return names[state];
}
