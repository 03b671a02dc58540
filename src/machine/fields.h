/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The single values of a machine file, in tables: name, unit, place in the document, bounds. The
 * same tables check the document and give each value its provenance.
 *
 * Order of calls: fields_walk visits every value of a document once, section by section.
 */
#pragma once

#include "machine/document.h"

enum doc_kind { DOC_NUMBER, DOC_BOOL, DOC_TEXT, DOC_KHZ_LIST, DOC_CURVE };

struct doc_field {
	const char *name;
	const char *unit;
	size_t offset;
	enum doc_kind kind;
	int64_t min, max;
	const char *const *choices; /* DOC_TEXT: the words allowed, NULL-terminated; NULL: any */
	bool optional;		    /* DOC_KHZ_LIST: an empty one was left out */
};

/* One value on its way past a visitor. */
struct doc_value {
	const char *section;
	const struct doc_section *provenance;
	const char *path; /* within the section: "states.C1.wake_ns" */
	const struct doc_field *field;
	void *data; /* struct number, bool, char[], struct number[], struct doc_point[] by kind */
	int nr;	    /* of the two lists */
};

/* Calls visit for each value until it returns non-zero, and returns that. */
int fields_walk(
	struct doc_machine *doc, int (*visit)(const struct doc_value *value, void *ctx), void *ctx);
