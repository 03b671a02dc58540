// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int output_open(struct output *o, const char *path, struct error *err)
{
	mode_t mask = umask(0);
	int fd;

	umask(mask);
	*o = (struct output){ .path = path };
	if (snprintf(o->temp, sizeof(o->temp), "%s.XXXXXX", path) >= (int)sizeof(o->temp))
		return error_set(err, ENAMETOOLONG, "%s: %s", path, strerror(ENAMETOOLONG));
	fd = mkostemp(o->temp, O_CLOEXEC);
	if (fd < 0)
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	fchmod(fd, 0666 & ~mask);
	o->file = fdopen(fd, "w");
	if (o->file)
		return 0;
	close(fd);
	unlink(o->temp);
	return error_set(err, ENOMEM, "%s: out of memory", path);
}

int output_close(struct output *o, int rc, struct error *err)
{
	if (!o->file)
		return rc;
	errno = 0;
	if (!rc && (ferror(o->file) || fflush(o->file) || fsync(fileno(o->file))))
		rc = error_set(
			err, errno ? errno : EIO, "%s: %s", o->path, strerror(errno ? errno : EIO));
	fclose(o->file);
	o->file = NULL;
	if (!rc && rename(o->temp, o->path))
		rc = error_set(err, errno, "%s: %s", o->path, strerror(errno));
	if (rc)
		unlink(o->temp);
	return rc;
}

int output_printed(struct error *err)
{
	if (fflush(stdout) || ferror(stdout))
		return error_set(
			err, errno ? errno : EIO, "writing: %s", strerror(errno ? errno : EIO));
	return 0;
}
