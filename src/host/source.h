/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What records events while a session runs: a tracefs instance, or BPF programs.
 *
 * Order of calls: start; while it runs watch and drain in any number, mark; stop. Opening and
 * closing, and how to get at the events, is each source's own.
 */
#pragma once

#include "base/error.h"

#include <poll.h>

struct source;

struct source_ops {
	/* From here on events are recorded. */
	int (*start)(struct source *s, struct error *err);
	/* Puts the descriptors to wait on into fds, as many as fit; returns how many. */
	int (*watch)(struct source *s, struct pollfd *fds, int max);
	/* Takes what is there from the descriptors that poll() found readable. */
	int (*drain)(struct source *s, const struct pollfd *fds, int nr, struct error *err);
	/* Puts a line of text into the stream; lost when the source cannot. */
	void (*mark)(struct source *s, const char *text);
	/* No event is recorded any more. */
	int (*stop)(struct source *s, struct error *err);
};

struct source {
	const struct source_ops *ops;
};

enum { SOURCE_FDS_MAX = 1024 };
