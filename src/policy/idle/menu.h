/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The menu governor. Its algorithm, in the order of one selection:
 *
 * 1. Learn (menu_learn.h): what came of the last idle period goes into a correction factor, kept
 *    per magnitude of the timer distance, and into a ring of the last 8 intervals.
 * 2. Predict (menu_predict.h, menu_typical.h): the distance of the next timer times its correction
 *    factor, and the typical interval if the ring shows one.
 * 3. Pick (menu_pick.h): the deepest enabled state whose target residency fits the prediction and
 *    whose exit latency fits the limit, what to take when none fits, and whether the tick stops.
 *
 * What changed over the kernels is data: struct menu_variant says for each of these rules which
 * form a version uses (menu.c holds one row per version). The rules are inlined with a constant
 * variant, so a version costs no more than a governor written for it alone.
 *
 * Units: versions up to 5.4 reckon in whole microseconds cut to 32 bits, later ones in ns; "unit"
 * below means that of the version.
 */
#pragma once

#include "corepace/policy.h"

enum { MENU_BUCKETS = 12, MENU_INTERVALS = 8 };
enum { MENU_FACTOR_ONE = 8192, MENU_FACTOR_SHARE = 8 }; /* a factor forgets an eighth at a time */
enum { MENU_PATTERN_SHORT_NS = 15000 }; /* below this pattern the timer is not worth asking */

enum menu_unit { MENU_US, MENU_NS };

/* What a measured residency says about the idle period: it includes the exit latency. */
enum menu_measured {
	MENU_MEASURED_LESS_LATENCY, /* minus the exit latency, if longer than that */
	MENU_MEASURED_OR_HALF, /* minus the exit latency, if longer than twice that; else half */
};

/* The typical interval: when the search is given up before it began. */
enum menu_typical_skip {
	MENU_TYPICAL_ALWAYS,
	MENU_TYPICAL_UNLESS_LONGER, /* not when even the shortest interval exceeds the timer's */
	MENU_TYPICAL_UNLESS_EMPTY,  /* not when no interval is left, or all are 0 */
};

/* The typical interval: when the average is good enough. */
enum menu_typical_accept {
	MENU_ACCEPT_DEVIATION, /* on the standard deviation, rounded down to whole us */
	MENU_ACCEPT_VARIANCE,  /* on the variance */
};

/* The typical interval: which samples go when it is not. */
enum menu_typical_trim {
	MENU_TRIM_LONGEST,  /* all that equal the longest */
	MENU_TRIM_FARTHEST, /* the longest or the shortest, whichever is farther from the average */
};

enum menu_combine {
	MENU_TYPICAL_REPLACES, /* a typical interval before the timer is the prediction */
	MENU_SMALLEST,	       /* the smaller of both is */
};

/* When the time to the next timer is asked for. */
enum menu_ask_timer {
	MENU_ASK_FIRST,
	MENU_ASK_IF_LONG,	     /* only if the typical interval exceeds 15 us */
	MENU_ASK_IF_LONG_OR_STOPPED, /* that, or the tick is stopped */
};

enum menu_negative {
	MENU_NEGATIVE_WRAPS, /* a timer that is overdue looks very far away */
	MENU_NEGATIVE_ZERO,
};

/* How a busy CPU lowers the latency limit. */
enum menu_limit {
	MENU_LIMIT_LOAD_IOWAIT, /* prediction / (1 + 2 * load / 10 + 10 * tasks in I/O wait) */
	MENU_LIMIT_IOWAIT,	/* prediction / (1 + 10 * tasks in I/O wait) */
	MENU_LIMIT_PREDICTION,	/* prediction */
	MENU_LIMIT_USER,	/* not at all */
};

/* When state 0 is taken without further thought. */
enum menu_early {
	MENU_EARLY_ZERO_LIMIT,	 /* the limit is 0; nothing is remembered of the timer */
	MENU_EARLY_KEEP_TICK,	 /* that, or state 1 fits neither timer nor limit; keep the tick */
	MENU_EARLY_KEEP_POLLING, /* the same; keep the tick only if state 0 polls */
};

/* Polling or state 1, when nothing deeper fits. */
enum menu_fallback {
	MENU_C1_IF_TIMER_5US,	 /* timer > 5 us */
	MENU_C1_IF_LIMIT_20US,	 /* prediction / multiplier > 20 us */
	MENU_C1_IF_TRUSTED,	 /* min(typical, timer) > its residency, user limit > its latency */
	MENU_C1_IF_TIMER_20US,	 /* timer > max(20 us, its residency), user limit > its latency */
	MENU_C1_IF_TIMER_FITS,	 /* timer >= its residency, lowered limit >= its latency */
	MENU_C1_IF_SHALLOW_FITS, /* that with prediction for limit, and its residency < 15 us */
};

