/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A made-up root directory in a temporary folder, for what reads /sys and /proc. */
#pragma once

#include <stddef.h>

struct tree {
	char root[64];
};

void tree_make(struct tree *t);
/* path begins with a slash; folders above it are made. */
void tree_put(struct tree *t, const char *path, const char *text);
void tree_put_bytes(struct tree *t, const char *path, const void *bytes, size_t len);
void tree_remove(struct tree *t);
