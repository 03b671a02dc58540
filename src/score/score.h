/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open loop: the idle periods that were recorded, given one after the other to an idle governor.
 * What it picks changes nothing about them; how often a pick was right, and what it cost, can be
 * counted.
 *
 * Order of calls: score_new with the states and governors, score_record for each idle record of the
 * file in its order, score_results, score_free. The governor `oracle` is always there, as the last
 * result: it knows how long each period was.
 */
#pragma once

#include "machine/machine.h"
#include "policy/registry.h"
#include "workload/cpw.h"

struct score;

struct score_options {
	const struct idle_driver *driver; /* the states to choose from; outlives the score */
	uint32_t disable_mask;		  /* bit i: state i cannot be chosen */
	const struct machine *machine;	  /* for energy and real wake latencies; may be NULL */
	uint32_t khz;			  /* frequency that idle power is taken at */
};

/* Counts of one state under one governor, by the kernel's definitions of above and below. */
struct score_state {
	uint64_t chosen, right;
	uint64_t above; /* too deep: the period was shorter than the state's target residency */
	uint64_t below; /* too shallow: the next enabled state would have fitted too */
	/* Of the recording kernel's picks of this state: how many, and how many the same here. */
	uint64_t picked, equal;
};

struct score_result {
	const char *name;
	uint64_t rows;
	struct score_state states[IDLE_STATES_MAX];
	double wake_ns;	  /* mean wake-up penalty per period */
	double energy_uj; /* of the idle time and of going in and out; NAN without a machine */
	/*
	 * Of what the oracle saves against always the same state (see baseline_state): the part
	 * that this governor saves, 1 for the oracle, below 0 when it is worse than that state.
	 * NAN when there is nothing to be saved.
	 */
	double gain;
	uint64_t compared, equal; /* with the picks of the recording kernel */
};

struct score_summary {
	uint64_t rows;
	uint64_t inferred;	  /* rebuilt from other events than cpu_idle */
	uint64_t no_sleep_length; /* the next timer is not known: a second was assumed */
	uint64_t no_delta_tick;	  /* the next tick is not known: the sleep length was taken */
	uint64_t no_tick_stopped; /* not known whether the tick ran: assumed that it did */
	uint64_t rebuilt;	  /* any of these */
	uint64_t no_residency;	  /* left out */
	uint64_t compared;	  /* pick recorded */
	uint64_t commonest;	  /* of these, those of the commonest state */
	int commonest_state;	  /* -1: no picks recorded */
	int baseline_state;	  /* what gains are against: the commonest, else the shallowest */
	double baseline_uj;	  /* had it always been that state; NAN without a machine */
};

/* policies: each with its idle governor; they outlive the score. */
int score_new(const struct score_options *options, const struct policy *policies, int nr,
	struct score **ret, struct error *err);
int score_record(struct score *s, const struct idle_record *rec, struct error *err);
/* ret has room for nr + 1 results. */
void score_results(const struct score *s, struct score_result *ret, struct score_summary *summary);
struct score *score_free(struct score *s);

/*
 * The states that a recording tells, from its settings: lines
 * idle.stateN=NAME EXIT_LATENCY_US TARGET_RESIDENCY_US[ disabled]. ret_disabled: bit i = state i
 * was disabled. -ENOENT: it does not tell them.
 */
int score_recorded_states(const struct workload_env *env, struct idle_driver *ret,
	uint32_t *ret_disabled, struct error *err);
