/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Idle records as bytes, chunk by chunk as ops are. Layout in corepace-cpw(5). */
#pragma once

#include "base/units.h"
#include "workload/cpw.h"
#include "workload/varint.h"

enum { IDLE_CODE_MAX = 2 + 6 * VARINT_MAX };

/*
 * What the next record is coded against, by CPU: a CPU goes idle again soon after it woke, and the
 * next timer and tick are often the same as before.
 */
struct idle_coder {
	uint64_t end[CPUS_MAX];	  /* of the last period, its entry when that is not known */
	uint64_t timer[CPUS_MAX]; /* workload time of the next timer, as known at its entry */
	uint64_t tick[CPUS_MAX];  /* likewise with the tick */
};

uint8_t *idle_encode(struct idle_coder *c, const struct idle_record *rec, uint8_t *p);
bool idle_decode(struct idle_coder *c, struct bytes_in *in, struct idle_record *ret);

/* NULL, or what was expected. */
const char *idle_check(const struct idle_record *rec);
