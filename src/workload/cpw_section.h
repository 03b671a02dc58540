/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The .cpw container, see corepace-cpw(5): file header, sections (header, one zstd frame), trailer.
 * This file knows bytes, lengths and checksums; what sections hold is known elsewhere.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CPW_VERSION = 1,
	CPW_HEADER_SIZE = 16,
	CPW_SECTION_SIZE = 28, /* header of a section */
	CPW_TRAILER_SIZE = 16,
};

enum {
	CPW_CHUNK_FILL = 32 << 10,    /* raw bytes at which the writer closes a chunk */
	CPW_CHUNK_RAW_MAX = 64 << 10, /* most raw bytes of a chunk of ops or idle records */
	CPW_TABLE_RAW_MAX = 16 << 20, /* most raw bytes of any other section */
	CPW_TASKS_MAX = 1 << 18,
	CPW_CHANNELS_MAX = 1 << 24,
};

#define CPW_TYPE(a, b, c, d)                                                                       \
	((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define CPW_TASKS CPW_TYPE('T', 'A', 'S', 'K')
#define CPW_OPS CPW_TYPE('O', 'P', 'S', ' ')
#define CPW_IDLE CPW_TYPE('I', 'D', 'L', 'E')
#define CPW_ENV CPW_TYPE('E', 'N', 'V', ' ')
#define CPW_TRUTH CPW_TYPE('T', 'R', 'U', 'E')
#define CPW_METRICS CPW_TYPE('M', 'E', 'T', 'R')
#define CPW_INDEX CPW_TYPE('I', 'N', 'D', 'X')

/* Stream of a chunk: the idle log, or 1 + task. Sections that are no chunks have 0. */
enum { CPW_STREAM_IDLE = 0, CPW_STREAM_TASK0 = 1 };

struct section {
	uint32_t type;
	uint32_t flags;	     /* 0 in this version; unknown bits are ignored */
	uint32_t length;     /* of the zstd frame that follows */
	uint32_t raw_length; /* of its content */
	uint32_t stream;
	uint32_t count; /* records in a chunk */
};

/* Bytes that grow. data is NULL when nothing was ever in it. */
struct buffer {
	uint8_t *data;
	size_t len, room;
};

/* Makes room for more bytes after len; keeps what is there. 0 or -ENOMEM. */
int buffer_reserve(struct buffer *b, size_t more);
void buffer_release(struct buffer *b);

/* ---- writing: section_out_init, header, sections, trailer ---- */

struct section_out {
	int fd;
	uint64_t offset; /* where the next byte goes */
	void *cctx;
	struct buffer frame;
};

int section_out_init(struct section_out *out, int fd);
void section_out_release(struct section_out *out); /* leaves fd open */
int section_write_header(struct section_out *out, struct error *err);
int section_write(struct section_out *out, uint32_t type, uint32_t stream, uint32_t count,
	const void *raw, size_t len, struct error *err);
int section_write_trailer(struct section_out *out, uint64_t index_offset, struct error *err);

/* ---- reading ---- */

struct section_in {
	int fd;
	uint64_t size; /* of the file */
	void *dctx;
	struct buffer frame;
};

int section_in_init(struct section_in *in, int fd, struct error *err);
void section_in_release(struct section_in *in); /* leaves fd open */

/* Checks the file's header and trailer and gives the offset of the index. */
int section_read_ends(struct section_in *in, uint64_t *ret_index, struct error *err);

/*
 * Reads the section at offset, which must be of that type and stream, into raw (which is filled
 * from its beginning). Errors read "offset N: section TYPE[ of task T]: ...".
 */
int section_read(struct section_in *in, uint64_t offset, uint32_t type, uint32_t stream,
	struct section *ret, struct buffer *raw, struct error *err);

/* The type as text, "?" for what cannot be printed, without spaces at the end. */
void section_name(uint32_t type, char name[5]);

/* "offset N: section TYPE[ of task T]: " and the text, for errors in a section's content. */
int section_error(uint64_t offset, uint32_t type, uint32_t stream, struct error *err,
	const char *fmt, ...) __attribute__((format(printf, 5, 6)));
