/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a machine document must hold beyond its shape: bounds, orders, names that fit together. */
#pragma once

#include "machine/document.h"

/* Reads the numbers. 0, or -EINVAL with file, line, field and what was expected. */
int machine_check(const struct yaml *y, struct doc_machine *doc, struct error *err);

/* Whether confidence is one of the words that corepace-machine(5) allows. */
bool confidence_valid(const char *confidence);

/* Whether it is estimated, with or without "(from ...)". */
bool confidence_estimated(const char *confidence);
