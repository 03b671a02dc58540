// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/measure.h"
#include "base/array.h"
#include "cmd/archive.h"
#include "cmd/cmd.h"
#include "machine/preset.h"
#include "workload/workload.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what configurations name, each loaded once ---------------------------------------------- */

enum kind { KIND_MACHINE, KIND_WORKLOAD, KIND_POLICY, NR_KINDS };

struct name {
	const char *text;
	int rc;
	struct error err; /* why it could not be loaded */
	char hash[HASH_SIZE];
	struct machine *machine;
	bool recorded;
	struct policy policy;
	struct policy_identity identity;
};

struct measure_names {
	int nr[NR_KINDS];
	struct name **list[NR_KINDS];
};

static int load_machine(struct name *n)
{
	char dir[PATH_MAX];
	int rc =
		machine_load(n->text, data_dir("machines", dir, sizeof(dir)), &n->machine, &n->err);

	rc = rc ? rc : machine_simulable(n->machine, &n->err);
	return rc ? rc : identify_machine(n->text, n->hash, &n->err);
}

static int load_workload(struct name *n)
{
	struct workload *w;
	int rc = open_workload(n->text, &w, &n->err);

	if (rc)
		return rc;
	n->recorded = w->recorded;
	workload_free(w);
	return identify_workload(n->text, n->hash, &n->err);
}

static int load_policy(struct name *n)
{
	char dir[PATH_MAX];
	int rc = policy_load(
		n->text, data_dir("policies", dir, sizeof(dir)), NULL, &n->policy, &n->err);

	return rc ? rc : identify_policy(n->text, &n->identity, &n->err);
}

/* NULL: out of memory. */
static struct name *look_up(struct measure_names *names, enum kind kind, const char *text)
{
	static int (*const load[NR_KINDS])(
		struct name *) = { load_machine, load_workload, load_policy };
	struct name **grown, *n;

	for (int i = 0; i < names->nr[kind]; i++)
		if (!strcmp(names->list[kind][i]->text, text))
			return names->list[kind][i];
	grown = array_grow(names->list[kind], (size_t)names->nr[kind], sizeof(struct name *));
	n = grown ? calloc(1, sizeof(*n)) : NULL;
	if (grown)
		names->list[kind] = grown;
	if (!n)
		return NULL;
	n->text = text;
	n->rc = *text ? load[kind](n) : error_set(&n->err, EINVAL, "not given");
	grown[names->nr[kind]++] = n;
	return n;
}

static void free_names(struct measure_names *names)
{
	for (int kind = 0; names && kind < NR_KINDS; kind++) {
		for (int i = 0; i < names->nr[kind]; i++) {
			machine_free(names->list[kind][i]->machine);
			free(names->list[kind][i]);
		}
		free(names->list[kind]);
	}
	free(names);
}

/* ---- configurations -------------------------------------------------------------------------- */

int measure_add(struct measure *m, const char *machine, const char *workload, const char *policy,
	int iterations, struct error *err)
{
	struct measure_config *grown;

	for (int i = 0; i < m->nr; i++) {
		struct measure_config *c = &m->configs[i];

		if (strcmp(c->machine, machine) || strcmp(c->workload, workload) ||
			strcmp(c->policy, policy))
			continue;
		if (c->iterations < iterations)
			c->iterations = iterations;
		return i;
	}
	if (m->nr == MEASURE_CONFIGS_MAX)
		return error_set(err, E2BIG, "more than %d configurations", MEASURE_CONFIGS_MAX);
	grown = array_grow(m->configs, (size_t)m->nr, sizeof(*grown));
	if (!grown)
		return error_set(err, ENOMEM, "out of memory");
	m->configs = grown;
	grown[m->nr] =
		(struct measure_config){ machine, workload, policy, iterations, { "" }, NULL };
	return m->nr++;
}

static void drop_results(struct measure_config *c)
{
	for (int i = 0; c->results && i < c->iterations; i++)
		result_release(&c->results[i]);
	free(c->results);
	c->results = NULL;
}

void measure_release(struct measure *m)
{
	for (int i = 0; i < m->nr; i++)
		drop_results(&m->configs[i]);
	free(m->configs);
	free_names(m->names);
	*m = (struct measure){ 0 };
}

