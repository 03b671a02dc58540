// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists of files as text: values in lines, and reads that failed. */
#include "doctor/paths.h"
#include "doctor/tree_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* One line "MODE|PATH|VALUE"; a path that comes again adds a line to its file. */
static int take_line(struct files *files, const char *line, size_t len)
{
	const char *path = memchr(line, '|', len), *bar;
	char name[PATH_LEN_MAX];
	size_t path_len;

	if (!path || path[1] != '/')
		return 0;
	path++;
	bar = memchr(path, '|', len - (size_t)(path - line));
	path_len = bar ? (size_t)(bar - path) : 0;
	if (!path_len || path_len >= sizeof(name))
		return 0;
	memcpy(name, path, path_len);
	name[path_len] = '\0';
	if (!path_rule_of(name))
		return 0;
	bar++;
	len -= (size_t)(bar - line);
	if (files_last_is(files, name, path_len))
		return files_append_line(files, bar, len);
	return files_add(files, name, bar, len);
}

int tree_take_inline(struct files *files, const char *text, size_t len)
{
	const char *end = text + len;
	int code = 0;

	while (!code && text < end) {
		const char *feed = memchr(text, '\n', (size_t)(end - text));
		const char *stop = feed ? feed : end;

		code = take_line(files, text, (size_t)(stop - text));
		text = stop + 1;
	}
	return code;
}

/* 0: not known. */
static int errno_of(const char *name)
{
	enum { ERRNO_MAX = 200 };

	/* Two names of one number, of which libc knows the other. */
	if (!strcmp(name, "ENOTSUP"))
		return ENOTSUP;
	for (int i = 1; i < ERRNO_MAX; i++) {
		const char *known = strerrorname_np(i);

		if (known && !strcmp(known, name))
			return i;
	}
	return 0;
}

int tree_take_errors(struct tree *tree)
{
	char *next = tree->errors.text, *line;

	for (int nr = 1; next && (line = strsep(&next, "\n")); nr++) {
		char word[16], path[PATH_LEN_MAX] = "/", name[32];
		const char *at = path;
		int code = -EINVAL;

		line += strspn(line, " \t\r");
		if (!*line || *line == '#')
			continue;
		if (sscanf(line, "%15s %254s", word, path + 1) == 2 && errno_of(word)) {
			at += path[1] == '/';
			code = path_rule_of(at) ? files_add_error(&tree->files, at, errno_of(word))
						: 0;
		}
		snprintf(name, sizeof(name), "errors.txt:%d", nr);
		if (code == -EINVAL)
			tree_note_text(tree, name, NULL, code);
		else if (code)
			return code;
	}
	return 0;
}
