/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every file that the doctor and import-machine may read: one table, so that a capture holds
 * exactly those, an archive of gigabytes is read within bounds, and a refusal says what it costs.
 * Whoever reads a new file adds its row; tree_read() asserts that there is one.
 */
#pragma once

#include "doctor/filter.h"

#include <stdbool.h>
#include <stddef.h>

struct path_rule {
	/* From the root; '#' stands for a run of digits, '*' for one whole last component,
	 * "config-*" for one that begins so. */
	const char *pattern;
	size_t max;	   /* bytes; 0: PATH_RULE_MAX */
	const char *tells; /* what it would have told, where reading may need rights; or NULL */
	enum path_filter filter; /* what of it goes into a capture */
};

enum { PATH_RULE_MAX = 65536, PATH_LEN_MAX = 256 };

/* The rule of a file, NULL when there is none. path begins with a slash. */
const struct path_rule *path_rule_of(const char *path);

/* Whether files of some rule lie (deeper or not) under this folder. */
bool path_is_folder(const char *path);

/* All rules, in byte order of their patterns. */
const struct path_rule *path_rules(size_t *ret_nr);

/* Bytes of a file that are read at most. */
size_t path_rule_max(const struct path_rule *rule);

/*
 * The name under which rules know a file of /sys/devices that is usually reached through a link
 * of /sys/class (DMI, powercap): what an archive holds is the former. path itself when there is
 * no such link.
 */
const char *path_class_name(const char *path, char *buf, size_t size);
