// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables, dumps of them as text, and lines of facts; the AML itself is in aml.c. */
#include "doctor/acpi.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Table header and FADT, by offset. */
enum {
	HEADER_SIZE = 36,
	HEADER_LENGTH = 4,
	HEADER_OEM_ID = 10,
	HEADER_OEM_TABLE_ID = 16,
	FADT_PM_PROFILE = 45,
};

enum { DUMPED_TABLE_MAX = 4 << 20 };

static const char names[ACPI_OBJECTS][5] = {
	[ACPI_PSS] = "_PSS",
	[ACPI_XPSS] = "XPSS",
	[ACPI_PPC] = "_PPC",
	[ACPI_PCT] = "_PCT",
	[ACPI_PSD] = "_PSD",
	[ACPI_CST] = "_CST",
	[ACPI_CPC] = "_CPC",
	[ACPI_PCCH] = "PCCH",
	[ACPI_PCCP] = "PCCP",
	[ACPI_OSC] = "_OSC",
};

const char *acpi_object_name(enum acpi_object object)
{
	return names[object];
}

enum acpi_object acpi_object_of(const char *name)
{
	int i = 0;

	while (i < ACPI_OBJECTS && strcmp(names[i], name))
		i++;
	return i;
}

void acpi_init(struct acpi_tables *tables)
{
	memset(tables, 0, sizeof(*tables));
	tables->pm_profile = -1;
	tables->pct_space = -1;
	tables->ppc = -1;
	tables->psd_type = -1;
	tables->psd_cpus = -1;
}

/* ---- tables ------------------------------------------------------------------------------ */

static uint32_t length_of(const uint8_t *table)
{
	return table[HEADER_LENGTH] | table[HEADER_LENGTH + 1] << 8 |
	       table[HEADER_LENGTH + 2] << 16 | (uint32_t)table[HEADER_LENGTH + 3] << 24;
}

/* Fixed-width text without the blanks and NULs that fill it up; to has len + 1 bytes. */
static void copy_text(char *to, const void *from, size_t len)
{
	const unsigned char *text = from;

	while (len && (!text[len - 1] || text[len - 1] == ' '))
		len--;
	for (size_t i = 0; i < len; i++)
		to[i] = isprint(text[i]) ? (char)text[i] : '?';
	to[len] = '\0';
}

static void take_fadt(struct acpi_tables *tables, const uint8_t *table, size_t len)
{
	copy_text(tables->oem_id, table + HEADER_OEM_ID, 6);
	copy_text(tables->oem_table_id, table + HEADER_OEM_TABLE_ID, 8);
	tables->fadt_known = true;
	if (len > FADT_PM_PROFILE)
		tables->pm_profile = table[FADT_PM_PROFILE];
}

static void take_table(struct acpi_tables *tables, const uint8_t *table, size_t len, bool whole)
{
	if (!memcmp(table, "FACP", 4)) {
		take_fadt(tables, table, len);
		return;
	}
	if (memcmp(table, "DSDT", 4) && memcmp(table, "SSDT", 4) && memcmp(table, "PSDT", 4))
		return;
	tables->nr_tables++;
	if (!acpi_take_aml(tables, table + HEADER_SIZE, len - HEADER_SIZE) || !whole)
		tables->nr_damaged++;
}

void acpi_take_tables(struct acpi_tables *tables, const uint8_t *bytes, size_t len)
{
	while (len >= HEADER_SIZE) {
		size_t size = length_of(bytes);
		bool whole = size >= HEADER_SIZE && size <= len;

		/* A length that cannot be: what is there is the table. */
		if (!whole)
			size = len;
		take_table(tables, bytes, size, whole);
		bytes += size;
		len -= size;
	}
}

void acpi_all_taken(struct acpi_tables *tables)
{
	if (!tables->nr_tables || tables->nr_damaged)
		return;
	for (int i = 0; i < ACPI_OBJECTS; i++)
		tables->object[i].absent = !tables->object[i].present;
}

/* ---- dumps as text ----------------------------------------------------------------------- */

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/*
 * "    0010: 44 53 44 54 ...  DSDT": up to 16 bytes; two blanks before the text end them. Their
 * number.
 */
static int take_dump_line(const char *line, uint8_t *bytes)
{
	int nr = 0;

	line += strspn(line, " \t");
	if (hex(*line) < 0)
		return 0;
	line += strspn(line, "0123456789abcdefABCDEF");
	if (*line++ != ':')
		return 0;
	while (nr < 16 && *line == ' ' && hex(line[1]) >= 0 && hex(line[2]) >= 0) {
		bytes[nr++] = (uint8_t)(hex(line[1]) << 4 | hex(line[2]));
		line += 3;
	}
	return nr;
}

static bool is_dump_title(const char *line)
{
	return strlen(line) > 9 && !strncmp(line + 4, " @ 0x", 5);
}

struct dump {
	uint8_t *bytes;
	size_t len, size;
};

static int dump_add(struct dump *dump, const uint8_t *bytes, size_t nr)
{
	if (!nr)
		return 0;
	if (dump->len + nr > dump->size) {
		size_t size = dump->size ? 2 * dump->size : 65536;
		uint8_t *bigger;

		if (size > DUMPED_TABLE_MAX)
			return -EFBIG;
		bigger = realloc(dump->bytes, size);
		if (!bigger)
			return -ENOMEM;
		dump->bytes = bigger;
		dump->size = size;
	}
	memcpy(dump->bytes + dump->len, bytes, nr);
	dump->len += nr;
	return 0;
}

