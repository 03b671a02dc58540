/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * YAML files into structs by libcyaml, with its findings brought into the one error line that all
 * input errors have: FILE:LINE: FIELD: what was found, what was expected.
 *
 * Order of calls: yaml_read, then yaml_line as often as needed, then yaml_release.
 */
#pragma once

#include "base/error.h"

#include <cyaml/cyaml.h>
#include <stddef.h>

enum { YAML_FILE_MAX = 1 << 20 };

struct yaml {
	char path[512];
	char *text; /* the whole file, NUL-terminated */
	size_t size;
	const cyaml_schema_value_t *schema;
	void *doc;
};

/*
 * Loads path into ret->doc as the schema says. -ENOENT when there is no such file, -EINVAL for what
 * the schema refuses. ret needs a release after success only.
 */
int yaml_read(
	struct yaml *ret, const char *path, const cyaml_schema_value_t *schema, struct error *err);

/* The same from memory; path only stands in messages. */
int yaml_parse(struct yaml *ret, const char *path, const char *text, size_t size,
	const cyaml_schema_value_t *schema, struct error *err);

void yaml_release(struct yaml *y);

/*
 * Line of the value at a dotted path such as "idle.states.C1.wake_ns", or the nearest one before it
 * that was found.
 */
int yaml_line(const struct yaml *y, const char *dotted);

/* Sets "FILE:LINE: FIELD: TEXT"; returns -EINVAL. */
int yaml_error(const struct yaml *y, const char *dotted, struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
