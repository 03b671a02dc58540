// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree.h"

#include "../cmocka_all.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void tree_make(struct tree *t)
{
	snprintf(t->root, sizeof(t->root), "/tmp/corepace-tree-XXXXXX");
	assert_non_null(mkdtemp(t->root));
}

void tree_put_bytes(struct tree *t, const char *path, const void *bytes, size_t len)
{
	char full[PATH_MAX];
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", t->root, path);
	for (char *slash = full + strlen(t->root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	file = fopen(full, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	fclose(file);
}

void tree_put(struct tree *t, const char *path, const char *text)
{
	tree_put_bytes(t, path, text, strlen(text));
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

void tree_remove(struct tree *t)
{
	nftw(t->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