/* A line that begins at text; copied, cut to what is looked at. Where the next one begins. */
static const char *next_line(const char *text, const char *end, char *line, size_t size)
{
	const char *feed = memchr(text, '\n', (size_t)(end - text));
	const char *stop = feed ? feed : end;
	size_t len = (size_t)(stop - text);

	if (len >= size)
		len = size - 1;
	memcpy(line, text, len);
	while (len && isspace((unsigned char)line[len - 1]))
		len--;
	line[len] = '\0';
	return stop + 1;
}

static int take_dump(struct acpi_tables *tables, const char *text, const char *end)
{
	struct dump dump = { NULL };
	char line[256];
	uint8_t bytes[16];
	int code = 0;

	while (!code && text < end) {
		text = next_line(text, end, line, sizeof(line));
		if (is_dump_title(line)) {
			acpi_take_tables(tables, dump.bytes, dump.len);
			dump.len = 0;
		} else {
			code = dump_add(&dump, bytes, take_dump_line(line, bytes));
		}
	}
	acpi_take_tables(tables, dump.bytes, dump.len);
	free(dump.bytes);
	acpi_all_taken(tables);
	return code;
}

/* ---- lines of facts ---------------------------------------------------------------------- */

/* "_PSS" or a path that ends in it. */
static bool take_presence(struct acpi_tables *tables, const char *name, bool present)
{
	const char *dot = strrchr(name, '.');
	enum acpi_object object = acpi_object_of(dot ? dot + 1 : *name == '\\' ? name + 1 : name);
	struct acpi_found *found;

	/* Other objects are no concern of ours, but four characters they have. */
	if (object == ACPI_OBJECTS)
		return strlen(name) >= 4;
	found = &tables->object[object];
	found->present = present;
	found->absent = !present;
	found->count = present;
	snprintf(found->path, sizeof(found->path), "%s", present ? name : "");
	return true;
}

static bool take_state_line(struct acpi_tables *tables, const char *key, const char *rest)
{
	unsigned a, b, c;
	char more;

	if (sscanf(rest, "%u %u %u %c", &a, &b, &c, &more) != 3)
		return false;
	if (!strcmp(key, "pss") && tables->nr_pss < ACPI_STATES_MAX)
		tables->pss[tables->nr_pss++] = (struct acpi_pstate){ a, b, c };
	else if (!strcmp(key, "cst") && tables->nr_cst < ACPI_STATES_MAX)
		tables->cst[tables->nr_cst++] = (struct acpi_cstate){ a, b, c, 0 };
	else
		return false;
	return true;
}

/* "HP ProLiant": the table's id after the first blank. */
static void take_oem(struct acpi_tables *tables, const char *text)
{
	size_t len = strcspn(text, " \t");
	const char *table = text + len + strspn(text + len, " \t");

	copy_text(tables->oem_id, text, len < 6 ? len : 6);
	len = strlen(table);
	copy_text(tables->oem_table_id, table, len < 8 ? len : 8);
	tables->fadt_known = true;
}

static bool take_fact(struct acpi_tables *tables, char *line)
{
	char *rest = line + strcspn(line, " \t"), *end;

	if (!*rest)
		return false;
	*rest++ = '\0';
	rest += strspn(rest, " \t");
	if (!*rest)
		return false;
	if (!strcmp(line, "present") || !strcmp(line, "absent"))
		return take_presence(tables, rest, *line == 'p');
	if (!strcmp(line, "fadt_oem")) {
		take_oem(tables, rest);
		return true;
	}
	if (!strcmp(line, "pm_profile")) {
		unsigned long profile = strtoul(rest, &end, 10);

		if (*end || profile > 255)
			return false;
		tables->pm_profile = (int)profile;
		return true;
	}
	return take_state_line(tables, line, rest);
}

static int take_facts(
	struct acpi_tables *tables, const char *text, const char *end, struct error *err)
{
	char line[256];

	for (int nr = 1; text < end; nr++) {
		char *start = line;

		text = next_line(text, end, line, sizeof(line));
		start += strspn(start, " \t");
		if (*start && *start != '#' && !take_fact(tables, start))
			return error_set(err, EINVAL,
				"line %d: \"%.40s\", expected present NAME, absent NAME, fadt_oem "
				"TEXT, pm_profile N, pss or cst and three numbers",
				nr, start);
	}
	return 0;
}

/* ---- which of them ------------------------------------------------------------------------ */

static bool is_signature(const char *text)
{
	for (int i = 0; i < 4; i++) {
		if (!isupper((unsigned char)text[i]) && !isdigit((unsigned char)text[i]))
			return false;
	}
	return true;
}

/* A header has bytes that no text has: its length's upper ones. */
static bool is_table(const char *text, size_t len)
{
	return len >= HEADER_SIZE && is_signature(text) &&
	       memchr(text + HEADER_LENGTH, 0, HEADER_SIZE - HEADER_LENGTH);
}

static bool is_dump(const char *text, const char *end)
{
	char line[256];

	for (int i = 0; i < 16 && text < end; i++) {
		text = next_line(text, end, line, sizeof(line));
		if (is_dump_title(line))
			return true;
	}
	return false;
}

int acpi_take_file(struct acpi_tables *tables, const char *text, size_t len, struct error *err)
{
	int code;

	if (is_table(text, len)) {
		acpi_take_tables(tables, (const uint8_t *)text, len);
		/* One table is not all of them. */
		return 0;
	}
	if (!is_dump(text, text + len))
		return take_facts(tables, text, text + len, err);
	code = take_dump(tables, text, text + len);
	return code ? error_set(err, -code, "%s", strerror(-code)) : 0;
}
