/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Made-up machines in a temporary folder: as files, and as an archive. */
#pragma once

#include "doctor/tree.h"

#include <stddef.h>

struct made {
	char path[64];	/* the folder */
	char note[400]; /* of the test that uses it */
};

void made_init(struct made *m);
void made_remove(struct made *m);

/* name is relative to the folder; folders above it are made. */
void made_file(struct made *m, const char *name, const char *text);
void made_bytes(struct made *m, const char *name, const void *bytes, size_t len);
void made_link(struct made *m, const char *name, const char *target);
void made_fifo(struct made *m, const char *name);
const char *made_name(struct made *m, const char *name, char *buf, size_t size);

/* One entry of an archive. */
struct made_entry {
	const char *name, *text;
	enum {
		MADE_FILE,
		MADE_LINK,
		MADE_HARD_LINK,
		MADE_FIFO
	} kind;	       /* link: text is its target */
	size_t zeroes; /* that many instead of text */
};

/* Writes an archive; compression is "none", "gzip", "xz" or "zstd". */
void made_archive(
	const char *path, const char *compression, const struct made_entry *entries, size_t nr);

/* Opens or fails the test. */
struct tree *made_open(const char *where);

/* Fails unless the file holds that text. */
void expect_text(struct tree *tree, const char *path, const char *text);
void expect_error(struct tree *tree, const char *path, int code);
