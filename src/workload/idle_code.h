/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Idle records as bytes, chunk by chunk as ops are. Layout in corepace-cpw(5). */
#pragma once

#include "workload/cpw.h"
#include "workload/varint.h"

enum { IDLE_CODE_MAX = 2 + 6 * VARINT_MAX };

struct idle_coder {
	uint64_t last_entry; /* entry_ns of the record before */
};

uint8_t *idle_encode(struct idle_coder *c, const struct idle_record *rec, uint8_t *p);
bool idle_decode(struct idle_coder *c, struct bytes_in *in, struct idle_record *ret);

/* NULL, or what was expected. */
const char *idle_check(const struct idle_record *rec);
