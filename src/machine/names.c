// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/names.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

void names_read(struct names *ret, const char *dir)
{
	DIR *d = opendir(dir);
	const struct dirent *e;

	ret->nr = 0;
	if (!d)
		return;
	while (ret->nr < NAMES_MAX && (e = readdir(d))) {
		size_t len = strlen(e->d_name);

		if (*e->d_name == '.' || len <= 5 || strcmp(e->d_name + len - 5, ".yaml") ||
			len - 5 >= sizeof(ret->name[0]))
			continue;
		memcpy(ret->name[ret->nr], e->d_name, len - 5);
		ret->name[ret->nr++][len - 5] = 0;
	}
	closedir(d);
	qsort(ret->name, ret->nr, sizeof(ret->name[0]), by_name);
}

int names_unknown(const char *what, const char *name, const char *dir, struct error *err)
{
	struct names *names = malloc(sizeof(*names));
	char list[320] = "none";
	size_t n = 0;

	if (!names)
		return error_set(err, ENOMEM, "out of memory");
	names_read(names, dir);
	for (int i = 0; i < names->nr && n < sizeof(list); i++)
		n += snprintf(list + n, sizeof(list) - n, "%s%s", i ? ", " : "", names->name[i]);
	free(names);
	return error_set(err, ENOENT, "no %s '%s' in %s, known: %s", what, name, dir, list);
}

int names_path(const char *what, const char *name, const char *dir, char *ret, size_t size,
	struct error *err)
{
	int n;

	if (strchr(name, '/'))
		n = snprintf(ret, size, "%s", name);
	else
		n = snprintf(ret, size, "%s/%s.yaml", dir, name);
	if (n < 0 || (size_t)n >= size)
		return error_set(err, ENAMETOOLONG, "%s '%s': path too long", what, name);
	if (access(ret, F_OK) && !strchr(name, '/'))
		return names_unknown(what, name, dir, err);
	return 0;
}
