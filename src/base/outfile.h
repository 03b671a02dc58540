/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is there as a whole or not at all: written under another name in the same folder,
 * then renamed. Order: out_file_open, writes to fd, then out_file_keep or out_file_drop.
 */
#pragma once

#include "base/error.h"

#include <limits.h>
#include <stdbool.h>

struct out_file {
	int fd;
	char path[PATH_MAX], temp[PATH_MAX];
};

/*
 * 0 or -errno with one line. A link is followed; what exists and is not a regular file (a device, a
 * fifo) is refused, for it would be replaced.
 */
int out_file_open(struct out_file *file, const char *path, struct error *err);

/* Brings it to the disk and gives it its name. On failure it is dropped. */
int out_file_keep(struct out_file *file, struct error *err);

void out_file_drop(struct out_file *file);

/* Do both name one file, whatever the spelling, also one that is not there yet? */
bool same_file(const char *a, const char *b);
