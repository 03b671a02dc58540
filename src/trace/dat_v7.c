// SPDX-License-Identifier: GPL-2.0-or-later
/* Version 7: sections anywhere in the file, found through a chain of options sections. */
#include "trace/dat.h"
#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	SECTION_HEADER = 16,
	SECTION_COMPRESSED = 1,
	BUFFER_FLYRECORD = 3,
	OPTIONS_CHAIN_MAX = 4096, /* a chain that is longer goes round in a circle */
};

/* Offsets of the sections that describe the recording; 0: not there. */
struct sections {
	uint64_t headers, ftrace, events;
};

struct section {
	struct dat_cursor cursor;
	uint8_t *mem; /* to be freed */
	unsigned int flags;
};

static int uncompress_section(struct dat *d, struct section *s, struct error *err)
{
	struct dat_cursor *c = &s->cursor;
	uint64_t at = c->pos;
	uint32_t packed, plain;
	struct inflater *in = NULL;
	char *src = NULL;
	long got;
	int rc = cursor_u32(c, &packed, "compressed size", err);

	if (rc == 0)
		rc = cursor_u32(c, &plain, "uncompressed size", err);
	if (rc == 0 && (d->compression == DAT_PLAIN || plain > DAT_SECTION_MAX))
		rc = cursor_error(c, err,
			"a compressed section of %u bytes, expected at most %d and a compression",
			plain, DAT_SECTION_MAX);
	if (rc == 0)
		rc = cursor_bytes(c, packed, "a compressed section", &src, err);
	if (rc == 0)
		rc = inflater_new(d->compression, &in, err);
	if (rc == 0) {
		s->mem = malloc((size_t)plain + 1);
		got = s->mem ? inflater_run(in, s->mem, plain, src, packed) : -ENOMEM;
		if (got == -ENOMEM)
			rc = error_set(err, ENOMEM, "out of memory for %u bytes", plain);
		else if (got < 0)
			rc = error_set(err, EINVAL,
				"offset %" PRIu64 ": the compressed section is damaged", at);
		else
			*c = (struct dat_cursor){
				.dat = d, .mem = s->mem, .end = (uint64_t)got, .base = at
			};
	}
	inflater_free(in);
	free(src);
	return rc;
}

static int section_open(struct dat *d, uint64_t offset, unsigned int want, bool plain,
	struct section *ret, struct error *err)
{
	uint8_t head[SECTION_HEADER];
	uint64_t size;
	unsigned int id;
	int rc;

	memset(ret, 0, sizeof(*ret));
	rc = dat_read(d, offset, head, sizeof(head), "a section's header", err);
	if (rc < 0)
		return rc;
	id = dat_u16(d, head);
	ret->flags = dat_u16(d, head + 2);
	size = dat_u64(d, head + 8);
	if (id != want)
		return error_set(err, EINVAL, "offset %" PRIu64 ": section %u, expected %u", offset,
			id, want);
	offset += sizeof(head);
	ret->cursor = (struct dat_cursor){ .dat = d, .pos = offset, .end = d->file_size };
	if (size <= d->file_size - offset)
		ret->cursor.end = offset + size;
	else if (!plain)
		return error_set(err, EINVAL,
			"offset %" PRIu64 ": section %u: the file ends in it, expected %" PRIu64
			" bytes",
			offset, id, size);
	if (ret->flags & SECTION_COMPRESSED && !plain)
		return uncompress_section(d, ret, err);
	return 0;
}

static void section_close(struct section *s)
{
	free(s->mem);
	s->mem = NULL;
}

