// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/layout.h"
#include "base/units.h"

#include <byteswap.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FLAG_HARDIRQ = 0x08, FLAG_SOFTIRQ = 0x10, FLAG_NMI = 0x40 };

int layouts_new(bool swap, struct layouts **ret, struct error *err)
{
	struct layouts *l = calloc(1, sizeof(*l));

	if (!l)
		return error_set(err, ENOMEM, "out of memory");
	l->swap = swap;
	*ret = l;
	return 0;
}

struct layouts *layouts_free(struct layouts *l)
{
	free(l);
	return NULL;
}

/* The number after KEY in a line of a format file, or -1. */
static long number_after(const char *line, const char *end, const char *key)
{
	size_t len = strlen(key);
	const char *p = memmem(line, end - line, key, len);
	long value = 0;

	if (!p)
		return -1;
	for (p += len; p < end && isspace((unsigned char)*p); p++)
		;
	if (p >= end || !isdigit((unsigned char)*p))
		return -1;
	for (; p < end && isdigit((unsigned char)*p) && value < UINT16_MAX * 16; p++)
		value = value * 10 + (*p - '0');
	return value;
}

/* Finds NAME and the form in "TYPE NAME" or "TYPE NAME[N]", the part between "field:" and ';'. */
static bool declaration(const char *text, const char *end, const char **ret_name, size_t *ret_len,
	uint8_t *ret_form)
{
	const char *stop = end, *start;

	*ret_form = FORM_INT;
	if (memmem(text, end - text, "__data_loc", 10))
		*ret_form = FORM_DATA_LOC;
	else if (memmem(text, end - text, "__rel_loc", 9))
		*ret_form = FORM_REL_LOC;
	while (stop > text && isspace((unsigned char)stop[-1]))
		stop--;
	if (stop > text && stop[-1] == ']') {
		while (stop > text && stop[-1] != '[')
			stop--;
		if (stop > text)
			stop--;
		if (*ret_form == FORM_INT)
			*ret_form = FORM_CHARS;
	}
	for (start = stop; start > text && (isalnum((unsigned char)start[-1]) || start[-1] == '_');)
		start--;
	*ret_name = start;
	*ret_len = stop - start;
	return stop > start;
}

/* One line "field:TYPE NAME; offset:N; size:N; signed:N;". */
static bool parse_field(const char *line, const char *end, const char **ret_name, size_t *ret_len,
	struct field *ret)
{
	const char *text = memmem(line, end - line, "field:", 6);
	const char *semicolon;
	long offset, size;

	if (!text)
		return false;
	text += 6;
	semicolon = memchr(text, ';', end - text);
	if (!semicolon || !declaration(text, semicolon, ret_name, ret_len, &ret->form))
		return false;
	offset = number_after(semicolon, end, "offset:");
	size = number_after(semicolon, end, "size:");
	if (offset < 0 || size < 0 || offset > UINT16_MAX || size > UINT16_MAX)
		return false;
	ret->offset = offset;
	ret->size = size;
	ret->is_signed = number_after(semicolon, end, "signed:") == 1;
	return true;
}

static bool named(const char *name, size_t len, const char *want)
{
	return strlen(want) == len && !memcmp(name, want, len);
}

static bool readable(const struct field *f)
{
	switch (f->form) {
	case FORM_INT:
		return f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8;
	case FORM_CHARS:
		return true;
	default:
		return f->size == 4;
	}
}

static void take_field(struct layouts *l, struct layout *layout, const struct event_type *type,
	const char *name, size_t len, const struct field *field)
{
	struct field f = *field;

	if (!readable(&f))
		return;
	if (f.form == FORM_INT && named(name, len, "common_type"))
		l->id = f;
	else if (f.form == FORM_INT && named(name, len, "common_flags"))
		layout->flags = f;
	else if (f.form == FORM_INT && named(name, len, "common_pid"))
		layout->pid = f;
	for (int i = 0; i < EVENT_FIELDS_MAX && type->fields[i].name; i++) {
		if (!named(name, len, type->fields[i].name))
			continue;
		/* A number where a name is wanted, or the other way round, is of no use. */
		if ((f.form == FORM_INT) != (type->fields[i].slot != SLOT_COMM))
			continue;
		if (layout->nr_fields == LAYOUT_FIELDS_MAX)
			return;
		f.slot = type->fields[i].slot;
		layout->fields[layout->nr_fields++] = f;
	}
}

