// SPDX-License-Identifier: GPL-2.0-or-later
/* corepace bisect: the first commit of a governor's source that makes a workload worse. */
#include "cmd/bisect_report.h"
#include "cmd/cmd.h"
#include "cmd/run_options.h"
#include "cmd/scratch.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
	"Usage: corepace bisect [--tree DIR] --path FILE --good REV --bad REV\n"
	"           -m MACHINE -w WORKLOAD [-p SPEC] --metric M --worse-by PCT\n"
	"       git bisect run corepace bisect --run --path FILE --good REV\n"
	"           -m MACHINE -w WORKLOAD [-p SPEC] --metric M --worse-by PCT\n"
	"Finds the first commit of an idle governor's source that makes a workload worse:\n"
	"each revision is built as a plug-in and run on a machine model. No kernel is\n"
	"built or booted.\n"
	"\n"
	"  --tree DIR        a kernel git tree, also a bare one (where git looks)\n"
	"  --path FILE       the governor's source, from the top of the tree\n"
	"  --good REV        a revision that is good, an ancestor of the bad one\n"
	"  --bad REV         a revision that is bad\n"
	"  -m MACHINE, -w WORKLOAD   as for corepace run\n"
	"  -p SPEC           the policy, without idle= (performance)\n"
	"  --metric M        what is compared, a metric of corepace run\n"
	"  --worse-by PCT    worse than the good revision by more than this is bad\n"
	"  -n ITER           iterations, each with the next seed; their mean counts (1)\n"
	"  --seed S          seed of the first iteration (1)\n"
	"  -j JOBS           threads (one per CPU); the results do not depend on it\n"
	"  --run             test what is checked out, for git bisect run\n"
	"  --json            the result as JSON\n"
	"\n"
	"The log on stdout can be given to git bisect replay.\n"
	"Exit status: 0 found, 1 failed, 2 usage, 3 the range does not show the\n"
	"regression. With --run: 0 good, 1 bad, 125 skip, 128 failed.\n";

enum { RUN_SKIP = 125, RUN_FAILED = 128 }; /* what git bisect run goes by */

/* What decides about idling and is not in a governor's plug-in. */
static const char *const outside[] = { "kernel/sched/idle.c", "kernel/time/tick-sched.c",
	"kernel/time/hrtimer.c", "kernel/time/timer.c", "drivers/cpuidle/cpuidle.c",
	"drivers/cpuidle/poll_state.c", "drivers/cpuidle/governor.c",
	"drivers/cpuidle/governors/gov.h", NULL };

struct options {
	const char *tree, *good, *bad;
	struct trial_plan plan;
	unsigned long long iterations, threads, seed;
	bool run, json;
};

struct bisect {
	const struct options *o;
	struct git git;
	struct git_commit good, bad;
	struct git_log log, outside; /* of the range */
	struct trial *trial;
	struct bisect_report report;
	struct bisect_result result;
};

/* ---- the search ------------------------------------------------------------------------------ */

static int test_commit(void *ctx, int commit, struct error *err)
{
	struct bisect *b = ctx;
	const struct git_commit *c = &b->log.commits[commit];
	struct trial_outcome outcome;
	int rc = trial_test(b->trial, c->id, &outcome, err);

	if (rc)
		return rc;
	report_tested(&b->report, c, &outcome);
	return (int)outcome.mark;
}

static void show_step(void *ctx, int commit, int left, int steps)
{
	struct bisect *b = ctx;

	report_step(&b->report, &b->log.commits[commit], left, steps);
}

static int search(struct bisect *b, struct error *err)
{
	struct bisect_commit *commits = calloc((size_t)b->log.nr, sizeof(*commits));
	struct bisect_range range = { .nr = b->log.nr, .commits = commits };
	struct bisect_ops ops = { .test = test_commit, .step = show_step, .ctx = b };
	int rc;

	if (!commits)
		return error_set(err, ENOMEM, "out of memory");
	for (int i = 0; i < b->log.nr; i++) {
		commits[i].nr_parents = b->log.commits[i].nr_parents;
		commits[i].parents = b->log.commits[i].parents;
	}
	rc = bisect_search(&range, &ops, &b->result, err);
	free(commits);
	return rc;
}

/* Both revisions, that one is before the other, and what is between. */
static int find_range(struct bisect *b, struct error *err)
{
	const struct options *o = b->o;
	const char *const path[] = { o->plan.path, NULL };
	char base[GIT_ID_MAX];
	int rc = git_commit(&b->git, o->good, &b->good, err);

	rc = rc ? error_prefix(err, rc, "--good") : git_commit(&b->git, o->bad, &b->bad, err);
	if (rc)
		return *b->good.id ? error_prefix(err, rc, "--bad") : rc;
	rc = git_merge_base(&b->git, b->good.id, b->bad.id, base, err);
	if (!rc && strcmp(base, b->good.id))
		rc = error_set(err, EINVAL,
			"%s is no ancestor of %s; their merge base is %s: test it, give it as "
			"--good",
			o->good, o->bad, base);
	rc = rc ? rc : git_log(&b->git, b->good.id, b->bad.id, path, &b->log, err);
	rc = rc ? rc : git_log(&b->git, b->good.id, b->bad.id, outside, &b->outside, err);
	if (!rc && b->log.nr > BISECT_COMMITS_MAX)
		rc = error_set(err, E2BIG, "%d commits change %s, expected at most %d", b->log.nr,
			o->plan.path, BISECT_COMMITS_MAX);
	return rc;
}

