// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/bisect_trial.h"

#include "cmd/bisect_source.h"
#include "cmd/cmd.h"
#include "cmd/plugins.h"
#include "cmd/scratch.h"
#include "machine/machine.h"
#include "report/comparison.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct trial {
	struct trial_plan plan;
	struct machine *machine;
	struct run_plan run;
	struct policy policy;
	struct run_result *base; /* of the good revision; run_plan_size */
	int nr_built;
};

/* What the child that runs a revision tells. */
struct told {
	bool done;
	int rc;
	struct error err;
	struct trial_outcome outcome;
};

int trial_open(const struct trial_plan *plan, struct trial **ret, struct error *err)
{
	struct trial *t = calloc(1, sizeof(*t));
	char dir[PATH_MAX];
	int rc;

	if (!t)
		return error_set(err, ENOMEM, "out of memory");
	t->plan = *plan;
	rc = machine_load(plan->machine, data_dir("machines", dir, sizeof(dir)), &t->machine, err);
	t->run.machine = t->machine;
	t->run.workload = plan->workload;
	t->run.policies = &t->policy;
	t->run.nr_policies = 1;
	t->run.iterations = plan->iterations;
	t->run.seed = plan->seed;
	t->run.threads = plan->threads;
	rc = rc ? rc : machine_simulable(t->machine, err);
	rc = rc ? rc : run_plan_scalings(&t->run, SCALING_BOTH, err);
	if (rc) {
		trial_free(t);
		return rc;
	}
	*ret = t;
	return 0;
}

static void free_results(struct run_result *results, int nr)
{
	for (int i = 0; results && i < nr; i++)
		result_release(&results[i]);
	free(results);
}

struct trial *trial_free(struct trial *t)
{
	if (!t)
		return NULL;
	free_results(t->base, run_plan_size(&t->run));
	machine_free(t->machine);
	free(t);
	return NULL;
}

/* The policy's specification with the plug-in in it, before keys that go to the governor. */
static int load_policy(struct trial *t, const char *plugin, struct error *err)
{
	const char *spec = t->plan.policy;
	size_t name = strcspn(spec, ":=");
	char text[SPEC_TEXT_MAX], dir[PATH_MAX];
	int n;

	if (spec[name] == '=')
		n = snprintf(text, sizeof(text), "idle=%s,%s", plugin, spec);
	else
		n = snprintf(text, sizeof(text), "%.*s:idle=%s%s%s", (int)name, spec, plugin,
			spec[name] ? "," : "", spec[name] ? spec + name + 1 : "");
	if (n >= (int)sizeof(text))
		return error_set(err, ENAMETOOLONG, "policy '%s': too long", spec);
	return policy_load(
		text, data_dir("policies", dir, sizeof(dir)), &plugin_resolver, &t->policy, err);
}

/* Runs a plug-in. results: run_plan_size of them, zeroed. */
static int run_plugin(
	struct trial *t, const char *plugin, struct run_result *results, struct error *err)
{
	int rc = load_policy(t, plugin, err);

	return rc ? rc : run_jobs(&t->run, results, err);
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static int unknown_metric(const struct comparisons *c, const char *metric, struct error *err)
{
	char known[400] = "";

	for (int i = 0; i < c->nr; i++) {
		const struct comparison *it = &c->list[i];
		size_t used = strlen(known);

		if (it->group != c->list[0].group || !it->metric->better)
			continue;
		snprintf(known + used, sizeof(known) - used, "%s%s", used ? ", " : "",
			it->metric->name);
	}
	return error_set(err, ENOENT, "--metric: '%s', expected one of: %s", metric, known);
}

/*
 * Bad when worse at each end of frequency scaling, good when at none; what allows no verdict is
 * neither.
 */
static void judge(
	const struct comparison *it, const struct trial *t, int config, struct trial_outcome *o)
{
	const struct compared *c = &it->configs[config];
	bool worse = c->percent < -t->plan.worse_by;
	enum bisect_mark mark = worse ? BISECT_BAD : BISECT_GOOD;

	o->ends[o->nr_ends].value = summary_mean(&c->s);
	o->ends[o->nr_ends].percent = config ? c->percent : NAN;
	snprintf(o->ends[o->nr_ends].scaling, sizeof(o->ends[0].scaling), "%s", it->group->scaling);
	snprintf(o->unit, sizeof(o->unit), "%s", it->metric->unit);
	if (!config)
		mark = BISECT_GOOD;
	else if (isnan(c->percent) || (worse && c->verdict != VERDICT_GIVEN))
		mark = BISECT_SKIP;
	if (mark == BISECT_SKIP)
		snprintf(o->why, sizeof(o->why), "no verdict: %s",
			verdict_name(c->verdict) ?: "nothing to compare");
	if (o->nr_ends++ && mark != o->mark && mark != BISECT_SKIP) {
		mark = BISECT_SKIP;
		if (!*o->why)
			snprintf(o->why, sizeof(o->why),
				"no verdict: only one end of frequency scaling is worse");
	}
	o->mark = mark;
}

static int compare(const struct trial *t, const struct run_result *all, int nr,
	struct trial_outcome *ret, struct error *err)
{
	struct trial_outcome o = { .mark = BISECT_UNTESTED };
	struct samples samples = { 0 };
	struct comparisons c = { 0 };
	int rc = samples_add_results(&samples, all, nr, NULL, err);

