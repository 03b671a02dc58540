// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a perf.data says of the recording: in a file's header and its features, which stand behind
 * the data; in a pipe's records before the data. The events' formats are one block that looks like
 * the beginning of a trace.dat of version 6, so that the same code reads it.
 */
#include "trace/perf.h"
#include "trace/dat.h"
#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	RECORD_HEAD = 8,
	PIPE_HEAD = 16,
	FILE_HEAD = 104,
	SECTION_BYTES = 16, /* offset and size */
	HEAD_ATTR_SIZE = 16,
	HEAD_ATTRS = 24,
	HEAD_DATA = 40,
	HEAD_FEATURES = 72,
};

/* The block of formats is in memory; offset is where it is in the file. */
static int read_formats(struct perf_reader *p, const uint8_t *bytes, size_t size, uint64_t offset,
	struct error *err)
{
	static const uint8_t magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	struct dat dat = { .layouts = p->layouts };
	struct dat_cursor c = {
		.dat = &dat, .mem = bytes, .mem_name = "tracing_data", .end = size, .base = offset
	};
	uint8_t head[sizeof(magic)], order[2];
	char version[8];
	uint32_t page;
	int rc = cursor_read(&c, head, sizeof(head), "the magic", err);

	if (rc == 0 && memcmp(head, magic, sizeof(magic)))
		rc = cursor_error(&c, err, "expected the magic of a block of formats");
	if (rc == 0)
		rc = cursor_string(&c, version, sizeof(version), "version", err);
	if (rc == 0)
		rc = cursor_read(&c, order, sizeof(order), "byte order and size of long", err);
	if (rc == 0)
		rc = cursor_u32(&c, &page, "page size", err);
	if (rc == 0)
		rc = dat_headers(&dat, &c, err);
	if (rc == 0)
		rc = dat_ftrace_formats(&dat, &c, err);
	if (rc == 0)
		rc = dat_event_formats(&dat, &c, err);
	if (rc == 0)
		rc = layouts_ready(p->layouts, err);
	if (rc < 0)
		return rc;
	p->long_size = dat.long_size;
	p->formats = true;
	return 0;
}

static int take_feature(struct trace_reader *r, unsigned int id, const uint8_t *bytes, size_t size,
	uint64_t offset, struct error *err)
{
	uint32_t len;

	switch (id) {
	case FEATURE_OSRELEASE:
		len = size < 4 ? 0 : perf_u32(bytes);
		if (len > size - 4)
			len = 0;
		snprintf(r->info.uname, sizeof(r->info.uname), "%.*s", (int)len,
			(const char *)bytes + 4);
		return 0;
	case FEATURE_NRCPUS: /* available, then online */
		if (size >= 4 && perf_u32(bytes) <= CPUS_MAX)
			r->info.nr_cpus = (int)perf_u32(bytes);
		return 0;
	case FEATURE_COMPRESSED: /* version, type */
		if (size >= 8 && perf_u32(bytes + 4) != 1)
			return error_set(err, EINVAL,
				"offset %" PRIu64 ": compression %u, expected 1 (zstd)", offset,
				perf_u32(bytes + 4));
		return 0;
	default:
		return 0;
	}
}

static int read_tracing_section(
	struct perf_reader *p, uint64_t offset, uint64_t size, struct error *err)
{
	uint8_t *bytes;
	int rc;

	if (size > PERF_TRACING_BYTES_MAX)
		return error_set(err, EINVAL,
			"offset %" PRIu64 ": tracing_data: %" PRIu64 " bytes, expected at most %d",
			offset, size, PERF_TRACING_BYTES_MAX);
	if (p->formats)
		return error_set(
			err, EINVAL, "offset %" PRIu64 ": tracing_data: is there twice", offset);
	bytes = malloc(size + 1);
	if (!bytes)
		return error_set(err, ENOMEM, "out of memory");
	rc = perf_input_at(&p->input, offset, bytes, size, "tracing_data", err);
	if (rc == 0)
		rc = read_formats(p, bytes, size, offset, err);
	free(bytes);
	return rc;
}

static int read_feature(struct trace_reader *r, unsigned int id, uint64_t table, struct error *err)
{
	struct perf_reader *p = r->impl;
	uint8_t section[SECTION_BYTES];
	uint64_t offset, size;
	int rc =
		perf_input_at(&p->input, table, section, sizeof(section), "table of features", err);

	if (rc < 0)
		return rc;
	offset = perf_u64(section);
	size = perf_u64(section + 8);
	if (id == FEATURE_TRACING_DATA)
		return read_tracing_section(p, offset, size, err);
	if (id != FEATURE_OSRELEASE && id != FEATURE_NRCPUS && id != FEATURE_COMPRESSED)
		return 0;
	if (size > PERF_FEATURE_BYTES_MAX)
		return error_set(err, EINVAL,
			"offset %" PRIu64 ": feature %u: %" PRIu64 " bytes, expected at most %d",
			offset, id, size, PERF_FEATURE_BYTES_MAX);
	rc = perf_input_at(&p->input, offset, p->scratch, size, "feature", err);
	return rc < 0 ? rc : take_feature(r, id, p->scratch, size, offset, err);
}

