// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/sweep_plan.h"
#include "cmd/cmd.h"
#include "cmd/plugins.h"
#include "cmd/run_identity.h"
#include "workload/workload.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct sweep_machine {
	struct machine *m;
	char hash[HASH_SIZE];
};

struct sweep_workload {
	bool recorded;
	char hash[HASH_SIZE];
};

struct sweep_policy {
	struct policy p;
	struct policy_identity identity;
};

/* ---- what the runs name ---------------------------------------------------------------------- */

static int load_machine(const char *text, struct sweep_machine *ret, struct error *err)
{
	char dir[PATH_MAX];
	int rc = machine_load(text, data_dir("machines", dir, sizeof(dir)), &ret->m, err);

	rc = rc ? rc : machine_simulable(ret->m, err);
	return rc ? rc : identify_machine(text, ret->hash, err);
}

static int look_at_workload(const char *text, struct sweep_workload *ret, struct error *err)
{
	struct workload *w;
	int rc = open_workload(text, &w, err);

	if (rc)
		return rc;
	ret->recorded = w->recorded;
	workload_free(w);
	return identify_workload(text, ret->hash, err);
}

static int load_policy(const char *text, struct sweep_policy *ret, struct error *err)
{
	char dir[PATH_MAX];
	int rc = policy_load(
		text, data_dir("policies", dir, sizeof(dir)), &plugin_resolver, &ret->p, err);

	return rc ? rc : identify_policy(text, &ret->identity, err);
}

static int load_all(struct sweep_plan *plan, const struct sweep_spec *spec, struct error *err)
{
	int rc = 0;

	plan->nr_machines = spec->machines.nr;
	plan->nr_workloads = spec->workloads.nr;
	plan->nr_policies = spec->policies.nr;
	plan->machines = calloc((size_t)plan->nr_machines, sizeof(*plan->machines));
	plan->workloads = calloc((size_t)plan->nr_workloads, sizeof(*plan->workloads));
	plan->policies = calloc((size_t)plan->nr_policies, sizeof(*plan->policies));
	if (!plan->machines || !plan->workloads || !plan->policies)
		return error_set(err, ENOMEM, "out of memory");
	for (int i = 0; i < plan->nr_machines && !rc; i++)
		rc = load_machine(spec->machines.list[i], &plan->machines[i], err);
	for (int i = 0; i < plan->nr_workloads && !rc; i++)
		rc = look_at_workload(spec->workloads.list[i], &plan->workloads[i], err);
	for (int i = 0; i < plan->nr_policies && !rc; i++)
		rc = load_policy(spec->policies.list[i], &plan->policies[i], err);
	return rc;
}

/* ---- the runs -------------------------------------------------------------------------------- */

/* Room for both ends of frequency scaling of every run. */
static int make_room(struct sweep_plan *plan, int nr, struct error *err)
{
	size_t room = 2 * (size_t)nr;

	plan->jobs = calloc(room, sizeof(*plan->jobs));
	plan->keys = calloc(room, sizeof(*plan->keys));
	plan->ranks = calloc(room, sizeof(*plan->ranks));
	plan->list = (struct archive_list){
		.jobs = plan->jobs, .keys = plan->keys, .ranks = plan->ranks
	};
	return plan->jobs && plan->keys && plan->ranks
		       ? 0
		       : error_set(err, ENOMEM, "out of memory for %d runs", nr);
}

static void add_job(struct sweep_plan *plan, const struct sweep_spec *spec,
	const struct sweep_run *run, enum sim_scaling scaling, bool coincide)
{
	struct run_job *job = &plan->jobs[plan->list.nr];
	const struct sweep_workload *w = &plan->workloads[run->workload];
	const struct sweep_policy *p = &plan->policies[run->policy];

	*job = (struct run_job){
		.machine = plan->machines[run->machine].m,
		.workload = spec->workloads.list[run->workload],
		.policy = &p->p,
		.scaling = scaling,
		.ends_coincide = coincide,
		.seed = run->seed,
		.iteration = run->iteration,
	};
	plan->keys[plan->list.nr++] =
		job_key(job, w->recorded, plan->machines[run->machine].hash, w->hash, &p->identity);
}

