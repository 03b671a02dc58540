// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "cmd/compare_store.h"
#include "cmd/run_filter.h"
#include "base/array.h"
#include "report/comparison.h"
#include "report/result_json.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
	"Usage: corepace compare [OPTION]... FILE.json|FILE.csv...\n"
	"       corepace compare --db FILE [OPTION]... [FILTER]... [RUN]...\n"
	"Compares results of 'corepace run --json', or measured samples. The first\n"
	"configuration that is read is the baseline; a positive percentage is better.\n"
	"\n"
	"A CSV file has the header config,metric,unit,better,value and one sample a\n"
	"row, better being lower or higher.\n"
	"\n"
	"With --db the runs of a store are compared: those with these ids (their first\n"
	"digits are enough), those that the filter lets through, or all. The first id or\n"
	"-p is the baseline.\n"
	"\n"
	"  --db FILE            a store of runs\n" FILTER_HELP "\n"
	"  --metric NAME        only this metric\n"
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
	bool json;
};

static bool is_csv(const char *path)
{
	size_t n = strlen(path);

	return n > 4 && !strcmp(path + n - 4, ".csv");
}

/* Runs of several files, and for each run the file that it came from. */
struct inputs {
	int nr;
	struct run_result *runs;
	const char **files;
};

static int append_results(struct inputs *in, const char *path, struct error *err)
{
	struct results results = { 0 };
	int rc = results_read(path, &results, err);

	for (int i = 0; i < results.nr && !rc; i++) {
		void *runs = array_grow(in->runs, (size_t)in->nr, sizeof(*in->runs));
		void *files;

		if (runs)
			in->runs = runs;
		files = array_grow(in->files, (size_t)in->nr, sizeof(*in->files));
		if (files)
			in->files = files;
		if (!runs || !files) {
			rc = error_set(err, ENOMEM, "%s: out of memory", path);
			break;
		}
		in->runs[in->nr] = results.runs[i];
		results.runs[i].cpus = NULL; /* moved */
		in->files[in->nr++] = path;
	}
	results_release(&results);
	return rc;
}

static int read_inputs(
	char **paths, int nr, struct inputs *in, struct samples *samples, struct error *err)
{
	int rc = 0;

	for (int i = 0; i < nr && !rc; i++) {
		if (is_csv(paths[i]) != is_csv(paths[0]))
			return error_set(err, EINVAL,
				"%s: measured samples (.csv) and results of runs cannot be mixed",
				paths[i]);
		rc = is_csv(paths[i]) ? samples_read_csv(samples, paths[i], err)
				      : append_results(in, paths[i], err);
	}
	if (!rc && in->nr)
		rc = samples_add_results(samples, in->runs, in->nr, in->files, err);
	return rc;
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
	int rc = compare_samples(samples, &c, err);
	int worse = 0;

	if (rc)
		return fail("compare", err);
	if (o->metric && !has_metric(&c, o->metric)) {
		rc = error_set(
			err, ENOENT, "--metric %s: the files have no such metric", o->metric);
	} else {
		if (o->json)
			rc = json_write(comparisons_to_json(&c, o->metric), stdout, err);
		else
			rc = comparisons_print(&c, o->metric, !samples->simulated, stdout, err);
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
		{ "fail-if-worse", required_argument, NULL, 'W' },
		{ "json", no_argument, NULL, 'J' }, { "db", required_argument, NULL, 'D' }, { 0 } };
	struct error err;
	int c, rc;

	o->worse_percent = -1;
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
		return usage("compare", "expected a file");
	return 0;
}

static int compare(int argc, char **argv, const struct options *o)
{
	struct samples samples = { 0 };
	struct inputs in = { 0 };
	struct error err = { "" };
	int rc, status;

	rc = o->db ? compare_store(&samples, o->db, &o->filter, &err)
		   : read_inputs(argv + optind, argc - optind, &in, &samples, &err);
	status = rc ? fail("compare", &err) : show(&samples, o, &err);
	samples_release(&samples);
	for (int i = 0; i < in.nr; i++)
		result_release(&in.runs[i]);
	free(in.runs);
	free(in.files);
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
