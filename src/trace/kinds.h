/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which kernel events become which event kinds, and which of their fields go where. */
#pragma once

#include "trace/event.h"

/* Where in struct event a field's value goes. AUX is used by the fix-up only. */
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

/* What is left to do when the fields are in place. */
enum event_fixup {
	FIX_NONE,
	FIX_STATE,    /* prev_state to enum task_state */
	FIX_JIFFIES,  /* ns = expires, aux = now: to a distance in ns */
	FIX_BASENAME, /* comm is a path */
	FIX_MARKER,   /* comm = a whole text: and the number in it */
	FIX_HOTPLUG,  /* value = target, aux = step: to up or down */
};

enum { EVENT_FIELDS_MAX = 5 };

struct event_field {
	const char *name;
	enum event_slot slot;
	bool optional; /* not in every kernel */
};

struct event_type {
	const char *system, *name;
	enum event_kind kind;
	enum event_fixup fixup;
	uint64_t value;				     /* before the fields are read */
	struct event_field fields[EVENT_FIELDS_MAX]; /* up to the first without a name */
};

/* system may be NULL: any. NULL if the event is of no use to us. */
const struct event_type *event_type_find(const char *system, const char *name);

/* prev_state as the kernel records it, to enum task_state. */
uint64_t event_state(uint64_t prev_state);

/* Copies the last part of a path into comm, cut as the kernel cuts it. */
void event_basename(char comm[16], const char *path);

/* Takes a marker's first 15 characters, and the number after its first '='. */
void event_marker(struct event *ev, const char *text);

/*
 * The tick rate, from two readings of jiffies and the time between them: one of the rates that
 * kernels are built with, or 0 if none fits.
 */
int event_hz(uint64_t jiffies, uint64_t ns);
