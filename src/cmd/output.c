// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int output_open(struct output *o, const char *path, struct error *err)
{
	int rc = out_file_open(&o->out, path, err), fd;

	o->file = NULL;
	if (rc)
		return rc;
	fd = dup(o->out.fd);
	o->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (o->file)
		return 0;
	rc = error_set(err, errno, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	out_file_drop(&o->out);
	return rc;
}

int output_close(struct output *o, int rc, struct error *err)
{
	if (!o->file)
		return rc;
	errno = 0;
	if (!rc && (ferror(o->file) || fflush(o->file)))
		rc = error_set(err, errno ? errno : EIO, "%s: %s", o->out.path,
			strerror(errno ? errno : EIO));
	fclose(o->file);
	o->file = NULL;
	if (!rc)
		return out_file_keep(&o->out, err);
	out_file_drop(&o->out);
	return rc;
}

int output_printed(struct error *err)
{
	errno = 0;
	if (fflush(stdout) || ferror(stdout))
		return error_set(
			err, errno ? errno : EIO, "writing: %s", strerror(errno ? errno : EIO));
	return 0;
}
