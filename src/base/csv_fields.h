/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of comma-separated values with the quoting of RFC 4180, but no line breaks in a field. */
#pragma once

/* Where a line is no such line: the number of the field, what stands there, what was expected. */
struct csv_fault {
	int field;
	const char *found, *expected;
};

/*
 * Cuts a line without its end up in place, into at most max fields. Returns how many there are, or
 * -1 with the fault.
 */
int csv_fields(char *line, char **fields, int max, struct csv_fault *fault);
