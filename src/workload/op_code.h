/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ops as bytes. Each chunk begins with a zeroed coder, so that it can be read by itself; within
 * it, targets and absolute times are coded against earlier ones. Layout in corepace-cpw(5).
 */
#pragma once

#include "workload/varint.h"
#include "workload/workload.h"

enum { OP_CODE_MAX = 1 + 5 + 5 + 2 * VARINT_MAX };

/* Times and cycles in a file are below this (36 years of ns): sums of a few do not overflow. */
#define OP_VALUE_MAX ((uint64_t)1 << 60)

/* Devices are few; the machine model has its own, lower limit. */
enum { OP_DEVICES_MAX = 64 };

struct op_coder {
	uint64_t last_time;		/* of the last op with an absolute time */
	uint32_t last_target[OP_KINDS]; /* by kind */
};

/* Writes at most OP_CODE_MAX bytes at p, returns where they end. */
uint8_t *op_encode(struct op_coder *c, const struct op *op, uint8_t *p);

/* Takes one op from in. False: in does not hold a well-formed one. */
bool op_decode(struct op_coder *c, struct bytes_in *in, struct op *ret);

/*
 * NULL, or what is wrong with the op in a workload of that many tasks and channels: a text that
 * tells what was expected.
 */
const char *op_check(const struct op *op, uint32_t nr_tasks, uint32_t nr_channels);
