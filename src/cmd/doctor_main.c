// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * corepace-doctor: the verb doctor alone, one static program that runs where nothing is installed
 * (an initramfs, a rescue system). It reads no archives.
 */
#include "cmd/cmd.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int fail(const char *verb, const struct error *err)
{
	fprintf(stderr, "corepace-%s: %s\n", verb, err->text);
	return EXIT_FAILED;
}

int usage(const char *verb, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "corepace-%s: ", verb);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\nTry 'corepace-%s --help'.\n", verb);
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help")) {
			fputs(verb_doctor.help, stdout);
			return EXIT_DONE;
		}
	}
	return verb_doctor.run(argc, argv);
}
