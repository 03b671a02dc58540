/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plausible machine: each estimated number of a document drawn anew from its range. Order of
 * calls: machine_check, provenance_build, draw_document, then whatever reads the document.
 *
 * Drawn are numbers, and curves and lists by one factor, whose confidence is estimated and whose
 * range is wider than a point; words and truth values are not. A value's draw depends on the seed
 * and its path alone, so another value in the file does not change it.
 *
 * Distribution: uniform, or log-uniform when the range's upper end is WIDE times its lower one or
 * more; tick.hz is one of the rates that kernels are built with; frequencies are multiples of
 * step_khz. What the file has in order stays in order: idle states from shallow to deep, HWP's
 * levels, frequencies, limits, power of a core from deep idle to two threads. A range is cut where
 * it could not be kept otherwise, and a value below the one that it follows is raised to it.
 */
#pragma once

#include "machine/document.h"

enum { DRAW_WIDE = 4 };

/*
 * m: its provenance, which gets the values drawn with the confidence "drawn". Deterministic in
 * seed. -EINVAL when no try gave a machine that machine_check lets pass.
 */
int draw_document(struct machine *m, const struct yaml *y, struct doc_machine *doc, uint64_t seed,
	struct error *err);
