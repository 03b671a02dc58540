/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that appears under its name when all of it is written, or not at all. Order of calls:
 * output_open, write to file, output_close.
 */
#pragma once

#include "base/outfile.h"

#include <stdio.h>

struct output {
	FILE *file;
	struct out_file out;
};

int output_open(struct output *o, const char *path, struct error *err);

/* rc 0: publishes the file; else removes it. Returns rc, or why it could not be published. */
int output_close(struct output *o, int rc, struct error *err);

/* Has all that was printed on stdout gone out? */
int output_printed(struct error *err);
