// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/rerun.h"
#include "cmd/cmd.h"
#include "cmd/plugins.h"
#include "machine/machine.h"
#include "machine/preset.h"
#include "sim/sim.h"
#include "workload/workload.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct rerun rerun_of(const struct run_result *r)
{
	struct rerun run = { .seed = r->seed,
		.iteration = r->iteration,
		.elapsed_ns = r->elapsed_ns,
		.operations = r->operations,
		.package_uj = r->package_uj,
		.events = r->counters.events,
		.simulated_ns = r->elapsed_ns };

	if (r->scale > 0 && r->scale < 1)
		run.simulated_ns = (uint64_t)((double)r->elapsed_ns * r->scale);
	strcpy(run.machine, r->machine);
	strcpy(run.workload, r->workload);
	strcpy(run.policy, r->policy);
	strcpy(run.scaling, r->scaling);
	return run;
}

static int refuse(
	void *ctx, struct policy *policy, const char *key, const char *value, struct error *err)
{
	return error_set(err, EPERM,
		"%s=%s: the run needs a plug-in; --plugins runs what results name", key, value);
}

static bool same(const struct rerun *run, const struct run_result *r)
{
	return run->elapsed_ns == r->elapsed_ns && run->operations == r->operations &&
	       run->package_uj == r->package_uj && run->events == r->counters.events;
}

static int run_parts(const struct rerun *run, const struct machine *m, struct workload *w,
	const struct policy *p, struct timeline *timeline, struct error *err)
{
	struct sim_options options = {
		.seed = run->seed,
		.iteration = run->iteration,
		.scaling = strcmp(run->scaling, "none") ? SCALE_ALL : SCALE_NONE,
		.timeline = timeline,
	};
	struct run_result result;
	int rc = sim_run(m, w, p, &options, &result, err);

	if (rc)
		return error_prefix(err, rc, "%s", run->policy);
	if (!same(run, &result))
		rc = error_set(err, ESTALE,
			"%s, seed %llu: the run no longer gives the result that was kept: do it "
			"again (run --again), the program or a file has changed",
			run->policy, (unsigned long long)run->seed);
	result_release(&result);
	return rc;
}

int rerun(const struct rerun *run, const struct timeline_sink *sink, int64_t from_ns, int64_t to_ns,
	struct error *err)
{
	static const struct preset_resolver refusal = { refuse, NULL };
	struct timeline *timeline = timeline_new(sink, from_ns, to_ns);
	struct policy *p = calloc(1, sizeof(*p));
	struct machine *m = NULL;
	struct workload *w = NULL;
	char dir[PATH_MAX];
	int rc = timeline && p ? 0 : error_set(err, ENOMEM, "out of memory");

	rc = rc ? rc : machine_load(run->machine, data_dir("machines", dir, sizeof(dir)), &m, err);
	rc = rc ? rc
		: policy_load(run->policy, data_dir("policies", dir, sizeof(dir)),
			  run->plugins ? &plugin_resolver : &refusal, p, err);
	rc = rc ? rc : open_workload(run->workload, &w, err);
	rc = rc ? rc : run_parts(run, m, w, p, timeline, err);
	workload_free(w);
	machine_free(m);
	free(p);
	timeline_free(timeline);
	return rc;
}
