// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/drain.h"
#include "host/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 20 };

int drain_open(struct drain *d, const char *dir, int nr_cpus, size_t page_size, uint64_t buffer_kb,
	const char *spool_dir, struct error *err)
{
	char path[PATH_MAX];

	*d = (struct drain){ .page_size = page_size, .spool_dir = spool_dir };
	/* One page less than half: the writer's own page is never whole. */
	d->max_pages = buffer_kb * 1024 / page_size / 2;
	d->max_pages -= d->max_pages > 1;
	d->cpus = calloc(nr_cpus, sizeof(*d->cpus));
	d->buf = malloc(CHUNK_BYTES);
	if (!d->cpus || !d->buf) {
		drain_close(d);
		return error_set(err, ENOMEM, "out of memory");
	}
	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		snprintf(path, sizeof(path), "%s/per_cpu/cpu%d/trace_pipe_raw", dir, cpu);
		d->cpus[cpu].spool_fd = -1;
		d->cpus[cpu].fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		d->nr_cpus = cpu + 1;
		if (d->cpus[cpu].fd < 0 && errno != ENODEV && errno != EINVAL) {
			int code = errno;

			drain_close(d);
			return error_set(err, code, "%s: %s", path, strerror(code));
		}
	}
	return 0;
}

/*
 * Fills the buffer with whole pages, at most max. Returns bytes, 0 when the kernel has no more;
 * a read gives one page, whatever is asked for.
 */
static ssize_t read_pages(struct drain *d, int cpu, uint64_t max, struct error *err)
{
	size_t len = 0;

	while (max-- && len + d->page_size <= CHUNK_BYTES) {
		ssize_t n = read(d->cpus[cpu].fd, d->buf + len, d->page_size);

		if (n < 0 && errno == EINTR) {
			max++;
			continue;
		}
		if (n == 0 || (n < 0 && errno == EAGAIN))
			break;
		if (n < 0)
			return error_set(err, errno, "reading the trace buffer of CPU %d: %s", cpu,
				strerror(errno));
		memset(d->buf + len + n, 0, d->page_size - n);
		len += d->page_size;
	}
	return len;
}

static int spool(struct drain *d, int cpu, size_t len, struct error *err)
{
	struct drain_cpu *c = &d->cpus[cpu];

	if (c->spool_fd < 0)
		c->spool_fd = temp_file(d->spool_dir);
	if (c->spool_fd < 0)
		return error_set(err, -c->spool_fd, "%s: no temporary file: %s", d->spool_dir,
			strerror(-c->spool_fd));
	for (size_t done = 0; done < len;) {
		ssize_t n = write(c->spool_fd, d->buf + done, len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, errno, "%s: writing a temporary file: %s",
				d->spool_dir, strerror(errno));
		done += n;
	}
	c->spooled += len;
	return 0;
}

int drain_some(struct drain *d, int cpu, struct error *err)
{
	uint64_t left = d->max_pages;

	while (left) {
		ssize_t len = read_pages(d, cpu, left, err);
		int code;

		if (len <= 0)
			return len;
		left -= len / d->page_size;
		code = spool(d, cpu, len, err);
		if (code)
			return code;
	}
	return 0;
}

int drain_rest(struct drain *d, int cpu, drain_sink sink, void *context, struct error *err)
{
	struct drain_cpu *c = &d->cpus[cpu];
	uint64_t offset = 0;
	ssize_t len;
	int code;

	while (offset < c->spooled) {
		len = pread(c->spool_fd, d->buf, CHUNK_BYTES, offset);
		if (len < 0 && errno == EINTR)
			continue;
		if (len <= 0)
			return error_set(err, len ? errno : EIO, "%s: reading a temporary file: %s",
				d->spool_dir, strerror(len ? errno : EIO));
		code = sink(context, d->buf, len, err);
		if (code)
			return code;
		offset += len;
	}
	while (c->fd >= 0) {
		len = read_pages(d, cpu, UINT64_MAX, err);
		if (len <= 0)
			return len;
		code = sink(context, d->buf, len, err);
		if (code)
			return code;
	}
	return 0;
}

void drain_close(struct drain *d)
{
	for (int cpu = 0; cpu < d->nr_cpus; cpu++) {
		if (d->cpus[cpu].fd >= 0)
			close(d->cpus[cpu].fd);
		if (d->cpus[cpu].spool_fd >= 0)
			close(d->cpus[cpu].spool_fd);
	}
	free(d->cpus);
	free(d->buf);
	*d = (struct drain){ 0 };
}
