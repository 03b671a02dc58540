// SPDX-License-Identifier: GPL-2.0-or-later
/* `list workloads`: generators, then the recordings of the data folder. */
#include "cmd/cmd.h"
#include "cmd/show.h"
#include "workload/workload.h"

#include <dirent.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_recording(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return len > 4 && entry->d_name[0] != '.' && !strcmp(entry->d_name + len - 4, ".cpw");
}

struct row {
	char name[NAME_MAX + 1], summary[512];
	bool recorded;
};

static void print_row(const struct row *row)
{
	printf("%-20s %s\n", row->name, row->summary);
}

static void add_row(const struct row *row, json_t *list)
{
	if (!list) {
		print_row(row);
		return;
	}
	json_array_append_new(list, json_pack("{s:s,s:s,s:b}", "name", row->name, "summary",
					    row->summary, "recorded", row->recorded));
}

/* What was recorded, or what is wrong with the file: a list does not fail for one bad file. */
static void describe(const char *path, struct row *row)
{
	struct workload *w;
	struct error err;

	if (workload_open(path, &w, &err)) {
		snprintf(row->summary, sizeof(row->summary), "unreadable: %s", err.text);
		return;
	}
	snprintf(row->summary, sizeof(row->summary), "recorded: %s, %d tasks, %.1f s",
		w->env.command[0] ? w->env.command : "(no command)", w->nr_tasks,
		(double)w->truth.elapsed_ns / 1e9);
	workload_free(w);
}

static void list_folder(const char *folder, json_t *list)
{
	struct dirent **entries;
	int nr = scandir(folder, &entries, is_recording, alphasort);

	for (int i = 0; i < nr; i++) {
		struct row row = { .recorded = true };
		char path[PATH_MAX];

		snprintf(row.name, sizeof(row.name), "%.*s", (int)strlen(entries[i]->d_name) - 4,
			entries[i]->d_name);
		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		describe(path, &row);
		add_row(&row, list);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
}

int list_workloads(bool json)
{
	json_t *list = json ? json_array() : NULL;
	char dir[PATH_MAX - 16], recorded[PATH_MAX];

	for (const struct generator *g = generators; g->name; g++) {
		struct row row = { 0 };

		snprintf(row.name, sizeof(row.name), "%s", g->name);
		snprintf(row.summary, sizeof(row.summary), "%s", g->summary);
		add_row(&row, list);
	}
	data_dir("workloads", dir, sizeof(dir));
	snprintf(recorded, sizeof(recorded), "%s/recorded", dir);
	list_folder(recorded, list);
	list_folder(dir, list);
	if (json) {
		json_t *o = json_pack("{s:i,s:o}", "schema", 1, "workloads", list);

		json_dumpf(o, stdout, JSON_INDENT(1));
		putchar('\n');
		json_decref(o);
	}
	return EXIT_DONE;
}
