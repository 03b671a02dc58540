// SPDX-License-Identifier: GPL-2.0-or-later
/* Records one after the other, from a file or a pipe, compressed or not. */
#include "trace/perf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RECORD_HEAD = 8, COMPRESSED2_HEAD = 16 };

int perf_input_new(int fd, const struct trace_head *head, struct perf_input *ret, struct error *err)
{
	struct stat st;

	memset(ret, 0, sizeof(*ret));
	ret->fd = fd;
	ret->end = UINT64_MAX;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		ret->seekable = true;
		ret->file_size = (uint64_t)st.st_size;
	}
	ret->buf = malloc(PERF_INPUT_BYTES);
	if (!ret->buf)
		return error_set(err, ENOMEM, "out of memory");
	memcpy(ret->buf, head->bytes, head->len);
	ret->len = head->len;
	return 0;
}

void perf_input_release(struct perf_input *in)
{
	free(in->buf);
	free(in->plain);
	ZSTD_freeDCtx(in->zstd);
	in->buf = in->plain = NULL;
	in->zstd = NULL;
}

int perf_input_seek(struct perf_input *in, uint64_t offset, struct error *err)
{
	if (lseek(in->fd, (off_t)offset, SEEK_SET) < 0)
		return error_set(err, errno, "offset %" PRIu64 ": %s", offset, strerror(errno));
	in->base = offset;
	in->at = in->len = 0;
	in->eof = in->truncated = in->more = false;
	in->plain_at = in->plain_len = 0;
	in->packed = (ZSTD_inBuffer){ 0 };
	if (in->zstd)
		ZSTD_DCtx_reset(in->zstd, ZSTD_reset_session_only);
	return 0;
}

static uint64_t position(const struct perf_input *in)
{
	return in->base + in->at;
}

/* Tries to have size bytes at at; returns how many are there. */
static ssize_t want(struct perf_input *in, size_t size, struct error *err)
{
	uint64_t left;

	if (in->len - in->at < size && !in->eof) {
		memmove(in->buf, in->buf + in->at, in->len - in->at);
		in->base += in->at;
		in->len -= in->at;
		in->at = 0;
	}
	while (in->len - in->at < size && !in->eof) {
		ssize_t n = read(in->fd, in->buf + in->len, PERF_INPUT_BYTES - in->len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, errno, "offset %" PRIu64 ": %s", in->base + in->len,
				strerror(errno));
		in->eof = !n;
		in->len += (size_t)n;
	}
	left = in->end > position(in) ? in->end - position(in) : 0;
	if (left > in->len - in->at)
		left = in->len - in->at;
	return (ssize_t)left;
}

static int size_error(const struct perf_record *rec, struct error *err)
{
	return error_set(err, EINVAL,
		"offset %" PRIu64 ": %srecord %u of %u bytes, expected at least %d", rec->offset,
		rec->unpacked ? "compressed record: in it " : "", rec->type, rec->size,
		RECORD_HEAD);
}

static void take_head(const uint8_t *p, struct perf_record *ret)
{
	ret->bytes = p;
	ret->type = perf_u32(p);
	ret->size = perf_u16(p + 6);
}

/* 1: a record as it is in the file, 0: the end. */
static int next_raw(struct perf_input *in, struct perf_record *ret, struct error *err)
{
	ssize_t got = want(in, PERF_RECORD_MAX, err);

	if (got <= 0) {
		in->truncated =
			in->truncated || (!got && in->end != UINT64_MAX && position(in) < in->end);
		return (int)got;
	}
	if (got < RECORD_HEAD) {
		in->truncated = true;
		return 0;
	}
	take_head(in->buf + in->at, ret);
	ret->offset = position(in);
	ret->unpacked = false;
	if (ret->size < RECORD_HEAD)
		return size_error(ret, err);
	if (ret->size > (size_t)got) {
		in->truncated = true;
		return 0;
	}
	in->at += ret->size;
	return 1;
}

