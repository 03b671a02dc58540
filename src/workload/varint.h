/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Integers of 1..10 bytes, seven bits a byte, lowest first (LEB128); signed ones zigzag. Reading
 * past the end or a number above 64 bits sets `bad` and gives 0, so that a whole record can be read
 * before the one check.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VARINT_MAX = 10 };

struct bytes_in {
	const uint8_t *p, *end;
	bool bad;
};

static inline uint64_t get_varint(struct bytes_in *in)
{
	uint64_t v = 0;

	for (int shift = 0; in->p < in->end; shift += 7) {
		uint8_t b = *in->p++;

		if (shift == 63 && b > 1)
			break;
		v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	in->bad = true;
	return 0;
}

static inline uint8_t *put_varint(uint8_t *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (uint8_t)v | 0x80;
	*p++ = (uint8_t)v;
	return p;
}

/* Differences wrap, so that any two 64-bit numbers have one. */
static inline uint64_t zigzag(uint64_t v)
{
	return (v << 1) ^ (uint64_t)((int64_t)v >> 63);
}

static inline uint64_t unzigzag(uint64_t v)
{
	return (v >> 1) ^ -(v & 1);
}
