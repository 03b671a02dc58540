// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/readfile.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int open_under(const char *root, const char *path)
{
	char full[PATH_MAX];
	int fd;

	if (snprintf(full, sizeof(full), "%s%s", root, path) >= (int)sizeof(full))
		return -ENAMETOOLONG;
	fd = open(full, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Files of /proc and /sys may come in pieces, so the end is where read() says so. */
static ssize_t read_fully(int fd, char *buf, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t n = read(fd, buf + len, size - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += n;
	}
	return len;
}

int host_read_text(const char *root, const char *path, char *buf, size_t size)
{
	int fd = open_under(root, path);
	ssize_t len;

	if (fd < 0)
		return fd;
	len = read_fully(fd, buf, size - 1);
	close(fd);
	if (len < 0)
		return len;
	while (len > 0 && isspace((unsigned char)buf[len - 1]))
		len--;
	buf[len] = '\0';
	return len;
}

int host_read_u64(const char *root, const char *path, uint64_t *ret)
{
	unsigned long long value;
	char text[32], *end;
	int len = host_read_text(root, path, text, sizeof(text));

	if (len < 0)
		return len;
	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || *end)
		return -EINVAL;
	*ret = value;
	return 0;
}

int host_read_all(const char *root, const char *path, size_t max, char **ret, size_t *ret_len)
{
	int fd = open_under(root, path), code = 0;
	size_t size = 0, len = 0;
	char *buf = NULL;

	if (fd < 0)
		return fd;
	for (;;) {
		size_t grown = size ? size * 2 : 8192;
		char *bigger = realloc(buf, grown + 1);
		ssize_t n;

		if (!bigger) {
			code = -ENOMEM;
			break;
		}
		buf = bigger;
		size = grown;
		n = read_fully(fd, buf + len, size - len);
		if (n < 0)
			code = n;
		else
			len += n;
		if (!code && len > max)
			code = -EFBIG;
		if (code || len < size)
			break;
	}
	close(fd);
	if (code) {
		free(buf);
		return code;
	}
	buf[len] = '\0';
	*ret = buf;
	*ret_len = len;
	return 0;
}
