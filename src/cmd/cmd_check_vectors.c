// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"

#include "cmd/plugins.h"
#include "vectors/vectors.h"

#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
	"Usage: corepace check-vectors FILE.csv[.gz]... [--with NAME|X.so] [--json]\n"
	"Replay decisions recorded from unmodified kernels, row by row, against the\n"
	"policies of the same name, and count the rows that differ.\n\n"
	"  --with NAME  check this governor instead of the one that the file names\n"
	"  --with X.so  check the governor of this plug-in\n"
	"  --private    compare the governor's private state too (columns dbg_*)\n"
	"  --json       print the result as JSON\n"
	"  --help       print this text\n\n"
	"Exit status: 0 all rows agree, 1 a file cannot be read, 2 usage, 3 rows differ.\n";

static void print_text(const char *file, const struct vectors_result *r)
{
	printf("%-44s %-18s %9" PRIu64 " %10" PRIu64 "\n", file, r->policy, r->rows, r->mismatches);
	if (r->mismatches)
		printf("  first: row %" PRIu64 ", %s: want %s, got %s\n", r->first.row,
			r->first.column, r->first.want, r->first.got);
}

static json_t *to_json(const char *file, const struct vectors_result *r)
{
	json_t *o = json_pack("{s:s, s:s, s:I, s:I}", "file", file, "policy", r->policy, "rows",
		(json_int_t)r->rows, "mismatches", (json_int_t)r->mismatches);

	if (r->mismatches)
		json_object_set_new(o, "first",
			json_pack("{s:I, s:s, s:s, s:s}", "row", (json_int_t)r->first.row, "column",
				r->first.column, "want", r->first.want, "got", r->first.got));
	return o;
}

static int set_with(const char *with, struct vectors_options *options, struct error *err)
{
	/* A plug-in is of one kind or the other; names of the two kinds differ. */
	if (!plugin_freq_find(with, &options->governor, err))
		return 0;
	return plugin_idle_find(with, &options->idle, &options->idle_arg, err);
}

static int check_files(int nr, char **files, const struct vectors_options *options, bool json)
{
	json_t *list = json ? json_array() : NULL;
	struct vectors_result r, total = { 0 };
	struct error err;
	int i;

	for (i = 0; i < nr; i++) {
		if (vectors_check(files[i], options, &r, &err) < 0)
			break;
		total.rows += r.rows;
		total.mismatches += r.mismatches;
		if (!json && !i)
			printf("%-44s %-18s %9s %10s\n", "file", "policy", "rows", "mismatches");
		if (json)
			json_array_append_new(list, to_json(files[i], &r));
		else
			print_text(files[i], &r);
	}
	if (i < nr) {
		json_decref(list);
		return fail("check-vectors", &err);
	}
	if (json) {
		json_t *out = json_pack("{s:i, s:o}", "schema", 1, "files", list);

		json_dumpf(out, stdout, JSON_INDENT(2));
		putchar('\n');
		json_decref(out);
	} else if (nr > 1) {
		snprintf(total.policy, sizeof(total.policy), "%d files", nr);
		printf("%-44s %-18s %9" PRIu64 " %10" PRIu64 "\n", "total", total.policy,
			total.rows, total.mismatches);
	}
	return total.mismatches ? EXIT_AGAINST : EXIT_DONE;
}

static int run(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "with", required_argument, NULL, 'w' },
		{ "private", no_argument, NULL, 'p' },
		{ "json", no_argument, NULL, 'j' },
		{ 0 },
	};
	struct vectors_options options = { 0 };
	struct error err;
	bool json = false;
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		switch (c) {
		case 'w':
			if (set_with(optarg, &options, &err) < 0)
				return fail("check-vectors", &err);
			break;
		case 'p':
			options.private_state = true;
			break;
		case 'j':
			json = true;
			break;
		default:
			return usage("check-vectors", "unknown option");
		}
	}
	if (optind == argc)
		return usage("check-vectors", "no file given");
	return check_files(argc - optind, argv + optind, &options, json);
}

const struct verb verb_check_vectors = {
	.name = "check-vectors",
	.summary = "replay recorded kernel decisions against our policies",
	.help = help,
	.run = run,
};
