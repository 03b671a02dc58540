/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the name of an archive's entry says of the machine that it belongs to. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Name without "./", "//", and slashes at its ends. 0, -EXDEV for "..", -ENAMETOOLONG. */
int archive_clean_name(const char *name, char *buf, size_t size);

/* Whether name ends in suffix, as whole components. */
bool archive_ends_in(const char *name, const char *suffix);

/* Where in name a path of the machine begins (at "sys/", "proc/" ...), or NULL. */
const char *archive_find_path(const char *name, bool link);

/* Folders in a prefix such as "sosreport-1/". */
int archive_depth_of(const char *prefix);
