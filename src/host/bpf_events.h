/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the records of the BPF programs to the event stream: merged over CPUs in time order, with
 * what the tracefs recorder has in the kernel's flags (interrupt context) worked out from the
 * interrupts' own events.
 *
 * Order of calls: bpf_events_new, bpf_events_next until it says 0, bpf_events_free.
 */
#pragma once

#include "host/bpf_spool.h"
#include "trace/event.h"

/* A line of text that the recorder put in. */
struct bpf_marker {
	uint64_t time_ns;
	int cpu;
	int pid;
	char *text;
};

struct bpf_events_input {
	int nr_cpus;
	struct bpf_spool *const *spools;  /* by CPU; read to their ends */
	const uint64_t *lost_at_end;	  /* per CPU: lost after the last record */
	const struct bpf_marker *markers; /* in time order */
	int nr_markers;
	int hz;
};

struct bpf_events;

int bpf_events_new(
	const struct bpf_events_input *input, struct bpf_events **ret, struct error *err);
/* 1: an event, 0: the end, negative errno. */
int bpf_events_next(struct bpf_events *e, struct event *ret, struct error *err);
/* 0..1000 */
int bpf_events_progress(const struct bpf_events *e);
/* Complete at the end. */
const struct trace_info *bpf_events_info(const struct bpf_events *e);
struct bpf_events *bpf_events_free(struct bpf_events *e);
