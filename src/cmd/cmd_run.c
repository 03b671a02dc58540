// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/archive.h"
#include "cmd/cmd.h"
#include "cmd/plugins.h"
#include "cmd/run_options.h"
#include "report/comparison.h"
#include "report/result_json.h"
#include "report/uncertain.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
	"Usage: corepace run -m MACHINE -w WORKLOAD|F.cpw -p SPEC... [OPTION]...\n"
	"Runs a workload on a machine model under each policy and compares: speed,\n"
	"energy, wake-up latency, idle residency. The first policy is the baseline.\n"
	"\n"
	"  -m MACHINE        NAME[:key=value,...] or a path\n"
	"  -w WORKLOAD       a generator NAME[:key=value,...], or a recording\n"
	"  -p SPEC           PRESET[:key=value,...] or key=value,...; -p once per policy\n"
	"  -n ITER           iterations, each with the next seed (1)\n"
	"  -j JOBS           threads (one per CPU); the results do not depend on it\n"
	"  --seed S          seed of the first iteration (1)\n"
	"  --scaling WHAT    of a recording's run time, what scales with frequency:\n"
	"                    all, none, or both in turn, the default\n"
	"  --db FILE         keep the runs in this store; those there are not done again\n"
	"  --again           with --db: do it again, and replace what is there\n"
	"  --uncertain       each iteration (100) on another plausible machine: all that\n"
	"                    the model only estimates drawn from its range; says on how\n"
	"                    many of them a conclusion holds\n"
	"  --check           watch the simulator's invariants (slower)\n"
	"  --json            the results as JSON\n"
	"  --help            this text\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 usage.\n";

enum {
	DRAWS = 100, /* iterations of --uncertain */
	DRAWS_MAX = 1000,
};

struct options {
	const char *machine, *workload, *db;
	const char *policies[POLICIES_MAX];
	int nr_policies;
	unsigned long long iterations, threads, seed;
	enum scaling_choice scaling;
	bool check, json, again, uncertain;
};

static int parse_scaling(const char *text, enum scaling_choice *ret)
{
	return scaling_choice_parse(text, ret)
		       ? usage("run", "--scaling: '%s', expected all, none or both", text)
		       : 0;
}

static int parse_option(int c, char **argv, struct options *o)
{
	switch (c) {
	case 'm':
		o->machine = optarg;
		return 0;
	case 'w':
		o->workload = optarg;
		return 0;
	case 'p':
		if (o->nr_policies == POLICIES_MAX)
			return usage("run", "-p: more than %d policies", POLICIES_MAX);
		o->policies[o->nr_policies++] = optarg;
		return 0;
	case 'n':
		return option_iterations("run", optarg, &o->iterations);
	case 'j':
		return option_threads("run", optarg, &o->threads);
	case 's':
		return option_seed("run", optarg, &o->seed);
	case 'S':
		return parse_scaling(optarg, &o->scaling);
	case 'c':
		o->check = true;
		return 0;
	case 'J':
		o->json = true;
		return 0;
	case 'd':
		o->db = optarg;
		return 0;
	case 'a':
		o->again = true;
		return 0;
	case 'u':
		o->uncertain = true;
		return 0;
	default:
		return usage("run", "'%s' is no option, or lacks its value", argv[optind - 1]);
	}
}

static int parse_options(int argc, char **argv, struct options *o)
{
	static const struct option longs[] = { { "seed", required_argument, NULL, 's' },
		{ "scaling", required_argument, NULL, 'S' }, { "check", no_argument, NULL, 'c' },
		{ "json", no_argument, NULL, 'J' }, { "db", required_argument, NULL, 'd' },
		{ "again", no_argument, NULL, 'a' }, { "uncertain", no_argument, NULL, 'u' },
		{ 0 } };
	int c, rc;

	*o = (struct options){ .seed = 1 };
	o->threads = threads_default();
	opterr = 0;
	while ((c = getopt_long(argc, argv, "m:w:p:n:j:", longs, NULL)) != -1) {
		rc = parse_option(c, argv, o);
		if (rc)
			return rc;
	}
	if (optind < argc)
		return usage("run", "'%s': expected options only", argv[optind]);
	if (!o->machine || !o->workload || !o->nr_policies)
		return usage("run", "expected %s",
			!o->machine    ? "-m MACHINE"
			: !o->workload ? "-w WORKLOAD"
				       : "-p SPEC");
	if (o->again && !o->db)
		return usage("run", "--again: expected --db FILE with it");
	if (!o->uncertain) {
		o->iterations = o->iterations ? o->iterations : 1;
		return 0;
	}
	o->iterations = o->iterations ? o->iterations : DRAWS;
	if (o->nr_policies < 2)
		return usage("run", "--uncertain: expected a second -p SPEC to compare");
	return o->iterations > DRAWS_MAX
		       ? usage("run", "-n: expected at most %d with --uncertain", DRAWS_MAX)
		       : 0;
}

