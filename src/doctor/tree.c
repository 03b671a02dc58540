// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/array.h"
#include "doctor/paths.h"
#include "doctor/tree_internal.h"
#include "host/beneath.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool tree_is_live(const struct tree *tree)
{
	return tree->live;
}

const char *tree_name(const struct tree *tree)
{
	return tree->name;
}

static int open_where(struct tree *tree, struct error *err)
{
	struct stat st;
	int fd, code;

	if (tree->live) {
		tree->root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
		return tree->root_fd < 0 ? error_set(err, errno, "/: %m") : 0;
	}
	fd = open(tree->name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st)) {
		code = error_set(err, errno, "%s: %m", tree->name);
	} else if (S_ISDIR(st.st_mode)) {
		code = tree_open_folder(tree, err);
	} else if (S_ISREG(st.st_mode)) {
		code = tree_open_archive(tree, fd, err);
	} else {
		code = error_set(err, EINVAL, "%s: neither a folder nor an archive", tree->name);
	}
	if (fd >= 0)
		close(fd);
	return code;
}

static int load_option(const char *path, struct beside *ret, struct error *err)
{
	int code;

	if (!path)
		return 0;
	free(ret->text);
	*ret = (struct beside){ 0 };
	code = tree_load_beside(AT_FDCWD, path, ret, err);
	if (!code && !ret->text)
		code = error_set(err, ENOENT, "%s: no such file", path);
	return code;
}

/* What the texts beside the root say. */
static int take_texts(struct tree *tree, struct error *err)
{
	int code = tree_take_errors(tree);

	if (!code)
		code = tree_take_msrs(tree);
	if (!code)
		code = files_sort(&tree->files);
	if (code)
		return error_set(err, -code, "%s: %s", tree->name, strerror(-code));
	return tree_take_acpi(tree, err);
}

int tree_open(const struct tree_sources *from, struct tree **ret, struct error *err)
{
	struct tree *tree = calloc(1, sizeof(*tree));
	int code;

	if (!tree)
		return error_set(err, ENOMEM, "out of memory");
	tree->root_fd = -1;
	tree->msr_fd = -1;
	tree->live = !from->where;
	tree->acpi_option = from->acpi;
	tree->dmesg_code = tree->live ? 1 : -ENOENT;
	tree->name = strdup(from->where ? from->where : "this machine");
	code = tree->name ? open_where(tree, err) : error_set(err, ENOMEM, "out of memory");
	if (!code)
		code = load_option(from->dmesg, &tree->dmesg, err);
	if (!code)
		code = load_option(from->msr, &tree->msr, err);
	if (!code)
		code = load_option(from->acpi, &tree->acpi, err);
	if (!code)
		code = take_texts(tree, err);
	if (code) {
		tree_free(tree);
		return code;
	}
	*ret = tree;
	return 0;
}

struct tree *tree_free(struct tree *tree)
{
	if (!tree)
		return NULL;
	if (tree->root_fd >= 0)
		close(tree->root_fd);
	host_folder_close(&tree->last);
	if (tree->msr_fd >= 0)
		close(tree->msr_fd);
	files_release(&tree->files);
	free(tree->msrs);
	free(tree->tables);
	for (size_t i = 0; i < tree->nr_failures; i++)
		free(tree->failures[i].path);
	free(tree->failures);
	free(tree->dmesg.text);
	free(tree->msr.text);
	free(tree->acpi.text);
	free(tree->errors.text);
	free(tree->name);
	free(tree);
	return NULL;
}

/* ---- failures -------------------------------------------------------------------------- */

int tree_note_text(struct tree *tree, const char *path, const char *tells, int code)
{
	struct tree_failure *failures;
	char *copy;

	if (code >= 0 || code == -ENOENT || code == -ENOTDIR)
		return code;
	for (size_t i = 0; i < tree->nr_failures; i++) {
		if (!strcmp(tree->failures[i].path, path))
			return code;
	}
	failures = tree->nr_failures < TREE_FAILURES_MAX
			   ? array_grow(tree->failures, tree->nr_failures, sizeof(*failures))
			   : NULL;
	if (failures)
		tree->failures = failures;
	copy = failures ? strdup(path) : NULL;
	if (!copy) {
		tree->failures_left_out++;
		return code;
	}
	failures[tree->nr_failures++] = (struct tree_failure){
		.path = copy,
		.error = -code,
		.tells = tells,
	};
	return code;
}

int tree_note(struct tree *tree, const char *path, int code)
{
	const struct path_rule *rule = path_rule_of(path);

	return tree_note_text(tree, path, rule ? rule->tells : NULL, code);
}

const struct tree_failure *tree_failures(const struct tree *tree, size_t *ret_nr)
{
	*ret_nr = tree->nr_failures;
	return tree->failures;
}

