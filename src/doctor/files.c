// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/files.h"
#include "base/array.h"
#include "doctor/paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Offsets, for the text moves while it grows. */
struct file_slot {
	size_t path, data, len;
	int error;
	bool link;
};

enum { LINKS_MAX = 16 };

static int text_reserve(struct files *files, size_t more)
{
	size_t size = files->text_size ? files->text_size : 65536;
	char *text;

	if (more > FILES_BYTES_MAX || files->text_len + more > FILES_BYTES_MAX)
		return -EFBIG;
	if (files->text_len + more <= files->text_size)
		return 0;
	while (size < files->text_len + more)
		size *= 2;
	text = realloc(files->text, size);
	if (!text)
		return -ENOMEM;
	files->text = text;
	files->text_size = size;
	return 0;
}

static size_t text_put(struct files *files, const void *data, size_t len)
{
	size_t at = files->text_len;

	if (len)
		memcpy(files->text + at, data, len);
	files->text[at + len] = '\0';
	files->text_len += len + 1;
	return at;
}

static int add(
	struct files *files, const char *path, const void *data, size_t len, int error, bool link)
{
	struct file_slot *slots;
	int code;

	if (files->nr >= FILES_MAX)
		return -EFBIG;
	code = len > FILES_BYTES_MAX ? -EFBIG : text_reserve(files, strlen(path) + len + 2);
	if (code)
		return code;
	slots = array_grow(files->slots, files->nr, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	files->slots = slots;
	slots[files->nr] = (struct file_slot){
		.path = text_put(files, path, strlen(path)),
		.data = text_put(files, data, len),
		.len = len,
		.error = error,
		.link = link,
	};
	files->nr++;
	return 0;
}

int files_add(struct files *files, const char *path, const void *data, size_t len)
{
	return add(files, path, data, len, 0, false);
}

int files_add_link(struct files *files, const char *path, const char *target)
{
	return add(files, path, target, strlen(target), 0, true);
}

int files_add_error(struct files *files, const char *path, int error)
{
	return add(files, path, "", 0, error, false);
}

bool files_last_is(const struct files *files, const char *path, size_t path_len)
{
	const char *last;

	if (!files->nr)
		return false;
	last = files->text + files->slots[files->nr - 1].path;
	return strlen(last) == path_len && !memcmp(last, path, path_len);
}

int files_append_line(struct files *files, const char *data, size_t len)
{
	struct file_slot *last = &files->slots[files->nr - 1];
	int code = text_reserve(files, len + 1);

	if (code)
		return code;
	/* Its data is the end of the text: the NUL becomes the line feed. */
	files->text[files->text_len - 1] = '\n';
	text_put(files, data, len);
	last->len += len + 1;
	return 0;
}

struct sort_key {
	const char *path;
	size_t index;
};

static int compare_keys(const void *a, const void *b)
{
	const struct sort_key *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	if (order)
		return order;
	return x->index < y->index ? -1 : x->index > y->index;
}

int files_sort(struct files *files)
{
	struct sort_key *keys = calloc(files->nr + 1, sizeof(*keys));
	struct file_slot *sorted = calloc(files->nr + 1, sizeof(*sorted));
	size_t nr = 0;

	if (!keys || !sorted) {
		free(keys);
		free(sorted);
		return -ENOMEM;
	}
	for (size_t i = 0; i < files->nr; i++)
		keys[i] = (struct sort_key){ files->text + files->slots[i].path, i };
	qsort(keys, files->nr, sizeof(*keys), compare_keys);
	for (size_t i = 0; i < files->nr; i++) {
		if (i + 1 < files->nr && !strcmp(keys[i].path, keys[i + 1].path))
			continue;
		sorted[nr++] = files->slots[keys[i].index];
	}
	free(keys);
	free(files->slots);
	files->slots = sorted;
	files->nr = nr;
	return 0;
}

/* The first slot whose path is not below the first len bytes of path. */
static size_t lower_bound(const struct files *files, const char *path, size_t len)
{
	size_t low = 0, high = files->nr;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const char *other = files->text + files->slots[middle].path;
		int order = strncmp(other, path, len);

		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The slot of the path that is the first len bytes of path, or NULL. */
static const struct file_slot *exact(const struct files *files, const char *path, size_t len)
{
	size_t at = lower_bound(files, path, len);
	const char *found;

	if (at >= files->nr)
		return NULL;
	found = files->text + files->slots[at].path;
	return strncmp(found, path, len) || found[len] ? NULL : &files->slots[at];
}

static bool is_folder(const struct files *files, const char *path)
{
	char with_slash[PATH_LEN_MAX + 1];
	int len = snprintf(with_slash, sizeof(with_slash), "%s/", path);
	size_t at;

	if (len >= (int)sizeof(with_slash))
		return false;
	at = lower_bound(files, with_slash, len);
	return at < files->nr && !strncmp(files->text + files->slots[at].path, with_slash, len);
}

/* Takes "." and ".." out of path, in place. -EXDEV when it leads above the root. */
static int normalise(char *path)
{
	char *out = path, *in = path;

	while (*in) {
		size_t len;

		while (*in == '/')
			in++;
		len = strcspn(in, "/");
		if (len == 2 && !strncmp(in, "..", 2)) {
			if (out == path)
				return -EXDEV;
			while (*--out != '/')
				;
		} else if (len && !(len == 1 && *in == '.')) {
			/* What was read is never overtaken: each part had its slash. */
			*out++ = '/';
			memmove(out, in, len);
			out += len;
		}
		in += len;
	}
	*out = '\0';
	return 0;
}

/* Puts the link's target in place of the first len bytes of path, which name the link. */
static int follow(const struct files *files, const struct file_slot *link, char *path, size_t len)
{
	const char *target = files->text + link->data;
	char joined[2 * PATH_LEN_MAX];
	size_t folder = len;
	int n;

	if (*target == '/')
		return -EXDEV;
	while (folder && path[folder - 1] != '/')
		folder--;
	n = snprintf(joined, sizeof(joined), "%.*s%s%s", (int)folder, path, target, path + len);
	if (n >= (int)sizeof(joined))
		return -ENAMETOOLONG;
	n = normalise(joined);
	if (n)
		return n;
	if (strlen(joined) >= PATH_LEN_MAX)
		return -ENAMETOOLONG;
	strcpy(path, joined);
	return 0;
}

/* Follows the first link in path's folders. 1 when there was one, 0 when there is none. */
static int follow_folder(const struct files *files, char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		size_t len = (size_t)(slash - path);
		const struct file_slot *slot = exact(files, path, len);
		int code;

		if (!slot || !slot->link)
			continue;
		code = follow(files, slot, path, len);
		return code ? code : 1;
	}
	return 0;
}

/* Path without links in it; the slot of it in ret, NULL when it is not a file. */
static int resolve(
	const struct files *files, const char *path, char *real, const struct file_slot **ret)
{
	if (snprintf(real, PATH_LEN_MAX, "%s", path) >= PATH_LEN_MAX)
		return -ENAMETOOLONG;
	*ret = NULL;
	for (int i = 0; i < LINKS_MAX; i++) {
		const struct file_slot *slot = exact(files, real, strlen(real));
		int code;

		if (slot && !slot->link) {
			*ret = slot;
			return 0;
		}
		code = slot ? follow(files, slot, real, strlen(real)) : follow_folder(files, real);
		if (code < 0)
			return code;
		if (!slot && !code)
			return 0;
	}
	return -ELOOP;
}

bool files_holds(const struct files *files, const char *beginning)
{
	for (size_t i = 0; i < files->nr; i++) {
		if (!strncmp(files->text + files->slots[i].path, beginning, strlen(beginning)))
			return true;
	}
	return false;
}

int files_find(const struct files *files, const char *path, struct file_entry *ret)
{
	const struct file_slot *slot;
	char real[PATH_LEN_MAX];
	int code = resolve(files, path, real, &slot);

	if (code)
		return code;
	if (!slot)
		return is_folder(files, real) ? -EISDIR : -ENOENT;
	*ret = (struct file_entry){
		.path = files->text + slot->path,
		.data = files->text + slot->data,
		.len = slot->len,
		.error = slot->error,
		.link = slot->link,
	};
	return 0;
}

int files_link(const struct files *files, const char *path, const char **ret)
{
	const struct file_slot *slot = exact(files, path, strlen(path));

	if (!slot)
		return -ENOENT;
	if (!slot->link)
		return -EINVAL;
	*ret = files->text + slot->data;
	return 0;
}

int files_list(const struct files *files, const char *path,
	int (*each)(void *ctx, const char *name, size_t len), void *ctx)
{
	const struct file_slot *slot;
	char real[PATH_LEN_MAX + 1], skip[2 * PATH_LEN_MAX];
	int code = resolve(files, path, real, &slot);
	size_t len, at;

	if (code)
		return code;
	if (slot)
		return -ENOTDIR;
	if (!is_folder(files, real))
		return -ENOENT;
	strcat(real, "/");
	len = strlen(real);
	at = lower_bound(files, real, len);
	while (at < files->nr && !strncmp(files->text + files->slots[at].path, real, len)) {
		const char *name = files->text + files->slots[at].path + len;
		size_t name_len = strcspn(name, "/");

		code = each(ctx, name, name_len);
		if (code)
			return code;
		if (!name[name_len]) {
			at++;
			continue;
		}
		/* Past everything below "NAME/": '0' follows '/'. */
		snprintf(skip, sizeof(skip), "%s%.*s0", real, (int)name_len, name);
		at = lower_bound(files, skip, strlen(skip));
	}
	return 0;
}

void files_release(struct files *files)
{
	free(files->slots);
	free(files->text);
	memset(files, 0, sizeof(*files));
}
