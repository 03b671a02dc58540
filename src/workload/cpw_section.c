// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/cpw_section.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* The first byte and the line ends tell a binary file from one that was mangled as text. */
static const uint8_t magic[8] = { 0x89, 'C', 'P', 'W', '\r', '\n', 0x1a, '\n' };
static const uint8_t end_magic[4] = { 'C', 'P', 'W', 'E' };

enum { ZSTD_LEVEL = 1 };

static void put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

static uint32_t get32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t crc(const uint8_t *p, size_t len)
{
	return (uint32_t)crc32(0, p, (unsigned)len);
}

int buffer_reserve(struct buffer *b, size_t more)
{
	size_t room = b->room ? b->room : 256;
	uint8_t *data;

	if (b->room - b->len >= more)
		return 0;
	while (room - b->len < more)
		room *= 2;
	data = realloc(b->data, room);
	if (!data)
		return -ENOMEM;
	b->data = data;
	b->room = room;
	return 0;
}

void buffer_release(struct buffer *b)
{
	free(b->data);
	*b = (struct buffer){ 0 };
}

/* ---- writing ---- */

int section_out_init(struct section_out *out, int fd)
{
	ZSTD_CCtx *cctx = ZSTD_createCCtx();

	if (!cctx)
		return -ENOMEM;
	ZSTD_CCtx_setParameter(cctx, ZSTD_c_compressionLevel, ZSTD_LEVEL);
	ZSTD_CCtx_setParameter(cctx, ZSTD_c_checksumFlag, 1);
	*out = (struct section_out){ .fd = fd, .cctx = cctx };
	return 0;
}

void section_out_release(struct section_out *out)
{
	ZSTD_freeCCtx(out->cctx);
	buffer_release(&out->frame);
	out->cctx = NULL;
}

static int write_all(struct section_out *out, const uint8_t *p, size_t len, struct error *err)
{
	while (len) {
		ssize_t n = write(out->fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, errno, "writing at offset %llu: %s",
				(unsigned long long)out->offset, strerror(errno));
		p += n;
		len -= (size_t)n;
		out->offset += (uint64_t)n;
	}
	return 0;
}

int section_write_header(struct section_out *out, struct error *err)
{
	uint8_t h[CPW_HEADER_SIZE] = { 0 };

	memcpy(h, magic, sizeof(magic));
	put32(h + 8, CPW_VERSION);
	put32(h + 12, crc(h, 12));
	return write_all(out, h, sizeof(h), err);
}

int section_write(struct section_out *out, uint32_t type, uint32_t stream, uint32_t count,
	const void *raw, size_t len, struct error *err)
{
	char name[5];
	size_t n;
	uint8_t *h;

	section_name(type, name);
	if (len > CPW_TABLE_RAW_MAX)
		return error_set(err, EFBIG, "section %s: %zu bytes, expected at most %d", name,
			len, CPW_TABLE_RAW_MAX);
	out->frame.len = 0;
	if (buffer_reserve(&out->frame, CPW_SECTION_SIZE + ZSTD_compressBound(len)))
		return error_set(err, ENOMEM, "out of memory");
	h = out->frame.data;
	n = ZSTD_compress2(
		out->cctx, h + CPW_SECTION_SIZE, out->frame.room - CPW_SECTION_SIZE, raw, len);
	if (ZSTD_isError(n))
		return error_set(err, EIO, "zstd: %s", ZSTD_getErrorName(n));
	put32(h, type);
	put32(h + 4, 0);
	put32(h + 8, (uint32_t)n);
	put32(h + 12, (uint32_t)len);
	put32(h + 16, stream);
	put32(h + 20, count);
	put32(h + 24, crc(h, 24));
	return write_all(out, h, CPW_SECTION_SIZE + n, err);
}

int section_write_trailer(struct section_out *out, uint64_t index_offset, struct error *err)
{
	uint8_t t[CPW_TRAILER_SIZE];

	put32(t, (uint32_t)index_offset);
	put32(t + 4, (uint32_t)(index_offset >> 32));
	put32(t + 8, crc(t, 8));
	memcpy(t + 12, end_magic, sizeof(end_magic));
	return write_all(out, t, sizeof(t), err);
}

