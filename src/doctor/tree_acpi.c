// SPDX-License-Identifier: GPL-2.0-or-later
/* The ACPI tables of a tree: its files, or a text beside it. */
#include "doctor/acpi.h"
#include "doctor/paths.h"
#include "doctor/tree_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLES "/sys/firmware/acpi/tables"

enum { TABLES_MAX = 256 };

static bool is_wanted(const char *name)
{
	return !strcmp(name, "DSDT") || !strcmp(name, "FACP") || !strncmp(name, "SSDT", 4);
}

/* Whether all of the folder's tables could be read. A folder that is not there has none. */
static bool take_folder(struct tree *tree, const char *folder)
{
	struct tree_names names;
	bool all = true;
	int code = tree_list(tree, &names, "%s", folder);

	if (code)
		return code == -ENOENT;
	for (size_t i = 0; i < names.nr && i < TABLES_MAX; i++) {
		char path[128], *bytes;
		size_t len;

		if (!is_wanted(names.name[i]) || snprintf(path, sizeof(path), "%s/%s", folder,
							 names.name[i]) >= (int)sizeof(path))
			continue;
		if (!path_rule_of(path) || tree_read_all(tree, path, &bytes, &len)) {
			all = false;
			continue;
		}
		acpi_take_tables(tree->tables, (const uint8_t *)bytes, len);
		free(bytes);
	}
	tree_names_release(&names);
	return all;
}

static void take_tables(struct tree *tree)
{
	bool all = take_folder(tree, TABLES);

	if (take_folder(tree, TABLES "/dynamic") && all)
		acpi_all_taken(tree->tables);
}

int tree_take_acpi(struct tree *tree, struct error *err)
{
	int64_t profile;
	int code;

	tree->tables = malloc(sizeof(*tree->tables));
	if (!tree->tables)
		return error_set(err, ENOMEM, "out of memory");
	acpi_init(tree->tables);
	take_tables(tree);
	if (!tree_read_number(tree, &profile, "/sys/firmware/acpi/pm_profile") && profile >= 0 &&
		profile <= 255)
		tree->tables->pm_profile = (int)profile;
	if (!tree->acpi.text)
		return 0;
	code = acpi_take_file(tree->tables, tree->acpi.text, tree->acpi.len, err);
	if (code && tree->acpi_option)
		return error_prefix(err, code, "%s", tree->acpi_option);
	return tree_note_text(tree, "acpi.txt", NULL, code) == -ENOMEM ? code : 0;
}

const struct acpi_tables *tree_acpi(const struct tree *tree)
{
	return tree->tables;
}
