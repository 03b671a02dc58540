// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "cmd/fit.h"
#include "cmd/fit_report.h"
#include "cmd/run_options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
	"Usage: corepace fit --rows FILE.csv --free NAME:KEY[=LOW..HIGH]...\n"
	"                    [OPTION]... TABLE[:WORKLOAD]...\n"
	"Adjusts parameters of machines and workloads to the published rows of these\n"
	"tables that may be fitted on (fit = 1), and writes those of machines into\n"
	"their files, with where they are from.\n"
	"\n"
	"  --rows FILE.csv   published rows\n"
	"  --free NAME:KEY[=LOW..HIGH]\n"
	"                    a free parameter: of a machine, by its path in the file\n"
	"                    (i7-2600k:costs.tick_ns), or of a workload, by its key\n"
	"                    (sqlite-insert:tx_cycles=10000..90000)\n"
	"  --dry-run         say what would be written, write nothing\n"
	"  --evaluations N   at most so many (200)\n"
	"  -n ITER           iterations of each run, with the next seed each (1)\n"
	"  --seed S          seed of the first iteration (1)\n"
	"  -j JOBS           threads (one per CPU); the results do not depend on it\n"
	"  --db FILE         keep the runs in this store; those there are not done again\n"
	"  --json            the result as JSON\n"
	"  --help            this text\n"
	"\n"
	"Exit status: 0 done, 1 failed or interrupted, 2 usage.\n";

enum { EVALUATIONS_MAX = 100000, TABLES_MAX = 16 };

struct options {
	const char *rows, *db;
	const char *free[FIT_PARAMETERS_MAX];
	int nr_free;
	char **tables;
	int nr_tables;
	unsigned long long evaluations, iterations, seed, threads;
	bool json, dry_run;
};

static int parse_option(int c, char **argv, struct options *o)
{
	switch (c) {
	case 'r':
		o->rows = optarg;
		return 0;
	case 'f':
		if (o->nr_free == FIT_PARAMETERS_MAX)
			return usage("fit", "--free: more than %d", FIT_PARAMETERS_MAX);
		o->free[o->nr_free++] = optarg;
		return 0;
	case 'e':
		return option_number(
			"fit", optarg, 1, EVALUATIONS_MAX, "--evaluations", &o->evaluations);
	case 'n':
		return option_iterations("fit", optarg, &o->iterations);
	case 's':
		return option_seed("fit", optarg, &o->seed);
	case 'j':
		return option_threads("fit", optarg, &o->threads);
	case 'd':
		o->db = optarg;
		return 0;
	case 'D':
		o->dry_run = true;
		return 0;
	case 'J':
		o->json = true;
		return 0;
	default:
		return usage("fit", "'%s' is no option, or lacks its value", argv[optind - 1]);
	}
}

static int parse_options(int argc, char **argv, struct options *o)
{
	static const struct option longs[] = { { "rows", required_argument, NULL, 'r' },
		{ "free", required_argument, NULL, 'f' },
		{ "evaluations", required_argument, NULL, 'e' },
		{ "seed", required_argument, NULL, 's' }, { "db", required_argument, NULL, 'd' },
		{ "dry-run", no_argument, NULL, 'D' }, { "json", no_argument, NULL, 'J' }, { 0 } };
	int c, rc;

	*o = (struct options){ .evaluations = 200, .iterations = 1, .seed = 1 };
	o->threads = threads_default();
	opterr = 0;
	while ((c = getopt_long(argc, argv, "n:j:", longs, NULL)) != -1) {
		rc = parse_option(c, argv, o);
		if (rc)
			return rc;
	}
	o->tables = &argv[optind];
	o->nr_tables = argc - optind;
	if (!o->rows || !o->nr_free || !o->nr_tables)
		return usage("fit", "expected %s",
			!o->rows      ? "--rows FILE.csv"
			: !o->nr_free ? "--free NAME:KEY"
				      : "TABLE[:WORKLOAD]...");
	return o->nr_tables > TABLES_MAX ? usage("fit", "more than %d tables", TABLES_MAX) : 0;
}

static int prepare(struct fit *f, const struct options *o, struct error *err)
{
	int rc = published_read(o->rows, &f->published, err);

	for (int i = 0; i < o->nr_free && !rc; i++)
		rc = fit_add_parameter(f, o->free[i], err);
	for (int i = 0; i < o->nr_tables && !rc; i++)
		rc = fit_select(f, o->tables[i], err);
	f->iterations = (int)o->iterations;
	f->evaluations_max = (int)o->evaluations;
	f->progress = isatty(STDERR_FILENO);
	f->options = (struct measure_options){
		.verb = "fit", .db = o->db, .seed = o->seed, .threads = (int)o->threads
	};
	return rc ? rc : fit_prepare(f, err);
}

/* Nothing is written that is not better than what was there. */
static int finish(const struct fit *f, const struct options *o, int rc, struct error *err)
{
	struct fit_report report = { .fit = f, .rows = o->rows, .dry_run = o->dry_run };
	struct error why;
	int done;

	done = fit_report_init(&report, o->tables, o->nr_tables, err);
	if (done)
		return done;
	report.better = f->objective < f->before;
	if (!rc && report.better && !o->dry_run)
		rc = fit_write(f, report.tables, report.source, err);
	report.written = !rc && report.better && !o->dry_run;
	why = *err;
	done = o->json ? fit_report_json(&report, err) : fit_report_print(&report, err);
	fit_report_release(&report);
	if (!rc)
		return done;
	*err = why;
	return rc;
}

static int fit_tables(const struct options *o, struct error *err)
{
	struct fit *f = calloc(1, sizeof(*f));
	int rc = f ? prepare(f, o, err) : error_set(err, ENOMEM, "out of memory");

	if (!rc) {
		f->options.stop = watch_signals();
		rc = fit_run(f, err);
		if (rc == -EINTR)
			error_set(err, EINTR, "ended by a signal, nothing written");
		if (!rc || (rc == -EINTR && isfinite(f->objective)))
			rc = finish(f, o, rc, err);
	}
	if (f)
		fit_release(f);
	free(f);
	return rc;
}

static int run(int argc, char **argv)
{
	struct options o;
	struct error err = { "" };
	int rc = parse_options(argc, argv, &o);

	if (rc)
		return rc;
	return fit_tables(&o, &err) ? fail("fit", &err) : EXIT_DONE;
}

const struct verb verb_fit = {
	.name = "fit",
	.summary = "adjust parameters of the models to published rows",
	.help = help,
	.run = run,
};
