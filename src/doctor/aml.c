// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * AML, read as a list of tokens. Each opcode tells by its first bytes how long it is or where its
 * package ends, so nothing needs to be evaluated and no method's number of arguments be known:
 * arguments are the tokens that follow. Scopes nest by their packages; methods, buffers and fields
 * are passed over whole.
 */
#include "doctor/acpi.h"

#include <stdio.h>
#include <string.h>

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

enum { DEPTH_MAX = 64, PATH_MAX_LEN = 256 };

struct aml {
	const uint8_t *at, *end;
};

struct scope {
	char path[PATH_MAX_LEN]; /* "\_SB.CPUS", "\" at the root */
};

static bool take_byte(struct aml *aml, uint8_t *ret)
{
	if (aml->at >= aml->end)
		return false;
	*ret = *aml->at++;
	return true;
}

static bool skip(struct aml *aml, size_t len)
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
static bool take_package(struct aml *aml, struct aml *ret)
{
	const uint8_t *start = aml->at;
	uint8_t lead, byte;
	size_t len;

	if (!take_byte(aml, &lead))
		return false;
	len = lead >> 6 ? lead & 0x0f : lead & 0x3f;
	for (int i = 0; i < lead >> 6; i++) {
		if (!take_byte(aml, &byte))
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

static bool is_name_start(uint8_t c)
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
static bool take_name(struct aml *aml, const struct scope *in, struct scope *ret, char last[5])
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
	else if (c == OP_MULTI_NAME && !take_byte(aml, &nr))
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
static bool take_constant(struct aml *aml, uint64_t *ret)
{
	const struct aml before = *aml;
	uint8_t op;
	bool taken = false;

	if (!take_byte(aml, &op))
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
static bool take_elements(struct aml *aml, struct aml *ret)
{
	const struct aml before = *aml;
	uint8_t op, nr;

	if (take_byte(aml, &op) && op == OP_PACKAGE && take_package(aml, ret) &&
		take_byte(ret, &nr))
		return true;
	*aml = before;
	return false;
}

/* A package of constants only, at most max of them. Their number, or -1. */
static int take_constants(struct aml *aml, uint64_t *values, int max)
{
	struct aml elements;
	int nr = 0;

	if (!take_elements(aml, &elements))
		return -1;
	while (nr < max && take_constant(&elements, &values[nr]))
		nr++;
	return elements.at == elements.end ? nr : -1;
}

/*
 * ResourceTemplate () { Register (...) }: a buffer whose content is a generic register descriptor
 * (0x82, two bytes of length) and an end tag. Its address space.
 */
static bool take_register(struct aml *aml, uint8_t *ret_space)
{
	const struct aml before = *aml;
	struct aml content;
	uint64_t size;
	uint8_t op;

	if (take_byte(aml, &op) && op == OP_BUFFER && take_package(aml, &content) &&
		take_constant(&content, &size) && content.end - content.at >= 4 &&
		content.at[0] == 0x82) {
		*ret_space = content.at[3];
		return true;
	}
	*aml = before;
	return false;
}

/* ---- objects that hold constants --------------------------------------------------------- */

static void take_pss(struct acpi_tables *tables, struct aml data)
{
	struct acpi_pstate states[ACPI_STATES_MAX];
	struct aml elements;
	uint64_t v[6];
	int nr = 0;

	if (tables->nr_pss || !take_elements(&data, &elements))
		return;
	while (nr < ACPI_STATES_MAX && take_constants(&elements, v, 6) == 6)
		states[nr++] = (struct acpi_pstate){ v[0], v[1], v[2] };
	if (elements.at != elements.end)
		return;
	memcpy(tables->pss, states, nr * sizeof(states[0]));
	tables->nr_pss = nr;
}

static void take_cst(struct acpi_tables *tables, struct aml data)
{
	struct acpi_cstate states[ACPI_STATES_MAX];
	struct aml elements, state;
	uint64_t v[3];
	uint8_t space;
	int nr = 0;

	if (tables->nr_cst || !take_elements(&data, &elements) || !take_constant(&elements, v))
		return;
	while (nr < ACPI_STATES_MAX && take_elements(&elements, &state) &&
		take_register(&state, &space) && take_constant(&state, &v[0]) &&
		take_constant(&state, &v[1]) && take_constant(&state, &v[2]))
		states[nr++] = (struct acpi_cstate){ v[0], v[1], v[2], space };
	if (elements.at != elements.end)
		return;
	memcpy(tables->cst, states, nr * sizeof(states[0]));
	tables->nr_cst = nr;
}

static void take_pct(struct acpi_tables *tables, struct aml data)
{
	struct aml elements;
	uint8_t space;

	if (tables->pct_space < 0 && take_elements(&data, &elements) &&
		take_register(&elements, &space))
		tables->pct_space = space;
}

static void take_psd(struct acpi_tables *tables, struct aml data)
{
	struct aml elements;
	uint64_t v[5];

	if (tables->psd_type >= 0 || !take_elements(&data, &elements) ||
		take_constants(&elements, v, 5) != 5)
		return;
	tables->psd_type = v[3] & 0xff;
	tables->psd_cpus = v[4] & 0xffff;
}

static void take_ppc(struct acpi_tables *tables, struct aml data)
{
	uint64_t value;

	if (tables->ppc < 0 && take_constant(&data, &value) && value < ACPI_STATES_MAX)
		tables->ppc = (int)value;
}

static void take_content(struct acpi_tables *tables, enum acpi_object object, struct aml data)
{
	switch (object) {
	case ACPI_PSS:
		take_pss(tables, data);
		break;
	case ACPI_CST:
		take_cst(tables, data);
		break;
	case ACPI_PCT:
		take_pct(tables, data);
		break;
	case ACPI_PSD:
		take_psd(tables, data);
		break;
	case ACPI_PPC:
		take_ppc(tables, data);
		break;
	default:
		break;
	}
}

static int dots(const char *path)
{
	int nr = 0;

	for (; *path; path++)
		nr += *path == '.';
	return nr;
}

static enum acpi_object found(
	struct acpi_tables *tables, const struct scope *where, const char *last)
{
	enum acpi_object object = acpi_object_of(last);
	struct acpi_found *f;

	if (object == ACPI_OBJECTS)
		return object;
	f = &tables->object[object];
	if (!f->count || dots(where->path) < dots(f->path))
		snprintf(f->path, sizeof(f->path), "%s", where->path);
	f->present = true;
	f->absent = false;
	f->count++;
	return object;
}

/* ---- the walk ---------------------------------------------------------------------------- */

static bool walk(struct acpi_tables *tables, struct aml aml, const struct scope *in, int depth);

/* Scope, Device ...: a package with a name, fixed bytes, and terms. */
static bool walk_named(struct acpi_tables *tables, struct aml *aml, const struct scope *in,
	size_t fixed, int depth)
{
	struct scope inner;
	struct aml body;
	char last[5];

	if (!take_package(aml, &body))
		return false;
	/* Damage within ends this package only. */
	if (!take_name(&body, in, &inner, last) || !skip(&body, fixed)) {
		tables->nr_damaged++;
		return true;
	}
	if (!walk(tables, body, &inner, depth + 1))
		tables->nr_damaged++;
	return true;
}

static bool take_method(struct acpi_tables *tables, struct aml *aml, const struct scope *in)
{
	struct scope where;
	struct aml body;
	char last[5];

	if (!take_package(aml, &body))
		return false;
	if (take_name(&body, in, &where, last))
		found(tables, &where, last);
	return true;
}

static bool take_named_data(struct acpi_tables *tables, struct aml *aml, const struct scope *in)
{
	enum acpi_object object;
	struct scope where;
	char last[5];

	if (!take_name(aml, in, &where, last))
		return false;
	object = found(tables, &where, last);
	/* The data itself are tokens like any other, which the walk passes over. */
	take_content(tables, object, *aml);
	return true;
}

static bool take_alias(struct acpi_tables *tables, struct aml *aml, const struct scope *in)
{
	struct scope where;
	char last[5];

	if (!take_name(aml, in, &where, last) || !take_name(aml, in, &where, last))
		return false;
	found(tables, &where, last);
	return true;
}

static bool skip_name(struct aml *aml, const struct scope *in, size_t fixed)
{
	struct scope where;
	char last[5];

	return take_name(aml, in, &where, last) && skip(aml, fixed);
}

static bool skip_package(struct aml *aml)
{
	struct aml inside;

	return take_package(aml, &inside);
}

static bool walk_extended(
	struct acpi_tables *tables, struct aml *aml, const struct scope *in, int depth)
{
	uint8_t op;

	if (!take_byte(aml, &op))
		return false;
	switch (op) {
	case EXT_MUTEX:
	case EXT_REGION:
		return skip_name(aml, in, 1);
	case EXT_EVENT:
		return skip_name(aml, in, 0);
	case EXT_FIELD:
	case EXT_INDEX_FIELD:
	case EXT_BANK_FIELD:
		return skip_package(aml);
	case EXT_DEVICE:
	case EXT_THERMAL:
		return walk_named(tables, aml, in, 0, depth);
	case EXT_PROCESSOR:
		return walk_named(tables, aml, in, 6, depth);
	case EXT_POWER:
		return walk_named(tables, aml, in, 3, depth);
	default:
		return true;
	}
}

static bool skip_string(struct aml *aml)
{
	const uint8_t *nul = memchr(aml->at, 0, (size_t)(aml->end - aml->at));

	if (!nul)
		return false;
	aml->at = nul + 1;
	return true;
}

/* If, Else, While: their terms belong to the scope around them, whatever the condition is. */
static bool walk_block(
	struct acpi_tables *tables, struct aml *aml, const struct scope *in, int depth)
{
	struct aml body;

	if (!take_package(aml, &body))
		return false;
	if (!walk(tables, body, in, depth + 1))
		tables->nr_damaged++;
	return true;
}

static bool walk_token(
	struct acpi_tables *tables, struct aml *aml, const struct scope *in, int depth)
{
	uint64_t value;
	uint8_t op;

	if (take_constant(aml, &value))
		return true;
	if (is_name_start(*aml->at))
		return skip_name(aml, in, 0);
	op = *aml->at++;
	switch (op) {
	case OP_ALIAS:
		return take_alias(tables, aml, in);
	case OP_NAME:
		return take_named_data(tables, aml, in);
	case OP_STRING:
		return skip_string(aml);
	case OP_SCOPE:
		return walk_named(tables, aml, in, 0, depth);
	case OP_BUFFER:
	case OP_PACKAGE:
	case OP_VAR_PACKAGE:
		return skip_package(aml);
	case OP_METHOD:
		return take_method(tables, aml, in);
	case OP_EXTERNAL:
		return skip_name(aml, in, 2);
	case OP_EXTENDED:
		return walk_extended(tables, aml, in, depth);
	case OP_IF:
	case OP_ELSE:
	case OP_WHILE:
		return walk_block(tables, aml, in, depth);
	case OP_BYTE:
	case OP_WORD:
	case OP_DWORD:
	case OP_QWORD:
		return false; /* a constant that is cut short */
	default:
		/* Locals, arguments and operators; what else there is, is no AML. */
		return (op >= 0x60 && op <= 0x6e) || (op >= 0x70 && op <= 0xa5) || op == 0xcc;
	}
}

static bool walk(struct acpi_tables *tables, struct aml aml, const struct scope *in, int depth)
{
	if (depth > DEPTH_MAX)
		return false;
	while (aml.at < aml.end) {
		if (!walk_token(tables, &aml, in, depth))
			return false;
	}
	return true;
}

bool acpi_take_aml(struct acpi_tables *tables, const uint8_t *aml, size_t len)
{
	const struct scope root = { "\\" };

	return walk(tables, (struct aml){ aml, aml + len }, &root, 0);
}
