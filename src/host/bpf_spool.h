/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of each CPU in the order in which they came: a bounded part in memory, the rest in
 * nameless files.
 *
 * Order of calls: bpf_spool_init, bpf_spool_append; bpf_spool_rewind, then bpf_spool_next until it
 * says 0; bpf_spool_release.
 */
#pragma once

#include "base/error.h"
#include "host/bpf_record.h"

#include <stddef.h>
#include <stdint.h>

struct bpf_spool {
	const char *dir;
	int fd; /* -1: all is in the buffer so far */
	char *buf;
	size_t len;	  /* in the buffer */
	uint64_t written; /* in the file */
	size_t at;	  /* reading: in the buffer */
	uint64_t read;	  /* reading: from the file */
};

void bpf_spool_init(struct bpf_spool *s, const char *dir);
int bpf_spool_append(struct bpf_spool *s, const void *record, size_t len, struct error *err);
/* How much was appended. */
uint64_t bpf_spool_bytes(const struct bpf_spool *s);
int bpf_spool_rewind(struct bpf_spool *s, struct error *err);
/* 1: a record (what it does not have is zero), 0: the end. */
int bpf_spool_next(struct bpf_spool *s, struct bpf_record *ret, struct error *err);
void bpf_spool_release(struct bpf_spool *s);
