/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives each value of a document its source and confidence: the section's, unless an entry of the
 * section's facts says otherwise. Order of calls: machine_check first, provenance_build once, then
 * provenance_override for what the specification changed.
 */
#pragma once

#include "machine/fields.h"

/* -EINVAL for facts that fit no value, ranges that do not hold it, estimates without a range. */
int provenance_build(
	struct machine *m, const struct yaml *y, struct doc_machine *doc, struct error *err);

/* Replaces or adds a value that a key of the specification gives. */
void provenance_override(
	struct machine *m, const char *path, const char *unit, int64_t value, const char *key);
void provenance_override_text(
	struct machine *m, const char *path, const char *value, const char *key);

/* v: the value as it was drawn, x: by which factor, where it is a curve or list. */
void provenance_drawn(struct provenance *p, const struct doc_value *v, double x);

/* v: the value as a key of the specification, which is its path, has it. */
void provenance_specified(struct provenance *p, const struct doc_value *v);
