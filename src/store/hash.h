/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SHA-256 of what a run is made of, as sha256sum(1) prints it. */
#pragma once

#include "base/error.h"

enum { HASH_SIZE = 65 }; /* 64 hexadecimal digits and the end */

/* Of a file's bytes. -errno; the error names the file. */
int hash_file(const char *path, char ret[HASH_SIZE], struct error *err);

/* Of nr texts, each with its end: ("a", "bc") and ("ab", "c") differ. */
void hash_texts(const char *const *texts, int nr, char ret[HASH_SIZE]);
