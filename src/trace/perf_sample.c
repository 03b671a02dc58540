// SPDX-License-Identifier: GPL-2.0-or-later
/* Attributes (perf_event_attr) and the fields of records that they lay out. */
#include "trace/perf.h"
#include "base/array.h"
#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	RECORD_HEAD = 8,
	ATTR_BYTES_MIN = 64, /* the first version's */
	ATTR_TYPE = 0,
	ATTR_CONFIG = 8,
	ATTR_SAMPLE_TYPE = 24,
	ATTR_READ_FORMAT = 32,
	ATTR_FLAGS = 40,
	ATTR_CLOCK = 92,
	TYPE_TRACEPOINT = 2,
};

enum {
	SAMPLE_IP = 1 << 0,
	SAMPLE_TID = 1 << 1,
	SAMPLE_TIME = 1 << 2,
	SAMPLE_ADDR = 1 << 3,
	SAMPLE_READ = 1 << 4,
	SAMPLE_CALLCHAIN = 1 << 5,
	SAMPLE_ID = 1 << 6,
	SAMPLE_CPU = 1 << 7,
	SAMPLE_PERIOD = 1 << 8,
	SAMPLE_STREAM_ID = 1 << 9,
	SAMPLE_RAW = 1 << 10,
	SAMPLE_IDENTIFIER = 1 << 16,
};

enum {
	READ_ENABLED = 1 << 0,
	READ_RUNNING = 1 << 1,
	READ_ID = 1 << 2,
	READ_GROUP = 1 << 3,
	READ_LOST = 1 << 4,
};

static const uint64_t flag_sample_id_all = 1ULL << 18, flag_use_clockid = 1ULL << 25;

/* Each field that is there takes 8 bytes, in this order. */
static void lay_out_sample(struct perf_attr *a)
{
	static const uint32_t order[] = { SAMPLE_IDENTIFIER, SAMPLE_IP, SAMPLE_TID, SAMPLE_TIME,
		SAMPLE_ADDR, SAMPLE_ID, SAMPLE_STREAM_ID, SAMPLE_CPU, SAMPLE_PERIOD };
	int at = RECORD_HEAD;

	a->id_at = a->time_at = a->cpu_at = -1;
	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		if (!(a->sample_type & order[i]))
			continue;
		if (order[i] == SAMPLE_IDENTIFIER || (order[i] == SAMPLE_ID && a->id_at < 0))
			a->id_at = at;
		else if (order[i] == SAMPLE_TIME)
			a->time_at = at;
		else if (order[i] == SAMPLE_CPU)
			a->cpu_at = at;
		at += 8;
	}
	a->fixed = at;
}

static void lay_out_trailer(struct perf_attr *a)
{
	static const uint32_t order[] = { SAMPLE_TID, SAMPLE_TIME, SAMPLE_ID, SAMPLE_STREAM_ID,
		SAMPLE_CPU, SAMPLE_IDENTIFIER };

	a->trailer = 0;
	a->trailer_time = a->trailer_cpu = -1;
	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		if (!(a->sample_type & order[i]))
			continue;
		if (order[i] == SAMPLE_TIME)
			a->trailer_time = a->trailer;
		else if (order[i] == SAMPLE_CPU)
			a->trailer_cpu = a->trailer;
		a->trailer += 8;
	}
}

static int check_attr(const struct perf_attrs *attrs, const struct perf_attr *a, uint64_t flags,
	struct error *err)
{
	if (!a->is_tracepoint)
		return 0;
	if (a->time_at < 0 || a->cpu_at < 0 || !(a->sample_type & SAMPLE_RAW))
		return error_set(err, EINVAL,
			"tracepoint %" PRIu64 ": sample_type %#" PRIx64
			": expected TIME, CPU and RAW in it",
			a->config, a->sample_type);
	if (!(flags & flag_sample_id_all))
		return error_set(err, EINVAL,
			"tracepoint %" PRIu64 ": sample_id_all is not set: losses have no CPU",
			a->config);
	if (attrs->nr && attrs->list[0].id_at != a->id_at)
		return error_set(err, EINVAL,
			"tracepoint %" PRIu64 ": sample_type %#" PRIx64
			": expected a sample's id at the same place as in the first event",
			a->config, a->sample_type);
	return 0;
}

int perf_attrs_add(struct perf_attrs *attrs, const uint8_t *bytes, size_t size, uint64_t offset,
	struct error *err)
{
	struct perf_attr a = { .clock = -1 }, *list;
	uint64_t flags;
	int rc;

	if (size < ATTR_BYTES_MIN || attrs->nr == PERF_ATTRS_MAX)
		return error_set(err, EINVAL,
			"offset %" PRIu64 ": event %zu: attr of %zu bytes, expected at least %d, "
			"and at most %d events",
			offset, attrs->nr, size, ATTR_BYTES_MIN, PERF_ATTRS_MAX);
	a.is_tracepoint = perf_u32(bytes + ATTR_TYPE) == TYPE_TRACEPOINT;
	a.config = perf_u64(bytes + ATTR_CONFIG);
	a.sample_type = perf_u64(bytes + ATTR_SAMPLE_TYPE);
	a.read_format = perf_u64(bytes + ATTR_READ_FORMAT);
	flags = perf_u64(bytes + ATTR_FLAGS);
	if (flags & flag_use_clockid && size >= ATTR_CLOCK + 4)
		a.clock = (int)perf_u32(bytes + ATTR_CLOCK);
	lay_out_sample(&a);
	lay_out_trailer(&a);
	rc = check_attr(attrs, &a, flags, err);
	if (rc < 0)
		return error_prefix(err, rc, "offset %" PRIu64, offset);
	list = array_grow(attrs->list, attrs->nr, sizeof(*list));
	if (!list)
		return error_set(err, ENOMEM, "out of memory");
	attrs->list = list;
	list[attrs->nr++] = a;
	return 0;
}