/* The table of features is right behind the data, in the order of their numbers. */
static int read_features(struct trace_reader *r, const uint8_t *bits, struct error *err)
{
	struct perf_reader *p = r->impl;
	uint64_t table = p->input.end;
	int rc = 0;

	for (unsigned int id = 0; rc == 0 && id < FEATURES_MAX; id++) {
		if (!(bits[id / 8] >> id % 8 & 1))
			continue;
		rc = read_feature(r, id, table, err);
		table += SECTION_BYTES;
	}
	return rc;
}

static int read_attr(struct perf_reader *p, uint64_t offset, uint64_t size, struct error *err)
{
	uint8_t *bytes = p->scratch, *ids;
	uint64_t at, len;
	int rc = perf_input_at(&p->input, offset, bytes, size, "attr", err);

	if (rc == 0)
		rc = perf_attrs_add(&p->attrs, bytes, size - SECTION_BYTES, offset, err);
	if (rc < 0)
		return rc;
	at = perf_u64(bytes + size - SECTION_BYTES);
	len = perf_u64(bytes + size - SECTION_BYTES + 8);
	if (len > p->input.file_size || len % 8)
		return error_set(err, EINVAL,
			"offset %" PRIu64 ": event %zu: %" PRIu64
			" bytes of ids, expected 8 for each and no more than the file has",
			offset, p->attrs.nr - 1, len);
	ids = malloc(len + 1);
	if (!ids)
		return error_set(err, ENOMEM, "out of memory");
	rc = perf_input_at(&p->input, at, ids, len, "ids of an event", err);
	if (rc == 0)
		rc = perf_attrs_ids(&p->attrs, ids, len / 8, at, err);
	free(ids);
	return rc;
}

static int read_attrs(struct perf_reader *p, const uint8_t *head, struct error *err)
{
	uint64_t each = perf_u64(head + HEAD_ATTR_SIZE), offset = perf_u64(head + HEAD_ATTRS),
		 size = perf_u64(head + HEAD_ATTRS + 8);

	if (each < SECTION_BYTES || each > PERF_ATTR_BYTES_MAX || size % each ||
		size / each > PERF_ATTRS_MAX)
		return error_set(err, EINVAL,
			"offset %d: attrs of %" PRIu64 " bytes, %" PRIu64
			" bytes each: expected at most %d each and %d of them",
			HEAD_ATTR_SIZE, size, each, PERF_ATTR_BYTES_MAX, PERF_ATTRS_MAX);
	for (uint64_t i = 0; i < size / each; i++) {
		int rc = read_attr(p, offset + i * each, each, err);

		if (rc < 0)
			return rc;
	}
	return 0;
}

static int read_file_head(struct trace_reader *r, struct error *err)
{
	struct perf_reader *p = r->impl;
	uint8_t head[FILE_HEAD];
	uint64_t size;
	int rc;

	if (!p->input.seekable)
		return error_set(err, EINVAL,
			"offset 0: a perf.data in file mode, expected a regular file (or the "
			"output "
			"of perf record -o -)");
	rc = perf_input_at(&p->input, 0, head, sizeof(head), "header", err);
	if (rc < 0)
		return rc;
	p->data_offset = perf_u64(head + HEAD_DATA);
	size = perf_u64(head + HEAD_DATA + 8);
	if (!size || size > INT64_MAX || p->data_offset > INT64_MAX || p->data_offset < FILE_HEAD)
		return error_set(err, EINVAL,
			"offset %d: data of %" PRIu64 " bytes at %" PRIu64
			": perf record was not finished, or the header is damaged",
			HEAD_DATA, size, p->data_offset);
	p->input.end = p->data_offset + size;
	rc = read_attrs(p, head, err);
	if (rc == 0)
		rc = read_features(r, head + HEAD_FEATURES, err);
	if (rc == 0 && !p->formats)
		rc = error_set(err, EINVAL,
			"offset %d: no feature tracing_data: expected tracepoints, as by perf "
			"sched "
			"record",
			HEAD_FEATURES);
	return rc;
}

