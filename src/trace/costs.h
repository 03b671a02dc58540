/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What wake-ups, idle entries, ticks and interrupts cost on the recorded machine, for the costs of
 * a machine model: medians of the distances between events where something is waited for, means
 * where a handler takes a CPU's time, for those add up. Best fed with a recording of
 * tools/calibration-load. Zeroed is empty; costs_event for each event in time order.
 */
#pragma once

#include "base/units.h"
#include "trace/build_map.h"
#include "trace/build_median.h"
#include "trace/event.h"

#include <stdio.h>

enum cost_kind {
	COST_REMOTE_WAKE,	/* waking for another CPU that idles, to the interrupt there */
	COST_REMOTE_WAKE_LONG,	/* the same after LONG_IDLE_NS in the idle state */
	COST_IRQ,		/* that interrupt's handler */
	COST_IDLE_EXIT,		/* end of the last interrupt to the switch-in, tick running */
	COST_IDLE_EXIT_TICK,	/* the same when the tick is restarted on the way */
	COST_IDLE_ENTRY,	/* switch to idle, to the idle state's entry, tick left alone */
	COST_IDLE_ENTRY_TICK,	/* the same when the tick is stopped on the way */
	COST_TICK,		/* the tick's interrupts on a busy CPU */
	COST_TIMER_IRQ,		/* a timer interrupt in idle that wakes a task */
	COST_TIMER_LATE,	/* a timer's programmed time to its interrupt, CPU busy */
	COST_TIMER_LATE_IDLE,	/* the same, CPU in an idle state */
	COST_WAKE_SLEEP_LOCAL,	/* waking for the own CPU, to the waker's sleep */
	COST_WAKE_SLEEP_REMOTE, /* waking for another CPU that idles, to the waker's sleep */
	COST_KINDS,
};

struct cost_cpu {
	bool idle, in_state, tick_moved;
	uint64_t woken_ns;  /* a task was woken for this idle CPU, 0 none */
	uint64_t vector_ns; /* entry of the vector that runs, 0 none */
	uint64_t value;	    /* which one */
	uint64_t exit_ns;   /* end of the last interrupt of this idle period */
	uint64_t state_ns;  /* entry of the idle state */
	uint64_t entry_ns;  /* switch to idle */
	uint64_t waking_ns; /* by the current task */
	bool waking_remote, waking_local;
	bool timer_woke;
	uint64_t burst_ns; /* time in interrupts since the local timer's entry */
	uint64_t burst_end_ns;
	uint64_t softirq_ns;
	bool burst_idle;
};

struct costs {
	struct median median[COST_KINDS];
	uint64_t sum_ns[COST_KINDS];
	struct cost_cpu cpus[CPUS_MAX];
	struct map expires; /* timer to index below */
	uint64_t *timer_ns;
	uint32_t nr_timers, size_timers;
	int64_t clock_offset_ns; /* recording's clock minus the timers' */
	bool clock_known;
};

int costs_event(struct costs *c, const struct event *ev);
void costs_release(struct costs *c);

/* Prints the costs section of a machine file; what was not seen is left out. */
void costs_print(const struct costs *c, const char *source, FILE *out);
