/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which kernel events become which event kinds, and which of their fields go where. */
#pragma once

#include "trace/event.h"

/* Where in struct event a field's value goes. AUX is for struct finisher. */
enum event_slot {
	SLOT_NONE,
	SLOT_PID2,
	SLOT_PRIO,
	SLOT_TARGET,
	SLOT_VALUE,
	SLOT_OBJECT,
	SLOT_NS,
	SLOT_AUX,
	SLOT_COMM
};

/* What stands in the field that goes to comm. */
enum event_text { TEXT_NAME, TEXT_PATH, TEXT_MARKER };

enum { EVENT_FIELDS_MAX = 5 };

struct event_field {
	const char *name;
	enum event_slot slot;
	bool optional; /* not in every kernel */
};

struct event_type {
	const char *system, *name;
	enum event_kind kind;
	enum event_text text;
	uint64_t value;				     /* before the fields are read */
	struct event_field fields[EVENT_FIELDS_MAX]; /* up to the first without a name */
};

/* system may be NULL: any. NULL if the event is of no use to us. */
const struct event_type *event_type_find(const char *system, const char *name);

/* Copies the last part of a path into comm, cut as the kernel cuts it. */
void event_basename(char comm[16], const char *path);

enum { EVENT_TEXT_MAX = 1024 }; /* of a marker; the kernel's trace_marker takes no more */

/*
 * Takes a marker's first 15 characters and the number after its first '='. text has no newline, and
 * must live as long as the event.
 */
void event_marker(struct event *ev, const char *text);
