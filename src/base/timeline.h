/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run's event log: what each CPU does, its frequency, the power of each package, as they change.
 * Who runs tells every change, several of one thing at one time included; the sink hears what holds
 * from then on, once, in order of time, and only inside the window.
 *
 * Order of calls: timeline_new, timeline_event with times that never go back, timeline_end,
 * timeline_free. Names must live until then.
 */
#pragma once

#include <stdint.h>

enum timeline_kind {
	TIMELINE_CPU,	/* id: CPU; state, name */
	TIMELINE_KHZ,	/* id: CPU; value: kHz granted to its core */
	TIMELINE_POWER, /* id: package; value: uW of cores and uncore */
	TIMELINE_END,	/* the last event */
};

enum timeline_state {
	TIMELINE_OFF,
	TIMELINE_IDLE,	    /* in the idle state `name`, its way out included */
	TIMELINE_IDLE_LOOP, /* selects a state, stops or restarts the tick */
	TIMELINE_SWITCH,    /* context switch to task `name` */
	TIMELINE_RUN,	    /* runs task `name` */
	TIMELINE_IRQ,
};

struct timeline_event {
	int64_t time_ns;
	enum timeline_kind kind;
	int id;
	enum timeline_state state;
	const char *name; /* "" when there is none */
	uint64_t value;
};

struct timeline_sink {
	void (*event)(void *ctx, const struct timeline_event *ev);
	void *ctx;
};

struct timeline;

/*
 * What holds at from_ns is told at that time; TIMELINE_END comes at to_ns or at the run's end.
 * NULL: out of memory.
 */
struct timeline *timeline_new(const struct timeline_sink *sink, int64_t from_ns, int64_t to_ns);
void timeline_event(struct timeline *t, const struct timeline_event *ev);
void timeline_end(struct timeline *t, int64_t time_ns);
struct timeline *timeline_free(struct timeline *t);

/* "run", "idle", ... */
const char *timeline_state_name(enum timeline_state state);
