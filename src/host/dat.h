/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a trace.dat (trace-cmd.dat.v6(5)): our events' formats, the clock, command names and the
 * raw pages of each CPU. No symbols: nothing here needs them, and they are secrets of the machine.
 *
 * Order of calls: dat_begin, then for each CPU from 0 dat_begin_cpu and dat_append, dat_finish,
 * which writes the table of offsets. The caller owns the file and gives it its name.
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

struct dat;

/* The size of the kernel's pages, header included, as events/header_page tells. */
int dat_page_size(const char *tracing_dir, size_t *ret, struct error *err);

int dat_begin(int fd, const struct dat_header *header, struct dat **ret, struct error *err);
int dat_begin_cpu(struct dat *d, struct error *err);
int dat_append(struct dat *d, const void *pages, size_t len, struct error *err);
/* Frees d, also on failure. */
int dat_finish(struct dat *d, struct error *err);
struct dat *dat_abort(struct dat *d);
