/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two machines of one kind, a good and a bad one: what differs and matters. */
#pragma once

#include "doctor/diagnosis.h"

#include <stdio.h>

/* Prints each difference with both values, then the findings that only one has. Their number. */
int compare_text(const struct diagnosis *a, const struct diagnosis *b, FILE *out);

/* The same as JSON; *ret_nr as above. 0 or -errno. */
int compare_json(const struct diagnosis *a, const struct diagnosis *b, int *ret_nr, FILE *out,
	struct error *err);
