/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's trace events that the builder needs, and no others. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct recorded_event {
	const char *system;
	const char *name;
	bool required; /* without it no wait has a cause; the others are said to be missing */
};

/* Grouped by system; ends with a NULL system. */
extern const struct recorded_event recorded_events[];

enum { RECORDED_EVENTS_MAX = 64 };
