// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/record.h"
#include "base/outfile.h"
#include "host/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int write_raw(struct record *r, struct tracefs_source *source, struct error *err)
{
	struct out_file file;
	int code = out_file_open(&file, r->raw_path, err);

	if (code)
		return code;
	code = tracefs_source_write(source, file.fd, &r->losses, err);
	if (!code)
		return out_file_keep(&file, err);
	out_file_drop(&file);
	return code;
}

/* Only the import will see it. */
static int write_nameless(
	struct record *r, struct tracefs_source *source, const char *dir, struct error *err)
{
	int fd = temp_file(dir), code;

	if (fd < 0)
		return error_set(err, -fd, "%s: no temporary file: %s", dir, strerror(-fd));
	code = tracefs_source_write(source, fd, &r->losses, err);
	if (code) {
		close(fd);
		return code;
	}
	r->dat_fd = fd;
	snprintf(r->dat_path, sizeof(r->dat_path), "/proc/self/fd/%d", fd);
	return 0;
}

int record_tracefs(struct record *r, struct error *err)
{
	struct tracefs_source source;
	char dir[PATH_MAX];
	int code;

	temp_dir_of(r->raw_path ? r->raw_path : r->out_path, dir, sizeof(dir));
	code = tracefs_source_open(&source, &r->instance, dir, err);
	if (code)
		return code;
	record_report_instance(&source.instance);
	code = session_run(&r->session, &r->signals, &source.source, &r->traced, err);
	if (!code && r->raw_path)
		code = write_raw(r, &source, err);
	else if (!code)
		code = write_nameless(r, &source, dir, err);
	tracefs_source_close(&source);
	return code;
}
