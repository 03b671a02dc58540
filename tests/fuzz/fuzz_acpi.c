// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ACPI tables, dumps and facts. Whatever comes: texts end and are printable, an object is present
 * or absent, not both, and the same input tells the same.
 */
#include "doctor/acpi.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const char *text, size_t size)
{
	assert(memchr(text, 0, size));
	for (; *text; text++)
		assert(isprint((unsigned char)*text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct acpi_tables a, b;
	struct error err = { "" };
	int code;

	acpi_init(&a);
	acpi_init(&b);
	code = acpi_take_file(&a, (const char *)data, size, &err);
	assert(!code || (*err.text && !strchr(err.text, '\n')));
	assert(acpi_take_file(&b, (const char *)data, size, &err) == code);
	assert(!memcmp(&a, &b, sizeof(a)));
	check_text(a.oem_id, sizeof(a.oem_id));
	check_text(a.oem_table_id, sizeof(a.oem_table_id));
	assert(a.nr_pss >= 0 && a.nr_pss <= ACPI_STATES_MAX);
	assert(a.nr_cst >= 0 && a.nr_cst <= ACPI_STATES_MAX);
	for (int i = 0; i < ACPI_OBJECTS; i++) {
		assert(!a.object[i].present || !a.object[i].absent);
		assert(a.object[i].present == (a.object[i].count > 0));
		assert(memchr(a.object[i].path, 0, sizeof(a.object[i].path)));
	}
	/* The same bytes as AML without a header. */
	acpi_init(&a);
	acpi_take_aml(&a, data, size);
	for (int i = 0; i < ACPI_OBJECTS; i++)
		check_text(a.object[i].path, sizeof(a.object[i].path));
	return 0;
}
