// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/bpf_spool.h"
#include "host/tempfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 20 };

void bpf_spool_init(struct bpf_spool *s, const char *dir)
{
	*s = (struct bpf_spool){ .dir = dir, .fd = -1 };
}

static int flush(struct bpf_spool *s, struct error *err)
{
	if (s->fd < 0)
		s->fd = temp_file(s->dir);
	if (s->fd < 0)
		return error_set(
			err, -s->fd, "%s: no temporary file: %s", s->dir, strerror(-s->fd));
	for (size_t done = 0; done < s->len;) {
		ssize_t n = write(s->fd, s->buf + done, s->len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, errno, "%s: writing a temporary file: %s", s->dir,
				strerror(errno));
		done += n;
	}
	s->written += s->len;
	s->len = 0;
	return 0;
}

int bpf_spool_append(struct bpf_spool *s, const void *record, size_t len, struct error *err)
{
	int code;

	if (!s->buf)
		s->buf = malloc(BUFFER_BYTES);
	if (!s->buf)
		return error_set(err, ENOMEM, "out of memory");
	if (s->len + len > BUFFER_BYTES) {
		code = flush(s, err);
		if (code)
			return code;
	}
	memcpy(s->buf + s->len, record, len);
	s->len += len;
	return 0;
}

uint64_t bpf_spool_bytes(const struct bpf_spool *s)
{
	return s->written + s->len;
}

int bpf_spool_rewind(struct bpf_spool *s, struct error *err)
{
	int code;

	s->at = 0;
	s->read = 0;
	if (s->fd < 0)
		return 0;
	/* Reading needs the buffer, so all must be in the file. */
	code = flush(s, err);
	return code;
}

/* Moves what is left to the front and fills up from the file. */
static int refill(struct bpf_spool *s, struct error *err)
{
	size_t room;
	ssize_t n;

	if (s->fd < 0 || s->read == s->written)
		return 0;
	memmove(s->buf, s->buf + s->at, s->len - s->at);
	s->len -= s->at;
	s->at = 0;
	room = BUFFER_BYTES - s->len;
	do {
		n = pread(s->fd, s->buf + s->len, room, s->read);
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		return error_set(err, n ? errno : EIO, "%s: reading a temporary file: %s", s->dir,
			strerror(n ? errno : EIO));
	s->len += n;
	s->read += n;
	return 0;
}

int bpf_spool_next(struct bpf_spool *s, struct bpf_record *ret, struct error *err)
{
	size_t size = BPF_RECORD_SHORT;

	if (s->len - s->at < sizeof(*ret)) {
		int code = refill(s, err);

		if (code)
			return code;
	}
	if (s->len - s->at < size)
		return 0;
	memset(ret, 0, sizeof(*ret));
	memcpy(ret, s->buf + s->at, size);
	if (ret->flags & RECORD_LONG) {
		size = sizeof(*ret);
		if (s->len - s->at < size)
			return 0;
		memcpy(ret, s->buf + s->at, size);
	}
	s->at += size;
	return 1;
}

void bpf_spool_release(struct bpf_spool *s)
{
	if (s->fd >= 0)
		close(s->fd);
	free(s->buf);
	s->buf = NULL;
	s->fd = -1;
}