/* ---- running --------------------------------------------------------------------------------- */

/* All runs, and of which configuration each is. */
struct todo {
	struct measure *m;
	struct archive_list list;
	struct run_job *jobs;
	struct run_key *keys;
	int *config;
	struct run_result *results;
	pthread_mutex_t lock;
	int *failed; /* by configuration: the first of its runs that failed, -1: none did */
};

/* What one of a configuration's names has against it; the first is what is said. */
static bool is_bad(struct measure_config *c, const struct name *n, const char *what)
{
	if (n->rc && !*c->failure.text) {
		c->failure = n->err;
		if (!*n->text)
			error_prefix(&c->failure, n->rc, "%s", what);
	}
	return n->rc;
}

static void add_run(struct todo *t, int config, int iteration, uint64_t seed,
	const struct name *machine, const struct name *workload, const struct name *policy)
{
	struct run_job *job = &t->jobs[t->list.nr];
	enum sim_scaling scalings[2];

	*job = (struct run_job){
		.machine = machine->machine,
		.workload = workload->text,
		.policy = &policy->policy,
		.seed = seed + (uint64_t)iteration,
		.iteration = iteration,
	};
	choose_scalings(
		job->machine, workload->recorded, SCALING_ALL, scalings, &job->ends_coincide);
	job->scaling = scalings[0];
	t->keys[t->list.nr] =
		job_key(job, workload->recorded, machine->hash, workload->hash, &policy->identity);
	t->config[t->list.nr++] = config;
}

static int add_runs(struct todo *t, int config, uint64_t seed, struct error *err)
{
	struct measure_config *c = &t->m->configs[config];
	struct name *machine = look_up(t->m->names, KIND_MACHINE, c->machine);
	struct name *workload = look_up(t->m->names, KIND_WORKLOAD, c->workload);
	struct name *policy = look_up(t->m->names, KIND_POLICY, c->policy);

	if (!machine || !workload || !policy)
		return error_set(err, ENOMEM, "out of memory");
	t->failed[config] = -1;
	if (is_bad(c, machine, "machine") || is_bad(c, workload, "workload") ||
		is_bad(c, policy, "policy"))
		return 0;
	c->results = calloc((size_t)c->iterations, sizeof(*c->results));
	if (!c->results)
		return error_set(err, ENOMEM, "out of memory");
	for (int i = 0; i < c->iterations; i++)
		add_run(t, config, i, seed, machine, workload, policy);
	return 0;
}

/* Several threads at once. The earliest run's failure stands, in whatever order they end. */
static void on_failure(void *ctx, int job, const struct error *err)
{
	struct todo *t = ctx;
	int config = t->config[job];

	pthread_mutex_lock(&t->lock);
	if (t->failed[config] < 0 || job < t->failed[config]) {
		t->failed[config] = job;
		t->m->configs[config].failure = *err;
	}
	pthread_mutex_unlock(&t->lock);
}

static int on_done(void *ctx, int job, int rc, struct run_result *r, struct error *err)
{
	struct todo *t = ctx;

	if (rc) {
		on_failure(ctx, job, err);
		return 0;
	}
	result_release(r);
	t->results[job] = *r;
	return 0;
}

static int keep_files(struct archive *a, const struct measure_names *names, struct error *err)
{
	int rc = 0;

	for (int i = 0; i < names->nr[KIND_MACHINE] && !rc; i++) {
		const struct name *n = names->list[KIND_MACHINE][i];

		rc = n->rc ? 0 : archive_keep_machine(a, n->text, n->hash, err);
	}
	for (int i = 0; i < names->nr[KIND_POLICY] && !rc; i++) {
		const struct name *n = names->list[KIND_POLICY][i];

		rc = n->rc ? 0 : archive_keep_preset(a, n->text, n->identity.preset, err);
	}
	return rc;
}

static int run_in_store(
	struct todo *t, struct measure_options *o, const struct run_list *how, struct error *err)
{
	struct archive a;
	int rc = archive_open(&a, o->db, STORE_WRITE, o->verb, err);

