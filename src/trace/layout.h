/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the events of one recording are laid out, from the kernel's `format` files in it: only the
 * events and fields that we need, each at the place the file gives.
 *
 * Order of calls: layouts_new, layouts_add for each format file, layouts_ready, then layout_of and
 * layout_decode for each record. Nothing is assumed of a record's bytes but their number.
 */
#pragma once

#include "trace/kinds.h"

enum { LAYOUT_FIELDS_MAX = EVENT_FIELDS_MAX + 2, LAYOUTS_MAX = 128 };

enum field_form { FORM_INT, FORM_CHARS, FORM_DATA_LOC, FORM_REL_LOC };

struct field {
	uint16_t offset;
	uint16_t size;
	bool is_signed;
	uint8_t form; /* enum field_form */
	uint8_t slot; /* enum event_slot */
};

struct layout {
	const struct event_type *type;
	struct field flags, pid; /* common_flags, common_pid */
	struct field fields[LAYOUT_FIELDS_MAX];
	int nr_fields;
	uint32_t min_size; /* a shorter record is damaged */
};

struct layouts {
	bool swap;	 /* the recording's byte order is not ours */
	struct field id; /* common_type, at the same place in all */
	int nr;
	struct layout of[LAYOUTS_MAX];
	char text[EVENT_TEXT_MAX];     /* of the last marker */
	uint8_t index[UINT16_MAX + 1]; /* by event id: 1 + place in of, 0: not needed */
};

int layouts_new(bool swap, struct layouts **ret, struct error *err);
struct layouts *layouts_free(struct layouts *l);

/* text: one format file, need not end in NUL. An event of no use to us is passed over. */
int layouts_add(
	struct layouts *l, const char *system, const char *text, size_t len, struct error *err);

/* To be called after the last layouts_add. */
int layouts_ready(const struct layouts *l, struct error *err);

/*
 * The layout of a record, NULL if it is none of ours; *ret_damaged tells whether because it is too
 * short for what it says it is.
 */
const struct layout *layout_of(
	const struct layouts *l, const uint8_t *record, uint32_t size, bool *ret_damaged);

/* Fills kind, pid, context and what the type's fields give. aux gets the field of SLOT_AUX. */
void layout_decode(struct layouts *l, const struct layout *layout, const uint8_t *record,
	uint32_t size, struct event *ret, uint64_t *ret_aux);
