/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fitted value put into the text of a machine's file: the number, in place, and its source and
 * confidence among the facts of its section. All else, comments too, stays byte for byte.
 */
#pragma once

#include "base/error.h"

#include <stddef.h>

struct edit {
	const char *path;	/* "devices.list.disk.service_ns" */
	const char *value;	/* "73000"; for a curve or list a factor: "x1.25" */
	const char *confidence; /* "fitted(T1)" */
	const char *source;	/* plain ASCII, one line */
};

/*
 * ret: the new text, to be freed, NUL-terminated. name only stands in messages. -ENOENT: no such
 * value; -EINVAL: the file is written in a way that this does not know.
 */
int edit_text(
	const char *name, const char *text, const struct edit *edit, char **ret, struct error *err);
