// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int out_file_open(struct out_file *file, const char *path, struct error *err)
{
	file->path = path;
	file->fd = -1;
	for (int i = 0; i < 100 && file->fd < 0; i++) {
		if (snprintf(file->temp, sizeof(file->temp), "%s.%d.%d.tmp", path, (int)getpid(),
			    i) >= (int)sizeof(file->temp))
			return error_set(err, ENAMETOOLONG, "%s: name too long", path);
		file->fd = open(file->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (file->fd < 0 && errno != EEXIST)
			break;
	}
	return file->fd < 0 ? error_set(err, errno, "%s: %m", path) : 0;
}

int out_file_keep(struct out_file *file, struct error *err)
{
	int code = close(file->fd) ? errno : 0;

	file->fd = -1;
	if (!code && rename(file->temp, file->path))
		code = errno;
	if (!code)
		return 0;
	out_file_drop(file);
	errno = code;
	return error_set(err, code, "%s: %m", file->path);
}

void out_file_drop(struct out_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
	unlink(file->temp);
}
