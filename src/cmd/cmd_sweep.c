// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/spec.h"
#include "cmd/archive.h"
#include "cmd/cmd.h"
#include "cmd/run_options.h"
#include "cmd/sweep_plan.h"
#include "report/json.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
	"Usage: corepace sweep SPEC.yaml --db FILE [OPTION]...\n"
	"Does all runs that a sweep's file names (machines x workloads x policies x keys\n"
	"x seeds) and keeps each in a store as soon as it is done. It may be ended at any\n"
	"moment: the same command goes on with what is not there.\n"
	"\n"
	"  --db FILE         the store; made when there is none\n"
	"  -j JOBS           threads (one per CPU); the results do not depend on it\n"
	"  --shard I/N       only part I of N, for several machines: each with a store of\n"
	"                    its own, 'corepace runs merge' joins them\n"
	"  --again           do what is there again, and replace it\n"
	"  --dry-run         only say what there is to do\n"
	"  --check           watch the simulator's invariants (slower)\n"
	"  --json            what was done as JSON\n"
	"  --help            this text\n"
	"\n"
	"Exit status: 0 done, 1 failed or ended before all was done, 2 usage.\n";

struct options {
	const char *spec, *db;
	unsigned long long threads;
	struct sweep_shard shard;
	bool again, dry_run, check, json;
};

static int parse_shard(const char *text, struct sweep_shard *ret)
{
	struct sweep_shard s;
	int n = -1;

	if (strspn(text, "0123456789/") != strlen(text) || strlen(text) > 15 ||
		sscanf(text, "%d/%d%n", &s.index, &s.count, &n) != 2 || text[n] || s.index < 1 ||
		s.index > s.count)
		return usage("sweep", "--shard: '%s', expected I/N, I from 1 to N", text);
	*ret = s;
	return 0;
}

static int parse_option(int c, char **argv, struct options *o)
{
	switch (c) {
	case 'j':
		return option_threads("sweep", optarg, &o->threads);
	case 'd':
		o->db = optarg;
		return 0;
	case 's':
		return parse_shard(optarg, &o->shard);
	case 'a':
		o->again = true;
		return 0;
	case 'n':
		o->dry_run = true;
		return 0;
	case 'c':
		o->check = true;
		return 0;
	case 'J':
		o->json = true;
		return 0;
	default:
		return usage("sweep", "'%s' is no option, or lacks its value", argv[optind - 1]);
	}
}

static int parse_options(int argc, char **argv, struct options *o)
{
	static const struct option longs[] = { { "db", required_argument, NULL, 'd' },
		{ "shard", required_argument, NULL, 's' }, { "again", no_argument, NULL, 'a' },
		{ "dry-run", no_argument, NULL, 'n' }, { "check", no_argument, NULL, 'c' },
		{ "json", no_argument, NULL, 'J' }, { 0 } };
	int c, rc;

	*o = (struct options){ .shard = { 1, 1 } };
	o->threads = threads_default();
	opterr = 0;
	while ((c = getopt_long(argc, argv, "j:", longs, NULL)) != -1) {
		rc = parse_option(c, argv, o);
		if (rc)
			return rc;
	}
	if (argc - optind != 1)
		return usage("sweep", "expected one SPEC.yaml");
	o->spec = argv[optind];
	return o->db ? 0 : usage("sweep", "expected --db FILE");
}

static int report(const struct options *o, const struct archive *a, int nr, struct error *err)
{
	bool ended = a->present + a->done + a->failed < nr;

	if (o->json)
		return json_write(json_pack("{s:i,s:i,s:i,s:i,s:i,s:b}", "schema", 1, "runs", nr,
					  "present", a->present, "done", a->done, "failed",
					  a->failed, "ended_early", !o->dry_run && ended),
			stdout, err);
	if (o->dry_run)
		printf("%s: %d runs, %d of them in %s\n", o->spec, nr, a->present, o->db);
	else
		printf("%s: %d runs: %d done, %d were in %s\n", o->spec, nr, a->done, a->present,
			o->db);
	return fflush(stdout) ? error_set(err, errno, "writing: %s", strerror(errno)) : 0;
}

/* What did not come to its end; the error says it. */
static int check_all_done(
	const struct options *o, const struct archive *a, int nr, struct error *err)
{
	if (a->failed)
		return error_set(err, EIO, "%d of %d runs failed", a->failed, nr);
	if (!o->dry_run && a->present + a->done < nr)
		return error_set(err, EINTR,
			"ended by a signal, %d of %d runs are in %s: the same command goes on",
			a->present + a->done, nr, o->db);
	return 0;
}

static int sweep(const struct options *o, const struct sweep_spec *spec,
	const struct sweep_plan *plan, struct error *err)
{
	struct run_list how = {
		.threads = (int)o->threads,
		.check = o->check,
		.progress = isatty(STDERR_FILENO),
	};
	struct archive a = { .dry_run = true };
	int rc;

	if (o->dry_run && access(o->db, F_OK))
		return report(o, &a, plan->list.nr, err);
	rc = archive_open(&a, o->db, o->dry_run ? STORE_READ : STORE_WRITE, "sweep", err);
	if (rc)
		return rc;
	a.again = o->again;
	a.keep_going = true;
	a.dry_run = o->dry_run;
	how.stop = watch_signals();
	rc = o->dry_run ? 0 : sweep_plan_keep_files(plan, spec, &a, err);
	rc = rc ? rc : archive_run(&a, &plan->list, &how, NULL, err);
	archive_close(&a);
	rc = rc ? rc : report(o, &a, plan->list.nr, err);
	return rc ? rc : check_all_done(o, &a, plan->list.nr, err);
}

static int run(int argc, char **argv)
{
	struct sweep_spec spec = { .nr = 0 };
	struct sweep_plan plan = { .whole = 0 };
	struct options o;
	struct error err = { "" };
	int rc = parse_options(argc, argv, &o);

	if (rc)
		return rc;
	rc = sweep_spec_read(o.spec, &spec, &err);
	if (!rc) {
		rc = sweep_plan_make(&spec, o.shard, &plan, &err);
		if (rc)
			error_prefix(&err, rc, "%s", o.spec);
	}
	rc = rc ? rc : sweep(&o, &spec, &plan, &err);
	sweep_plan_release(&plan);
	sweep_spec_release(&spec);
	return rc ? fail("sweep", &err) : EXIT_DONE;
}

const struct verb verb_sweep = {
	.name = "sweep",
	.summary = "do all runs of a grid, and keep them",
	.help = help,
	.run = run,
};
