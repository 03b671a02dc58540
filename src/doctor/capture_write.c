// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/capture.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>

static int write_file(
	struct archive *a, struct archive_entry *entry, const struct capture_file *file)
{
	archive_entry_clear(entry);
	archive_entry_set_pathname(entry, file->path);
	archive_entry_set_perm(entry, file->link ? 0777 : 0644);
	archive_entry_set_mtime(entry, 0, 0);
	archive_entry_set_filetype(entry, file->link ? AE_IFLNK : AE_IFREG);
	if (file->link)
		archive_entry_set_symlink(entry, file->text);
	else
		archive_entry_set_size(entry, (la_int64_t)file->len);
	if (archive_write_header(a, entry) != ARCHIVE_OK)
		return -EIO;
	if (file->link || archive_write_data(a, file->text, file->len) == (la_ssize_t)file->len)
		return 0;
	return -EIO;
}

static int write_all(
	struct archive *a, struct archive_entry *entry, const struct capture *capture, int fd)
{
	int code = 0;

	if (archive_write_set_format_pax_restricted(a) != ARCHIVE_OK ||
		archive_write_add_filter_zstd(a) != ARCHIVE_OK ||
		archive_write_open_fd(a, fd) != ARCHIVE_OK)
		return -EIO;
	for (size_t i = 0; i < capture->nr && !code; i++)
		code = write_file(a, entry, &capture->files[i]);
	if (archive_write_close(a) != ARCHIVE_OK)
		code = -EIO;
	return code;
}

int capture_write(const struct capture *capture, int fd, struct error *err)
{
	struct archive_entry *entry = archive_entry_new();
	struct archive *a = archive_write_new();
	const char *what;
	int code = -ENOMEM;

	if (a && entry)
		code = write_all(a, entry, capture, fd);
	what = a ? archive_error_string(a) : NULL;
	if (code)
		error_set(err, -code, "%s", what ? what : strerror(-code));
	archive_entry_free(entry);
	archive_write_free(a);
	return code;
}
