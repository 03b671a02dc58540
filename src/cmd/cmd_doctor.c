// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "doctor/compare.h"
#include "doctor/report.h"
#include "doctor/watch.h"

#include "base/units.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char help[] =
	"Usage: corepace doctor [ROOT|CASE|ARCHIVE] [OPTION]...\n"
	"       corepace doctor --for SECONDS [--json]\n"
	"       corepace doctor --diff GOOD BAD [--json]\n"
	"       corepace doctor --explain ID|all\n"
	"Say what drives this machine's frequency and idle states, why, and what to\n"
	"change: from the live machine, from a folder that looks like its root, or from\n"
	"a capture (a folder or tar with sys/ and proc/ in it). Nothing is written, and\n"
	"nothing needs root; what could not be read is said.\n\n"
	"      --for TIME    look twice at the live machine, TIME (10s, 2m) apart, and\n"
	"                    judge by what lies between\n"
	"      --diff        compare two captures of like machines, a good and a bad one\n"
	"      --dmesg F     the kernel log is in F\n"
	"      --msr F       registers are in F, lines REG:CPU|VALUE\n"
	"      --acpi F      ACPI objects are in F\n"
	"      --json        print the diagnosis as JSON\n"
	"      --explain ID  background of a finding, with sources; all: of each\n"
	"      --help        print this text\n\n"
	"Exit status: 0 nothing wrong, 1 failed, 2 usage, 3 problems (or with --diff\n"
	"differences) found.\n";

struct options {
	struct tree_sources from;
	const char *explain, *other; /* other: BAD of --diff */
	int seconds;
	bool json, diff;
};

enum { OPT_DMESG = 256, OPT_MSR, OPT_ACPI, OPT_JSON, OPT_EXPLAIN, OPT_FOR, OPT_DIFF };
enum { SECONDS_MAX = 86400 };

static const struct option long_options[] = {
	{ "dmesg", required_argument, NULL, OPT_DMESG },
	{ "msr", required_argument, NULL, OPT_MSR },
	{ "acpi", required_argument, NULL, OPT_ACPI },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "explain", required_argument, NULL, OPT_EXPLAIN },
	{ "for", required_argument, NULL, OPT_FOR },
	{ "diff", no_argument, NULL, OPT_DIFF },
	{ NULL, 0, NULL, 0 },
};

/* One machine under examination. */
struct patient {
	struct tree *tree;
	struct facts facts;
	struct diagnosis diagnosis;
};

/* ---- options --------------------------------------------------------------------------- */

/* "10", "10s", "2m". 0 when it is none of these. */
static int parse_seconds(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (end == text || n < 1 || n > SECONDS_MAX)
		return 0;
	if (!strcmp(end, "m"))
		n *= 60;
	else if (*end && strcmp(end, "s"))
		return 0;
	return n > SECONDS_MAX ? 0 : (int)n;
}

static int take_option(int c, struct options *o)
{
	switch (c) {
	case OPT_DMESG:
		o->from.dmesg = optarg;
		return 0;
	case OPT_MSR:
		o->from.msr = optarg;
		return 0;
	case OPT_ACPI:
		o->from.acpi = optarg;
		return 0;
	case OPT_JSON:
		o->json = true;
		return 0;
	case OPT_EXPLAIN:
		o->explain = optarg;
		return 0;
	case OPT_DIFF:
		o->diff = true;
		return 0;
	case OPT_FOR:
		o->seconds = parse_seconds(optarg);
		return o->seconds ? 0 : usage("doctor", "--for: '%s', expected 10s or 2m", optarg);
	default:
		return usage("doctor", "see above");
	}
}

/* 0, or an exit status. */
static int parse(int argc, char **argv, struct options *o)
{
	int c, status = 0, wanted;

	while (!status && (c = getopt_long(argc, argv, "", long_options, NULL)) >= 0)
		status = take_option(c, o);
	if (status)
		return status;
	wanted = o->diff ? 2 : 1;
	if (argc - optind > wanted)
		return usage("doctor", "%s, not also '%s'",
			o->diff ? "two machines are compared" : "one machine at a time",
			argv[optind + wanted]);
	if (o->diff && argc - optind < 2)
		return usage("doctor", "--diff needs GOOD and BAD");
	o->from.where = argv[optind];
	if (o->diff)
		o->other = argv[optind + 1];
	if (o->seconds && o->from.where)
		return usage("doctor", "--for watches the live machine, not '%s'", o->from.where);
	return 0;
}

/* ---- work ------------------------------------------------------------------------------ */

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

static struct patient *discharge(struct patient *p)
{
	if (!p)
		return NULL;
	facts_drop(&p->facts);
	tree_free(p->tree);
	free(p);
	return NULL;
}

/* NULL with one line. */
static struct patient *examine(const struct tree_sources *from, struct error *err)
{
	struct patient *p = calloc(1, sizeof(*p));

	if (!p) {
		error_set(err, 1, "out of memory");
		return NULL;
	}
	if (tree_open(from, &p->tree, err) || facts_gather(p->tree, &p->facts, err))
		return discharge(p);
	diagnose(&p->facts, &p->diagnosis);
	return p;
}

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

static void rest(int seconds)
{
	struct timespec left = { .tv_sec = seconds };

	while (nanosleep(&left, &left))
		;
}

static int one(const struct options *o)
{
	struct snapshot a, b;
	struct error err;
	struct patient *p = examine(&o->from, &err);
	char other[160] = "";
	int status;

	if (!p)
		return fail("doctor", &err);
	if (o->seconds) {
		watch_read(&p->facts, now(), &a);
		rest(o->seconds);
		watch_read(&p->facts, now(), &b);
		watch_judge(&a, &b, &p->diagnosis, other, sizeof(other));
	}
	status = diagnosis_count(&p->diagnosis, SEVERITY_PROBLEM) ? EXIT_AGAINST : EXIT_DONE;
	if (!o->json) {
		report_text(&p->diagnosis, isatty(STDOUT_FILENO), stdout);
		if (o->seconds)
			watch_text(&a, &b, other, stdout);
	} else if (report_json(&p->diagnosis, o->seconds ? watch_json(&a, &b, other) : NULL, stdout,
			   &err)) {
		status = fail("doctor", &err);
	}
	discharge(p);
	return status;
}

static int diff(const struct options *o)
{
	struct tree_sources other = { .where = o->other };
	struct patient *good, *bad = NULL;
	struct error err;
	int nr = 0, status = EXIT_DONE;

	good = examine(&o->from, &err);
	if (good)
		bad = examine(&other, &err);
	if (!bad) {
		discharge(good);
		return fail("doctor", &err);
	}
	if (!o->json)
		nr = compare_text(&good->diagnosis, &bad->diagnosis, stdout);
	else if (compare_json(&good->diagnosis, &bad->diagnosis, &nr, stdout, &err))
		status = fail("doctor", &err);
	discharge(good);
	discharge(bad);
	return status ? status : nr ? EXIT_AGAINST : EXIT_DONE;
}

static int run(int argc, char **argv)
{
	struct options o = { 0 };
	int status = parse(argc, argv, &o);

	if (status)
		return status;
	if (o.explain)
		return explain(o.explain);
	return o.diff ? diff(&o) : one(&o);
}

const struct verb verb_doctor = {
	.name = "doctor",
	.summary = "what drives this machine's frequency and idle states, and why",
	.help = help,
	.run = run,
};