static int buffer_cpus(struct dat *d, struct dat_buffer *b, struct dat_cursor *c,
	uint64_t *ret_bytes, struct error *err)
{
	uint32_t cpus;
	int rc = cursor_u32(c, &b->page_size, "page size of a buffer", err);

	if (rc == 0)
		rc = cursor_u32(c, &cpus, "number of CPUs", err);
	if (rc < 0)
		return rc;
	if (cpus > CPUS_MAX)
		return cursor_error(c, err, "%u CPUs, expected at most %d", cpus, CPUS_MAX);
	b->cpus = calloc(cpus ? cpus : 1, sizeof(*b->cpus));
	if (!b->cpus)
		return error_set(err, ENOMEM, "out of memory");
	b->nr_cpus = (int)cpus;
	for (uint32_t i = 0; rc == 0 && i < cpus; i++) {
		uint32_t cpu;

		rc = cursor_u32(c, &cpu, "number of a CPU", err);
		if (rc == 0 && cpu >= CPUS_MAX)
			rc = cursor_error(c, err, "CPU %u, expected below %d", cpu, CPUS_MAX);
		if (rc == 0)
			rc = cursor_u64(c, &b->cpus[i].offset, "offset of a CPU's data", err);
		if (rc == 0)
			rc = cursor_u64(c, &b->cpus[i].size, "size of a CPU's data", err);
		if (rc == 0) {
			b->cpus[i].cpu = (int)cpu;
			*ret_bytes += b->cpus[i].size;
		}
	}
	return rc;
}

static uint64_t buffer_bytes(const struct dat_buffer *b)
{
	uint64_t bytes = 0;

	for (int i = 0; i < b->nr_cpus; i++)
		bytes += b->cpus[i].size;
	return bytes;
}

/* Keeps the top instance if it holds data, otherwise the first that does. */
static void choose_buffer(struct dat *d, struct dat_buffer *b, uint64_t bytes)
{
	bool have = d->buffer.cpus, better;

	better = !have || !buffer_bytes(&d->buffer) || (!b->name[0] && bytes);
	if (have)
		d->other_buffers++;
	if (better && (bytes || !have || !b->name[0])) {
		free(d->buffer.cpus);
		d->buffer = *b;
	} else {
		free(b->cpus);
	}
}

static int option_buffer(
	struct dat *d, const char *data, uint32_t size, uint64_t at, struct error *err)
{
	struct dat_cursor c = { .dat = d, .mem = (const uint8_t *)data, .end = size, .base = at };
	struct dat_buffer b = { 0 };
	char clock[128];
	uint64_t bytes = 0;
	int rc = cursor_u64(&c, &b.section, "offset of a buffer", err);

	if (rc == 0)
		rc = cursor_string(&c, b.name, sizeof(b.name), "name of an instance", err);
	if (rc == 0)
		rc = cursor_string(&c, clock, sizeof(clock), "clock of an instance", err);
	if (rc == 0)
		rc = buffer_cpus(d, &b, &c, &bytes, err);
	if (rc < 0) {
		free(b.cpus);
		return rc;
	}
	dat_clock_name(b.clock, clock);
	choose_buffer(d, &b, bytes);
	return 0;
}

static int take_option(struct dat *d, struct sections *s, unsigned int id, const char *data,
	uint32_t size, uint64_t at, struct error *err)
{
	switch (id) {
	case OPTION_BUFFER:
		return option_buffer(d, data, size, at, err);
	case OPTION_HEADER_INFO:
	case OPTION_FTRACE_EVENTS:
	case OPTION_EVENT_FORMATS:
		if (size < 8)
			return error_set(err, EINVAL,
				"offset %" PRIu64 ": option %u: %u bytes, expected 8", at, id,
				size);
		*(id == OPTION_HEADER_INFO	     ? &s->headers
			: id == OPTION_FTRACE_EVENTS ? &s->ftrace
						     : &s->events) = dat_u64(d, data);
		return 0;
	default:
		dat_option(d, id, data, size);
		return 0;
	}
}

/* Reads one options section; *ret_next is where the next one is, 0 at the end. */
static int read_options(
	struct dat *d, uint64_t offset, struct sections *s, uint64_t *ret_next, struct error *err)
{
	struct section section;
	int rc = section_open(d, offset, OPTION_DONE, false, &section, err);
	bool done = false;

