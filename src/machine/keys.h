/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of a machine specification, applied to a machine that was built from its file. */
#pragma once

#include "machine/document.h"

#include "base/spec.h"

/* -EINVAL with a text that names the key and what was expected. */
int keys_apply(
	struct machine *m, struct doc_machine *doc, const struct spec *spec, struct error *err);

void machine_set_hz(struct machine *m, int hz);

/* A firmware mode by its name. */
enum bios_mode keys_bios(const char *name);
