// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/machine_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/klog.h>
#include <unistd.h>

/* syslog(2) actions, which libc does not name. */
enum { LOG_READ_ALL = 3, LOG_SIZE = 10 };

enum { LOG_MAX = 64 << 20 };

int host_kernel_log(char **ret, size_t *ret_len)
{
	int size = klogctl(LOG_SIZE, NULL, 0), len;
	char *text;

	if (size < 0)
		return -errno;
	if (size > LOG_MAX)
		size = LOG_MAX;
	text = malloc((size_t)size + 1);
	if (!text)
		return -ENOMEM;
	len = klogctl(LOG_READ_ALL, text, size);
	if (len < 0) {
		len = -errno;
		free(text);
		return len;
	}
	text[len] = '\0';
	*ret = text;
	*ret_len = len;
	return 0;
}

int host_msr_open(int cpu)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int host_msr(int fd, uint32_t reg, uint64_t *ret)
{
	uint64_t value;
	ssize_t n = pread(fd, &value, sizeof(value), reg);

	if (n < 0)
		return -errno;
	if (n != sizeof(value))
		return -EIO;
	*ret = value;
	return 0;
}
