/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One error text that travels up with a negative errno. Libraries fill it, commands print it.
 * An input error reads "FILE:LINE: FIELD: what was found, what was expected", on one line.
 */
#pragma once

#include <stdarg.h>

struct error {
	char text[1024];
};

/*
 * Sets the text and returns -code, so that a caller writes `return error_set(err, EINVAL, ...)`.
 * err may be NULL. Control characters (from file names, traces) become '?': one line stays one
 * line.
 */
int error_set(struct error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Puts "PREFIX: " before the text that is there. Returns code unchanged. */
int error_prefix(struct error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