/* Those of one machine and workload: one end of frequency scaling after the other. */
static void add_block(struct sweep_plan *plan, const struct sweep_spec *spec, int first, int end)
{
	const struct sweep_run *run = &spec->runs[first];
	enum sim_scaling scalings[2];
	bool coincide;
	int nr = choose_scalings(plan->machines[run->machine].m,
		plan->workloads[run->workload].recorded, spec->scaling, scalings, &coincide);

	for (int s = 0; s < nr; s++)
		for (int i = first; i < end; i++)
			add_job(plan, spec, &spec->runs[i], scalings[s], coincide);
}

static void add_jobs(struct sweep_plan *plan, const struct sweep_spec *spec)
{
	int end;

	for (int i = 0; i < spec->nr; i = end) {
		for (end = i + 1; end < spec->nr; end++)
			if (spec->runs[end].machine != spec->runs[i].machine ||
				spec->runs[end].workload != spec->runs[i].workload)
				break;
		add_block(plan, spec, i, end);
	}
}

/* ---- each once, and only those of the shard -------------------------------------------------- */

struct named {
	char id[STORE_ID_SIZE];
	int index;
	bool again; /* an earlier one is the same run */
};

static int by_id(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int c = strcmp(x->id, y->id);

	return c ? c : (x->index > y->index) - (x->index < y->index);
}

static int by_index(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return (x->index > y->index) - (x->index < y->index);
}

static void keep_shard(struct sweep_plan *plan, const struct named *names, struct sweep_shard shard)
{
	int kept = 0;

	plan->whole = 0;
	for (int i = 0; i < plan->list.nr; i++) {
		int rank = plan->whole;

		if (names[i].again)
			continue;
		plan->whole++;
		if (rank % shard.count != shard.index - 1)
			continue;
		plan->jobs[kept] = plan->jobs[i];
		plan->keys[kept] = plan->keys[i];
		plan->ranks[kept++] = rank;
	}
	plan->list.nr = kept;
}

static int choose(struct sweep_plan *plan, struct sweep_shard shard, struct error *err)
{
	int nr = plan->list.nr;
	struct named *names = calloc((size_t)nr, sizeof(*names));

	if (!names)
		return error_set(err, ENOMEM, "out of memory for %d runs", nr);
	for (int i = 0; i < nr; i++) {
		run_key_id(&plan->keys[i], names[i].id);
		names[i].index = i;
	}
	qsort(names, (size_t)nr, sizeof(*names), by_id);
	for (int i = 1; i < nr; i++)
		names[i].again = !strcmp(names[i].id, names[i - 1].id);
	qsort(names, (size_t)nr, sizeof(*names), by_index);
	keep_shard(plan, names, shard);
	free(names);
	return 0;
}

int sweep_plan_make(const struct sweep_spec *spec, struct sweep_shard shard, struct sweep_plan *ret,
	struct error *err)
{
	struct sweep_plan plan = { .whole = 0 };
	int rc = load_all(&plan, spec, err);

	rc = rc ? rc : make_room(&plan, spec->nr, err);
	if (!rc) {
		add_jobs(&plan, spec);
		rc = choose(&plan, shard, err);
	}
	if (rc)
		sweep_plan_release(&plan);
	else
		*ret = plan;
	return rc;
}

int sweep_plan_keep_files(const struct sweep_plan *plan, const struct sweep_spec *spec,
	struct archive *a, struct error *err)
{
	int rc = 0;

	for (int i = 0; i < plan->nr_machines && !rc; i++)
		rc = archive_keep_machine(a, spec->machines.list[i], plan->machines[i].hash, err);
	for (int i = 0; i < plan->nr_policies && !rc; i++)
		rc = archive_keep_preset(
			a, spec->policies.list[i], plan->policies[i].identity.preset, err);
	return rc;
}

void sweep_plan_release(struct sweep_plan *plan)
{
	for (int i = 0; plan->machines && i < plan->nr_machines; i++)
		machine_free(plan->machines[i].m);
	free(plan->machines);
	free(plan->workloads);
	free(plan->policies);
	free(plan->jobs);
	free(plan->keys);
	free(plan->ranks);
	*plan = (struct sweep_plan){ .whole = 0 };
}
