/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One CPU's records in a trace.dat, in the order of recording: pages through libtraceevent's
 * kbuffer, clock applied, records of no use to us counted and passed over.
 *
 * Order of calls: ring_init, ring_advance; while it says 1, ring_event for the record at the head
 * and ring_advance to the next; ring_release.
 */
#pragma once

#include "trace/dat.h"

#include <kbuffer.h>

struct ring {
	struct pages pages;
	struct kbuffer *kbuf;
	struct trace_info *info; /* counts go here */
	int cpu;
	bool loaded;   /* kbuf holds a page */
	bool fresh;    /* ... whose first record was not yet looked at */
	bool lost;     /* the head is a loss, not a record */
	bool damaged;  /* the page has no more that can be read: a loss follows */
	bool cut;      /* the loss at a cut-off end was told */
	uint64_t raw;  /* time of the last record as recorded */
	uint64_t time; /* ... in ns, never going back */
	uint64_t nr_lost;
	const struct layout *layout;
	const uint8_t *record;
	uint32_t size;
};

int ring_init(struct ring *r, const struct dat *d, const struct dat_cpu *cpu, struct inflater *in,
	struct trace_info *info, struct error *err);
void ring_release(struct ring *r);

/* 1: there is a head with a time, 0: the end, negative errno. */
int ring_advance(struct ring *r, struct error *err);

/* The head. aux gets what the layout has for SLOT_AUX, or 0. */
void ring_event(const struct ring *r, struct event *ret, uint64_t *ret_aux);
