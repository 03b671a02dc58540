// SPDX-License-Identifier: GPL-2.0-or-later
/* What a folder is (a root, a case, a machine of a list of values), and texts beside a root. */
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

/* Where the kernel log lies: in a case, in a sosreport, in a plain copy of a root. */
static const char *const dmesg_names[] = {
	"dmesg.txt",
	"sos_commands/kernel/dmesg",
	"sos_commands/kernel/dmesg_-T",
	"var/log/dmesg",
};

int tree_load_beside(int folder_fd, const char *path, struct beside *ret, struct error *err)
{
	size_t size = 0, len = 0;
	char *text = NULL;
	ssize_t n = 0;
	int fd;

	/* A path that the user gave may lead anywhere; it still must not block. */
	if (folder_fd == AT_FDCWD)
		fd = host_open_plain(path);
	else
		fd = host_open_beneath(folder_fd, path, O_RDONLY);
	if (fd == -ENOENT || fd == -ENOTDIR)
		return 0;
	if (fd < 0)
		return error_set(err, -fd, "%s: %s", path,
			fd == -EINVAL ? "not a plain file" : strerror(-fd));
	do {
		if (len == size) {
			char *bigger = realloc(text, (size = size ? 4 * size : 65536) + 1);

			if (!bigger)
				break;
			text = bigger;
		}
		n = read(fd, text + len, size - len);
		len += n > 0 ? n : 0;
	} while (n > 0 && len <= BESIDE_MAX);
	if (n < 0)
		n = error_set(err, errno, "%s: %m", path);
	else if (len > BESIDE_MAX)
		n = error_set(err, EFBIG, "%s: larger than %d MB", path, BESIDE_MAX >> 20);
	else if (len == size)
		n = error_set(err, ENOMEM, "out of memory");
	close(fd);
	if (n < 0) {
		free(text);
		return n;
	}
	text[len] = '\0';
	*ret = (struct beside){ text, len };
	return 0;
}

static bool has(int fd, const char *path)
{
	return !host_exists_beneath(fd, path);
}

/* One that cannot be read is a failure like any other file's. */
static int load_first(
	struct tree *tree, int fd, const char *const *names, size_t nr, struct beside *ret)
{
	struct error err;
	int code = 0;

	for (size_t i = 0; i < nr && !ret->text; i++) {
		code = tree_load_beside(fd, names[i], ret, &err);
		if (code == -ENOMEM)
			return code;
		tree_note_text(tree, names[i], NULL, code);
	}
	return 0;
}

static int load_all_beside(struct tree *tree, int fd, struct error *err)
{
	static const char *const msr[] = { "msr.txt", "msr/msr.txt" };
	static const char *const acpi[] = { "acpi.txt" }, *const errors[] = { "errors.txt" };

	if (load_first(tree, fd, dmesg_names, sizeof(dmesg_names) / sizeof(dmesg_names[0]),
		    &tree->dmesg) ||
		load_first(tree, fd, msr, 2, &tree->msr) ||
		load_first(tree, fd, acpi, 1, &tree->acpi) ||
		load_first(tree, fd, errors, 1, &tree->errors))
		return error_set(err, ENOMEM, "out of memory");
	return 0;
}

static int load_inline(struct tree *tree, int fd, struct error *err)
{
	struct beside lines = { 0 };
	int code = tree_load_beside(fd, "sys/inlinefiles.txt", &lines, err);

	if (!code && lines.text)
		code = tree_take_inline(&tree->files, lines.text, lines.len);
	free(lines.text);
	return code ? error_prefix(err, code, "%s", tree->name) : 0;
}

/* A folder beneath fd as a place, or -errno. */
static int enter(int fd, const char *name)
{
	return host_open_beneath(fd, name, O_RDONLY | O_DIRECTORY);
}

/*
 * The only folder of fd that is a root or a case, as an unpacked sosreport is. -ENOENT: none,
 * -EEXIST: several.
 */
static int enter_only(int fd)
{
	DIR *dir = fdopendir(fcntl(fd, F_DUPFD_CLOEXEC, 0));
	struct dirent *entry;
	int found = -ENOENT;

	if (!dir)
		return -ENOMEM;
	rewinddir(dir);
	while ((entry = readdir(dir)) && found != -EEXIST) {
		int inner = entry->d_name[0] == '.' ? -1 : enter(fd, entry->d_name);

		if (inner < 0)
			continue;
		if (!has(inner, "root") && !has(inner, "sys") && !has(inner, "proc")) {
			close(inner);
			continue;
		}
		if (found >= 0) {
			close(found);
			close(inner);
			found = -EEXIST;
		} else {
			found = inner;
		}
	}
	closedir(dir);
	return found;
}

/* fd: a folder with root/, sys/ or proc/; taken over. */
static int take_folder(struct tree *tree, int fd, struct error *err)
{
	int code = load_all_beside(tree, fd, err);

	if (!code && has(fd, "sys/inlinefiles.txt"))
		code = load_inline(tree, fd, err);
	if (code || has(fd, "sys") || has(fd, "proc")) {
		tree->root_fd = fd;
		return code;
	}
	tree->root_fd = enter(fd, "root");
	close(fd);
	if (tree->root_fd < 0)
		return error_set(
			err, -tree->root_fd, "%s/root: %s", tree->name, strerror(-tree->root_fd));
	return 0;
}

int tree_open_folder(struct tree *tree, struct error *err)
{
	int fd = open(tree->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), inner;

	if (fd < 0)
		return error_set(err, errno, "%s: %m", tree->name);
	if (has(fd, "root") || has(fd, "sys") || has(fd, "proc"))
		return take_folder(tree, fd, err);
	inner = enter_only(fd);
	close(fd);
	if (inner == -EEXIST)
		return error_set(err, EINVAL, "%s: holds several machines, name one of its folders",
			tree->name);
	if (inner < 0)
		return error_set(
			err, EINVAL, "%s: holds neither sys/, proc/ nor root/", tree->name);
	return take_folder(tree, inner, err);
}