int perf_head_read(struct trace_reader *r, const struct trace_head *head, struct error *err)
{
	struct perf_reader *p = r->impl;
	uint64_t size;

	if (head->len < PIPE_HEAD)
		return error_set(err, EINVAL,
			"offset %zu: the file ends in its header, expected "
			"%d bytes",
			head->len, PIPE_HEAD);
	if (!memcmp(head->bytes, "2ELIFREP", 8))
		return error_set(
			err, ENOTSUP, "offset 0: perf.data of a machine with the other byte order");
	size = perf_u64(head->bytes + 8);
	p->pipe = size == PIPE_HEAD;
	if (p->pipe) {
		p->data_offset = PIPE_HEAD;
		p->input.at = PIPE_HEAD;
		return 0;
	}
	if (size < FILE_HEAD)
		return error_set(err, EINVAL,
			"offset 8: header of %" PRIu64 " bytes, expected %d (pipe) or %d", size,
			PIPE_HEAD, FILE_HEAD);
	return read_file_head(r, err);
}

/* The attr is as long as it says; the rest are ids. */
static int take_attr(struct perf_reader *p, const struct perf_record *rec, struct error *err)
{
	size_t room = rec->size - RECORD_HEAD, size;
	int rc;

	size = room < 8 ? 0 : perf_u32(rec->bytes + RECORD_HEAD + 4);
	if (!size || size > room || (room - size) % 8)
		return error_set(err, EINVAL,
			"offset %" PRIu64 ": event %zu: attr of %zu bytes in a record of %u",
			rec->offset, p->attrs.nr, size, rec->size);
	rc = perf_attrs_add(&p->attrs, rec->bytes + RECORD_HEAD, size, rec->offset, err);
	if (rc < 0)
		return rc;
	return perf_attrs_ids(
		&p->attrs, rec->bytes + RECORD_HEAD + size, (room - size) / 8, rec->offset, err);
}

/* 1: taken, 0: the file ended in it. */
static int take_tracing(struct perf_reader *p, const struct perf_record *rec, struct error *err)
{
	uint64_t offset = rec->offset + rec->size;
	uint32_t size = rec->size < RECORD_HEAD + 4 ? 0 : perf_u32(rec->bytes + RECORD_HEAD);
	uint8_t *bytes;
	int rc;

	if (rec->unpacked || p->formats || !size || size > PERF_TRACING_BYTES_MAX)
		return error_set(err, EINVAL,
			"offset %" PRIu64 ": tracing_data of %u bytes, expected one, of at most %d",
			rec->offset, size, PERF_TRACING_BYTES_MAX);
	bytes = malloc(size);
	if (!bytes)
		return error_set(err, ENOMEM, "out of memory");
	rc = perf_input_payload(&p->input, size, bytes, err);
	if (rc == 1) {
		rc = read_formats(p, bytes, size, offset, err);
		rc = rc < 0 ? rc : 1;
	}
	free(bytes);
	return rc;
}

/* The rate of the clock behind the times, where the kernel tells it. */
static void take_time_conv(struct trace_reader *r, const struct perf_record *rec)
{
	uint64_t shift, mult;

	if (rec->size < RECORD_HEAD + 16)
		return;
	shift = perf_u64(rec->bytes + RECORD_HEAD);
	mult = perf_u64(rec->bytes + RECORD_HEAD + 8);
	if (shift < 64 && mult)
		r->info.tsc_khz = (uint64_t)(((unsigned __int128)NSEC_PER_MSEC << shift) / mult);
}

int perf_head_record(struct trace_reader *r, const struct perf_record *rec, struct error *err)
{
	struct perf_reader *p = r->impl;
	uint64_t id;
	int rc = 0;

	switch (rec->type) {
	case PERF_HEADER_ATTR:
		rc = p->pipe ? take_attr(p, rec, err) : 0;
		break;
	case PERF_TRACING_DATA:
		return take_tracing(p, rec, err);
	case PERF_HEADER_FEATURE:
		if (rec->size < RECORD_HEAD + 8)
			break;
		id = perf_u64(rec->bytes + RECORD_HEAD);
		rc = take_feature(r, id < FEATURES_MAX ? (unsigned int)id : 0,
			rec->bytes + RECORD_HEAD + 8, rec->size - RECORD_HEAD - 8, rec->offset,
			err);
		break;
	case PERF_TIME_CONV:
		take_time_conv(r, rec);
		break;
	case PERF_AUXTRACE:
		if (rec->unpacked || rec->size < RECORD_HEAD + 8)
			return error_set(err, EINVAL,
				"offset %" PRIu64 ": AUXTRACE of %u bytes without a size",
				rec->offset, rec->size);
		return perf_input_payload(&p->input, perf_u64(rec->bytes + RECORD_HEAD), NULL, err);
	}
	return rc < 0 ? rc : 1;
}
