// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEMP_TRIES = 100 };

/* Where the file is to be: behind links, if it exists. */
static int find_path(struct out_file *file, const char *path, struct error *err)
{
	struct stat st;

	if (!*path)
		return error_set(err, ENOENT, "'': expected the name of a file");
	if (strlen(path) >= sizeof(file->path))
		return error_set(err, ENAMETOOLONG, "%s: name too long", path);
	strcpy(file->path, path);
	if (stat(path, &st))
		return 0;
	if (!S_ISREG(st.st_mode))
		return error_set(err, EINVAL, "%s: exists and is not a regular file", path);
	return realpath(path, file->path) ? 0 : error_set(err, errno, "%s: %m", path);
}

int out_file_open(struct out_file *file, const char *path, struct error *err)
{
	int code = find_path(file, path, err);

	file->fd = -1;
	for (int i = 0; !code && i < TEMP_TRIES && file->fd < 0; i++) {
		if (snprintf(file->temp, sizeof(file->temp), "%s.%d.%d.tmp", file->path,
			    (int)getpid(), i) >= (int)sizeof(file->temp))
			return error_set(err, ENAMETOOLONG, "%s: name too long", path);
		file->fd = open(file->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (file->fd < 0 && errno != EEXIST)
			break;
	}
	if (code)
		return code;
	return file->fd < 0 ? error_set(err, errno, "%s: %m", path) : 0;
}

/* Some file systems cannot sync a folder; the file itself is safe. */
static int sync_folder(const char *path)
{
	char copy[PATH_MAX];
	int fd, code;

	strcpy(copy, path);
	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	code = fsync(fd) && errno != EINVAL ? errno : 0;
	close(fd);
	return code;
}

int out_file_keep(struct out_file *file, struct error *err)
{
	int code = fsync(file->fd) ? errno : 0;

	if (close(file->fd) && !code)
		code = errno;
	file->fd = -1;
	if (!code && rename(file->temp, file->path))
		code = errno;
	if (code)
		out_file_drop(file);
	else
		code = sync_folder(file->path);
	return code ? error_set(err, code, "%s: %s", file->path, strerror(code)) : 0;
}

void out_file_drop(struct out_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
	unlink(file->temp);
}

/* The folder that path is in, and its name there. */
static int split(const char *path, struct stat *ret_folder, char ret_name[PATH_MAX])
{
	char copy[PATH_MAX];

	if (strlen(path) >= sizeof(copy))
		return -1;
	strcpy(copy, path);
	strcpy(ret_name, basename(copy));
	strcpy(copy, path);
	return stat(dirname(copy), ret_folder);
}

bool same_file(const char *a, const char *b)
{
	char name_a[PATH_MAX], name_b[PATH_MAX];
	bool there_a, there_b;
	struct stat x, y;

	there_a = !stat(a, &x);
	there_b = !stat(b, &y);
	if (there_a != there_b)
		return false;
	if (!there_a && (split(a, &x, name_a) || split(b, &y, name_b) || strcmp(name_a, name_b)))
		return false;
	return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