static int show_uncertain(const struct run_plan *plan, const struct run_result *results, int nr,
	bool json, struct error *err)
{
	struct uncertain u;
	json_t *document;
	int rc = uncertain_init(&u, results, nr, plan->nr_policies, plan->iterations, err);

	if (rc)
		return rc;
	u.machine = plan->machine->text;
	if (json) {
		document = results_to_json(results, nr);
		json_object_set_new(document, "uncertain", uncertain_to_json(&u));
		rc = json_write(document, stdout, err);
	} else {
		rc = uncertain_print(&u, stdout, err);
	}
	uncertain_release(&u);
	return rc;
}

static int show(const struct run_result *results, int nr, bool json, struct error *err)
{
	struct samples samples = { 0 };
	struct comparisons c;
	int rc;

	if (json)
		return json_write(results_to_json(results, nr), stdout, err);
	rc = samples_add_results(&samples, results, nr, NULL, err);
	if (!rc)
		rc = compare_samples(&samples, &c, err);
	if (!rc) {
		rc = comparisons_print(&c, NULL, false, stdout, err);
		comparisons_release(&c);
	}
	samples_release(&samples);
	return rc;
}

/* The keys of all jobs of a plan; identities: room for one per policy. */
static int identify(const struct run_plan *plan, const struct run_job *jobs,
	char machine[HASH_SIZE], char workload[HASH_SIZE], struct policy_identity *identities,
	struct run_key *ret, struct error *err)
{
	int rc = identify_machine(plan->machine->text, machine, err);

	rc = rc ? rc : identify_workload(plan->workload, workload, err);
	for (int i = 0; i < plan->nr_policies && !rc; i++)
		rc = identify_policy(plan->policies[i].text, &identities[i], err);
	for (int i = 0; i < run_plan_size(plan) && !rc; i++)
		ret[i] = job_key(&jobs[i], *workload, machine, workload,
			&identities[jobs[i].policy - plan->policies]);
	return rc;
}

static int run_in_store(const struct run_plan *plan, const struct options *o, struct run_job *jobs,
	struct run_key *keys, struct run_result *results, struct error *err)
{
	struct archive_list list = { .nr = run_plan_size(plan), .jobs = jobs, .keys = keys };
	struct run_list how = {
		.threads = plan->threads, .check = plan->check, .progress = plan->progress
	};
	char machine[HASH_SIZE], workload[HASH_SIZE];
	struct policy_identity *identities = calloc((size_t)plan->nr_policies, sizeof(*identities));
	struct archive a;
	int rc;

	if (!identities)
		return error_set(err, ENOMEM, "out of memory");
	run_plan_jobs(plan, jobs);
	rc = identify(plan, jobs, machine, workload, identities, keys, err);
	rc = rc ? rc : archive_open(&a, o->db, STORE_WRITE, "run", err);
	if (!rc) {
		a.again = o->again;
		rc = archive_keep_machine(&a, plan->machine->text, machine, err);
		for (int i = 0; i < plan->nr_policies && !rc; i++)
			rc = archive_keep_preset(
				&a, plan->policies[i].text, identities[i].preset, err);
		rc = rc ? rc : archive_run(&a, &list, &how, results, err);
		archive_close(&a);
		if (!rc && a.present)
			fprintf(stderr, "corepace run: %d of %d runs were in %s\n", a.present,
				list.nr, o->db);
	}
	free(identities);
	return rc;
}

