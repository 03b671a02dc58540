// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/reader.h"
#include "base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first that knows the file by its first bytes reads it. */
static const struct trace_format *const formats[] = {
	&trace_format_dat,
	&trace_format_perf,
	&trace_format_text,
};

static int read_head(int fd, struct trace_head *head, struct error *err)
{
	head->len = 0;
	while (head->len < sizeof(head->bytes)) {
		ssize_t n = read(fd, head->bytes + head->len, sizeof(head->bytes) - head->len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, errno, "%s", strerror(errno));
		if (!n)
			break;
		head->len += (size_t)n;
	}
	return head->len ? 0 : error_set(err, EINVAL, "the file is empty");
}

static int open_format(struct trace_reader *r, const struct trace_head *head, struct error *err)
{
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		if (!formats[i]->probe(head))
			continue;
		r->format = formats[i];
		return r->format->open(r, head, err);
	}
	return error_set(err, EINVAL, "offset 0: expected trace.dat, perf.data or ftrace text");
}

int trace_open(const char *path, struct trace_reader **ret, struct error *err)
{
	struct trace_reader *r = calloc(1, sizeof(*r));
	struct trace_head head;
	int rc;

	if (!r)
		return error_set(err, ENOMEM, "%s: out of memory", path);
	snprintf(r->path, sizeof(r->path), "%s", path);
	r->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (r->fd < 0) {
		rc = error_set(err, errno, "%s: %s", path, strerror(errno));
		free(r);
		return rc;
	}
	rc = read_head(r->fd, &head, err);
	if (rc == 0)
		rc = open_format(r, &head, err);
	if (rc < 0) {
		error_prefix(err, rc, "%s", path);
		close(r->fd);
		free(r);
		return rc;
	}
	*ret = r;
	return 0;
}

int trace_next(struct trace_reader *r, struct event *ret, struct error *err)
{
	int rc = r->format->next(r, ret, err);

	return rc < 0 ? error_prefix(err, rc, "%s", r->path) : rc;
}

const struct trace_info *trace_info(const struct trace_reader *r)
{
	return &r->info;
}

int trace_progress(const struct trace_reader *r)
{
	return r->format->progress(r);
}

struct trace_reader *trace_close(struct trace_reader *r)
{
	if (r) {
		r->format->close(r);
		close(r->fd);
		free(r);
	}
	return NULL;
}
