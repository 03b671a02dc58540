// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables compiled from the sources in asl, and what else --acpi takes. Argument: their folder. */
#include "doctor/acpi.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *folder;

enum { TABLE_MAX = 8192 };

static size_t read_table(const char *name, uint8_t *bytes)
{
	char path[512];
	size_t len;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "rb");
	if (!f)
		fail_msg("%s", path);
	len = fread(bytes, 1, TABLE_MAX, f);
	fclose(f);
	assert_in_range(len, 100, TABLE_MAX - 1);
	return len;
}

static void take(struct acpi_tables *facts, const void *text, size_t len)
{
	struct error err;

	acpi_init(facts);
	if (acpi_take_file(facts, text, len, &err))
		fail_msg("%s", err.text);
}

/* Objects by table: where each is, NULL for absent. */
static const struct {
	const char *table;
	struct {
		enum acpi_object object;
		unsigned count;
		const char *path;
	} found[ACPI_OBJECTS];
} expected[] = {
	{ "all", { { ACPI_PSS, 2, "\\CPU1._PSS" }, { ACPI_XPSS, 1, "\\_SB.CPUS.C000.XPSS" },
			 { ACPI_PPC, 2, "\\CPU1._PPC" }, { ACPI_PCT, 1, "\\CPU1._PCT" },
			 { ACPI_PSD, 1, "\\CPU1._PSD" }, { ACPI_CST, 1, "\\CPU1._CST" },
			 { ACPI_PCCH, 1, "\\_SB.PCCH" }, { ACPI_PCCP, 1, "\\CPU1.PCCP" },
			 { ACPI_OSC, 2, "\\_SB._OSC" } } },
	{ "none", { { 0 } } },
	{ "guest-pcc", { { ACPI_PCCH, 1, "\\_SB.PCCH" }, { ACPI_PCCP, 4, "\\_SB.CPUS.C000.PCCP" },
			       { ACPI_OSC, 1, "\\_SB._OSC" } } },
	{ "guest-cppc",
		{ { ACPI_CPC, 4, "\\_SB.CPUS.C000._CPC" }, { ACPI_PSD, 4, "\\_SB.CPUS.C000._PSD" },
			{ ACPI_OSC, 1, "\\_SB._OSC" } } },
	{ "guest-cst", { { ACPI_CST, 4, "\\_SB.CPUS.C000._CST" } } },
};

static void test_objects(void **state)
{
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		const char *want[ACPI_OBJECTS] = { NULL };
		unsigned count[ACPI_OBJECTS] = { 0 };
		struct acpi_tables facts;
		uint8_t bytes[TABLE_MAX];

		for (int k = 0; k < ACPI_OBJECTS && expected[i].found[k].path; k++) {
			want[expected[i].found[k].object] = expected[i].found[k].path;
			count[expected[i].found[k].object] = expected[i].found[k].count;
		}
		take(&facts, bytes, read_table(expected[i].table, bytes));
		assert_int_equal(facts.nr_damaged, 0);
		/* One table alone proves no absence. */
		assert_false(facts.object[ACPI_CPC].absent);
		acpi_all_taken(&facts);
		for (int k = 0; k < ACPI_OBJECTS; k++) {
			const struct acpi_found *f = &facts.object[k];

			if (f->present != (want[k] != NULL) || f->absent != !want[k] ||
				f->count != count[k] || (want[k] && strcmp(f->path, want[k])))
				fail_msg("%s: %s: %u at %s", expected[i].table, acpi_object_name(k),
					f->count, f->path);
		}
	}
}

static void check_constants(const struct acpi_tables *facts)
{
	assert_int_equal(facts->nr_pss, 3);
	assert_int_equal(facts->pss[0].mhz, 2400);
	assert_int_equal(facts->pss[2].mw, 6000);
	assert_int_equal(facts->pss[2].latency_us, 11);
	assert_int_equal(facts->nr_cst, 2);
	assert_int_equal(facts->cst[0].type, 1);
	assert_int_equal(facts->cst[0].space, 0x7f);
	assert_int_equal(facts->cst[1].type, 3);
	assert_int_equal(facts->cst[1].latency_us, 80);
	assert_int_equal(facts->cst[1].mw, 200);
	assert_int_equal(facts->cst[1].space, 1);
	assert_int_equal(facts->pct_space, 0x7f);
	assert_int_equal(facts->ppc, 1);
	assert_int_equal(facts->psd_type, 0xfd);
	assert_int_equal(facts->psd_cpus, 2);
}

static void test_constants(void **state)
{
	struct acpi_tables facts;
	uint8_t bytes[TABLE_MAX];

	take(&facts, bytes, read_table("all", bytes));
	check_constants(&facts);
}

