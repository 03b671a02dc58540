// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "workload/workload.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_generator(const char *name)
{
	for (const struct generator *g = generators; g->name; g++)
		if (!strcmp(g->name, name))
			return true;
	return false;
}

/* A recording of the data folder by its name, with or without .cpw. */
static bool find_recording(const char *name, char *path, size_t size)
{
	static const struct {
		const char *folder, *end;
	} forms[] = { { "/recorded", ".cpw" }, { "/recorded", "" }, { "", ".cpw" }, { "", "" } };
	char dir[PATH_MAX];

	data_dir("workloads", dir, sizeof(dir));
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		int n = snprintf(path, size, "%s%s/%s%s", dir, forms[i].folder, name, forms[i].end);

		if (n > 0 && (size_t)n < size && !access(path, R_OK))
			return true;
	}
	return false;
}

/* The file that a name stands for; "" for a generator. */
static void find_file(const char *name, char *path, size_t size)
{
	if (!strchr(name, '/') && is_generator(name))
		*path = 0;
	else if (strchr(name, '/') || !access(name, R_OK) || !find_recording(name, path, size))
		snprintf(path, size, "%s", name);
}

int workload_file(const char *text, char *path, size_t size, struct error *err)
{
	struct spec spec;
	int r = spec_parse(&spec, text, err);

	if (!r)
		find_file(spec.name, path, size);
	return r;
}

int open_workload(const char *text, struct workload **ret, struct error *err)
{
	char path[PATH_MAX], found[SPEC_TEXT_MAX];
	struct spec spec;
	int n, r = spec_parse(&spec, text, err);

	if (r)
		return r;
	find_file(spec.name, path, sizeof(path));
	if (!*path || !strcmp(path, spec.name))
		return workload_open(text, ret, err);
	n = snprintf(found, sizeof(found), "%s%s", path, text + strlen(spec.name));
	if (n < 0 || (size_t)n >= sizeof(found))
		return error_set(
			err, ENAMETOOLONG, "%s: longer than %d bytes", path, SPEC_TEXT_MAX - 1);
	return workload_open(found, ret, err);
}
