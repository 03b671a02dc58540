// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "cmd/compare_inputs.h"
#include "cmd/compare_store.h"
#include "cmd/run_filter.h"
#include "report/comparison.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
	"Usage: corepace compare [OPTION]... [NAME=]INPUT...\n"
	"       corepace compare --db FILE [OPTION]... [FILTER]... [RUN]...\n"
	"Compares results of 'corepace run --json', measured samples, and what other\n"
	"tools wrote. The first configuration that is read is the baseline; a positive\n"
	"percentage is better.\n"
	"\n"
	"An INPUT is JSON of corepace run, fio or hyperfine, a .csv of samples with the\n"
	"header config,metric,unit,better,value, output of turbostat, or a work/log\n"
	"directory of MMTests. NAME is the configuration's name instead of the input's.\n"
	"\n"
	"With --db the runs of a store are compared: those with these ids (their first\n"
	"digits are enough), those that the filter lets through, or all. The first id or\n"
	"-p is the baseline.\n"
	"\n"
	"  --db FILE            a store of runs\n" FILTER_HELP "\n"
	"  --metric NAME        only this metric\n"
	"  --style STYLE        mmtests (default), or plain: a row for each configuration\n"
	"                       with interval, p-value and the samples that are needed\n"
	"  --detect PCT         the difference that 'samples needed' is about (2)\n"
	"  --one-table          all in one table, whatever the workloads are called\n"
	"  --fail-if-worse PCT  exit with 3 when a metric of a configuration is worse\n"
	"                       than the baseline by more than PCT per cent\n"
	"  --json               the comparisons as JSON\n"
	"  --help               this text\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 usage, 3 something was worse.\n";

struct options {
	const char *metric, *db;
	struct store_filter filter; /* of --db */
	double worse_percent;	    /* negative: do not judge */
	double detect_percent;
	bool json, plain, one_table;
};

static bool any_measured(const struct samples *samples)
{
	for (int i = 0; i < samples->nr_groups; i++)
		for (int k = 0; k < samples->groups[i].nr_configs; k++)
			if (!samples->groups[i].configs[k].simulated)
				return true;
	return false;
}

static bool has_metric(const struct comparisons *c, const char *name)
{
	for (int i = 0; i < c->nr; i++)
		if (!strcmp(c->list[i].metric->name, name))
			return true;
	return false;
}

static int show(const struct samples *samples, const struct options *o, struct error *err)
{
	struct comparisons c;
	int rc = compare_samples_detecting(samples, o->detect_percent, &c, err);
	int worse = 0;

	if (rc)
		return fail("compare", err);
	if (o->metric && !has_metric(&c, o->metric)) {
		rc = error_set(
			err, ENOENT, "--metric %s: the files have no such metric", o->metric);
	} else {
		if (o->json)
			rc = json_write(comparisons_to_json(&c, o->metric), stdout, err);
		else if (o->plain)
			rc = comparisons_print_plain(&c, o->metric, stdout, err);
		else
			rc = comparisons_print(&c, o->metric, any_measured(samples), stdout, err);
		if (o->worse_percent >= 0)
			worse = compared_worse(&c, o->metric, o->worse_percent);
	}
	comparisons_release(&c);
	if (rc)
		return fail("compare", err);
	if (worse)
		fprintf(stderr, "corepace compare: %d figure%s worse by more than %g %%\n", worse,
			worse > 1 ? "s are" : " is", o->worse_percent);
	return worse ? EXIT_AGAINST : EXIT_DONE;
}

static int parse_percent(const char *text, double *ret)
{
	char *end;

	*ret = strtod(text, &end);
	return end == text || *end || !isfinite(*ret) || *ret < 0 ? -EINVAL : 0;
}

static int parse_option(int c, char **argv, struct options *o)
{
	struct error err;
	int rc = run_filter_option(&o->filter, c, optarg, &err);

	if (rc < 0)
		return usage("compare", "%s", err.text);
	if (rc)
		return 0;
	switch (c) {
	case 'M':
		o->metric = optarg;
		return 0;
	case 'W':
		return parse_percent(optarg, &o->worse_percent)
			       ? usage("compare",
					 "--fail-if-worse: '%s', expected a number of per cent, "
					 "0 or more",
					 optarg)
			       : 0;
	case 'S':
		o->plain = !strcmp(optarg, "plain");
		return o->plain || !strcmp(optarg, "mmtests")
			       ? 0
			       : usage("compare", "--style: '%s', expected mmtests or plain",
					 optarg);
	case 'd':
		return parse_percent(optarg, &o->detect_percent) || o->detect_percent == 0
			       ? usage("compare",
					 "--detect: '%s', expected a number of per cent above 0",
					 optarg)
			       : 0;
	case '1':
		o->one_table = true;
		return 0;
	case 'J':
		o->json = true;
		return 0;
	case 'D':
		o->db = optarg;
		return 0;
	default:
		return usage("compare", "'%s' is no option, or lacks its value", argv[optind - 1]);
	}
}

static int parse(int argc, char **argv, struct options *o)
{
	static const struct option longs[] = { FILTER_LONG,
		{ "metric", required_argument, NULL, 'M' },
		{ "style", required_argument, NULL, 'S' },
		{ "detect", required_argument, NULL, 'd' }, { "one-table", no_argument, NULL, '1' },
		{ "fail-if-worse", required_argument, NULL, 'W' },
		{ "json", no_argument, NULL, 'J' }, { "db", required_argument, NULL, 'D' }, { 0 } };
	struct error err;
	int c, rc;

	o->worse_percent = -1;
	o->detect_percent = DETECT_PERCENT;
	opterr = 0;
	while ((c = getopt_long(argc, argv, FILTER_SHORT, longs, NULL)) != -1) {
		rc = parse_option(c, argv, o);
		if (rc)
			return rc;
	}
	for (int i = optind; o->db && i < argc; i++)
		if (run_filter_id(&o->filter, argv[i], &err))
			return usage("compare", "%s", err.text);
	if (!o->db && o->filter.nr)
		return usage("compare", "a filter of runs: expected --db FILE with it");
	if (!o->db && optind == argc)
		return usage("compare", "expected an input");
	return 0;
}

static int compare(int argc, char **argv, const struct options *o)
{
	struct samples samples = { .one_table = o->one_table };
	struct error err = { "" };
	int rc, status;

	rc = o->db ? compare_store(&samples, o->db, &o->filter, &err)
		   : compare_inputs(argv + optind, argc - optind, &samples, &err);
	status = rc ? fail("compare", &err) : show(&samples, o, &err);
	samples_release(&samples);
	return status;
}

static int run(int argc, char **argv)
{
	struct options *o = calloc(1, sizeof(*o));
	int status;

	if (!o)
		return EXIT_FAILED;
	status = parse(argc, argv, o);
	if (!status)
		status = compare(argc, argv, o);
	free(o);
	return status;
}

const struct verb verb_compare = {
	.name = "compare",
	.summary = "compare results of runs, or measured samples",
	.help = help,
	.run = run,
};
