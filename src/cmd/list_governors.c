// SPDX-License-Identifier: GPL-2.0-or-later
/* `list drivers`, `list governors` and `list policies`: what the registry knows, and the presets.
 */
#include "cmd/cmd.h"
#include "cmd/show.h"

#include "machine/preset.h"
#include "policy/registry.h"

#include <dirent.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(json_t *list, const char *choice, const char *name, const char *summary)
{
	if (list)
		json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "choice", choice, "name",
						    name, "summary", summary));
	else
		printf("%-9s %-18s %s\n", choice, name, summary);
}

static void print_list(const char *what, json_t *list)
{
	json_t *out;

	if (!list)
		return;
	out = json_pack("{s:i, s:o}", "schema", 1, what, list);
	json_dumpf(out, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(out);
}

#define ADD_ALL(list, choice, array)                                                               \
	for (size_t i_ = 0; (array)[i_]; i_++)                                                     \
	add(list, choice, (array)[i_]->name, (array)[i_]->summary)

int list_drivers(bool json)
{
	json_t *list = json ? json_array() : NULL;

	ADD_ALL(list, "driver", drivers);
	print_list("drivers", list);
	return EXIT_DONE;
}

int list_governors(bool json)
{
	json_t *list = json ? json_array() : NULL;

	ADD_ALL(list, "idle", idle_governors);
	ADD_ALL(list, "governor", freq_governors);
	print_list("governors", list);
	return EXIT_DONE;
}

static int is_preset(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return len > 5 && entry->d_name[0] != '.' && !strcmp(entry->d_name + len - 5, ".yaml");
}

/* A preset that cannot be read is listed with its fault. */
static void add_presets(json_t *list)
{
	char dir[PATH_MAX];
	struct dirent **entries;
	int nr;

	data_dir("policies", dir, sizeof(dir));
	nr = scandir(dir, &entries, is_preset, alphasort);
	for (int i = 0; i < nr; i++) {
		char name[NAME_MAX + 1], text[PRESET_DESCRIPTION_MAX];
		struct error err;

		snprintf(name, sizeof(name), "%.*s", (int)strlen(entries[i]->d_name) - 5,
			entries[i]->d_name);
		add(list, "preset", name,
			preset_description(name, dir, text, sizeof(text), &err) < 0 ? err.text
										    : text);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
}

int list_policies(bool json)
{
	json_t *list = json ? json_array() : NULL;

	add_presets(list);
	ADD_ALL(list, "driver", drivers);
	ADD_ALL(list, "governor", freq_governors);
	ADD_ALL(list, "boost", boosts);
	ADD_ALL(list, "idle", idle_governors);
	ADD_ALL(list, "tick", tick_policies);
	ADD_ALL(list, "sched", sched_policies);
	print_list("policies", list);
	return EXIT_DONE;
}
