// SPDX-License-Identifier: GPL-2.0-or-later
/* Bytes and numbers of the container, each read checked against its end. */
#include "trace/dat.h"

#include <byteswap.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint16_t dat_u16(const struct dat *d, const void *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return d->swap ? bswap_16(v) : v;
}

uint32_t dat_u32(const struct dat *d, const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return d->swap ? bswap_32(v) : v;
}

uint64_t dat_u64(const struct dat *d, const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return d->swap ? bswap_64(v) : v;
}

int dat_read(
	const struct dat *d, uint64_t pos, void *buf, size_t n, const char *what, struct error *err)
{
	size_t got = 0;

	while (got < n) {
		ssize_t r = pread(d->fd, (char *)buf + got, n - got, (off_t)(pos + got));

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return error_set(err, errno, "offset %" PRIu64 ": %s: %s", pos + got, what,
				strerror(errno));
		if (!r)
			return error_set(err, EINVAL,
				"offset %" PRIu64 ": the file ends in %s, expected %zu more bytes",
				pos + got, what, n - got);
		got += (size_t)r;
	}
	return 0;
}

int cursor_error(const struct dat_cursor *c, struct error *err, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (c->mem)
		return error_set(err, EINVAL, "offset %" PRIu64 ": byte %" PRIu64 " of %s: %s",
			c->base, c->pos, c->mem_name ? c->mem_name : "the compressed section",
			text);
	return error_set(err, EINVAL, "offset %" PRIu64 ": %s", c->pos, text);
}

static int check_room(const struct dat_cursor *c, uint64_t n, const char *what, struct error *err)
{
	if (n <= c->end - c->pos)
		return 0;
	return cursor_error(c, err, "%s: expected %" PRIu64 " bytes, only %" PRIu64 " are there",
		what, n, c->end - c->pos);
}

int cursor_read(struct dat_cursor *c, void *buf, size_t n, const char *what, struct error *err)
{
	int rc = check_room(c, n, what, err);

	if (rc < 0)
		return rc;
	if (c->mem)
		memcpy(buf, c->mem + c->pos, n);
	else
		rc = dat_read(c->dat, c->pos, buf, n, what, err);
	if (rc == 0)
		c->pos += n;
	return rc;
}

int cursor_skip(struct dat_cursor *c, uint64_t n, const char *what, struct error *err)
{
	int rc = check_room(c, n, what, err);

	if (rc == 0)
		c->pos += n;
	return rc;
}

int cursor_u32(struct dat_cursor *c, uint32_t *ret, const char *what, struct error *err)
{
	uint32_t raw;
	int rc = cursor_read(c, &raw, sizeof(raw), what, err);

	if (rc == 0)
		*ret = dat_u32(c->dat, &raw);
	return rc;
}

int cursor_u64(struct dat_cursor *c, uint64_t *ret, const char *what, struct error *err)
{
	uint64_t raw;
	int rc = cursor_read(c, &raw, sizeof(raw), what, err);

	if (rc == 0)
		*ret = dat_u64(c->dat, &raw);
	return rc;
}

int cursor_string(struct dat_cursor *c, char *buf, size_t size, const char *what, struct error *err)
{
	char block[256];
	size_t len = 0;

	for (;;) {
		uint64_t left = c->end - c->pos;
		size_t n = left < sizeof(block) ? (size_t)left : sizeof(block), used;
		const char *nul;
		int rc;

		if (!n)
			return cursor_error(c, err, "%s: expected a string that ends in NUL", what);
		rc = cursor_read(c, block, n, what, err);
		if (rc < 0)
			return rc;
		nul = memchr(block, '\0', n);
		used = nul ? (size_t)(nul - block) : n;
		for (size_t i = 0; i < used && len < size - 1; i++)
			buf[len++] = block[i];
		if (!nul)
			continue;
		buf[len] = '\0';
		c->pos -= n - used - 1;
		return 0;
	}
}

int cursor_bytes(struct dat_cursor *c, uint64_t n, const char *what, char **ret, struct error *err)
{
	int rc = check_room(c, n, what, err);
	char *buf;

	if (rc < 0)
		return rc;
	if (n > DAT_SECTION_MAX)
		return cursor_error(c, err, "%s: %" PRIu64 " bytes, expected at most %d", what, n,
			DAT_SECTION_MAX);
	buf = malloc(n + 1);
	if (!buf)
		return error_set(err, ENOMEM, "out of memory for %" PRIu64 " bytes of %s", n, what);
	rc = cursor_read(c, buf, n, what, err);
	if (rc < 0) {
		free(buf);
		return rc;
	}
	buf[n] = '\0';
	*ret = buf;
	return 0;
}
