/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * On how many plausible machines a conclusion holds: runs of several policies, iteration by
 * iteration on the same drawn machine, each policy against the first.
 *
 * Order of calls: uncertain_init, then print and to_json in any order, uncertain_release.
 */
#pragma once

#include "report/json.h"
#include "corepace/result.h"
#include "stats/plausible.h"

struct uncertain_row {
	const struct run_result *run; /* the first of the policy that is compared */
	const char *base;	      /* policy */
	char metric[32], unit[16];
	int better;
	struct plausible p;
	int unequal; /* machines left out: energies of unequal work */
};

struct uncertain {
	const struct run_result *runs;
	int nr_runs, machines;
	const char *machine; /* that they were drawn from: set by the caller, for print */
	int nr;
	struct uncertain_row *rows; /* by end of scaling, metric, policy */
};

/*
 * runs: in the order end of scaling, policy, iteration, as run_plan_jobs gives them; they must live
 * as long. Metrics that have a better direction, and wake-up latencies.
 */
int uncertain_init(struct uncertain *u, const struct run_result *runs, int nr_runs, int nr_policies,
	int machines, struct error *err);
void uncertain_release(struct uncertain *u);

int uncertain_print(const struct uncertain *u, FILE *out, struct error *err);

/* The member "uncertain" of the results. */
json_t *uncertain_to_json(const struct uncertain *u);