/* Measures the good revision, then whether the bad one is bad. */
static int test_ends(struct bisect *b, struct trial_outcome *ret_bad, struct error *err)
{
	struct trial_outcome good;
	int rc = trial_baseline(b->trial, b->good.id, &good, err);

	if (rc)
		return rc;
	report_tested(&b->report, &b->good, &good);
	rc = trial_test(b->trial, b->bad.id, ret_bad, err);
	if (rc)
		return rc;
	if (ret_bad->mark != BISECT_GOOD)
		report_tested(&b->report, &b->bad, ret_bad);
	if (!ret_bad->nr_ends)
		return error_set(err, ENOEXEC, "the bad revision: %s", ret_bad->why);
	return 0;
}

/* EXIT_AGAINST: why is said on stderr. */
static int no_regression(struct bisect *b, const struct trial_outcome *bad)
{
	const struct trial_plan *plan = &b->o->plan;
	char text[1024] = "";

	outcome_text(bad, plan->metric, text, sizeof(text));
	if (!b->log.nr)
		fprintf(stderr, "corepace bisect: no commit of %s..%s changes %s\n", b->o->good,
			b->o->bad, plan->path);
	else
		fprintf(stderr,
			"corepace bisect: this range does not show the regression: the bad "
			"revision has "
			"%s; expected more than %g %% worse than the good one\n",
			text, plan->worse_by);
	return EXIT_AGAINST;
}

static int bisect_range(struct bisect *b, struct error *err)
{
	struct trial_outcome bad = { .mark = BISECT_GOOD };
	int status = EXIT_DONE, rc = find_range(b, err);

	rc = rc ? rc : report_open(&b->report, err);
	if (!rc && b->log.nr)
		rc = test_ends(b, &bad, err);
	if (rc)
		return rc;
	if (bad.mark == BISECT_BAD) {
		rc = search(b, err);
		if (rc)
			return rc;
		report_first_bad(&b->report, &b->log, &b->result);
		status = b->result.first_bad < 0 ? EXIT_FAILED : EXIT_DONE;
	} else {
		status = no_regression(b, &bad);
	}
	report_outside(&b->report, b->log.nr, outside, &b->outside);
	rc = report_close(&b->report, err);
	return rc ? rc : status;
}

/* ---- for git bisect run ---------------------------------------------------------------------- */

/* What is checked out, or would be if there was a work tree, or it was wanted (--no-checkout). */
static int test_current(struct bisect *b, struct error *err)
{
	struct git_commit current = { "" };
	struct trial_outcome outcome;
	char text[1024] = "";
	int rc, status;

	rc = git_commit(&b->git, b->o->good, &b->good, err);
	if (rc)
		return error_prefix(err, rc, "--good");
	rc = git_commit(&b->git, "BISECT_HEAD", &current, err);
	if (rc && rc != -ENOENT)
		return rc;
	rc = trial_baseline(b->trial, b->good.id, &outcome, err);
	rc = rc ? rc : trial_test(b->trial, *current.id ? current.id : NULL, &outcome, err);
	if (rc)
		return rc;
	status = outcome.mark == BISECT_GOOD ? 0 : outcome.mark == BISECT_BAD ? 1 : RUN_SKIP;
	outcome_text(&outcome, b->o->plan.metric, text, sizeof(text));
	printf("%s (%d): %s\n",
		status == RUN_SKIP ? "skip"
		: status	   ? "bad"
				   : "good",
		status, text);
	return status;
}

/* ---- the verb -------------------------------------------------------------------------------- */

/* In a child process with a temporary folder. */
static int work(void *ctx, const char *folder)
{
	const struct options *o = ctx;
	struct bisect *b = calloc(1, sizeof(*b));
	struct error err = { "" };
	struct trial_plan plan = o->plan;
	int rc = b ? git_open(o->tree, &b->git, &err) : error_set(&err, ENOMEM, "out of memory");

	if (!rc) {
		b->o = o;
		b->report = (struct bisect_report){
			.json = o->json,
			.path = plan.path,
			.metric = plan.metric,
			.worse_by = plan.worse_by,
		};
		plan.git = &b->git;
		plan.folder = folder;
		rc = trial_open(&plan, &b->trial, &err);
	}
	if (!rc)
		rc = o->run ? test_current(b, &err) : bisect_range(b, &err);
	if (rc < 0) {
		fail("bisect", &err);
		rc = o->run ? RUN_FAILED : EXIT_FAILED;
	}
	if (b) {
		trial_free(b->trial);
		git_log_release(&b->log);
		git_log_release(&b->outside);
	}
	free(b);
	return rc;
}

