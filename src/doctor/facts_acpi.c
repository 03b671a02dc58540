// SPDX-License-Identifier: GPL-2.0-or-later
/* Firmware's objects as acpi.txt tells them: "present NAME", "absent NAME", "fadt_oem TEXT". */
#include "base/units.h"
#include "doctor/facts_internal.h"
#include "doctor/tree_internal.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	size_t offset;
} objects[] = {
	{ "_PSS", offsetof(struct acpi_facts, pss) },
	{ "XPSS", offsetof(struct acpi_facts, xpss) },
	{ "_PPC", offsetof(struct acpi_facts, ppc) },
	{ "_PCT", offsetof(struct acpi_facts, pct) },
	{ "_PSD", offsetof(struct acpi_facts, psd) },
	{ "_CST", offsetof(struct acpi_facts, cst) },
	{ "_CPC", offsetof(struct acpi_facts, cpc) },
	{ "PCCH", offsetof(struct acpi_facts, pcch) },
	{ "PCCP", offsetof(struct acpi_facts, pccp) },
	{ "_OSC", offsetof(struct acpi_facts, osc) },
};

/* A path such as \_SB.PCCH counts by its last name. */
static void set_object(struct acpi_facts *a, const char *name, size_t len, enum fact fact)
{
	for (size_t i = 0; i < ARRAY_LEN(objects); i++) {
		size_t n = strlen(objects[i].name);

		if (len >= n && !strncmp(name + len - n, objects[i].name, n))
			*(enum fact *)((char *)a + objects[i].offset) = fact;
	}
}

/* "HP ProLiant": table id after the first blank; ids are 6 and 8 characters, blanks cut. */
static void set_fadt(struct acpi_facts *a, const char *text, size_t len)
{
	size_t oem = strcspn(text, " \t\n"), table;

	if (oem > len)
		oem = len;
	snprintf(a->fadt_oem_id, sizeof(a->fadt_oem_id), "%.*s", (int)oem, text);
	text += oem;
	len -= oem;
	while (len && (*text == ' ' || *text == '\t')) {
		text++;
		len--;
	}
	table = len;
	while (table && (text[table - 1] == ' ' || text[table - 1] == '\r'))
		table--;
	snprintf(a->fadt_oem_table_id, sizeof(a->fadt_oem_table_id), "%.*s", (int)table, text);
	a->fadt_known = true;
}

static void take_line(struct acpi_facts *a, const char *line, size_t len)
{
	static const char present[] = "present ", absent[] = "absent ", oem[] = "fadt_oem ";
	size_t word;

	if (len > strlen(present) && !strncmp(line, present, strlen(present))) {
		word = strcspn(line + strlen(present), " \t\r\n");
		set_object(a, line + strlen(present), word, FACT_YES);
	} else if (len > strlen(absent) && !strncmp(line, absent, strlen(absent))) {
		word = strcspn(line + strlen(absent), " \t\r\n");
		set_object(a, line + strlen(absent), word, FACT_NO);
	} else if (len > strlen(oem) && !strncmp(line, oem, strlen(oem))) {
		set_fadt(a, line + strlen(oem), len - strlen(oem));
	} else {
		return;
	}
	a->from_text = true;
}

void read_acpi_facts(struct facts *f)
{
	const char *s = f->tree->acpi.text;

	while (s && *s) {
		size_t len = strcspn(s, "\n");

		take_line(&f->acpi, s, len);
		s += len + (s[len] == '\n');
	}
}