	rc = rc ? rc : compare_samples(&samples, &c, err);
	for (int i = 0; !rc && i < c.nr && o.nr_ends < 2; i++)
		if (c.list[i].metric->better && !strcmp(c.list[i].metric->name, t->plan.metric))
			judge(&c.list[i], t, c.list[i].group->nr_configs - 1, &o);
	if (!rc && !o.nr_ends)
		rc = unknown_metric(&c, t->plan.metric, err);
	comparisons_release(&c);
	samples_release(&samples);
	if (!rc)
		*ret = o;
	return rc;
}

/* ---- one revision ---------------------------------------------------------------------------- */

static int compare_with_base(
	struct trial *t, const char *plugin, struct trial_outcome *ret, struct error *err)
{
	int nr = run_plan_size(&t->run), rc;
	struct run_result *all = calloc(2 * (size_t)nr, sizeof(*all));

	if (!all)
		return error_set(err, ENOMEM, "out of memory for %d runs", nr);
	memcpy(all, t->base, (size_t)nr * sizeof(*all));
	rc = run_plugin(t, plugin, all + nr, err);
	if (!rc)
		rc = compare(t, all, 2 * nr, ret, err);
	for (int i = nr; i < 2 * nr; i++)
		result_release(&all[i]);
	free(all);
	return rc;
}

static void run_child(struct trial *t, const char *plugin, int messages, struct told *told)
{
	/* Whoever waits for it may be killed. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(messages, STDERR_FILENO) < 0)
		_exit(1);
	told->rc = compare_with_base(t, plugin, &told->outcome, &told->err);
	told->done = true;
	_exit(0);
}

/* "corepace: plug-in PATH crashed (SIGSEGV) in select": without the path. */
static void say_crash(int messages, const char *plugin, int status, char *why, size_t size)
{
	char text[2 * PATH_MAX];
	ssize_t n = pread(messages, text, sizeof(text) - 1, 0);
	const char *from;

	text[n > 0 ? n : 0] = 0;
	text[strcspn(text, "\n")] = 0;
	from = strstr(text, plugin);
	if (*text)
		snprintf(why, size, "the plug-in%s", from ? from + strlen(plugin) : text);
	else if (WIFSIGNALED(status))
		snprintf(why, size, "the run was ended by signal %d", WTERMSIG(status));
	else
		snprintf(why, size, "the plug-in ended the run");
}

static int run_apart(
	struct trial *t, const char *plugin, struct trial_outcome *ret, struct error *err)
{
	struct told *told = mmap(
		NULL, sizeof(*told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int messages = memfd_create("messages", MFD_CLOEXEC), status = 0;
	pid_t pid;

	if (told == MAP_FAILED || messages < 0)
		return error_set(err, ENOMEM, "out of memory");
	fflush(NULL);
	pid = fork();
	if (!pid)
		run_child(t, plugin, messages, told);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	*ret = (struct trial_outcome){ .mark = BISECT_SKIP };
	if (!told->done)
		say_crash(messages, plugin, status, ret->why, sizeof(ret->why));
	else if (told->rc)
		snprintf(ret->why, sizeof(ret->why), "%s", told->err.text);
	else
		*ret = told->outcome;
	close(messages);
	munmap(told, sizeof(*told));
	return pid < 0 ? error_set(err, errno, "fork: %s", strerror(errno)) : 0;
}

/* Builds a revision in a folder of its own. 1: it does not build, and why. */
static int build(struct trial *t, const char *id, char *folder, size_t size, char *plugin,
	struct trial_outcome *ret, struct error *err)
{
	*ret = (struct trial_outcome){ .mark = BISECT_SKIP };
	snprintf(folder, size, "%s/%d", t->plan.folder, t->nr_built++);
	snprintf(plugin, size, "%s/plugin.so", folder);
	return bisect_build(
		t->plan.git, id, t->plan.path, folder, plugin, ret->why, sizeof(ret->why), err);
}

int trial_baseline(struct trial *t, const char *id, struct trial_outcome *ret, struct error *err)
{
	int nr = run_plan_size(&t->run), rc;
	char folder[PATH_MAX], plugin[PATH_MAX];

	rc = build(t, id, folder, sizeof(folder), plugin, ret, err);
	if (rc > 0)
		return error_set(err, ENOEXEC, "the good revision: %s", ret->why);
	t->base = rc ? NULL : calloc((size_t)nr, sizeof(*t->base));
	if (!rc && !t->base)
		rc = error_set(err, ENOMEM, "out of memory for %d runs", nr);
	rc = rc ? rc : run_plugin(t, plugin, t->base, err);
	rc = rc ? rc : compare(t, t->base, nr, ret, err);
	scratch_remove(folder);
	return rc;
}

int trial_test(struct trial *t, const char *id, struct trial_outcome *ret, struct error *err)
{
	char folder[PATH_MAX], plugin[PATH_MAX];
	int rc = build(t, id, folder, sizeof(folder), plugin, ret, err);

	if (!rc)
		rc = run_apart(t, plugin, ret, err);
	scratch_remove(folder);
	return rc < 0 ? rc : 0;
}
