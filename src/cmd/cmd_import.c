// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "cmd/import_file.h"
#include "cmd/import_stats.h"
#include "base/outfile.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char import_help[] =
	"Usage: corepace import [OPTION]... FILE\n"
	"Turn a recording (trace.dat, perf.data, ftrace text) into a workload that can be\n"
	"replayed. Each wait in it gets its cause: another task, a timer, a device, or\n"
	"the outside world.\n"
	"\n"
	"  -o, --output FILE.cpw\n"
	"                  write this file (default: FILE with the suffix .cpw)\n"
	"      --khz N     the CPUs ran at N kHz (default: what the recording tells)\n"
	"      --ops N     the recorded command did N operations\n"
	"      --anonymous leave out the tasks' names and pids\n"
	"      --stats     print how waits ended, what was inferred and what was lost\n"
	"      --json      print the same as JSON\n"
	"      --costs     print what wake-ups, ticks and interrupts cost there, as the\n"
	"                  costs section of a machine file; write no file\n"
	"      --dry-run   write no file\n"
	"      --help      show this\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 usage.\n";

struct import {
	const char *in_path, *out_path;
	struct build_options options;
	bool stats, json, dry_run, costs;
};

enum { OPT_KHZ = 256, OPT_OPS, OPT_ANONYMOUS, OPT_STATS, OPT_JSON, OPT_DRY_RUN, OPT_COSTS };

static const struct option long_options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "khz", required_argument, NULL, OPT_KHZ },
	{ "ops", required_argument, NULL, OPT_OPS },
	{ "anonymous", no_argument, NULL, OPT_ANONYMOUS },
	{ "stats", no_argument, NULL, OPT_STATS },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "dry-run", no_argument, NULL, OPT_DRY_RUN },
	{ "costs", no_argument, NULL, OPT_COSTS },
	{ NULL, 0, NULL, 0 },
};

static int take_number(const char *text, unsigned long long max, const char *what, uint64_t *ret)
{
	unsigned long long value;
	struct error err;

	if (parse_u64(text, 1, max, what, &value, &err))
		return usage("import", "%s", err.text);
	*ret = value;
	return 0;
}

static int take_option(struct import *im, int opt)
{
	switch (opt) {
	case 'o':
		im->out_path = optarg;
		return 0;
	case OPT_KHZ:
		return take_number(optarg, 100000000, "--khz", &im->options.khz);
	case OPT_OPS:
		return take_number(optarg, 1ULL << 60, "--ops", &im->options.operations);
	case OPT_ANONYMOUS:
		im->options.anonymous = true;
		return 0;
	case OPT_STATS:
		im->stats = true;
		return 0;
	case OPT_JSON:
		im->json = true;
		return 0;
	case OPT_COSTS:
		im->costs = true;
		return 0;
	case OPT_DRY_RUN:
		im->dry_run = true;
		return 0;
	default:
		return usage("import", "unknown option or missing argument");
	}
}

static int take_arguments(struct import *im, int argc, char **argv)
{
	int opt, status;

	opterr = 0;
	while ((opt = getopt_long(argc, argv, "o:", long_options, NULL)) >= 0) {
		status = take_option(im, opt);
		if (status)
			return status;
	}
	if (optind + 1 != argc)
		return usage("import", "expected one FILE");
	im->in_path = argv[optind];
	return 0;
}

/* FILE with .cpw in place of its suffix. NULL: out of memory. */
static char *default_path(const char *in_path)
{
	const char *base = strrchr(in_path, '/'), *dot;
	char *path;

	base = base ? base + 1 : in_path;
	dot = strrchr(base, '.');
	if (!dot || dot == base)
		dot = base + strlen(base);
	if (asprintf(&path, "%.*s.cpw", (int)(dot - in_path), in_path) < 0)
		return NULL;
	return path;
}

static int import(struct import *im)
{
	struct import_result result;
	struct error err;
	char *path = NULL;
	const char *out = im->out_path;
	int rc;

	if (im->costs)
		return import_costs(im->in_path, &err) < 0 ? fail("import", &err) : EXIT_DONE;
	if (!out && !im->dry_run)
		out = path = default_path(im->in_path);
	if (im->dry_run)
		out = NULL;
	if (out && same_file(out, im->in_path)) {
		free(path);
		return usage("import", "%s: would be written over", im->in_path);
	}
	rc = import_file("import", im->in_path, out, &im->options, &result, &err);
	if (rc < 0) {
		free(path);
		return fail("import", &err);
	}
	if (im->json)
		rc = import_print_json(im->in_path, out, &result);
	else if (im->stats)
		import_print_stats(im->in_path, out, &result);
	import_warn("import", im->in_path, &result);
	free(path);
	return rc ? EXIT_FAILED : EXIT_DONE;
}

static int run(int argc, char **argv)
{
	struct import im = { 0 };
	int status = take_arguments(&im, argc, argv);

	return status ? status : import(&im);
}

const struct verb verb_import = {
	.name = "import",
	.summary = "turn a trace into a workload file",
	.help = import_help,
	.run = run,
};
