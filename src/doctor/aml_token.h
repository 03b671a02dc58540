/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tokens of AML (ACPI 6.5, section 20.2): numbers, names, packages. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	OP_ALIAS = 0x06,
	OP_NAME = 0x08,
	OP_BYTE = 0x0a,
	OP_WORD = 0x0b,
	OP_DWORD = 0x0c,
	OP_STRING = 0x0d,
	OP_QWORD = 0x0e,
	OP_SCOPE = 0x10,
	OP_BUFFER = 0x11,
	OP_PACKAGE = 0x12,
	OP_VAR_PACKAGE = 0x13,
	OP_METHOD = 0x14,
	OP_EXTERNAL = 0x15,
	OP_DUAL_NAME = 0x2e,
	OP_MULTI_NAME = 0x2f,
	OP_EXTENDED = 0x5b,
	OP_IF = 0xa0,
	OP_ELSE = 0xa1,
	OP_WHILE = 0xa2,
	OP_ONES = 0xff,
	/* after OP_EXTENDED */
	EXT_MUTEX = 0x01,
	EXT_EVENT = 0x02,
	EXT_REGION = 0x80,
	EXT_FIELD = 0x81,
	EXT_DEVICE = 0x82,
	EXT_PROCESSOR = 0x83,
	EXT_POWER = 0x84,
	EXT_THERMAL = 0x85,
	EXT_INDEX_FIELD = 0x86,
	EXT_BANK_FIELD = 0x87,
};

enum { PATH_MAX_LEN = 256 };

struct aml {
	const uint8_t *at, *end;
};

struct scope {
	char path[PATH_MAX_LEN]; /* "\_SB.CPUS", "\" at the root */
};

/*
 * Each takes what begins at aml->at and moves behind it. False, where something else is there or it
 * is cut short.
 */
bool aml_take_byte(struct aml *aml, uint8_t *ret);
bool aml_skip(struct aml *aml, size_t len);

/* A package's length, which counts itself: the inside becomes ret. */
bool aml_take_package(struct aml *aml, struct aml *ret);

bool aml_is_name_start(uint8_t c);

/*
 * A name and the path that it means in the scope. last: its last segment, "" for none (the root
 * itself, or nothing).
 */
bool aml_take_name(struct aml *aml, const struct scope *in, struct scope *ret, char last[5]);

/* These leave aml as it was where something else is there. */
bool aml_take_constant(struct aml *aml, uint64_t *ret);

/* Package () { ... }: its elements, after their number. */
bool aml_take_elements(struct aml *aml, struct aml *ret);

/* A package of constants only, at most max of them. Their number, or -1. */
int aml_take_constants(struct aml *aml, uint64_t *values, int max);

/*
 * ResourceTemplate () { Register (...) }: a buffer whose content is a generic register descriptor
 * (0x82, two bytes of length) and an end tag. Its address space.
 */
bool aml_take_register(struct aml *aml, uint8_t *ret_space);