	if (rc)
		return rc;
	a.drop_cpus = true;
	a.keep_going = true;
	a.on_failure = on_failure;
	a.ctx = t;
	rc = keep_files(&a, t->m->names, err);
	rc = rc ? rc : archive_run(&a, &t->list, how, t->results, err);
	archive_close(&a);
	o->present = a.present;
	return rc;
}

/* Hands the results over. -EINTR when some are missing that did not fail. */
static int share_out(struct todo *t, const struct measure_options *o, struct error *err)
{
	int missing = 0;

	for (int i = 0; i < t->list.nr; i++) {
		struct measure_config *c = &t->m->configs[t->config[i]];

		missing += !*t->results[i].machine && t->failed[t->config[i]] < 0;
		c->results[t->jobs[i].iteration] = t->results[i];
	}
	for (int i = 0; i < t->m->nr; i++)
		if (*t->m->configs[i].failure.text)
			drop_results(&t->m->configs[i]);
	if (missing && o->db)
		return error_set(err, EINTR,
			"ended by a signal, %d of %d runs are in %s: the same command goes on",
			t->list.nr - missing, t->list.nr, o->db);
	return missing ? error_set(err, EINTR, "ended by a signal") : 0;
}

static int run_all(struct todo *t, struct measure_options *o, struct error *err)
{
	struct run_list how = {
		.jobs = t->jobs,
		.threads = o->threads,
		.check = o->check,
		.progress = o->progress,
		.stop = o->stop,
		.done = on_done,
		.ctx = t,
	};
	int rc = 0;

	for (int i = 0; i < t->m->nr && !rc; i++)
		rc = add_runs(t, i, o->seed, err);
	t->list.jobs = t->jobs;
	t->list.keys = t->keys;
	how.nr = o->runs = t->list.nr;
	if (!rc)
		rc = o->db ? run_in_store(t, o, &how, err) : run_list(&how, err);
	if (!rc)
		return share_out(t, o, err);
	for (int i = 0; i < t->list.nr; i++)
		result_release(&t->results[i]);
	return rc;
}

int measure_run(struct measure *m, struct measure_options *options, struct error *err)
{
	struct todo t = { .m = m };
	size_t nr = 1;
	int rc;

	for (int i = 0; i < m->nr; i++)
		nr += (size_t)m->configs[i].iterations;
	options->runs = options->present = 0;
	pthread_mutex_init(&t.lock, NULL);
	m->names = calloc(1, sizeof(*m->names));
	t.jobs = calloc(nr, sizeof(*t.jobs));
	t.keys = calloc(nr, sizeof(*t.keys));
	t.config = calloc(nr, sizeof(*t.config));
	t.results = calloc(nr, sizeof(*t.results));
	t.failed = calloc((size_t)m->nr + 1, sizeof(*t.failed));
	rc = m->names && t.jobs && t.keys && t.config && t.results && t.failed
		     ? run_all(&t, options, err)
		     : error_set(err, ENOMEM, "out of memory for %zu runs", nr);
	free(t.jobs);
	free(t.keys);
	free(t.config);
	free(t.results);
	free(t.failed);
	pthread_mutex_destroy(&t.lock);
	return rc;
}

/* ---- metrics --------------------------------------------------------------------------------- */

static int no_metric(const struct run_result *r, const char *metric, struct error *err)
{
	char known[256] = "";

	for (int i = 0; i < r->nr_metrics; i++) {
		size_t used = strlen(known);

		snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "",
			r->metrics[i].name);
	}
	return error_set(err, ENOENT, "no metric '%.40s'; there are %s", metric, known);
}

int measure_value(const struct run_result *r, const char *metric, double *ret, struct error *err)
{
	const struct result_metric *m = result_find_metric(r, metric);

	if (!m)
		return no_metric(r, metric, err);
	*ret = m->value;
	return 0;
}

int measure_values(
	const struct measure_config *config, const char *metric, double *ret, struct error *err)
{
	int rc = 0;

	if (*config->failure.text || !config->results) {
		*err = config->failure;
		return -EIO;
	}
	for (int i = 0; i < config->iterations && !rc; i++)
		rc = measure_value(&config->results[i], metric, &ret[i], err);
	return rc;
}