static bool has_slot(const struct layout *layout, enum event_slot slot)
{
	for (int i = 0; i < layout->nr_fields; i++)
		if (layout->fields[i].slot == slot)
			return true;
	return false;
}

static void need(struct layout *layout, const struct field *f)
{
	uint32_t size = (uint32_t)f->offset + f->size;

	if (size > layout->min_size)
		layout->min_size = size;
}

static int check_layout(struct layouts *l, struct layout *layout, struct error *err)
{
	const struct event_type *type = layout->type;

	if (l->id.size != 2 || !layout->flags.size || !layout->pid.size)
		return error_set(err, EINVAL,
			"format of %s: expected 16-bit common_type, common_flags and common_pid",
			type->name);
	for (int i = 0; i < EVENT_FIELDS_MAX && type->fields[i].name; i++)
		if (!type->fields[i].optional && !has_slot(layout, type->fields[i].slot))
			return error_set(err, EINVAL, "format of %s: no field %s that can be read",
				type->name, type->fields[i].name);
	need(layout, &l->id);
	need(layout, &layout->flags);
	need(layout, &layout->pid);
	for (int i = 0; i < layout->nr_fields; i++)
		need(layout, &layout->fields[i]);
	return 0;
}

static const char *line_end(const char *line, const char *end)
{
	const char *newline = memchr(line, '\n', end - line);

	return newline ? newline : end;
}

/* The name after "name:" in the file's first line. */
static bool event_name(const char *text, const char *end, char *name, size_t size)
{
	const char *eol = line_end(text, end), *p;
	size_t len = 0;

	p = memmem(text, eol - text, "name:", 5);
	if (!p)
		return false;
	for (p += 5; p < eol && isspace((unsigned char)*p); p++)
		;
	for (; p < eol && !isspace((unsigned char)*p) && len < size - 1; p++)
		name[len++] = *p;
	name[len] = '\0';
	return len > 0;
}

int layouts_add(
	struct layouts *l, const char *system, const char *text, size_t len, struct error *err)
{
	const char *end = text + len, *fmt;
	const struct event_type *type;
	struct layout *layout;
	char name[64];
	long id;
	int rc;

	if (!event_name(text, end, name, sizeof(name)))
		return error_set(
			err, EINVAL, "format in %s: expected a line 'name: EVENT'", system);
	type = event_type_find(system, name);
	if (!type)
		return 0;
	id = number_after(text, end, "ID:");
	if (id <= 0 || id > UINT16_MAX)
		return error_set(err, EINVAL, "format of %s: ID: expected 1 to 65535", name);
	if (l->nr == LAYOUTS_MAX || l->index[id])
		return error_set(err, EINVAL, "format of %s: ID: %ld is there twice", name, id);
	layout = &l->of[l->nr];
	layout->type = type;
	fmt = memmem(text, len, "print fmt:", 10);
	if (fmt)
		end = fmt;
	for (const char *line = text; line < end; line = line_end(line, end) + 1) {
		const char *field_name;
		size_t field_len;
		struct field f = { 0 };

		if (parse_field(line, line_end(line, end), &field_name, &field_len, &f))
			take_field(l, layout, type, field_name, field_len, &f);
	}
	rc = check_layout(l, layout, err);
	if (rc < 0)
		return rc;
	l->index[id] = ++l->nr;
	return 0;
}

int layouts_ready(const struct layouts *l, struct error *err)
{
	if (!l->nr)
		return error_set(err, EINVAL,
			"no event that is needed has a format here (expected sched_switch and "
			"others)");
	return 0;
}

static inline uint64_t load(const uint8_t *p, unsigned int size, bool swap)
{
	uint16_t u16;
	uint32_t u32;
	uint64_t u64;

	switch (size) {
	case 1:
		return *p;
	case 2:
		memcpy(&u16, p, 2);
		return swap ? bswap_16(u16) : u16;
	case 4:
		memcpy(&u32, p, 4);
		return swap ? bswap_32(u32) : u32;
	default:
		memcpy(&u64, p, 8);
		return swap ? bswap_64(u64) : u64;
	}
}

