/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats and records for the tests' own recordings, laid out unlike any kernel's where it matters.
 */
#pragma once

#include "dat_writer.h"

#include "trace/event.h"

enum {
	ID_SWITCH = 300,
	ID_WAKING = 7,
	ID_OTHER = 8,
	ID_PRINT = 5,
	ID_TIMER = 40,
	ID_FORK = 41,
	ID_HOTPLUG = 42,
	ID_RQ = 43
};

extern const struct format_spec test_formats[];
extern const int nr_test_formats;

/* The record's bytes go into buf (256 bytes), in spec's byte order; returns their number. */
size_t record_switch(const struct dat_spec *s, uint8_t *buf, int pid, uint64_t prev_state,
	int next_pid, const char *next_comm);
size_t record_waking(const struct dat_spec *s, uint8_t *buf, uint8_t flags, int pid, int wakee);
size_t record_other(const struct dat_spec *s, uint8_t *buf, size_t len);
size_t record_print(const struct dat_spec *s, uint8_t *buf, const char *text);
size_t record_timer(const struct dat_spec *s, uint8_t *buf, uint64_t expires, uint64_t now);
size_t record_fork(const struct dat_spec *s, uint8_t *buf, int child, const char *comm);
size_t record_hotplug(const struct dat_spec *s, uint8_t *buf, int cpu, int target, int step);
size_t record_rq(const struct dat_spec *s, uint8_t *buf, uint32_t dev, uint64_t sector);

/* A specification with all formats, version 6, host's order, 8-byte longs, 4 kB pages. */
struct dat_spec test_spec(void);

struct events {
	struct event *list;
	size_t n, capacity;
	struct trace_info info;
	int rc; /* the last trace_next's, or trace_open's */
	struct error err;
};

/* Reads a whole recording. ret->list[i].text is not kept. */
void events_of_file(const char *path, struct events *ret);
void events_of_bytes(const struct bytes *b, struct events *ret);
void events_of_spec(const struct dat_spec *s, struct events *ret);
void events_release(struct events *e);