static int begin_packed(struct perf_input *in, const struct perf_record *rec, struct error *err)
{
	size_t head = RECORD_HEAD, size = rec->size;

	if (rec->type == PERF_COMPRESSED2) {
		head = COMPRESSED2_HEAD;
		if (size < head || perf_u64(rec->bytes + RECORD_HEAD) > size - head)
			return error_set(err, EINVAL,
				"offset %" PRIu64 ": compressed record: more bytes than its size",
				rec->offset);
		size = head + perf_u64(rec->bytes + RECORD_HEAD);
	}
	if (!in->zstd)
		in->zstd = ZSTD_createDCtx();
	if (!in->plain)
		in->plain = malloc(PERF_PLAIN_BYTES);
	if (!in->zstd || !in->plain)
		return error_set(err, ENOMEM, "out of memory");
	in->packed = (ZSTD_inBuffer){ rec->bytes + head, size - head, 0 };
	in->packed_offset = rec->offset;
	in->more = true;
	return 0;
}

/* All compressed records are one stream; a record may begin in one and end in the next. */
static int unpack(struct perf_input *in, struct error *err)
{
	ZSTD_outBuffer out;
	size_t rc;

	memmove(in->plain, in->plain + in->plain_at, in->plain_len - in->plain_at);
	in->plain_len -= in->plain_at;
	in->plain_at = 0;
	out = (ZSTD_outBuffer){ in->plain, PERF_PLAIN_BYTES, in->plain_len };
	rc = ZSTD_decompressStream(in->zstd, &out, &in->packed);
	if (ZSTD_isError(rc))
		return error_set(err, EINVAL, "offset %" PRIu64 ": compressed record: damaged: %s",
			in->packed_offset, ZSTD_getErrorName(rc));
	in->plain_len = out.pos;
	in->more = in->packed.pos < in->packed.size || out.pos == out.size;
	return 0;
}

/* 1: a record that was compressed, 0: there is no whole one. */
static int next_plain(struct perf_input *in, struct perf_record *ret, struct error *err)
{
	size_t left = in->plain_len - in->plain_at;

	if (left < RECORD_HEAD)
		return 0;
	take_head(in->plain + in->plain_at, ret);
	ret->offset = in->packed_offset;
	ret->unpacked = true;
	if (ret->size < RECORD_HEAD)
		return size_error(ret, err);
	if (ret->size > left)
		return 0;
	in->plain_at += ret->size;
	return 1;
}

int perf_input_next(struct perf_input *in, struct perf_record *ret, struct error *err)
{
	for (;;) {
		int rc = next_plain(in, ret, err);

		if (rc)
			return rc;
		if (in->more) {
			rc = unpack(in, err);
			if (rc < 0)
				return rc;
			continue;
		}
		rc = next_raw(in, ret, err);
		if (rc == 0 && in->plain_len > in->plain_at)
			in->truncated = true;
		if (rc <= 0)
			return rc;
		if (ret->type != PERF_COMPRESSED && ret->type != PERF_COMPRESSED2)
			return 1;
		rc = begin_packed(in, ret, err);
		if (rc < 0)
			return rc;
	}
}

int perf_input_payload(struct perf_input *in, uint64_t size, uint8_t *buf, struct error *err)
{
	while (size) {
		size_t step = size < PERF_INPUT_BYTES / 2 ? (size_t)size : PERF_INPUT_BYTES / 2;
		ssize_t got = want(in, step, err);

		if (got < 0)
			return (int)got;
		if ((size_t)got < step) {
			in->at += (size_t)got;
			in->truncated = true;
			return 0;
		}
		if (buf)
			memcpy(buf, in->buf + in->at, step);
		buf = buf ? buf + step : NULL;
		in->at += step;
		size -= step;
	}
	return 1;
}

int perf_input_at(const struct perf_input *in, uint64_t offset, void *buf, size_t size,
	const char *what, struct error *err)
{
	size_t got = 0;

	while (got < size) {
		ssize_t n = offset > INT64_MAX - size ? 0
						      : pread(in->fd, (char *)buf + got, size - got,
								(off_t)(offset + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, errno, "offset %" PRIu64 ": %s: %s", offset + got,
				what, strerror(errno));
		if (!n)
			return error_set(err, EINVAL,
				"offset %" PRIu64 ": %s: the file ends, expected %zu more bytes",
				offset + got, what, size - got);
		got += (size_t)n;
	}
	return 0;
}
