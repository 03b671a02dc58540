/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes raw pages out of the buffers of a tracing instance. While a recording runs, only buffers
 * that are half full are drained, into nameless files: a recording that fits its buffers costs
 * nothing but itself, and memory is bounded however long it lasts.
 *
 * Order of calls: drain_open; drain_some for CPUs whose descriptor is readable; when tracing is
 * off, drain_rest once for each CPU; drain_close.
 */
#pragma once

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct drain_cpu {
	int fd;		  /* trace_pipe_raw, not blocking; -1: the CPU has no buffer */
	int spool_fd;	  /* -1: nothing was drained yet */
	uint64_t spooled; /* bytes */
};

struct drain {
	int nr_cpus;
	struct drain_cpu *cpus;
	size_t page_size;
	uint64_t max_pages; /* to take in one go */
	char *buf;
	const char *spool_dir;
};

/* dir: the instance's. buffer_kb tells how many pages half a buffer is. */
int drain_open(struct drain *d, const char *dir, int nr_cpus, size_t page_size, uint64_t buffer_kb,
	const char *spool_dir, struct error *err);
int drain_some(struct drain *d, int cpu, struct error *err);

typedef int (*drain_sink)(void *context, const void *pages, size_t len, struct error *err);

/* All of one CPU's pages in order: those drained before, then what its buffer still holds. */
int drain_rest(struct drain *d, int cpu, drain_sink sink, void *context, struct error *err);
void drain_close(struct drain *d);
