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

void acpi_init(struct acpi_facts *facts)
{
	memset(facts, 0, sizeof(*facts));
	facts->pm_profile = -1;
	facts->pct_space = -1;
	facts->ppc = -1;
	facts->psd_type = -1;
	facts->psd_cpus = -1;
}

/* ---- tables ------------------------------------------------------------------------------ */

static uint32_t length_of(const uint8_t *table)
{
	return table[HEADER_LENGTH] | table[HEADER_LENGTH + 1] << 8 |
	       table[HEADER_LENGTH + 2] << 16 | (uint32_t)table[HEADER_LENGTH + 3] << 24;
}

/* Fixed-width text without the blanks and NULs that fill it up. */
static void append_text(char *to, size_t size, const uint8_t *text, size_t len)
{
	size_t n = strlen(to);

	while (len && (!text[len - 1] || text[len - 1] == ' '))
		len--;
	if (n && len && n + 1 < size)
		to[n++] = ' ';
	for (size_t i = 0; i < len && n + 1 < size; i++)
		to[n++] = isprint(text[i]) ? (char)text[i] : '?';
	to[n] = '\0';
}

static void take_fadt(struct acpi_facts *facts, const uint8_t *table, size_t len)
{
	facts->fadt_oem[0] = '\0';
	append_text(facts->fadt_oem, sizeof(facts->fadt_oem), table + HEADER_OEM_ID, 6);
	append_text(facts->fadt_oem, sizeof(facts->fadt_oem), table + HEADER_OEM_TABLE_ID, 8);
	if (len > FADT_PM_PROFILE)
		facts->pm_profile = table[FADT_PM_PROFILE];
}

static void take_table(struct acpi_facts *facts, const uint8_t *table, size_t len, bool whole)
{
	if (!memcmp(table, "FACP", 4)) {
		take_fadt(facts, table, len);
		return;
	}
	if (memcmp(table, "DSDT", 4) && memcmp(table, "SSDT", 4) && memcmp(table, "PSDT", 4))
		return;
	facts->nr_tables++;
	if (!acpi_take_aml(facts, table + HEADER_SIZE, len - HEADER_SIZE) || !whole)
		facts->nr_damaged++;
}

void acpi_take_tables(struct acpi_facts *facts, const uint8_t *bytes, size_t len)
{
	while (len >= HEADER_SIZE) {
		size_t size = length_of(bytes);
		bool whole = size >= HEADER_SIZE && size <= len;

		/* A length that cannot be: what is there is the table. */
		if (!whole)
			size = len;
		take_table(facts, bytes, size, whole);
		bytes += size;
		len -= size;
	}
}

void acpi_all_taken(struct acpi_facts *facts)
{
	if (!facts->nr_tables || facts->nr_damaged)
		return;
	for (int i = 0; i < ACPI_OBJECTS; i++)
		facts->object[i].absent = !facts->object[i].present;
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

static int take_dump(struct acpi_facts *facts, const char *text, const char *end)
{
	struct dump dump = { NULL };
	char line[256];
	uint8_t bytes[16];
	int code = 0;

	while (!code && text < end) {
		text = next_line(text, end, line, sizeof(line));
		if (is_dump_title(line)) {
			acpi_take_tables(facts, dump.bytes, dump.len);
			dump.len = 0;
		} else {
			code = dump_add(&dump, bytes, take_dump_line(line, bytes));
		}
	}
	acpi_take_tables(facts, dump.bytes, dump.len);
	free(dump.bytes);
	acpi_all_taken(facts);
	return code;
}

/* ---- lines of facts ---------------------------------------------------------------------- */

/* "_PSS" or a path that ends in it. */
static bool take_presence(struct acpi_facts *facts, const char *name, bool present)
{
	const char *dot = strrchr(name, '.');
	enum acpi_object object = acpi_object_of(dot ? dot + 1 : *name == '\\' ? name + 1 : name);
	struct acpi_found *found;

	/* Other objects are no concern of ours, but four characters they have. */
	if (object == ACPI_OBJECTS)
		return strlen(name) >= 4;
	found = &facts->object[object];
	found->present = present;
	found->absent = !present;
	found->count = present;
	snprintf(found->path, sizeof(found->path), "%s", present ? name : "");
	return true;
}

static bool take_state_line(struct acpi_facts *facts, const char *key, const char *rest)
{
	unsigned a, b, c;
	char more;

	if (sscanf(rest, "%u %u %u %c", &a, &b, &c, &more) != 3)
		return false;
	if (!strcmp(key, "pss") && facts->nr_pss < ACPI_STATES_MAX)
		facts->pss[facts->nr_pss++] = (struct acpi_pstate){ a, b, c };
	else if (!strcmp(key, "cst") && facts->nr_cst < ACPI_STATES_MAX)
		facts->cst[facts->nr_cst++] = (struct acpi_cstate){ a, b, c, 0 };
	else
		return false;
	return true;
}

static bool take_fact(struct acpi_facts *facts, char *line)
{
	char *rest = line + strcspn(line, " \t"), *end;

	if (!*rest)
		return false;
	*rest++ = '\0';
	rest += strspn(rest, " \t");
	if (!*rest)
		return false;
	if (!strcmp(line, "present") || !strcmp(line, "absent"))
		return take_presence(facts, rest, *line == 'p');
	if (!strcmp(line, "fadt_oem")) {
		facts->fadt_oem[0] = '\0';
		append_text(
			facts->fadt_oem, sizeof(facts->fadt_oem), (uint8_t *)rest, strlen(rest));
		return true;
	}
	if (!strcmp(line, "pm_profile")) {
		unsigned long profile = strtoul(rest, &end, 10);

		if (*end || profile > 255)
			return false;
		facts->pm_profile = (int)profile;
		return true;
	}
	return take_state_line(facts, line, rest);
}

static int take_facts(
	struct acpi_facts *facts, const char *text, const char *end, struct error *err)
{
	char line[256];

	for (int nr = 1; text < end; nr++) {
		char *start = line;

		text = next_line(text, end, line, sizeof(line));
		start += strspn(start, " \t");
		if (*start && *start != '#' && !take_fact(facts, start))
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

int acpi_take_file(struct acpi_facts *facts, const char *text, size_t len, struct error *err)
{
	int code;

	if (is_table(text, len)) {
		acpi_take_tables(facts, (const uint8_t *)text, len);
		/* One table is not all of them. */
		return 0;
	}
	if (!is_dump(text, text + len))
		return take_facts(facts, text, text + len, err);
	code = take_dump(facts, text, text + len);
	return code ? error_set(err, -code, "%s", strerror(-code)) : 0;
}
