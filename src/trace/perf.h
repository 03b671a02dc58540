/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the perf.data reader, for its own files. The format is described in
 * tools/perf/Documentation/perf.data-file-format.txt of the kernel and in perf_event_open(2).
 *
 * perf_input gives records one after the other, uncompressed; perf_head reads what a file's header
 * and features or a pipe's records say of the recording; perf_sample takes a record's fields;
 * perf_queue (perf_queue.h) brings the events of a round into time order; perf_read drives them.
 */
#pragma once

#include "trace/layout.h"
#include "trace/perf_queue.h"
#include "trace/reader.h"

#include <zstd.h>

enum {
	PERF_RECORD_MAX = 65536,	   /* the size field has 16 bits */
	PERF_INPUT_BYTES = 1 << 20,	   /* of the file, read at once */
	PERF_PLAIN_BYTES = 1 << 18,	   /* uncompressed at once */
	PERF_TRACING_BYTES_MAX = 64 << 20, /* of the section with the events' formats */
	PERF_FEATURE_BYTES_MAX = 4096,	   /* of any other feature that we read */
	PERF_ATTR_BYTES_MAX = 4096,	   /* of one perf_event_attr, as the kernel's own limit */
	PERF_ATTRS_MAX = 4096,
	PERF_IDS_MAX = 1 << 22,
};

enum perf_record_type {
	PERF_LOST = 2,
	PERF_SAMPLE = 9,
	PERF_LOST_SAMPLES = 13,
	PERF_USER_FIRST = 64, /* from here on written by perf itself */
	PERF_HEADER_ATTR = 64,
	PERF_TRACING_DATA = 66,
	PERF_FINISHED_ROUND = 68,
	PERF_AUXTRACE = 71,
	PERF_TIME_CONV = 79,
	PERF_HEADER_FEATURE = 80,
	PERF_COMPRESSED = 81,
	PERF_COMPRESSED2 = 83,
};

enum perf_feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_OSRELEASE = 4,
	FEATURE_NRCPUS = 7,
	FEATURE_COMPRESSED = 27,
	FEATURES_MAX = 256,
};

/* A record: its bytes, good until the next is asked for, and where in the file it is. */
struct perf_record {
	const uint8_t *bytes;
	uint32_t size;
	uint32_t type;
	uint64_t offset;
	bool unpacked; /* offset is that of the compressed record it was in */
};

struct perf_input {
	int fd;
	bool seekable;
	uint64_t file_size; /* 0: not known */
	uint64_t end;	    /* no record is behind this */
	uint8_t *buf;
	size_t at, len;
	uint64_t base; /* offset in the file of buf's first byte */
	bool eof;
	bool truncated; /* the file ended within a record */
	/* Uncompressed bytes, and the compressed ones that follow. */
	ZSTD_DCtx *zstd;
	uint8_t *plain;
	size_t plain_at, plain_len;
	ZSTD_inBuffer packed;
	uint64_t packed_offset;
	bool more; /* the decompressor may hold output back */
};

int perf_input_new(
	int fd, const struct trace_head *head, struct perf_input *ret, struct error *err);
void perf_input_release(struct perf_input *in);
/* Goes on at offset; only if seekable. */
int perf_input_seek(struct perf_input *in, uint64_t offset, struct error *err);
/* 1: a record, 0: the end, negative errno. */
int perf_input_next(struct perf_input *in, struct perf_record *ret, struct error *err);
/* What follows the last record and belongs to it: passed over, or copied to buf. 1, or 0 at the
 * end. */
int perf_input_payload(struct perf_input *in, uint64_t size, uint8_t *buf, struct error *err);
/* Reads exactly size bytes at offset of a seekable file, whatever is being read. */
int perf_input_at(const struct perf_input *in, uint64_t offset, void *buf, size_t size,
	const char *what, struct error *err);

/* Where the fields of a sample are that we need; -1: not there. */
struct perf_attr {
	bool is_tracepoint;
	uint64_t config; /* a tracepoint's id */
	uint64_t sample_type, read_format;
	int id_at, time_at, cpu_at, fixed;	/* in bytes from the record's begin */
	int trailer, trailer_time, trailer_cpu; /* of other records: its size, from its begin */
	int clock;				/* -1: perf's own */
};

struct perf_id {
	uint64_t id;
	uint32_t attr;
};

struct perf_attrs {
	struct perf_attr *list;
	size_t nr;
	struct perf_id *ids;
	size_t nr_ids;
	bool sorted;
};

/* bytes: a perf_event_attr as long as its size field says, at offset of the file. */
int perf_attrs_add(struct perf_attrs *a, const uint8_t *bytes, size_t size, uint64_t offset,
	struct error *err);
/* ids: as they are in the file, of the attr added last. */
int perf_attrs_ids(
	struct perf_attrs *a, const uint8_t *ids, size_t nr, uint64_t offset, struct error *err);
void perf_attrs_release(struct perf_attrs *a);
/* The attr of a sample, NULL if its id is not known. */
const struct perf_attr *perf_attr_of(struct perf_attrs *a, const struct perf_record *rec);
/* The attr of an event by its id, NULL if that is not known. */
const struct perf_attr *perf_attr_find(struct perf_attrs *a, uint64_t id);

/* The fields of a sample. raw NULL: it has none. */
struct perf_sample {
	uint64_t time;
	uint32_t cpu;
	const uint8_t *raw;
	uint32_t raw_size;
};

/* False: the record is shorter than it says. */
bool perf_sample_parse(
	const struct perf_attr *attr, const struct perf_record *rec, struct perf_sample *ret);
/* Time and CPU behind any other record. */
bool perf_trailer_parse(
	const struct perf_attr *attr, const struct perf_record *rec, struct perf_sample *ret);

struct perf_reader {
	struct perf_input input;
	bool pipe;
	uint64_t data_offset;
	struct perf_attrs attrs;
	struct layouts *layouts;
	int long_size;
	bool formats; /* the layouts are complete */
	struct perf_queue queue;
	bool ended;
	/* A loss that waits for the sample behind it: see take_loss. */
	bool loss;
	struct queued loss_event;
	uint64_t lost_told, lost_counted;
	uint8_t *scratch; /* PERF_RECORD_MAX bytes */
};

/* What stands before the records; the input is then at the first. */
int perf_head_read(struct trace_reader *r, const struct trace_head *head, struct error *err);
/* A record of perf's own. 1: taken, 0: the file ended in it. */
int perf_head_record(struct trace_reader *r, const struct perf_record *rec, struct error *err);

static inline uint16_t perf_u16(const uint8_t *p)
{
	uint16_t v;

	__builtin_memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint32_t perf_u32(const uint8_t *p)
{
	uint32_t v;

	__builtin_memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint64_t perf_u64(const uint8_t *p)
{
	uint64_t v;

	__builtin_memcpy(&v, p, sizeof(v));
	return v;
}