/* What a short prediction means once the tick is stopped, when a wrong guess costs most. */
enum menu_stopped {
	MENU_STOPPED_SAME,
	MENU_STOPPED_EVENT_OR_TICK, /* predict the next event, at most one tick; no lower limit */
	MENU_STOPPED_EVENT,	    /* predict the next event; no lower limit */
	MENU_STOPPED_TIMER,	    /* predict the next timer; no lower limit */
	MENU_STOPPED_TIMER_FAR,	    /* that if it is more than two ticks away */
};

/* How the states are walked through. */
enum menu_scan {
	MENU_SCAN_SKIP,	       /* misfits are skipped: the deepest that fits */
	MENU_SCAN_STOP,	       /* the walk ends at the first misfit */
	MENU_SCAN_WEIGH_TICK,  /* that; a misfit of residency weighs what the tick will do */
	MENU_SCAN_LATENCY_1ST, /* that, with the latency looked at first */
};

/* What a walk that ends for latency expects then. */
enum menu_latency_end {
	MENU_LATENCY_KEEPS,   /* what was predicted */
	MENU_LATENCY_EXPECTS, /* the target residency of the state found: the tick may stay */
};

/* When the tick stays: a polling state, or less than a tick expected, and besides */
enum menu_tick {
	MENU_TICK_NONE,	   /* the governor does not say */
	MENU_TICK_ALWAYS,  /* even if it is stopped already */
	MENU_TICK_RUNNING, /* only if it is still running */
};

struct menu_variant {
	enum menu_unit unit;
	/* learn */
	enum menu_measured measured;
	bool tick_is_45ms;     /* woken by the tick with a far timer: counts as 45 ms */
	bool timeout_is_timer; /* a poll that timed out counts as having lasted to the timer */
	bool rejected_is_long; /* a rejected entry counts as an endless interval */
	/* predict */
	bool iowait_buckets;	   /* factors of their own while tasks wait for I/O */
	uint32_t longest_interval; /* longer ones are never looked at */
	enum menu_typical_skip typical_skip;
	enum menu_typical_accept typical_accept;
	enum menu_typical_trim typical_trim;
	enum menu_ask_timer ask_timer;
	enum menu_negative negative;
	enum menu_combine combine;
	/* pick */
	enum menu_early early;
	enum menu_stopped stopped;
	enum menu_limit limit;
	enum menu_fallback fallback;
	enum menu_scan scan;
	enum menu_latency_end latency_end;
	enum menu_tick tick;
};

/* One CPU's memory. */
struct menu {
	/* The driver's states and the tick, in units. */
	struct {
		uint64_t latency, residency;
	} states[IDLE_STATES_MAX];
	uint64_t tick;
	uint32_t polling; /* bit i: state i polls */
	/* Private state of the kernel's governor. */
	bool needs_update;
	bool tick_wakeup;
	uint32_t bucket;
	uint64_t next; /* time to the timer at the last selection, in units */
	uint32_t factor[MENU_BUCKETS];
	uint32_t interval[MENU_INTERVALS]; /* us */
	uint32_t slot;			   /* the oldest interval */
};

/* One selection while it is worked out; times in units. */
struct menu_try {
	uint64_t next;	  /* to the next timer without the tick */
	int64_t event;	  /* to the next event with the tick */
	uint64_t typical; /* UINT32_MAX (times the unit's scale): none */
	uint64_t predicted;
	uint64_t limit;
	uint64_t user_limit;
};

#define MENU_RULE static inline __attribute__((always_inline))

MENU_RULE uint64_t menu_scale(const struct menu_variant *v)
{
	return v->unit == MENU_NS ? 1000 : 1;
}

/* ns as the version sees them: microseconds are truncated and cut to 32 bits, so they wrap. */
MENU_RULE uint64_t menu_units(const struct menu_variant *v, int64_t ns)
{
	return v->unit == MENU_NS ? (uint64_t)ns : (uint32_t)(ns / 1000);
}

MENU_RULE bool menu_disabled(const struct idle_snapshot *s, int state)
{
	return s->disable_mask >> state & 1;
}

MENU_RULE bool menu_polls(const struct menu *m, int state)
{
	return m->polling >> state & 1;
}
