/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The container of a trace.dat, versions 6 and 7: see trace-cmd.dat.v6(5) and v7(5). dat_open reads
 * what describes the recording (byte order, event layouts, options, where each CPU's pages are);
 * pages_next then gives one CPU's ring-buffer pages one after the other. Nothing here looks into a
 * page.
 */
#pragma once

#include "trace/layout.h"

#include <stdio.h>

enum dat_compression { DAT_PLAIN, DAT_ZSTD, DAT_ZLIB };

enum {
	DAT_PAGE_MIN = 256,
	DAT_PAGE_MAX = 4 << 20,
	DAT_SECTION_MAX = 256 << 20, /* uncompressed, of what describes the recording */
	DAT_CHUNK_MAX = 16 << 20,    /* uncompressed, of a CPU's pages */
	DAT_WINDOWS_BYTES = 8 << 20, /* of all CPUs together, but at least a page for each */
	PAGE_SLACK = 64,	     /* that may be read beyond a page */
};

struct dat_cpu {
	int cpu;
	uint64_t offset, size; /* in the file */
};

/* One trace instance's buffer. */
struct dat_buffer {
	char name[64];
	char clock[16];
	uint64_t section; /* v7: offset of its section */
	uint32_t page_size;
	bool compressed;
	int nr_cpus;
	struct dat_cpu *cpus;
};

struct dat {
	int fd;
	uint64_t file_size;
	int version;
	bool swap;	 /* the file's byte order is not ours */
	bool big_endian; /* the file's byte order */
	int long_size;	 /* the kernel's */
	uint32_t page_size;
	enum dat_compression compression;
	struct layouts *layouts;
	char clock[16], uname[128];
	uint32_t tsc_mult, tsc_shift;
	uint64_t overruns;	  /* as the kernel counted them when the recording ended */
	struct dat_buffer buffer; /* the one to be read */
	int other_buffers;
};

int dat_open(int fd, struct dat *ret, struct error *err);
void dat_release(struct dat *d);

/* Reads exactly n bytes at pos, or says which offset is missing and what was expected there. */
int dat_read(const struct dat *d, uint64_t pos, void *buf, size_t n, const char *what,
	struct error *err);

uint16_t dat_u16(const struct dat *d, const void *p);
uint32_t dat_u32(const struct dat *d, const void *p);
uint64_t dat_u64(const struct dat *d, const void *p);

/* Between the container's own files. */

/* A stretch of the file, or (mem) of what was uncompressed from it. */
struct dat_cursor {
	const struct dat *dat;
	const uint8_t *mem;
	const char *mem_name; /* for error texts; NULL: the compressed section */
	uint64_t pos, end;
	uint64_t base; /* offset in the file, for error texts */
};

int cursor_read(struct dat_cursor *c, void *buf, size_t n, const char *what, struct error *err);
int cursor_skip(struct dat_cursor *c, uint64_t n, const char *what, struct error *err);
int cursor_u32(struct dat_cursor *c, uint32_t *ret, const char *what, struct error *err);
int cursor_u64(struct dat_cursor *c, uint64_t *ret, const char *what, struct error *err);
/* A string ending in NUL, cut to size. */
int cursor_string(
	struct dat_cursor *c, char *buf, size_t size, const char *what, struct error *err);
/* Allocates n + 1 bytes, with a NUL behind. */
int cursor_bytes(struct dat_cursor *c, uint64_t n, const char *what, char **ret, struct error *err);
/* -EINVAL with "offset N: TEXT". */
int cursor_error(const struct dat_cursor *c, struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

int dat_headers(struct dat *d, struct dat_cursor *c, struct error *err);
int dat_ftrace_formats(struct dat *d, struct dat_cursor *c, struct error *err);
int dat_event_formats(struct dat *d, struct dat_cursor *c, struct error *err);
int dat_open_v6(struct dat *d, struct dat_cursor *c, struct error *err);
int dat_open_v7(struct dat *d, struct dat_cursor *c, struct error *err);

enum dat_option {
	OPTION_DONE = 0,
	OPTION_CPUSTAT = 2,
	OPTION_BUFFER = 3,
	OPTION_CLOCK = 4,
	OPTION_UNAME = 5,
	OPTION_TSC2NSEC = 14,
	OPTION_HEADER_INFO = 16,
	OPTION_FTRACE_EVENTS = 17,
	OPTION_EVENT_FORMATS = 18,
	OPTION_BUFFER_TEXT = 22,
};

/* Those options that mean the same in both versions. data has a NUL behind its size bytes. */
void dat_option(struct dat *d, unsigned int id, const char *data, uint32_t size);

/* The clock that stands in brackets, or alone, in the text of trace_clock. */
void dat_clock_name(char clock[16], const char *text);

/* Uncompresses src into dst; returns the bytes got, or negative errno. */
struct inflater;
int inflater_new(enum dat_compression kind, struct inflater **ret, struct error *err);
struct inflater *inflater_free(struct inflater *in);
long inflater_run(
	struct inflater *in, void *dst, size_t dst_size, const void *src, size_t src_size);

/* One CPU's pages. */
struct pages {
	const struct dat *dat;
	struct inflater *inflater; /* shared by all CPUs */
	uint8_t *window;
	size_t capacity, len, at;
	uint64_t begin, pos; /* in the file */
	uint64_t stop;	     /* end of the data, or where the file is cut off */
	uint32_t chunks;     /* compressed ones that are left */
	bool truncated;	     /* it is cut off */
};

/* Reading starts at the CPU's first page; also to start again. */
int pages_init(struct pages *p, const struct dat *d, const struct dat_cpu *cpu, struct inflater *in,
	struct error *err);
void pages_release(struct pages *p);
/*
 * 1: a page, ours to write in; PAGE_SLACK bytes behind it may be read. *ret_len is less than
 * buffer.page_size where the file is cut off. 0: the end.
 */
int pages_next(struct pages *p, uint8_t **ret, size_t *ret_len, struct error *err);
