// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/run_jobs.h"
#include "cmd/cmd.h"
#include "workload/workload.h"

#include <errno.h>
#include <stdlib.h>

int run_plan_scalings(struct run_plan *plan, enum scaling_choice choice, struct error *err)
{
	struct workload *w;
	int rc = open_workload(plan->workload, &w, err);

	if (rc)
		return rc;
	plan->nr_scalings = choose_scalings(
		plan->machine, w->recorded, choice, plan->scalings, &plan->ends_coincide);
	workload_free(w);
	return 0;
}

int run_plan_size(const struct run_plan *plan)
{
	return plan->nr_scalings * plan->nr_policies * plan->iterations;
}

void run_plan_jobs(const struct run_plan *plan, struct run_job *ret)
{
	for (int i = 0; i < run_plan_size(plan); i++) {
		int iteration = i % plan->iterations;

		ret[i] = (struct run_job){
			.machine = plan->machines ? plan->machines[iteration] : plan->machine,
			.workload = plan->workload,
			.policy = &plan->policies[i / plan->iterations % plan->nr_policies],
			.scaling = plan->scalings[i / plan->iterations / plan->nr_policies],
			.ends_coincide = plan->ends_coincide,
			.seed = plan->seed + (uint64_t)iteration,
			.iteration = iteration,
		};
	}
}

static int keep(void *ctx, int job, int rc, struct run_result *r, struct error *err)
{
	struct run_result *results = ctx;

	if (!rc)
		results[job] = *r;
	return rc;
}

int run_jobs(const struct run_plan *plan, struct run_result *results, struct error *err)
{
	int nr = run_plan_size(plan), rc;
	struct run_job *jobs = calloc((size_t)nr, sizeof(*jobs));
	struct run_list list = { .jobs = jobs,
		.nr = nr,
		.threads = plan->threads,
		.check = plan->check,
		.progress = plan->progress,
		.done = keep,
		.ctx = results };

	if (!jobs)
		return error_set(err, ENOMEM, "out of memory for %d runs", nr);
	run_plan_jobs(plan, jobs);
	rc = run_list(&list, err);
	free(jobs);
	return rc;
}
