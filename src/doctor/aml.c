// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * AML, read as a list of tokens. Each opcode tells by its first bytes how long it is or where its
 * package ends, so nothing needs to be evaluated and no method's number of arguments be known:
 * arguments are the tokens that follow. Scopes nest by their packages; methods, buffers and fields
 * are passed over whole.
 */
#include "doctor/acpi.h"
#include "doctor/aml_token.h"

#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

/* ---- objects that hold constants --------------------------------------------------------- */

static void take_pss(struct acpi_tables *tables, struct aml data)
{
	struct acpi_pstate states[ACPI_STATES_MAX];
	struct aml elements;
	uint64_t v[6];
	int nr = 0;

	if (tables->nr_pss || !aml_take_elements(&data, &elements))
		return;
	while (nr < ACPI_STATES_MAX && aml_take_constants(&elements, v, 6) == 6)
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

	if (tables->nr_cst || !aml_take_elements(&data, &elements) ||
		!aml_take_constant(&elements, v))
		return;
	while (nr < ACPI_STATES_MAX && aml_take_elements(&elements, &state) &&
		aml_take_register(&state, &space) && aml_take_constant(&state, &v[0]) &&
		aml_take_constant(&state, &v[1]) && aml_take_constant(&state, &v[2]))
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

	if (tables->pct_space < 0 && aml_take_elements(&data, &elements) &&
		aml_take_register(&elements, &space))
		tables->pct_space = space;
}

static void take_psd(struct acpi_tables *tables, struct aml data)
{
	struct aml elements;
	uint64_t v[5];

	if (tables->psd_type >= 0 || !aml_take_elements(&data, &elements) ||
		aml_take_constants(&elements, v, 5) != 5)
		return;
	tables->psd_type = v[3] & 0xff;
	tables->psd_cpus = v[4] & 0xffff;
}

static void take_ppc(struct acpi_tables *tables, struct aml data)
{
	uint64_t value;

	if (tables->ppc < 0 && aml_take_constant(&data, &value) && value < ACPI_STATES_MAX)
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

	if (!aml_take_package(aml, &body))
		return false;
	/* Damage within ends this package only. */
	if (!aml_take_name(&body, in, &inner, last) || !aml_skip(&body, fixed)) {
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

	if (!aml_take_package(aml, &body))
		return false;
	if (aml_take_name(&body, in, &where, last))
		found(tables, &where, last);
	return true;
}

static bool take_named_data(struct acpi_tables *tables, struct aml *aml, const struct scope *in)
{
	enum acpi_object object;
	struct scope where;
	char last[5];

	if (!aml_take_name(aml, in, &where, last))
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

	if (!aml_take_name(aml, in, &where, last) || !aml_take_name(aml, in, &where, last))
		return false;
	found(tables, &where, last);
	return true;
}

static bool skip_name(struct aml *aml, const struct scope *in, size_t fixed)
{
	struct scope where;
	char last[5];

	return aml_take_name(aml, in, &where, last) && aml_skip(aml, fixed);
}

static bool skip_package(struct aml *aml)
{
	struct aml inside;

	return aml_take_package(aml, &inside);
}

static bool walk_extended(
	struct acpi_tables *tables, struct aml *aml, const struct scope *in, int depth)
{
	uint8_t op;

	if (!aml_take_byte(aml, &op))
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

	if (!aml_take_package(aml, &body))
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

	if (aml_take_constant(aml, &value))
		return true;
	if (aml_is_name_start(*aml->at))
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