static inline uint64_t load_field(const struct field *f, const uint8_t *record, bool swap)
{
	uint64_t value = load(record + f->offset, f->size, swap);

	if (f->is_signed && f->size == 4)
		return (uint64_t)(int64_t)(int32_t)value;
	if (f->is_signed && f->size == 2)
		return (uint64_t)(int64_t)(int16_t)value;
	if (f->is_signed && f->size == 1)
		return (uint64_t)(int64_t)(int8_t)value;
	return value;
}

const struct layout *layout_of(
	const struct layouts *l, const uint8_t *record, uint32_t size, bool *ret_damaged)
{
	const struct layout *layout;
	uint32_t at = l->id.offset, index;

	*ret_damaged = size < at + 2;
	if (*ret_damaged)
		return NULL;
	index = l->index[load(record + at, 2, l->swap)];
	if (!index)
		return NULL;
	layout = &l->of[index - 1];
	*ret_damaged = size < layout->min_size;
	return *ret_damaged ? NULL : layout;
}

/* The bytes of a text field, not longer than the record. */
static void text_field(const struct layouts *l, const struct field *f, const uint8_t *record,
	uint32_t size, const uint8_t **ret, uint32_t *ret_len)
{
	uint32_t offset = f->offset, len = f->size, word;

	if (f->form != FORM_CHARS) {
		word = load(record + f->offset, 4, l->swap);
		offset = word & 0xffff;
		len = word >> 16;
		if (f->form == FORM_REL_LOC)
			offset += f->offset + 4;
	} else if (!len) { /* char buf[]: to the end */
		len = size - offset;
	}
	if (offset > size)
		offset = size;
	if (len > size - offset)
		len = size - offset;
	*ret = record + offset;
	*ret_len = len;
}

static void decode_text(struct layouts *l, const struct layout *layout, const struct field *f,
	const uint8_t *record, uint32_t size, struct event *ret)
{
	char line[256] = "";
	const uint8_t *text;
	uint32_t len;

	if (f->form == FORM_CHARS && f->size == 16) {
		memcpy(ret->comm, record + f->offset, 16);
		ret->comm[15] = '\0';
		return;
	}
	text_field(l, f, record, size, &text, &len);
	if (layout->type->text == TEXT_MARKER) {
		len = len < sizeof(l->text) ? len : sizeof(l->text) - 1;
		memcpy(l->text, text, len);
		l->text[len] = '\0';
		l->text[strcspn(l->text, "\n")] = '\0';
		event_marker(ret, l->text);
		return;
	}
	memcpy(line, text, len < sizeof(line) ? len : sizeof(line) - 1);
	if (layout->type->text == TEXT_PATH)
		event_basename(ret->comm, line);
	else
		memcpy(ret->comm, line, strnlen(line, sizeof(ret->comm) - 1));
}

static inline uint32_t context_of(uint64_t flags)
{
	return (flags & FLAG_HARDIRQ ? CTX_HARDIRQ : 0) | (flags & FLAG_SOFTIRQ ? CTX_SOFTIRQ : 0) |
	       (flags & FLAG_NMI ? CTX_NMI : 0);
}

void layout_decode(struct layouts *l, const struct layout *layout, const uint8_t *record,
	uint32_t size, struct event *ret, uint64_t *ret_aux)
{
	ret->kind = layout->type->kind;
	ret->value = layout->type->value;
	ret->pid = (int)load_field(&layout->pid, record, l->swap);
	ret->context = context_of(load_field(&layout->flags, record, l->swap));
	for (int i = 0; i < layout->nr_fields; i++) {
		const struct field *f = &layout->fields[i];

		switch (f->slot) {
		case SLOT_PID2:
			ret->pid2 = (int)load_field(f, record, l->swap);
			break;
		case SLOT_PRIO:
			ret->prio = (int)load_field(f, record, l->swap);
			break;
		case SLOT_TARGET:
			ret->target_cpu = (int)load_field(f, record, l->swap);
			break;
		case SLOT_VALUE:
			ret->value = load_field(f, record, l->swap);
			break;
		case SLOT_OBJECT:
			ret->object = load_field(f, record, l->swap);
			break;
		case SLOT_NS:
			ret->ns = load_field(f, record, l->swap);
			break;
		case SLOT_AUX:
			*ret_aux = load_field(f, record, l->swap);
			break;
		case SLOT_COMM:
			decode_text(l, layout, f, record, size, ret);
			break;
		}
	}
}
