/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must hold of any bytes that are read as a recording. */
#pragma once

#include "base/units.h"
#include "trace/event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MUST(what)                                                                                 \
	do {                                                                                       \
		if (!(what)) {                                                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);                 \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

static inline void must_be_one_line(const struct error *err, const char *path)
{
	MUST(memchr(err->text, '\0', sizeof(err->text)));
	MUST(!strncmp(err->text, path, strlen(path)));
	MUST(strlen(err->text) > strlen(path) + 2);
	for (const char *p = err->text; *p; p++)
		MUST((unsigned char)*p >= 0x20);
}

static inline void must_be_sane(const struct event *ev, uint64_t *last_ns)
{
	MUST(ev->kind < EV_KINDS);
	MUST(ev->cpu >= 0 && ev->cpu < CPUS_MAX);
	MUST(ev->time_ns >= *last_ns);
	MUST(memchr(ev->comm, '\0', sizeof(ev->comm)));
	MUST((ev->kind == EV_MARKER) == (ev->text != NULL));
	MUST(!ev->text || strlen(ev->text) < 65536);
	*last_ns = ev->time_ns;
}

/* Reads data as a recording, through memory, to its end or first error. */
static inline void must_read(const uint8_t *data, size_t size)
{
	struct trace_reader *r;
	struct error err;
	struct event ev;
	uint64_t last_ns = 0;
	char path[64];
	int fd = memfd_create("fuzz", MFD_CLOEXEC), rc;

	MUST(fd >= 0);
	for (size_t done = 0; done < size;) {
		ssize_t n = write(fd, data + done, size - done);

		MUST(n > 0);
		done += (size_t)n;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	memset(&err, 'x', sizeof(err));
	rc = trace_open(path, &r, &err);
	if (rc < 0) {
		must_be_one_line(&err, path);
		close(fd);
		return;
	}
	while ((rc = trace_next(r, &ev, &err)) > 0)
		must_be_sane(&ev, &last_ns);
	if (rc < 0)
		must_be_one_line(&err, path);
	MUST(trace_progress(r) >= 0 && trace_progress(r) <= 1000);
	MUST(trace_info(r)->nr_cpus >= 0 && trace_info(r)->nr_cpus <= CPUS_MAX);
	MUST(trace_info(r)->last_ns >= trace_info(r)->first_ns || !trace_info(r)->last_ns);
	trace_close(r);
	close(fd);
}
