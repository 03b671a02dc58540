// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "doctor/report.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
	"Usage: corepace doctor [ROOT|CASE|ARCHIVE] [OPTION]...\n"
	"       corepace doctor --explain ID|all\n"
	"Say what drives this machine's frequency and idle states, why, and what to\n"
	"change: from the live machine, from a folder that looks like its root, or from\n"
	"a capture (a folder or tar with sys/ and proc/ in it). Nothing is written, and\n"
	"nothing needs root; what could not be read is said.\n\n"
	"      --dmesg F     the kernel log is in F\n"
	"      --msr F       registers are in F, lines REG:CPU|VALUE\n"
	"      --acpi F      ACPI objects are in F\n"
	"      --json        print the diagnosis as JSON\n"
	"      --explain ID  background of a finding, with sources; all: of each\n"
	"      --help        print this text\n\n"
	"Exit status: 0 nothing wrong, 1 failed, 2 usage, 3 problems found.\n";

struct options {
	struct tree_sources from;
	const char *explain;
	bool json;
};

enum { OPT_DMESG = 256, OPT_MSR, OPT_ACPI, OPT_JSON, OPT_EXPLAIN };

static const struct option long_options[] = {
	{ "dmesg", required_argument, NULL, OPT_DMESG },
	{ "msr", required_argument, NULL, OPT_MSR },
	{ "acpi", required_argument, NULL, OPT_ACPI },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "explain", required_argument, NULL, OPT_EXPLAIN },
	{ NULL, 0, NULL, 0 },
};

/* 0, or an exit status. */
static int parse(int argc, char **argv, struct options *o)
{
	int c;

	while ((c = getopt_long(argc, argv, "", long_options, NULL)) >= 0) {
		switch (c) {
		case OPT_DMESG:
			o->from.dmesg = optarg;
			break;
		case OPT_MSR:
			o->from.msr = optarg;
			break;
		case OPT_ACPI:
			o->from.acpi = optarg;
			break;
		case OPT_JSON:
			o->json = true;
			break;
		case OPT_EXPLAIN:
			o->explain = optarg;
			break;
		default:
			return usage("doctor", "see above");
		}
	}
	if (argc - optind > 1)
		return usage("doctor", "one machine at a time, not also '%s'", argv[optind + 1]);
	o->from.where = argv[optind];
	return 0;
}

static int explain(const char *name)
{
	enum finding_id id = finding_by_name(name);

	if (!strcmp(name, "all")) {
		report_markdown(stdout);
		return EXIT_DONE;
	}
	if (id == FINDINGS_NR) {
		usage("doctor", "no finding '%s'; these are known:", name);
		for (int i = 0; i < FINDINGS_NR; i++)
			fprintf(stderr, "  %s\n", finding_name((enum finding_id)i));
		return EXIT_USAGE;
	}
	report_explain(id, stdout);
	return EXIT_DONE;
}

static int judge(struct tree *tree, bool json)
{
	static struct facts facts;
	static struct diagnosis diagnosis;
	struct error err;
	int status;

	if (facts_gather(tree, &facts, &err))
		return fail("doctor", &err);
	diagnose(&facts, &diagnosis);
	status = diagnosis_count(&diagnosis, SEVERITY_PROBLEM) ? EXIT_AGAINST : EXIT_DONE;
	if (!json)
		report_text(&diagnosis, isatty(STDOUT_FILENO), stdout);
	else if (report_json(&diagnosis, stdout, &err))
		status = fail("doctor", &err);
	facts_drop(&facts);
	return status;
}

static int run(int argc, char **argv)
{
	struct options o = { 0 };
	struct tree *tree;
	struct error err;
	int status = parse(argc, argv, &o);

	if (status)
		return status;
	if (o.explain)
		return explain(o.explain);
	if (tree_open(&o.from, &tree, &err))
		return fail("doctor", &err);
	status = judge(tree, o.json);
	tree_free(tree);
	return status;
}

const struct verb verb_doctor = {
	.name = "doctor",
	.summary = "what drives this machine's frequency and idle states, and why",
	.help = help,
	.run = run,
};
