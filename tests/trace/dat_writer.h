/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes small trace.dat files for the tests, in either byte order and size of long, version 6 or
 * 7, with what recordings hold seldom: losses, absolute times, discarded records, further
 * instances.
 *
 * Order of calls: pages are filled into a struct bytes for each CPU (page_begin, records,
 * page_end), then dat_write puts the file together. Out of memory ends the test.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
	uint8_t *p;
	size_t n, capacity;
};

void bytes_add(struct bytes *b, const void *data, size_t n);
void bytes_zero(struct bytes *b, size_t n);
void bytes_release(struct bytes *b);

struct format_spec {
	const char *system, *text;
};

struct instance_spec {
	const char *name, *clock;
	const struct bytes *cpus; /* nr_cpus of them */
};

struct dat_spec {
	int version;
	bool big_endian;
	int long_size;
	uint32_t page_size;
	const char *compression; /* v7: "none", "zstd", "zlib" */
	bool pack_sections;	 /* v7: compress what describes the recording too */
	bool split_options;	 /* v7: a chain of two sections of options */
	const char *clock;	 /* content of trace_clock; NULL: no option */
	uint32_t tsc_mult, tsc_shift;
	const char *cpustat; /* NULL: no option */
	const struct format_spec *formats;
	int nr_formats;
	int nr_cpus;
	const struct bytes *cpus;
	const struct instance_spec *instances;
	int nr_instances;
};

/* Little numbers in the file's byte order. */
void put_int(const struct dat_spec *s, uint8_t *p, size_t size, uint64_t value);

struct page {
	const struct dat_spec *spec;
	struct bytes *out;
	size_t start;
	int lost;
};

enum { LOST_NONE = 0, LOST_SOME = -1 };

/* lost: what is missing before the page: a number, LOST_NONE or LOST_SOME. */
struct page page_begin(const struct dat_spec *s, struct bytes *out, uint64_t ts, int lost);
void page_record(struct page *p, uint32_t delta, const void *data, size_t len);
void page_time_extend(struct page *p, uint64_t delta);
void page_time_stamp(struct page *p, uint64_t ts);
void page_discarded(struct page *p, uint32_t delta, size_t len);
void page_end(struct page *p);

void dat_write(const struct dat_spec *s, struct bytes *ret);

/* Writes to a new file under $TMPDIR or /tmp; path gets its name (64 bytes). */
void bytes_to_file(const struct bytes *b, char path[64]);
void file_to_bytes(const char *path, struct bytes *ret);
