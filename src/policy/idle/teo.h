/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The teo governor (timer events oriented). Its algorithm:
 *
 * The time axis is cut into bins at the target residencies. After each idle period the bins
 * forget a little, then one of them gets a pulse: a hit, if the time to the timer and the measured
 * duration fall into the same bin, else an intercept for the bin of the duration: something woke
 * the CPU before the timer (teo_update.h).
 *
 * To select, a candidate is taken: the deepest state (up to 6.1: that the timer allows). If
 * wake-ups before it used to be the rule, the deepest shallower state is taken that most of those
 * early wake-ups would have reached. The latency limit, the timer and the tick then have their say
 * (teo_select.h).
 *
 * What changed over the kernels is data, as with menu: one row of struct teo_variant per version
 * in teo.c. All times are ns.
 */
#pragma once

#include "corepace/policy.h"

enum {
	TEO_PULSE = 1024,
	TEO_DECAY_SHIFT = 3,
	TEO_RECENT = 9,		/* early wake-ups among so many last periods count as recent */
	TEO_UTILIZED = 16,	/* of 1024: above it the CPU is in use */
	TEO_SHALLOW_NS = 15000, /* states that pay off sooner need no look at the timer */
};

/* Which duration a period is booked under. */
enum teo_measured {
	TEO_MEASURED_SPAN, /* endless if it lasted to the timer by the clock, else the residency */
	TEO_MEASURED_RESIDENCY, /* the residency; short ones are counted */
};

/* What a tick means in the books. */
enum teo_tick_book {
	TEO_TICK_NONE,
	TEO_TICK_BIN,	     /* hits beyond the tick have a bin of their own, if no state has one */
	TEO_TICK_INTERCEPTS, /* early wake-ups before the tick are counted beside the bins */
};

/* When the time to the next timer is asked for. */
enum teo_ask_timer {
	TEO_ASK_FIRST,
	TEO_ASK_UNLESS_SHALLOW,	      /* not if state 0 polls and the state found is shallow */
	TEO_ASK_UNLESS_SHORT_PERIODS, /* not if that and half of the periods were short */
};

/* The search for a shallower state. */
enum teo_search {
	TEO_SEARCH_MOST,      /* over half of the early wake-ups would have reached it */
	TEO_SEARCH_MOST_PEAK, /* that, and it is no deeper than where most of them fall */
};

struct teo_variant {
	/* update */
	enum teo_measured measured;
	enum teo_tick_book tick_book;
	bool decays_to_zero;
	bool recent; /* a run of recent early wake-ups has a say beside the sums */
	/* select */
	enum teo_ask_timer ask_timer;
	enum teo_search search;
	bool middle_of_bin; /* a state stands for the middle of its bin, else for its start */
	bool utilization;   /* a CPU in use takes the next shallower state */
	bool asks_for_0;    /* the timer is asked for even when the search ends at state 0 */
	bool shallower_only_if_long; /* tick stopped: the timer does not push below a tick */
	bool deepens_when_stopped;   /* tick stopped and far timer: as deep as the timer allows */
};

struct teo_bin {
	uint32_t intercepts, hits, recent;
};

/* One CPU's memory. */
struct teo {
	int64_t span_ns;  /* clock at selection; after reflect, the span since then */
	int64_t sleep_ns; /* time to the timer at selection */
	struct teo_bin bins[IDLE_STATES_MAX];
	uint32_t total; /* of all pulses left */
	bool tick_wakeup;
	uint32_t tick_hits;
	uint32_t short_periods, tick_intercepts, total_tick;
	uint32_t recent_slot;
	int8_t recent_bin[TEO_RECENT]; /* -1: no early wake-up */
};

#define TEO_RULE static inline __attribute__((always_inline))

TEO_RULE bool teo_disabled(const struct idle_snapshot *s, int state)
{
	return s->disable_mask >> state & 1;
}
