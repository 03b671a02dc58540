/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of a machine that are held in memory: those of an archive, or of a list of "path and
 * value" lines. Order: files_add*, files_sort, then files_find and files_list. A name may be given
 * twice by files_list when it is both a file and a folder.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct file_entry {
	const char *path, *data; /* data: NUL-terminated text, or the target of a link */
	size_t len;
	int error; /* errno of reading it when it was captured, or 0 */
	bool link;
};

struct files {
	struct file_slot *slots;
	size_t nr; /* of slots */
	char *text;
	size_t text_len, text_size;
};

enum { FILES_MAX = 1 << 20, FILES_BYTES_MAX = 64 << 20 };

/* Copies path and data. 0, -ENOMEM, or -EFBIG past the bounds above. */
int files_add(struct files *files, const char *path, const void *data, size_t len);
int files_add_link(struct files *files, const char *path, const char *target);
int files_add_error(struct files *files, const char *path, int error);

/* The entry that was added last is that of path: appends a line to it. 0 or -errno. */
int files_append_line(struct files *files, const char *data, size_t len);
bool files_last_is(const struct files *files, const char *path, size_t path_len);

/* Of files added twice the last one counts. Nothing is added afterwards. 0 or -ENOMEM. */
int files_sort(struct files *files);

/*
 * Finds path, through links within. 0; -ENOENT; -ELOOP; -EXDEV when a link leads out of the root;
 * -EISDIR for a folder. The entry's error is left to the caller.
 */
int files_find(const struct files *files, const char *path, struct file_entry *ret);

/* Whether some file's path begins so; before files_sort too. */
bool files_holds(const struct files *files, const char *beginning);

/* The target of the link that path is. 0, -ENOENT, -EINVAL when it is no link. */
int files_link(const struct files *files, const char *path, const char **ret);

/*
 * Calls each for every name in the folder, links on the way to it followed. Stops at the first that
 * is not 0 and returns it. -ENOENT when there is no such folder.
 */
int files_list(const struct files *files, const char *path,
	int (*each)(void *ctx, const char *name, size_t len), void *ctx);

void files_release(struct files *files);
