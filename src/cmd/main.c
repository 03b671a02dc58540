// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "corepace/version.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct verb *const verbs[] = {
	&verb_bisect,
	&verb_capture,
	&verb_check_vectors,
	&verb_compare,
	&verb_doctor,
	&verb_fit,
	&verb_governor,
	&verb_import,
	&verb_import_machine,
	&verb_list,
	&verb_record,
	&verb_report,
	&verb_run,
	&verb_runs,
	&verb_score,
	&verb_show,
	&verb_sweep,
	&verb_validate,
	NULL,
};

int fail(const char *verb, const struct error *err)
{
	fprintf(stderr, "corepace %s: %s\n", verb, err->text);
	return EXIT_FAILED;
}

int usage(const char *verb, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "corepace %s: ", verb);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\nTry 'corepace %s --help'.\n", verb);
	return EXIT_USAGE;
}

static void print_help(FILE *out)
{
	fprintf(out, "Usage: corepace VERB [ARGUMENT]...\n"
		     "       corepace VERB --help | --version | --help\n"
		     "Laboratory and runtime for Linux CPU power management.\n\n");
	for (const struct verb *const *v = verbs; *v; v++)
		fprintf(out, "  %-14s %s\n", (*v)->name, (*v)->summary);
	fprintf(out, "\nExit status: 0 done, 1 failed, 2 usage, 3 the check came out against.\n");
}

/* What was printed has to get where it goes: a full disk is no success. */
static int end(const char *verb, int status)
{
	struct error err;

	return (status == EXIT_DONE || status == EXIT_AGAINST) && output_printed(&err)
		       ? fail(verb, &err)
		       : status;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		print_help(stdout);
		return end("--help", EXIT_DONE);
	}
	if (!strcmp(argv[1], "--version")) {
		printf("corepace %s\n", COREPACE_VERSION);
		return end(argv[1], EXIT_DONE);
	}
	for (const struct verb *const *v = verbs; *v; v++) {
		if (strcmp(argv[1], (*v)->name))
			continue;
		for (int i = 2; i < argc && strcmp(argv[i], "--"); i++) {
			if (!strcmp(argv[i], "--help")) {
				fputs((*v)->help, stdout);
				return end(argv[1], EXIT_DONE);
			}
		}
		optind = 1;
		return end((*v)->name, (*v)->run(argc - 1, argv + 1));
	}
	fprintf(stderr, "corepace: no verb '%s'; 'corepace --help' lists them\n", argv[1]);
	return EXIT_USAGE;
}