static int run_with_store(const struct run_plan *plan, const struct options *o,
	struct run_result *results, struct error *err)
{
	size_t nr = (size_t)run_plan_size(plan);
	struct run_job *jobs = calloc(nr, sizeof(*jobs));
	struct run_key *keys = calloc(nr, sizeof(*keys));
	int rc = jobs && keys ? run_in_store(plan, o, jobs, keys, results, err)
			      : error_set(err, ENOMEM, "out of memory for %zu runs", nr);

	free(jobs);
	free(keys);
	return rc;
}

static int run_plan(const struct run_plan *plan, const struct options *o, struct error *err)
{
	int nr = run_plan_size(plan), rc;
	struct run_result *results = calloc((size_t)nr, sizeof(*results));

	if (!results)
		return error_set(err, ENOMEM, "out of memory for %d runs", nr);
	rc = o->db ? run_with_store(plan, o, results, err) : run_jobs(plan, results, err);
	if (!rc)
		rc = o->uncertain ? show_uncertain(plan, results, nr, o->json, err)
				  : show(results, nr, o->json, err);
	for (int i = 0; i < nr; i++)
		result_release(&results[i]);
	free(results);
	return rc;
}

static int load_policies(const struct options *o, struct policy *policies, struct error *err)
{
	char dir[PATH_MAX];

	data_dir("policies", dir, sizeof(dir));
	for (int i = 0; i < o->nr_policies; i++) {
		int rc = policy_load(o->policies[i], dir, &plugin_resolver, &policies[i], err);

		if (rc)
			return rc;
		for (int k = 0; k < i; k++)
			if (!strcmp(policies[k].text, policies[i].text))
				return error_set(
					err, EINVAL, "-p %s: given twice", policies[i].text);
	}
	return 0;
}

/* One for each iteration; to be released, also after a failure. */
static int draw_machines(
	const struct options *o, const char *dir, struct machine **ret, struct error *err)
{
	char spec[SPEC_TEXT_MAX];
	int rc = 0;

	for (unsigned long long i = 0; i < o->iterations && !rc; i++) {
		rc = machine_drawn_spec(o->machine, o->seed + i, spec, err);
		rc = rc ? rc : machine_load(spec, dir, &ret[i], err);
	}
	return rc;
}

static int run(int argc, char **argv)
{
	struct policy *policies;
	struct machine *machine = NULL, **drawn;
	struct run_plan plan = { 0 };
	struct options o;
	struct error err = { "" };
	char dir[PATH_MAX];
	int rc = parse_options(argc, argv, &o);

	if (rc)
		return rc;
	policies = calloc((size_t)o.nr_policies, sizeof(*policies));
	drawn = calloc(o.iterations, sizeof(*drawn));
	rc = policies && drawn ? 0 : error_set(&err, ENOMEM, "out of memory");
	data_dir("machines", dir, sizeof(dir));
	rc = rc ? rc : machine_load(o.machine, dir, &machine, &err);
	rc = rc || !o.uncertain ? rc : draw_machines(&o, dir, drawn, &err);
	rc = rc ? rc : machine_simulable(machine, &err);
	rc = rc ? rc : load_policies(&o, policies, &err);
	plan.machine = machine;
	plan.machines = o.uncertain ? drawn : NULL;
	plan.workload = o.workload;
	plan.policies = policies;
	plan.nr_policies = o.nr_policies;
	plan.iterations = (int)o.iterations;
	plan.seed = o.seed;
	plan.threads = (int)o.threads;
	plan.check = o.check;
	plan.progress = isatty(STDERR_FILENO);
	rc = rc ? rc : run_plan_scalings(&plan, o.scaling, &err);
	rc = rc ? rc : run_plan(&plan, &o, &err);
	for (unsigned long long i = 0; drawn && i < o.iterations; i++)
		machine_free(drawn[i]);
	free(drawn);
	machine_free(machine);
	free(policies);
	return rc ? fail("run", &err) : EXIT_DONE;
}

const struct verb verb_run = {
	.name = "run",
	.summary = "run a workload on a machine model under policies",
	.help = help,
	.run = run,
};
