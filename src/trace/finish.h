/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an event's fields do not say by themselves: the tick rate behind jiffies, what a state
 * means, whether a CPU goes up or down. The same for every format.
 *
 * Order of calls: finisher zeroed, finish_hz over some events until it returns 0, then finish_event
 * for each event. aux is what a type's SLOT_AUX field holds, 0 if it has none.
 */
#pragma once

#include "trace/event.h"
#include "base/units.h"

/* The kernel's word of flags of a timer; 0 when it was not recorded. */
enum { TIMER_CPU_MASK = 0x3ffff, TIMER_IS_DEFERRABLE = 0x80000, TIMER_SLOT_SHIFT = 22 };

struct finisher {
	bool short_jiffies; /* the recording's long has 32 bits */
	uint64_t jiffies, jiffies_ns;
	uint8_t online[CPUS_MAX]; /* what was told of it last: 0 nothing, 1 down, 2 up */
};

/* Sets info->hz when the event settles it: a marker of our recorder, or two timers apart. */
void finish_hz(struct finisher *f, struct trace_info *info, const struct event *ev, uint64_t aux);

/* False: the event tells nothing new. */
bool finish_event(
	struct finisher *f, const struct trace_info *info, struct event *ev, uint64_t aux);

/* prev_state as the kernel records it, to enum task_state. */
uint64_t event_state(uint64_t prev_state);
