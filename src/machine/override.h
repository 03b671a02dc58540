/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of a machine's file that a specification replaces: keys that are paths, as in
 * costs.tick_ns=900. Order of calls: machine_check, provenance_build, override_document, then
 * draw_document, which leaves alone what was replaced.
 */
#pragma once

#include "machine/document.h"

/* Is the key a path? */
bool override_is(const char *key);

/*
 * Numbers are replaced; a curve or list is multiplied, by x1.25. The document is checked anew; what
 * is wrong with it then carries the key in front.
 */
int override_document(struct machine *m, const struct yaml *y, struct doc_machine *doc,
	const struct spec *spec, struct error *err);
