/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tracing instance of our own in tracefs, so that nobody else's tracing is touched: opening makes
 * it (and mounts tracefs when it has to), closing removes it (and unmounts what it mounted).
 *
 * An instance outlives a process that is killed. Ours are therefore locked by the process that
 * uses them, and opening removes those named corepace-* that nobody holds.
 */
#pragma once

#include "base/error.h"
#include "host/recorded_events.h"

#include <stdint.h>

struct instance_options {
	uint64_t buffer_kb;		     /* per CPU; 0: chosen from the memory that is free */
	const char *clock;		     /* "mono" */
	const struct recorded_event *events; /* NULL: recorded_events */
};

struct instance {
	char tracing_dir[96]; /* "/sys/kernel/tracing" */
	struct tracefs_instance *tracefs;
	char dir[160]; /* of the instance */
	bool mounted;  /* tracefs, by us */
	int lock_fd, marker_fd;
	int nr_cpus; /* CPUs that have a buffer, also those that are offline */
	size_t page_size;
	uint64_t buffer_kb;
	bool waits_for_fill; /* poll() waits until a buffer is half full */
	int nr_stale;	     /* left-over instances that were removed */
	const struct recorded_event *events[RECORDED_EVENTS_MAX]; /* enabled */
	int nr_events;
	const struct recorded_event *missing[RECORDED_EVENTS_MAX];
	int nr_missing;
};

/* What the kernel says of one CPU's buffer. */
struct instance_stats {
	uint64_t entries; /* still in the buffer */
	uint64_t read;
	uint64_t lost; /* overwritten or dropped */
};

/* Ready to record but not recording. On failure everything is as it was. */
int instance_open(struct instance *in, const struct instance_options *options, struct error *err);
int instance_on(struct instance *in, struct error *err);
int instance_off(struct instance *in, struct error *err);
void instance_mark(struct instance *in, const char *text);
/* text (size bytes) gets the file as it is; may be NULL. */
int instance_stats(
	struct instance *in, int cpu, struct instance_stats *ret, char *text, size_t size);
/* Does nothing when it was not opened or is closed already. */
void instance_close(struct instance *in);

/* Buffer per CPU in KB for so much free memory: what instance_open takes when nothing is said. */
uint64_t instance_default_kb(uint64_t available_kb, int nr_cpus);

/* The same for the memory that is free now. */
uint64_t instance_choose_kb(int nr_cpus);

/* Takes the numbers out of a per_cpu/cpuN/stats file. */
void instance_parse_stats(const char *text, struct instance_stats *ret);
