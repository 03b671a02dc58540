// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/csv_fields.h"

#include <string.h>

/* Takes the quotes off in place. Returns what follows the closing one, NULL when there is none. */
static char *unquote(char *p)
{
	char *to = p;

	for (p++; *p; p++) {
		if (*p == '"' && *++p != '"') {
			*to = 0;
			return p;
		}
		*to++ = *p;
	}
	*to = 0;
	return NULL;
}

static int fail(struct csv_fault *fault, int field, const char *found, const char *expected)
{
	*fault = (struct csv_fault){ field, found, expected };
	return -1;
}

int csv_fields(char *line, char **fields, int max, struct csv_fault *fault)
{
	char *p = line;

	for (int i = 0; i < max; i++) {
		char *end = p;
		char last;

		fields[i] = p;
		if (*p == '"')
			end = unquote(p);
		else
			end += strcspn(p, ",");
		if (!end)
			return fail(fault, i, fields[i], "a closing quote");
		last = *end;
		if (last && last != ',')
			return fail(fault, i, end, "a comma after the quote");
		if (last && i == max - 1)
			return fail(fault, i, end, "the end of the line");
		*end = 0;
		if (!last)
			return i + 1;
		p = end + 1;
	}
	return max;
}
