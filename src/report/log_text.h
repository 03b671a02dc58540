/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text that other tools wrote, line by line, whether compressed (gzip, xz, zstd) or not.
 * Order of calls: log_read or log_of, log_line until NULL, log_release.
 */
#pragma once

#include "base/error.h"

#include <stddef.h>

/* More text than that is no log of a benchmark. */
enum { LOG_BYTES_MAX = 1 << 28, LOG_WORDS_MAX = 256 };

struct log {
	const char *path;
	char *text, *next; /* NUL-terminated; lines are cut in place */
	size_t size;
	unsigned long line; /* of what log_line returned */
	struct error *err;
};

int log_read(const char *path, struct log *ret, struct error *err);

/* A copy of text instead of a file; path is for messages. */
int log_of(const char *path, const void *text, size_t size, struct log *ret, struct error *err);

void log_release(struct log *log);

/* The next line without its end, control characters made blanks, or NULL. */
char *log_line(struct log *log);

/* Cuts a line at blanks. How many words there are, at most LOG_WORDS_MAX; further ones are dropped.
 */
int log_words(char *line, char *words[LOG_WORDS_MAX]);

/* A finite number, the whole word. 0 or -EINVAL with "FILE:LINE: FIELD: found ..., expected ...".
 */
int log_number(const struct log *log, const char *field, const char *word, double *ret);

/* "FILE:LINE: FIELD: found '...', expected ...". Returns -EINVAL. */
int log_wrong(const struct log *log, const char *field, const char *found, const char *expected);
