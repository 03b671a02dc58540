/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which data files a folder holds: machines and presets are found by name. */
#pragma once

#include "base/error.h"

#include <stddef.h>

enum { NAMES_MAX = 256 };

struct names {
	int nr;
	char name[NAMES_MAX][64]; /* without .yaml, sorted */
};

/* An unreadable folder holds no names. */
void names_read(struct names *ret, const char *dir);

/* -ENOENT with a text that lists the names: "no WHAT 'NAME' in DIR, known: a, b". */
int names_unknown(const char *what, const char *name, const char *dir, struct error *err);

/* Path of the file that name means: DIR/NAME.yaml, or name itself when it holds a '/'. */
int names_path(const char *what, const char *name, const char *dir, char *ret, size_t size,
	struct error *err);
