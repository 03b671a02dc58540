// SPDX-License-Identifier: GPL-2.0-or-later
#include "shrink.h"

#include "base/units.h"

#include <stdlib.h>
#include <string.h>

/* More tries than this are not worth the wait; what is found by then is short enough. */
enum { EVENTS_PLAYED_MAX = 20000000 };

struct shrinking {
	struct pair *pair;
	struct diff_event *scratch;
	int64_t played;
};

/* How many events it takes to differ, 0 if they do not. */
static int differs(struct shrinking *s, const struct diff_event *events, int nr)
{
	int at = pair_play_all(s->pair, events, nr);

	s->played += nr;
	return at + 1;
}

/* Most often the last few events will do: governors forget. */
static int keep_last(struct shrinking *s, struct diff_event *events, int nr)
{
	for (int last = 1; last < nr; last *= 2) {
		int left = differs(s, events + nr - last, last);

		if (!left)
			continue;
		memmove(events, events + nr - last, (size_t)left * sizeof(*events));
		return left;
	}
	return nr;
}

/* Tries without the events [from, to). */
static int without(struct shrinking *s, struct diff_event *events, int nr, int from, int to)
{
	int left;

	memcpy(s->scratch, events, (size_t)from * sizeof(*events));
	memcpy(s->scratch + from, events + to, (size_t)(nr - to) * sizeof(*events));
	left = differs(s, s->scratch, nr - (to - from));
	if (left)
		memcpy(events, s->scratch, (size_t)left * sizeof(*events));
	return left;
}

static int drop_events(struct shrinking *s, struct diff_event *events, int nr)
{
	int chunk = nr / 2;

	while (chunk > 0 && s->played < EVENTS_PLAYED_MAX) {
		bool dropped = false;

		for (int from = 0; from + chunk <= nr && s->played < EVENTS_PLAYED_MAX;) {
			int left = without(s, events, nr, from, from + chunk);

			if (left) {
				nr = left;
				dropped = true;
			} else {
				from += chunk;
			}
		}
		if (!dropped || chunk > nr / 2)
			chunk /= 2;
	}
	return nr;
}

/* Each makes one input of an event plain. */
static void plain_cpu(struct diff_event *e)
{
	e->cpu = 0;
}

static void plain_enable(struct diff_event *e)
{
	e->enable = false;
}

static void plain_iowait(struct diff_event *e)
{
	e->snapshot.nr_iowait = 0;
}

static void plain_latency(struct diff_event *e)
{
	e->snapshot.latency_req_ns = LATENCY_NO_LIMIT_NS;
}

static void plain_mask(struct diff_event *e)
{
	e->snapshot.disable_mask = 0;
}

static void plain_stopped(struct diff_event *e)
{
	e->snapshot.tick_stopped = false;
}

static void plain_load(struct diff_event *e)
{
	e->snapshot.cpu_load = 0;
	e->snapshot.cpu_util = 0;
}

static void plain_tick(struct diff_event *e)
{
	e->got_tick = false;
}

static void plain_timeout(struct diff_event *e)
{
	e->timed_out = false;
	e->poll_flag = POLL_FLAG_BY_STATE;
}

static void plain_limit(struct diff_event *e)
{
	e->set_poll_limit = false;
}

static void plain_entry(struct diff_event *e)
{
	e->entered = ENTER_SELECTED;
}

static void plain_latency_added(struct diff_event *e)
{
	e->add_latency = false;
}

static void plain_residency(struct diff_event *e)
{
	e->residency_ns = 1000000;
}

static void plain_sleep(struct diff_event *e)
{
	e->snapshot.sleep_length_ns = 10000000;
}

static void plain_event(struct diff_event *e)
{
	e->snapshot.delta_tick_ns = 1000000;
}

static void plain_clock(struct diff_event *e)
{
	e->snapshot.now_ns = NSEC_PER_SEC;
	e->reflect_now_ns = (int64_t)((uint64_t)e->residency_ns + NSEC_PER_SEC);
}

static void (*const plain[])(struct diff_event *) = { plain_cpu, plain_enable, plain_iowait,
	plain_latency, plain_mask, plain_stopped, plain_load, plain_tick, plain_timeout,
	plain_limit, plain_entry, plain_latency_added, plain_residency, plain_sleep, plain_event,
	plain_clock };

static int make_plain(struct shrinking *s, struct diff_event *events, int nr)
{
	for (int i = 0; i < nr; i++) {
		for (size_t k = 0; k < ARRAY_LEN(plain) && s->played < EVENTS_PLAYED_MAX; k++) {
			struct diff_event before = events[i];
			int left;

			plain[k](&events[i]);
			left = differs(s, events, nr);
			if (left)
				nr = left;
			else
				events[i] = before;
			if (i >= nr)
				break;
		}
	}
	return nr;
}

int shrink(struct pair *pair, struct diff_event *events, int nr)
{
	struct shrinking s = { .pair = pair };
	int before;

	s.scratch = malloc((size_t)nr * sizeof(*events));
	if (!s.scratch)
		return nr;
	nr = keep_last(&s, events, nr);
	do {
		before = nr;
		nr = drop_events(&s, events, nr);
		nr = make_plain(&s, events, nr);
	} while (nr < before && s.played < EVENTS_PLAYED_MAX);
	free(s.scratch);
	return nr;
}
