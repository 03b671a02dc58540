// SPDX-License-Identifier: GPL-2.0-or-later
/* One CPU's pages through a window of bounded size, uncompressed chunk by chunk where need be. */
#include "trace/dat.h"
#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

struct inflater {
	enum dat_compression kind;
	ZSTD_DCtx *zstd;
	uint8_t *packed; /* the chunk as it is in the file */
	size_t packed_size;
};

int inflater_new(enum dat_compression kind, struct inflater **ret, struct error *err)
{
	struct inflater *in = calloc(1, sizeof(*in));

	if (in)
		in->zstd = ZSTD_createDCtx();
	if (!in || !in->zstd) {
		free(in);
		return error_set(err, ENOMEM, "out of memory");
	}
	in->kind = kind;
	*ret = in;
	return 0;
}

struct inflater *inflater_free(struct inflater *in)
{
	if (in) {
		ZSTD_freeDCtx(in->zstd);
		free(in->packed);
		free(in);
	}
	return NULL;
}

long inflater_run(struct inflater *in, void *dst, size_t dst_size, const void *src, size_t src_size)
{
	uLongf got = dst_size;
	size_t rc;

	if (in->kind == DAT_ZLIB)
		return uncompress(dst, &got, src, src_size) == Z_OK ? (long)got : -EINVAL;
	rc = ZSTD_decompressDCtx(in->zstd, dst, dst_size, src, src_size);
	return ZSTD_isError(rc) ? -EINVAL : (long)rc;
}

static int grow(uint8_t **buf, size_t *capacity, size_t size, struct error *err)
{
	uint8_t *bigger;

	if (*buf && *capacity >= size)
		return 0;
	bigger = realloc(*buf, size + PAGE_SLACK);
	if (!bigger)
		return error_set(err, ENOMEM, "out of memory for %zu bytes", size);
	memset(bigger + size, 0, PAGE_SLACK);
	*buf = bigger;
	*capacity = size;
	return 0;
}

static size_t window_size(const struct dat *d)
{
	size_t page = d->buffer.page_size, size = DAT_WINDOWS_BYTES / (size_t)d->buffer.nr_cpus;

	if (size > 64 * page)
		size = 64 * page;
	size -= size % page;
	return size ? size : page;
}

static int read_chunk_count(struct pages *p, struct error *err)
{
	uint32_t raw;
	int rc;

	if (p->stop - p->pos < sizeof(raw)) {
		p->truncated = true;
		return 0;
	}
	rc = dat_read(p->dat, p->pos, &raw, sizeof(raw), "number of chunks", err);
	if (rc == 0) {
		p->chunks = dat_u32(p->dat, &raw);
		p->pos += sizeof(raw);
	}
	return rc;
}

int pages_init(struct pages *p, const struct dat *d, const struct dat_cpu *cpu, struct inflater *in,
	struct error *err)
{
	uint64_t size;

	p->dat = d;
	p->inflater = in;
	p->len = p->at = 0;
	p->chunks = 0;
	p->begin = p->pos = cpu->offset < d->file_size ? cpu->offset : d->file_size;
	/* trace-cmd does not count the word with the number of chunks. */
	size = cpu->size + (d->buffer.compressed && cpu->size ? 4 : 0);
	p->truncated = size < cpu->size || size > d->file_size - p->pos;
	p->stop = p->truncated ? d->file_size : p->pos + size;
	if (d->buffer.compressed && cpu->size)
		return read_chunk_count(p, err);
	return 0;
}

void pages_release(struct pages *p)
{
	free(p->window);
	p->window = NULL;
}

/* Returns 1: the window holds len bytes, 0: no more. */
static int fill_plain(struct pages *p, struct error *err)
{
	size_t want = window_size(p->dat);
	int rc;

	if (want > p->stop - p->pos)
		want = (size_t)(p->stop - p->pos);
	if (!want)
		return 0;
	rc = grow(&p->window, &p->capacity, window_size(p->dat), err);
	if (rc == 0)
		rc = dat_read(p->dat, p->pos, p->window, want, "a CPU's pages", err);
	if (rc < 0)
		return rc;
	p->pos += want;
	p->len = want;
	return 1;
}

static int fill_chunk(struct pages *p, struct error *err)
{
	struct inflater *in = p->inflater;
	uint32_t packed, plain;
	uint8_t head[8];
	long got;
	int rc;

	if (!p->chunks)
		return 0;
	if (p->stop - p->pos < sizeof(head)) {
		p->truncated = true;
		return 0;
	}
	rc = dat_read(p->dat, p->pos, head, sizeof(head), "a chunk's header", err);
	if (rc < 0)
		return rc;
	packed = dat_u32(p->dat, head);
	plain = dat_u32(p->dat, head + 4);
	if (packed > p->stop - p->pos - sizeof(head)) {
		p->truncated = true;
		return 0;
	}
	if (plain > DAT_CHUNK_MAX || packed > DAT_CHUNK_MAX)
		return error_set(err, EINVAL,
			"offset %" PRIu64
			": chunk of %u bytes (%u compressed), expected at most %d",
			p->pos, plain, packed, DAT_CHUNK_MAX);
	rc = grow(&p->window, &p->capacity, plain, err);
	if (rc == 0)
		rc = grow(&in->packed, &in->packed_size, packed, err);
	if (rc == 0)
		rc = dat_read(p->dat, p->pos + sizeof(head), in->packed, packed, "a chunk", err);
	if (rc < 0)
		return rc;
	got = inflater_run(in, p->window, plain, in->packed, packed);
	if (got < 0)
		return error_set(
			err, EINVAL, "offset %" PRIu64 ": the compressed chunk is damaged", p->pos);
	if (!got)
		return error_set(err, EINVAL, "offset %" PRIu64 ": an empty chunk", p->pos);
	p->pos += sizeof(head) + packed;
	p->chunks--;
	p->len = (size_t)got;
	return 1;
}

int pages_next(struct pages *p, uint8_t **ret, size_t *ret_len, struct error *err)
{
	size_t page = p->dat->buffer.page_size;

	if (p->at == p->len) {
		int rc;

		p->at = p->len = 0;
		rc = p->dat->buffer.compressed ? fill_chunk(p, err) : fill_plain(p, err);
		if (rc <= 0)
			return rc;
	}
	*ret = p->window + p->at;
	*ret_len = p->len - p->at < page ? p->len - p->at : page;
	if (*ret_len < page)
		p->truncated = true;
	p->at += *ret_len;
	return 1;
}
