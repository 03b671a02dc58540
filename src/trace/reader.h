/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recording format gives to trace_open. probe looks at the file's first bytes; open takes
 * over the descriptor on success only and fills info; next, progress and close follow it.
 */
#pragma once

#include "trace/event.h"

enum { TRACE_HEAD_MAX = 4096 };

struct trace_head {
	size_t len;
	uint8_t bytes[TRACE_HEAD_MAX];
};

struct trace_reader {
	const struct trace_format *format;
	struct trace_info info;
	char path[256]; /* for error texts */
	int fd;
	void *impl;
};

struct trace_format {
	const char *name;
	bool (*probe)(const struct trace_head *head);
	/* The descriptor stands behind the head; only seekable files can go back. */
	int (*open)(struct trace_reader *r, const struct trace_head *head, struct error *err);
	int (*next)(struct trace_reader *r, struct event *ret, struct error *err);
	int (*progress)(const struct trace_reader *r);
	void (*close)(struct trace_reader *r);
};

extern const struct trace_format trace_format_dat;
extern const struct trace_format trace_format_perf;
extern const struct trace_format trace_format_text;
