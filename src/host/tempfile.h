/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that have no name: whatever ends the process, nothing of them is left behind. */
#pragma once

#include <stddef.h>

/* A nameless file in dir, for reading and writing. A descriptor or -errno. */
int temp_file(const char *dir);

/* The directory part of path ("." when there is none). */
const char *temp_dir_of(const char *path, char *buf, size_t size);