static int parse_percent(const char *text, double *ret)
{
	char *end;

	errno = 0;
	*ret = strtod(text, &end);
	if (end == text || *end || errno || !isfinite(*ret) || *ret < 0)
		return usage("bisect", "--worse-by: '%s', expected per cent, 0 or more", text);
	return 0;
}

/* -p names everything but the idle governor, which is the plug-in. */
static int check_policy(const char *spec)
{
	for (const char *at = spec; (at = strstr(at, "idle=")); at++)
		if (at == spec || at[-1] == ':' || at[-1] == ',')
			return usage("bisect", "-p %s: idle is what is built from --path", spec);
	return 0;
}

static int check_options(const struct options *o)
{
	const struct trial_plan *p = &o->plan;
	const char *lacking = !p->path		   ? "--path FILE"
			      : !o->good	   ? "--good REV"
			      : !o->bad && !o->run ? "--bad REV"
			      : !p->machine	   ? "-m MACHINE"
			      : !p->workload	   ? "-w WORKLOAD"
			      : !p->metric	   ? "--metric M"
			      : p->worse_by < 0	   ? "--worse-by PCT"
						   : NULL;
	size_t length = p->path ? strlen(p->path) : 0;

	if (lacking)
		return usage("bisect", "expected %s", lacking);
	if (o->run && (o->bad || o->json))
		return usage("bisect", "--run takes no %s", o->bad ? "--bad" : "--json");
	if (!git_path_ok(p->path) || length < 3 || strcmp(p->path + length - 2, ".c"))
		return usage("bisect", "--path: '%s', expected a C file, from the top of the tree",
			p->path);
	if (*o->good == '-' || (o->bad && *o->bad == '-'))
		return usage(
			"bisect", "'%s': expected a revision", *o->good == '-' ? o->good : o->bad);
	return check_policy(p->policy);
}

static int parse_option(int c, char **argv, struct options *o)
{
	switch (c) {
	case 't':
		o->tree = optarg;
		return 0;
	case 'P':
		o->plan.path = optarg;
		return 0;
	case 'g':
		o->good = optarg;
		return 0;
	case 'b':
		o->bad = optarg;
		return 0;
	case 'm':
		o->plan.machine = optarg;
		return 0;
	case 'w':
		o->plan.workload = optarg;
		return 0;
	case 'p':
		o->plan.policy = optarg;
		return 0;
	case 'M':
		o->plan.metric = optarg;
		return 0;
	case 'W':
		return parse_percent(optarg, &o->plan.worse_by);
	case 'n':
		return option_iterations("bisect", optarg, &o->iterations);
	case 'j':
		return option_threads("bisect", optarg, &o->threads);
	case 's':
		return option_seed("bisect", optarg, &o->seed);
	case 'r':
		o->run = true;
		return 0;
	case 'J':
		o->json = true;
		return 0;
	default:
		return usage("bisect", "'%s' is no option, or lacks its value", argv[optind - 1]);
	}
}

static int parse_options(int argc, char **argv, struct options *o)
{
	static const struct option longs[] = { { "tree", required_argument, NULL, 't' },
		{ "path", required_argument, NULL, 'P' }, { "good", required_argument, NULL, 'g' },
		{ "bad", required_argument, NULL, 'b' }, { "metric", required_argument, NULL, 'M' },
		{ "worse-by", required_argument, NULL, 'W' },
		{ "seed", required_argument, NULL, 's' }, { "run", no_argument, NULL, 'r' },
		{ "json", no_argument, NULL, 'J' }, { 0 } };
	int c, rc;

	*o = (struct options){ .iterations = 1, .seed = 1 };
	o->plan.worse_by = -1;
	o->plan.policy = "performance";
	o->threads = threads_default();
	opterr = 0;
	while ((c = getopt_long(argc, argv, "m:w:p:n:j:", longs, NULL)) != -1) {
		rc = parse_option(c, argv, o);
		if (rc)
			return rc;
	}
	if (optind < argc)
		return usage("bisect", "'%s': expected options only", argv[optind]);
	o->plan.iterations = (int)o->iterations;
	o->plan.threads = (int)o->threads;
	o->plan.seed = o->seed;
	return check_options(o);
}

static int run(int argc, char **argv)
{
	struct options o;
	struct error err = { "" };
	int failed = EXIT_FAILED, status;

	status = parse_options(argc, argv, &o);
	/* git bisect run takes any other failure for a bad revision. */
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--run"))
			failed = RUN_FAILED;
	if (status)
		return failed == RUN_FAILED ? RUN_FAILED : status;
	setvbuf(stdout, NULL, _IOLBF, 0);
	status = scratch_run("corepace-bisect", work, &o, failed, &err);
	if (status < 0) {
		fail("bisect", &err);
		status = failed;
	}
	return status;
}

const struct verb verb_bisect = {
	.name = "bisect",
	.summary = "find the commit of a governor that made a workload worse",
	.help = help,
	.run = run,
};
