/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a trace.dat (trace-cmd.dat.v6(5)): our events' formats, the clock, command names and the
 * raw pages of each CPU. No symbols: nothing here needs them, and they are secrets of the machine.
 *
 * Order of calls: dat_writer_new, then for each CPU from 0 dat_writer_cpu and dat_writer_append,
 * dat_writer_finish, which writes the table of offsets. The caller owns the file and gives it its
 * name.
 */
#pragma once

#include "base/error.h"
#include "host/recorded_events.h"

#include <stdint.h>

struct dat_header {
	const char *tracing_dir; /* holds events/header_page, events/SYSTEM/NAME/format */
	const struct recorded_event *events[RECORDED_EVENTS_MAX]; /* those that the kernel has */
	int nr_events;
	const char *clock; /* "mono" */
	const char *uname;
	const char *cmdlines; /* lines "PID NAME" */
	int nr_cpus;
	char *const *cpu_stats; /* per CPU the text of its "stats" file, or NULL */
};

struct dat_writer;

/* The size of the kernel's pages, header included, as events/header_page tells. */
int trace_page_size(const char *tracing_dir, size_t *ret, struct error *err);

int dat_writer_new(
	int fd, const struct dat_header *header, struct dat_writer **ret, struct error *err);
int dat_writer_cpu(struct dat_writer *d, struct error *err);
int dat_writer_append(struct dat_writer *d, const void *pages, size_t len, struct error *err);
/* Frees d, also on failure. */
int dat_writer_finish(struct dat_writer *d, struct error *err);
struct dat_writer *dat_writer_abort(struct dat_writer *d);
