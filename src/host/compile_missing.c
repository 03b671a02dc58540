// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds in a compiler's messages what the shim does not have. */
#include "host/plugin_compile.h"

#include "base/units.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The name stands between the two texts of a row, on one line. */
static const struct {
	const char *before, *after;
} complaints[] = {
	/* gcc */
	{ "implicit declaration of function '", "'" },
	{ "error: '", "' undeclared" },
	{ "unknown type name '", "'" },
	{ "has no member named '", "'" },
	{ "fatal error: ", ": No such file or directory" },
	{ "invalid use of undefined type '", "'" },
	{ "type defaults to 'int' in declaration of '", "'" },
	/* clang */
	{ "call to undeclared function '", "'" },
	{ "use of undeclared identifier '", "'" },
	{ "no member named '", "' in '" },
	{ "fatal error: '", "' file not found" },
	{ "incomplete definition of type '", "'" },
	{ "variable has incomplete type '", "'" },
	/* GNU ld, lld */
	{ "undefined reference to `", "'" },
	{ "undefined symbol: ", "\n" },
};

static bool is_name(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("_/.- ", text[i]))
			return false;
	return length > 0 && length < 64;
}

/* Is the name in the list "a, b, c" already? */
static bool listed(const char *list, const char *name, size_t length)
{
	for (const char *item = list; *item;) {
		size_t n = strcspn(item, ",");

		if (n == length && !memcmp(item, name, n))
			return true;
		item += n;
		item += strspn(item, ", ");
	}
	return false;
}

static void scan_line(const char *line, const char *end, char *buf, size_t size)
{
	for (size_t i = 0; i < ARRAY_LEN(complaints); i++) {
		const char *before = complaints[i].before, *after = complaints[i].after;
		const char *name = memmem(line, (size_t)(end - line), before, strlen(before));
		const char *stop;
		size_t used = strlen(buf);

		if (!name)
			continue;
		name += strlen(before);
		stop = memmem(name, (size_t)(end - name), after, strlen(after));
		if (!stop || !is_name(name, (size_t)(stop - name)) ||
			listed(buf, name, (size_t)(stop - name)))
			continue;
		snprintf(buf + used, size - used, "%s%.*s", used ? ", " : "", (int)(stop - name),
			name);
		return;
	}
}

void compile_missing(const char *messages, char *buf, size_t size)
{
	*buf = 0;
	while (*messages) {
		const char *end = strchrnul(messages, '\n');

		end += *end == '\n';
		scan_line(messages, end, buf, size);
		messages = end;
	}
}