int perf_attrs_ids(
	struct perf_attrs *a, const uint8_t *ids, size_t nr, uint64_t offset, struct error *err)
{
	struct perf_id *grown;

	if (!nr)
		return 0;
	if (nr > PERF_IDS_MAX - a->nr_ids)
		return error_set(err, EINVAL, "offset %" PRIu64 ": %zu ids, expected at most %d",
			offset, nr, PERF_IDS_MAX);
	grown = reallocarray(a->ids, a->nr_ids + nr, sizeof(*grown));
	if (!grown)
		return error_set(err, ENOMEM, "out of memory");
	a->ids = grown;
	for (size_t i = 0; i < nr; i++)
		grown[a->nr_ids++] =
			(struct perf_id){ perf_u64(ids + 8 * i), (uint32_t)(a->nr - 1) };
	a->sorted = false;
	return 0;
}

void perf_attrs_release(struct perf_attrs *a)
{
	free(a->list);
	free(a->ids);
	memset(a, 0, sizeof(*a));
}

static int compare_ids(const void *a, const void *b)
{
	uint64_t x = ((const struct perf_id *)a)->id, y = ((const struct perf_id *)b)->id;

	return x < y ? -1 : x > y;
}

const struct perf_attr *perf_attr_find(struct perf_attrs *a, uint64_t id)
{
	const struct perf_id *found, key = { .id = id };

	if (!a->nr)
		return NULL;
	if (!a->nr_ids)
		return &a->list[0];
	if (!a->sorted)
		qsort(a->ids, a->nr_ids, sizeof(*a->ids), compare_ids);
	a->sorted = true;
	found = bsearch(&key, a->ids, a->nr_ids, sizeof(*a->ids), compare_ids);
	return found ? &a->list[found->attr] : NULL;
}

const struct perf_attr *perf_attr_of(struct perf_attrs *a, const struct perf_record *rec)
{
	int id_at = a->nr ? a->list[0].id_at : -1;

	if (!a->nr || id_at < 0)
		return a->list;
	if (rec->size < (uint32_t)id_at + 8)
		return NULL;
	return perf_attr_find(a, perf_u64(rec->bytes + id_at));
}

/* Bytes of a sample's counter values at p, of which left are there; 0: not all are. */
static uint64_t read_values(uint64_t format, const uint8_t *p, uint64_t left)
{
	uint64_t words = 1, each = 1;

	if (left < 8)
		return 0;
	words += (format & READ_ENABLED ? 1 : 0) + (format & READ_RUNNING ? 1 : 0);
	each += (format & READ_ID ? 1 : 0) + (format & READ_LOST ? 1 : 0);
	if (!(format & READ_GROUP))
		return 8 * (words + each - 1);
	if (perf_u64(p) > PERF_RECORD_MAX)
		return 0;
	return 8 * (words + perf_u64(p) * each);
}

bool perf_sample_parse(
	const struct perf_attr *attr, const struct perf_record *rec, struct perf_sample *ret)
{
	uint64_t at = (uint64_t)attr->fixed, size = rec->size, step;

	memset(ret, 0, sizeof(*ret));
	if (attr->time_at < 0 || attr->cpu_at < 0 || at > size)
		return false;
	ret->time = perf_u64(rec->bytes + attr->time_at);
	ret->cpu = perf_u32(rec->bytes + attr->cpu_at);
	if (attr->sample_type & SAMPLE_READ) {
		step = read_values(attr->read_format, rec->bytes + at, size - at);
		if (!step || step > size - at)
			return false;
		at += step;
	}
	if (attr->sample_type & SAMPLE_CALLCHAIN) {
		if (size - at < 8 || perf_u64(rec->bytes + at) > (size - at - 8) / 8)
			return false;
		at += 8 + 8 * perf_u64(rec->bytes + at);
	}
	if (!(attr->sample_type & SAMPLE_RAW))
		return true;
	if (size - at < 4 || perf_u32(rec->bytes + at) > size - at - 4)
		return false;
	ret->raw = rec->bytes + at + 4;
	ret->raw_size = perf_u32(rec->bytes + at);
	return true;
}

bool perf_trailer_parse(
	const struct perf_attr *attr, const struct perf_record *rec, struct perf_sample *ret)
{
	const uint8_t *trailer;

	memset(ret, 0, sizeof(*ret));
	if (attr->trailer_time < 0 || attr->trailer_cpu < 0 ||
		rec->size < (uint32_t)attr->trailer + RECORD_HEAD)
		return false;
	trailer = rec->bytes + rec->size - attr->trailer;
	ret->time = perf_u64(trailer + attr->trailer_time);
	ret->cpu = perf_u32(trailer + attr->trailer_cpu);
	return true;
}