	while (rc == 0 && !done) {
		struct dat_cursor *c = &section.cursor;
		uint16_t raw;
		uint32_t size;
		char *data;

		rc = cursor_read(c, &raw, sizeof(raw), "an option", err);
		if (rc == 0)
			rc = cursor_u32(c, &size, "size of an option", err);
		if (rc == 0)
			rc = cursor_bytes(c, size, "an option", &data, err);
		if (rc < 0)
			break;
		done = dat_u16(d, &raw) == OPTION_DONE;
		if (done && size >= 8)
			*ret_next = dat_u64(d, data);
		else if (done)
			rc = cursor_error(c, err, "last option: %u bytes, expected 8", size);
		else
			rc = take_option(d, s, dat_u16(d, &raw), data, size, offset, err);
		free(data);
	}
	section_close(&section);
	return rc;
}

static int read_section(struct dat *d, uint64_t offset, unsigned int id, const char *what,
	int (*read)(struct dat *d, struct dat_cursor *c, struct error *err), struct error *err)
{
	struct section section;
	int rc;

	if (!offset)
		return error_set(err, EINVAL, "no section with %s", what);
	rc = section_open(d, offset, id, false, &section, err);
	if (rc == 0)
		rc = read(d, &section.cursor, err);
	section_close(&section);
	return rc;
}

static int read_compression(struct dat *d, struct dat_cursor *c, struct error *err)
{
	char name[32], version[32];
	int rc = cursor_string(c, name, sizeof(name), "name of the compression", err);

	if (rc == 0)
		rc = cursor_string(c, version, sizeof(version), "version of the compression", err);
	if (rc < 0)
		return rc;
	if (!strcmp(name, "zstd"))
		d->compression = DAT_ZSTD;
	else if (!strcmp(name, "zlib"))
		d->compression = DAT_ZLIB;
	else if (strcmp(name, "none"))
		return cursor_error(c, err, "compression '%s', expected zstd, zlib or none", name);
	return 0;
}

/* The buffer's section tells whether its pages are compressed. */
static int open_buffer(struct dat *d, struct error *err)
{
	struct section section;
	int rc;

	if (!d->buffer.cpus)
		return error_set(err, EINVAL, "no buffer with events in the options");
	rc = section_open(d, d->buffer.section, BUFFER_FLYRECORD, true, &section, err);
	if (rc == 0)
		d->buffer.compressed = section.flags & SECTION_COMPRESSED;
	if (rc == 0 && d->buffer.compressed && d->compression == DAT_PLAIN)
		rc = error_set(err, EINVAL,
			"offset %" PRIu64 ": compressed pages, but no compression is named",
			d->buffer.section);
	section_close(&section);
	return rc;
}

int dat_open_v7(struct dat *d, struct dat_cursor *c, struct error *err)
{
	struct sections s = { 0 };
	uint64_t options;
	int rc = read_compression(d, c, err);

	if (rc == 0)
		rc = cursor_u64(c, &options, "offset of the options", err);
	if (rc == 0 && !options)
		rc = cursor_error(c, err, "no options: the recording was not finished");
	for (int i = 0; rc == 0 && options; i++) {
		if (i == OPTIONS_CHAIN_MAX)
			return error_set(err, EINVAL,
				"offset %" PRIu64 ": more than %d sections of options", options,
				OPTIONS_CHAIN_MAX);
		rc = read_options(d, options, &s, &options, err);
	}
	if (rc == 0)
		rc = read_section(
			d, s.headers, OPTION_HEADER_INFO, "header_page", dat_headers, err);
	if (rc == 0 && s.ftrace)
		rc = read_section(d, s.ftrace, OPTION_FTRACE_EVENTS, "ftrace formats",
			dat_ftrace_formats, err);
	if (rc == 0)
		rc = read_section(
			d, s.events, OPTION_EVENT_FORMATS, "event formats", dat_event_formats, err);
	return rc < 0 ? rc : open_buffer(d, err);
}