/* ---- reading ---- */

int section_in_init(struct section_in *in, int fd, struct error *err)
{
	struct stat st;
	ZSTD_DCtx *dctx;

	if (fstat(fd, &st))
		return error_set(err, errno, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return error_set(err, EINVAL, "not a regular file");
	dctx = ZSTD_createDCtx();
	if (!dctx)
		return error_set(err, ENOMEM, "out of memory");
	*in = (struct section_in){ .fd = fd, .size = (uint64_t)st.st_size, .dctx = dctx };
	return 0;
}

void section_in_release(struct section_in *in)
{
	ZSTD_freeDCtx(in->dctx);
	buffer_release(&in->frame);
	in->dctx = NULL;
}

void section_name(uint32_t type, char name[5])
{
	memset(name, 0, 5);
	for (int i = 0; i < 4; i++) {
		char c = (char)(type >> (8 * i));

		name[i] = c >= 0x20 && c < 0x7f ? c : '?';
	}
	for (int i = 3; i >= 0 && name[i] == ' '; i--)
		name[i] = 0;
}

int section_error(
	uint64_t offset, uint32_t type, uint32_t stream, struct error *err, const char *fmt, ...)
{
	char text[256], whose[32] = "", name[5];
	va_list ap;

	section_name(type, name);
	if (stream >= CPW_STREAM_TASK0)
		snprintf(whose, sizeof(whose), " of task %u", stream - CPW_STREAM_TASK0);
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return error_set(err, EBADMSG, "offset %llu: section %s%s: %s", (unsigned long long)offset,
		name, whose, text);
}

static int read_all(
	struct section_in *in, uint64_t offset, uint8_t *p, size_t len, struct error *err)
{
	while (len) {
		ssize_t n = pread(in->fd, p, len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, errno, "offset %llu: %s", (unsigned long long)offset,
				strerror(errno));
		if (!n)
			return error_set(err, EBADMSG,
				"offset %llu: the file ends, expected %zu more bytes",
				(unsigned long long)offset, len);
		p += n;
		len -= (size_t)n;
		offset += (uint64_t)n;
	}
	return 0;
}

int section_read_ends(struct section_in *in, uint64_t *ret_index, struct error *err)
{
	uint8_t h[CPW_HEADER_SIZE], t[CPW_TRAILER_SIZE];
	uint64_t index, trailer;
	int r;

	if (in->size < CPW_HEADER_SIZE)
		return error_set(err, EBADMSG,
			"offset 0: header: %llu bytes, expected a .cpw file of at least %d",
			(unsigned long long)in->size, CPW_HEADER_SIZE + CPW_TRAILER_SIZE);
	r = read_all(in, 0, h, sizeof(h), err);
	if (r)
		return r;
	if (memcmp(h, magic, sizeof(magic)))
		return error_set(err, EBADMSG, "offset 0: header: not a .cpw file");
	if (get32(h + 12) != crc(h, 12))
		return error_set(err, EBADMSG, "offset 12: header: checksum does not match");
	if (get32(h + 8) != CPW_VERSION)
		return error_set(err, EBADMSG, "offset 8: header: version %u, expected %d",
			get32(h + 8), CPW_VERSION);
	trailer = in->size - CPW_TRAILER_SIZE;
	if (in->size < CPW_HEADER_SIZE + CPW_SECTION_SIZE + CPW_TRAILER_SIZE)
		return error_set(err, EBADMSG, "offset %llu: the file is cut short: no trailer",
			(unsigned long long)in->size);
	r = read_all(in, trailer, t, sizeof(t), err);
	if (r)
		return r;
	if (memcmp(t + 12, end_magic, sizeof(end_magic)) || get32(t + 8) != crc(t, 8))
		return error_set(err, EBADMSG,
			"offset %llu: no trailer: the file is cut short or damaged at its end",
			(unsigned long long)trailer);
	index = get32(t) | (uint64_t)get32(t + 4) << 32;
	if (index < CPW_HEADER_SIZE || index > trailer - CPW_SECTION_SIZE)
		return error_set(err, EBADMSG,
			"offset %llu: trailer: index at %llu, expected %d to %llu",
			(unsigned long long)trailer, (unsigned long long)index, CPW_HEADER_SIZE,
			(unsigned long long)(trailer - CPW_SECTION_SIZE));
	*ret_index = index;
	return 0;
}

/* Header of the section at offset, every field checked before anything is allocated by it. */
static int read_section_header(struct section_in *in, uint64_t offset, uint32_t type,
	uint32_t stream, struct section *ret, struct error *err)
{
	bool chunk = type == CPW_OPS || type == CPW_IDLE;
	uint32_t raw_max = chunk ? CPW_CHUNK_RAW_MAX : CPW_TABLE_RAW_MAX;
	uint8_t h[CPW_SECTION_SIZE];
	struct section s;
	int r;

	if (offset < CPW_HEADER_SIZE || offset > in->size - CPW_TRAILER_SIZE - CPW_SECTION_SIZE)
		return section_error(offset, type, stream, err, "expected an offset in the file");
	r = read_all(in, offset, h, sizeof(h), err);
	if (r)
		return r;
	if (get32(h + 24) != crc(h, 24))
		return section_error(offset, type, stream, err, "header checksum does not match");
	s = (struct section){ get32(h), get32(h + 4), get32(h + 8), get32(h + 12), get32(h + 16),
		get32(h + 20) };
	if (s.type != type || s.stream != stream)
		return section_error(offset, type, stream, err,
			"found type %#x stream %u, expected type %#x stream %u", s.type, s.stream,
			type, stream);
	if (s.raw_length > raw_max)
		return section_error(offset, type, stream, err,
			"content of %u bytes, expected at most %u", s.raw_length, raw_max);
	if (s.length > in->size - CPW_TRAILER_SIZE - CPW_SECTION_SIZE - offset)
		return section_error(offset, type, stream, err,
			"length %u reaches past the end of the file", s.length);
	if (s.length > ZSTD_compressBound(s.raw_length))
		return section_error(offset, type, stream, err,
			"length %u, expected at most %zu for a content of %u bytes", s.length,
			ZSTD_compressBound(s.raw_length), s.raw_length);
	*ret = s;
	return 0;
}

int section_read(struct section_in *in, uint64_t offset, uint32_t type, uint32_t stream,
	struct section *ret, struct buffer *raw, struct error *err)
{
	unsigned long long content;
	struct section s;
	size_t n;
	int r;

	r = read_section_header(in, offset, type, stream, &s, err);
	if (r)
		return r;
	in->frame.len = raw->len = 0;
	if (buffer_reserve(&in->frame, s.length))
		return error_set(err, ENOMEM, "out of memory");
	r = read_all(in, offset + CPW_SECTION_SIZE, in->frame.data, s.length, err);
	if (r)
		return r;
	content = ZSTD_getFrameContentSize(in->frame.data, s.length);
	if (content != s.raw_length ||
		ZSTD_findFrameCompressedSize(in->frame.data, s.length) != s.length)
		return section_error(offset, type, stream, err,
			"expected one zstd frame of %u bytes with a content of %u", s.length,
			s.raw_length);
	if (buffer_reserve(raw, s.raw_length ? s.raw_length : 1))
		return error_set(err, ENOMEM, "out of memory");
	n = ZSTD_decompressDCtx(in->dctx, raw->data, s.raw_length, in->frame.data, s.length);
	if (ZSTD_isError(n))
		return section_error(offset, type, stream, err, "zstd: %s", ZSTD_getErrorName(n));
	if (n != s.raw_length)
		return section_error(offset, type, stream, err, "content of %zu bytes, expected %u",
			n, s.raw_length);
	raw->len = n;
	*ret = s;
	return 0;
}
