// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/cmdlines.h"
#include "host/readfile.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAVED_BYTES_MAX = 16 << 20, TASKS_MAX = 1 << 22 };

struct task_name {
	int pid;
	int order; /* where it came from: the first stands */
	char name[16];
};

struct task_list {
	struct task_name *tasks;
	int nr, capacity;
};

static int add(struct task_list *list, int pid, const char *name)
{
	struct task_name *t;

	if (list->nr == list->capacity) {
		int capacity = list->capacity ? list->capacity * 2 : 256;
		struct task_name *bigger;

		if (capacity > TASKS_MAX)
			return -E2BIG;
		bigger = realloc(list->tasks, capacity * sizeof(*bigger));
		if (!bigger)
			return -ENOMEM;
		list->tasks = bigger;
		list->capacity = capacity;
	}
	t = &list->tasks[list->nr];
	t->pid = pid;
	t->order = list->nr++;
	snprintf(t->name, sizeof(t->name), "%s", name);
	for (char *c = t->name; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	return 0;
}

static int add_threads(struct task_list *list, const char *root, const char *process)
{
	char dir[PATH_MAX], path[640], name[64];
	struct dirent *entry;
	int code = 0;
	DIR *d;

	snprintf(dir, sizeof(dir), "%s/proc/%s/task", root, process);
	d = opendir(dir);
	if (!d)
		return 0; /* ended meanwhile */
	while (!code && (entry = readdir(d))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/task/%s/comm", process, entry->d_name);
		if (host_read_text(root, path, name, sizeof(name)) > 0)
			code = add(list, atoi(entry->d_name), name);
	}
	closedir(d);
	return code;
}

static int add_living(struct task_list *list, const char *root)
{
	char dir[PATH_MAX];
	struct dirent *entry;
	int code = 0;
	DIR *d;

	snprintf(dir, sizeof(dir), "%s/proc", root);
	d = opendir(dir);
	if (!d)
		return 0;
	while (!code && (entry = readdir(d)))
		if (isdigit((unsigned char)entry->d_name[0]))
			code = add_threads(list, root, entry->d_name);
	closedir(d);
	return code;
}

static int add_saved(struct task_list *list, const char *tracing_dir)
{
	char *text, *line, *save;
	size_t len;
	int code = host_read_all(tracing_dir, "/saved_cmdlines", SAVED_BYTES_MAX, &text, &len);

	if (code)
		return 0;
	for (line = strtok_r(text, "\n", &save); line && !code;
		line = strtok_r(NULL, "\n", &save)) {
		char *name;
		long pid = strtol(line, &name, 10);

		if (name != line && *name == ' ' && pid > 0 && pid <= INT_MAX)
			code = add(list, pid, name + 1);
	}
	free(text);
	return code;
}

static int by_pid(const void *a, const void *b)
{
	const struct task_name *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->order - y->order;
}

static int print(const struct task_list *list, char **ret)
{
	size_t size;
	FILE *out = open_memstream(ret, &size);

	if (!out)
		return -ENOMEM;
	for (int i = 0; i < list->nr; i++)
		if (i == 0 || list->tasks[i].pid != list->tasks[i - 1].pid)
			fprintf(out, "%d %s\n", list->tasks[i].pid, list->tasks[i].name);
	return fclose(out) ? -ENOMEM : 0;
}

int cmdlines_collect(const char *root, const char *tracing_dir, char **ret, struct error *err)
{
	struct task_list list = { 0 };
	int code = add_living(&list, root);

	if (!code)
		code = add_saved(&list, tracing_dir);
	if (!code && list.nr)
		qsort(list.tasks, list.nr, sizeof(*list.tasks), by_pid);
	if (!code)
		code = print(&list, ret);
	free(list.tasks);
	return code ? error_set(err, -code, "collecting the tasks' names: %s", strerror(-code)) : 0;
}