size_t tree_failures_left_out(const struct tree *tree)
{
	return tree->failures_left_out;
}

/* ---- reading --------------------------------------------------------------------------- */

/* Fills buf as far as the file goes. Bytes or -errno. */
static ssize_t fill(int fd, char *buf, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t n = read(fd, buf + len, size - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		len += n;
	}
	return len;
}

/* size bytes at most; one more means -EFBIG. */
static ssize_t read_bytes(struct tree *tree, const char *path, char *buf, size_t size)
{
	struct file_entry entry;
	long long known = -1;
	ssize_t len;
	int code = files_find(&tree->files, path, &entry), fd;
	char more;

	if (!code) {
		if (entry.error)
			return -entry.error;
		if (entry.len > size)
			return -EFBIG;
		memcpy(buf, entry.data, entry.len);
		return entry.len;
	}
	if (code != -ENOENT || tree->root_fd < 0)
		return code;
	if (tree->live)
		fd = host_open_beneath(tree->root_fd, path + 1, O_RDONLY);
	else
		fd = host_open_near(&tree->last, tree->root_fd, path + 1, &known);
	if (fd < 0)
		return fd;
	/* Where the size is known, what was read tells the end. */
	len = fill(fd, buf, known >= 0 && known < (long long)size ? (size_t)known : size);
	if (len == (ssize_t)size && fill(fd, &more, 1) == 1)
		len = -EFBIG;
	close(fd);
	return len;
}

int tree_format_path(char *path, const char *fmt, va_list ap)
{
	int len = vsnprintf(path, PATH_LEN_MAX, fmt, ap);

	assert(path[0] == '/');
	return len < PATH_LEN_MAX ? 0 : -ENAMETOOLONG;
}

static int read_text(struct tree *tree, char *buf, size_t size, const char *path)
{
	ssize_t len;

	assert(path_rule_of(path)); /* a file that paths.c does not list */
	len = read_bytes(tree, path, buf, size - 1);
	if (len >= 0 && memchr(buf, '\0', len))
		len = -EILSEQ;
	if (len < 0) {
		buf[0] = '\0';
		return tree_note(tree, path, len);
	}
	while (len > 0 && isspace((unsigned char)buf[len - 1]))
		len--;
	buf[len] = '\0';
	return len;
}

int tree_read(struct tree *tree, char *buf, size_t size, const char *fmt, ...)
{
	char path[PATH_LEN_MAX];
	va_list ap;
	int code;

	va_start(ap, fmt);
	code = tree_format_path(path, fmt, ap);
	va_end(ap);
	return code ? code : read_text(tree, buf, size, path);
}

int tree_read_number(struct tree *tree, int64_t *ret, const char *fmt, ...)
{
	char path[PATH_LEN_MAX], text[64], *end;
	const char *digits = text;
	long long value;
	va_list ap;
	int code;

	va_start(ap, fmt);
	code = tree_format_path(path, fmt, ap);
	va_end(ap);
	if (!code)
		code = read_text(tree, text, sizeof(text), path);
	if (code < 0)
		return code;
	if (*digits == '-')
		digits++;
	if (!isdigit((unsigned char)*digits))
		return -EINVAL;
	errno = 0;
	value = strtoll(text, &end, 10);
	if (errno || *end)
		return -EINVAL;
	*ret = value;
	return 0;
}

int tree_read_all(struct tree *tree, const char *path, char **ret, size_t *ret_len)
{
	const struct path_rule *rule = path_rule_of(path);
	size_t max, size = 16384;
	char *buf = NULL, *bigger;
	ssize_t len;

	assert(rule);
	max = path_rule_max(rule);
	/* The size of a file of /proc is known after it was read: so again, four times as large. */
	do {
		if (size > max)
			size = max;
		bigger = realloc(buf, size + 1);
		if (!bigger) {
			free(buf);
			return -ENOMEM;
		}
		buf = bigger;
		len = read_bytes(tree, path, buf, size);
		if (len != -EFBIG || size == max)
			break;
		size *= 4;
	} while (true);
	if (len < 0) {
		free(buf);
		return tree_note(tree, path, len);
	}
	buf[len] = '\0';
	*ret = buf;
	*ret_len = len;
	return 0;
}

int tree_exists(struct tree *tree, const char *fmt, ...)
{
	struct file_entry entry;
	char path[PATH_LEN_MAX];
	va_list ap;
	int code;

	va_start(ap, fmt);
	code = tree_format_path(path, fmt, ap);
	va_end(ap);
	if (code)
		return code;
	code = files_find(&tree->files, path, &entry);
	if (code == -EISDIR)
		return 0;
	if (code != -ENOENT || tree->root_fd < 0)
		return code;
	return host_exists_beneath(tree->root_fd, path + 1);
}
