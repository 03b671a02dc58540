/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of ftrace text: the kernel's `trace` and `trace_pipe`, and `trace-cmd report` in its
 * default, latency (-l) and raw (-R) layouts. Pure functions over one line that ends in NUL.
 */
#pragma once

#include "trace/kinds.h"

enum line_kind {
	LINE_EVENT,   /* task, CPU, time and an event's name */
	LINE_OTHER,   /* task, CPU and time, but no event: function tracer and the like */
	LINE_LOST,    /* CPU, and how many (0: not known) */
	LINE_HEADER,  /* comment, or a line that report puts before the events */
	LINE_NO_UNIT, /* the time is a bare number: counter, uptime, x86-tsc */
	LINE_BAD,
};

struct text_line {
	int pid, cpu;
	uint64_t ns;
	const char *flags; /* the latency flags' column, not ending in NUL; NULL: there is none */
	size_t nr_flags;
	char name[48];	  /* the event's */
	const char *rest; /* what follows the name */
	uint64_t lost;
};

enum line_kind text_parse(const char *line, struct text_line *ret);

/*
 * A header line "# entries-in-buffer/entries-written: A/B   #P:N", or "cpus=N". Leaves alone what
 * it does not tell.
 */
void text_header(const char *line, uint64_t *ret_overwritten, int *ret_cpus);

/* Context from the flags' column; column: where in it "hardirq/softirq" stands. */
uint32_t text_context(const struct text_line *line, unsigned int column);

/* Fills kind and fields from the text behind the name; aux as in layout_decode. */
bool text_event(
	const struct event_type *type, const char *text, struct event *ret, uint64_t *ret_aux);

/* The type of an event by its name in the text: a marker has several. */
const struct event_type *text_type(const char *name);
