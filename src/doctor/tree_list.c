// SPDX-License-Identifier: GPL-2.0-or-later
/* Folders and links of a tree. */
#include "base/array.h"
#include "doctor/paths.h"
#include "doctor/tree_internal.h"
#include "host/beneath.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMES_MAX = 65536 };

static int add_name(void *ctx, const char *name, size_t len)
{
	struct tree_names *names = ctx;
	char **grown;

	if (names->nr >= NAMES_MAX)
		return -EFBIG;
	grown = array_grow(names->name, names->nr, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	names->name = grown;
	grown[names->nr] = strndup(name, len);
	if (!grown[names->nr])
		return -ENOMEM;
	names->nr++;
	return 0;
}

static int list_folder(int root_fd, const char *path, struct tree_names *names)
{
	int fd = host_open_beneath(root_fd, path, O_RDONLY | O_DIRECTORY), code = 0;
	struct dirent *entry;
	DIR *dir;

	if (fd < 0)
		return fd;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -ENOMEM;
	}
	for (errno = 0; !code && (entry = readdir(dir)); errno = 0) {
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			code = add_name(names, entry->d_name, strlen(entry->d_name));
	}
	if (!code && errno)
		code = -errno;
	closedir(dir);
	return code;
}

/* Numbers by their value; different spellings of one number (01, 1) stay different. */
static int compare_names(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static void drop_doubles(struct tree_names *names)
{
	size_t nr = 0;

	for (size_t i = 0; i < names->nr; i++) {
		if (nr && !strcmp(names->name[nr - 1], names->name[i]))
			free(names->name[i]);
		else
			names->name[nr++] = names->name[i];
	}
	names->nr = nr;
}

int tree_list(struct tree *tree, struct tree_names *ret, const char *fmt, ...)
{
	struct tree_names names = { 0 };
	char path[PATH_LEN_MAX];
	bool held;
	va_list ap;
	int code;

	va_start(ap, fmt);
	code = tree_format_path(path, fmt, ap);
	va_end(ap);
	if (code)
		return code;
	code = files_list(&tree->files, path, add_name, &names);
	held = !code;
	if (tree->root_fd >= 0 && (!code || code == -ENOENT)) {
		code = list_folder(tree->root_fd, path + 1, &names);
		/* What one place lacks the other may have. */
		if (held && (code == -ENOENT || code == -ENOTDIR))
			code = 0;
	}
	if (code) {
		tree_names_release(&names);
		return tree_note_text(tree, path, NULL, code);
	}
	if (names.nr)
		qsort(names.name, names.nr, sizeof(*names.name), compare_names);
	drop_doubles(&names);
	*ret = names;
	return 0;
}

void tree_names_release(struct tree_names *names)
{
	for (size_t i = 0; i < names->nr; i++)
		free(names->name[i]);
	free(names->name);
	*names = (struct tree_names){ 0 };
}

int tree_read_link(struct tree *tree, char *buf, size_t size, const char *fmt, ...)
{
	char path[PATH_LEN_MAX];
	const char *target;
	va_list ap;
	int code;

	va_start(ap, fmt);
	code = tree_format_path(path, fmt, ap);
	va_end(ap);
	if (code)
		return code;
	code = files_link(&tree->files, path, &target);
	if (code == -ENOENT && tree->root_fd >= 0)
		return host_read_link_beneath(tree->root_fd, path + 1, buf, size);
	if (code)
		return code;
	code = snprintf(buf, size, "%s", target);
	return code < (int)size ? code : -ENAMETOOLONG;
}
