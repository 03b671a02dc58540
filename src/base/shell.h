/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words of a command line, as a POSIX shell takes them. */
#pragma once

#include <stdio.h>

/* In single quotes; a single quote ends them, stands escaped, and begins them again. */
void shell_quote(FILE *f, const char *text);

/* Quoted only where it must be. */
void shell_word(FILE *f, const char *text);