/* A FADT of revision 1, of which only the profile and the names matter. */
static size_t make_fadt(uint8_t *bytes)
{
	memset(bytes, 0, 116);
	memcpy(bytes, "FACP\x74\0\0\0\1\0HP    ProLiant\2\0\0\0", 28);
	bytes[45] = 4;
	return 116;
}

static void test_several_tables(void **state)
{
	struct acpi_tables facts;
	uint8_t bytes[2 * TABLE_MAX];
	size_t len = make_fadt(bytes);

	len += read_table("all", bytes + len);
	take(&facts, bytes, len);
	assert_string_equal(facts.oem_id, "HP");
	assert_string_equal(facts.oem_table_id, "ProLiant");
	assert_int_equal(facts.pm_profile, 4);
	assert_int_equal(facts.nr_tables, 1);
	check_constants(&facts);
}

/* As acpidump prints it, with the text at the right. */
static size_t dump_table(char *out, const char *name, const uint8_t *bytes, size_t len)
{
	char *at = out + sprintf(out, "%s @ 0x00000000BFFE0040\n", name);

	for (size_t i = 0; i < len; i += 16) {
		at += sprintf(at, "    %04zX:", i);
		for (size_t k = i; k < i + 16; k++)
			at += k < len ? sprintf(at, " %02X", bytes[k]) : sprintf(at, "   ");
		at += sprintf(at, "  ");
		for (size_t k = i; k < i + 16 && k < len; k++)
			*at++ = bytes[k] >= ' ' && bytes[k] < 0x7f ? (char)bytes[k] : '.';
		*at++ = '\n';
	}
	*at++ = '\n';
	*at = '\0';
	return (size_t)(at - out);
}

static void test_dump(void **state)
{
	static char text[16 * TABLE_MAX];
	struct acpi_tables facts;
	uint8_t bytes[TABLE_MAX];
	size_t len;

	len = dump_table(text, "FACP", bytes, make_fadt(bytes));
	len += dump_table(text + len, "SSDT", bytes, read_table("all", bytes));
	len += dump_table(text + len, "SSDT", bytes, read_table("none", bytes));
	take(&facts, text, len);
	assert_int_equal(facts.nr_tables, 2);
	assert_int_equal(facts.nr_damaged, 0);
	assert_true(facts.object[ACPI_CPC].absent);
	assert_string_equal(facts.oem_id, "HP");
	assert_string_equal(facts.oem_table_id, "ProLiant");
	check_constants(&facts);
}

static void test_facts(void **state)
{
	static const char text[] = "# made up\npresent \\_SB.PCCH\nabsent _PSS\npresent _ABC\n"
				   "fadt_oem HP ProLiant\npm_profile 4\n\npss 2400 95000 10\n"
				   "pss 1200 30000 10\ncst 1 2 1000\n";
	struct acpi_tables facts;

	take(&facts, text, strlen(text));
	assert_true(facts.object[ACPI_PCCH].present);
	assert_string_equal(facts.object[ACPI_PCCH].path, "\\_SB.PCCH");
	assert_true(facts.object[ACPI_PSS].absent);
	assert_false(facts.object[ACPI_PPC].absent);
	assert_string_equal(facts.oem_id, "HP");
	assert_string_equal(facts.oem_table_id, "ProLiant");
	assert_int_equal(facts.pm_profile, 4);
	assert_int_equal(facts.nr_pss, 2);
	assert_int_equal(facts.pss[1].mw, 30000);
	assert_int_equal(facts.nr_cst, 1);
}

static void test_wrong_facts(void **state)
{
	static const char *const lines[] = { "present", "present X", "what ever", "pm_profile 300",
		"pm_profile x", "pss 1 2", "pss 1 2 3 4", "\x01\x02 \x03" };

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct acpi_tables facts;
		struct error err = { "" };
		char text[64];

		snprintf(text, sizeof(text), "present _PSS\n%s\n", lines[i]);
		acpi_init(&facts);
		if (acpi_take_file(&facts, text, strlen(text), &err) != -EINVAL)
			fail_msg("taken: %s", lines[i]);
		assert_non_null(strstr(err.text, "line 2"));
	}
}

/* Cut anywhere, what is left is told, and nothing that is missing is called absent. */
static void test_cut_short(void **state)
{
	uint8_t bytes[TABLE_MAX];
	size_t whole = read_table("all", bytes);

	for (size_t len = 0; len < whole; len++) {
		struct acpi_tables facts;

		acpi_init(&facts);
		acpi_take_tables(&facts, bytes, len);
		acpi_all_taken(&facts);
		assert_int_equal(facts.nr_damaged > 0, len >= 36);
		for (int i = 0; i < ACPI_OBJECTS; i++)
			assert_false(facts.object[i].absent);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_objects),
		cmocka_unit_test(test_constants),
		cmocka_unit_test(test_several_tables),
		cmocka_unit_test(test_dump),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_wrong_facts),
		cmocka_unit_test(test_cut_short),
	};

	if (argc != 2)
		return 2;
	folder = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
