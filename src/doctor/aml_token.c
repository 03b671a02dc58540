// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/aml_token.h"

#include <stdio.h>
#include <string.h>

bool aml_take_byte(struct aml *aml, uint8_t *ret)
{
	if (aml->at >= aml->end)
		return false;
	*ret = *aml->at++;
	return true;
}

bool aml_skip(struct aml *aml, size_t len)
{
	if ((size_t)(aml->end - aml->at) < len)
		return false;
	aml->at += len;
	return true;
}

static bool take_number(struct aml *aml, int bytes, uint64_t *ret)
{
	uint64_t value = 0;

	if (aml->end - aml->at < bytes)
		return false;
	for (int i = 0; i < bytes; i++)
		value |= (uint64_t)aml->at[i] << (8 * i);
	aml->at += bytes;
	*ret = value;
	return true;
}

/* A package's length, which counts itself: the inside becomes ret, aml goes behind it. */
bool aml_take_package(struct aml *aml, struct aml *ret)
{
	const uint8_t *start = aml->at;
	uint8_t lead, byte;
	size_t len;

	if (!aml_take_byte(aml, &lead))
		return false;
	len = lead >> 6 ? lead & 0x0f : lead & 0x3f;
	for (int i = 0; i < lead >> 6; i++) {
		if (!aml_take_byte(aml, &byte))
			return false;
		len |= (size_t)byte << (4 + 8 * i);
	}
	if (len < (size_t)(aml->at - start) || len > (size_t)(aml->end - start))
		return false;
	*ret = (struct aml){ aml->at, start + len };
	aml->at = start + len;
	return true;
}

static bool is_lead(uint8_t c)
{
	return c == '_' || (c >= 'A' && c <= 'Z');
}

bool aml_is_name_start(uint8_t c)
{
	return is_lead(c) || c == '\\' || c == '^' || c == OP_DUAL_NAME || c == OP_MULTI_NAME;
}

/* Appends ".SEG" without the underscores that fill it up. */
static void append_segment(char *path, const uint8_t *segment)
{
	size_t len = strlen(path);
	int n = 4;

	while (n > 1 && segment[n - 1] == '_')
		n--;
	if (len + 6 < PATH_MAX_LEN)
		snprintf(path + len, PATH_MAX_LEN - len, "%s%.*s", len > 1 ? "." : "", n,
			(const char *)segment);
}

static void to_parent(char *path)
{
	char *dot = strrchr(path, '.');

	if (dot)
		*dot = '\0';
	else
		strcpy(path, "\\");
}

static bool is_segment(const uint8_t *c)
{
	for (int i = 0; i < 4; i++) {
		if (!is_lead(c[i]) && !(i && c[i] >= '0' && c[i] <= '9'))
			return false;
	}
	return true;
}

/*
 * A name and the path that it means in the scope. last: its last segment, "" for none (the root
 * itself, or nothing).
 */
bool aml_take_name(struct aml *aml, const struct scope *in, struct scope *ret, char last[5])
{
	uint8_t c = 0, nr = 1;

	*ret = *in;
	last[0] = '\0';
	while (aml->at < aml->end && (*aml->at == '\\' || *aml->at == '^')) {
		if (*aml->at++ == '\\')
			strcpy(ret->path, "\\");
		else
			to_parent(ret->path);
	}
	if (aml->at >= aml->end)
		return false;
	c = *aml->at;
	if (c == 0 || c == OP_DUAL_NAME || c == OP_MULTI_NAME)
		aml->at++;
	if (c == 0)
		nr = 0;
	else if (c == OP_DUAL_NAME)
		nr = 2;
	else if (c == OP_MULTI_NAME && !aml_take_byte(aml, &nr))
		return false;
	for (; nr; nr--) {
		if (aml->end - aml->at < 4 || !is_segment(aml->at))
			return false;
		memcpy(last, aml->at, 4);
		last[4] = '\0';
		append_segment(ret->path, aml->at);
		aml->at += 4;
	}
	return true;
}

/* A constant. False: something else is there, and aml is as it was. */
bool aml_take_constant(struct aml *aml, uint64_t *ret)
{
	const struct aml before = *aml;
	uint8_t op;
	bool taken = false;

	if (!aml_take_byte(aml, &op))
		return false;
	switch (op) {
	case 0:
	case 1:
		*ret = op;
		return true;
	case OP_ONES:
		*ret = UINT64_MAX;
		return true;
	case OP_BYTE:
		taken = take_number(aml, 1, ret);
		break;
	case OP_WORD:
		taken = take_number(aml, 2, ret);
		break;
	case OP_DWORD:
		taken = take_number(aml, 4, ret);
		break;
	case OP_QWORD:
		taken = take_number(aml, 8, ret);
		break;
	}
	if (!taken)
		*aml = before;
	return taken;
}

/* Package () { ... }: its elements, after their number. */
bool aml_take_elements(struct aml *aml, struct aml *ret)
{
	const struct aml before = *aml;
	uint8_t op, nr;

	if (aml_take_byte(aml, &op) && op == OP_PACKAGE && aml_take_package(aml, ret) &&
		aml_take_byte(ret, &nr))
		return true;
	*aml = before;
	return false;
}

/* A package of constants only, at most max of them. Their number, or -1. */
int aml_take_constants(struct aml *aml, uint64_t *values, int max)
{
	struct aml elements;
	int nr = 0;

	if (!aml_take_elements(aml, &elements))
		return -1;
	while (nr < max && aml_take_constant(&elements, &values[nr]))
		nr++;
	return elements.at == elements.end ? nr : -1;
}

/*
 * ResourceTemplate () { Register (...) }: a buffer whose content is a generic register descriptor
 * (0x82, two bytes of length) and an end tag. Its address space.
 */
bool aml_take_register(struct aml *aml, uint8_t *ret_space)
{
	const struct aml before = *aml;
	struct aml content;
	uint64_t size;
	uint8_t op;

	if (aml_take_byte(aml, &op) && op == OP_BUFFER && aml_take_package(aml, &content) &&
		aml_take_constant(&content, &size) && content.end - content.at >= 4 &&
		content.at[0] == 0x82) {
		*ret_space = content.at[3];
		return true;
	}
	*aml = before;
	return false;
}
