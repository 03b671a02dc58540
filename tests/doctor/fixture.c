// SPDX-License-Identifier: GPL-2.0-or-later
#include "fixture.h"

#include "../cmocka_all.h"

#include <archive.h>
#include <archive_entry.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void made_init(struct made *m)
{
	strcpy(m->path, "/tmp/corepace-doctor-XXXXXX");
	assert_non_null(mkdtemp(m->path));
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	return remove(path);
}

void made_remove(struct made *m)
{
	assert_int_equal(nftw(m->path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

const char *made_name(struct made *m, const char *name, char *buf, size_t size)
{
	assert_in_range(snprintf(buf, size, "%s/%s", m->path, name), 1, size - 1);
	return buf;
}

static void make_folders(char *full)
{
	for (char *slash = strchr(full + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
}

void made_bytes(struct made *m, const char *name, const void *bytes, size_t len)
{
	char full[512];
	FILE *f;

	made_name(m, name, full, sizeof(full));
	make_folders(full);
	f = fopen(full, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

void made_file(struct made *m, const char *name, const char *text)
{
	made_bytes(m, name, text, strlen(text));
}

void made_link(struct made *m, const char *name, const char *target)
{
	char full[512];

	made_name(m, name, full, sizeof(full));
	make_folders(full);
	assert_int_equal(symlink(target, full), 0);
}

void made_fifo(struct made *m, const char *name)
{
	char full[512];

	made_name(m, name, full, sizeof(full));
	make_folders(full);
	assert_int_equal(mkfifo(full, 0644), 0);
}

static void write_entry(struct archive *a, struct archive_entry *entry, const struct made_entry *e)
{
	static const char zeroes[65536];
	size_t size = e->zeroes ? e->zeroes : e->text ? strlen(e->text) : 0;

	archive_entry_clear(entry);
	archive_entry_set_pathname(entry, e->name);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_filetype(entry, e->kind == MADE_LINK	 ? AE_IFLNK
					  : e->kind == MADE_FIFO ? AE_IFIFO
								 : AE_IFREG);
	if (e->kind == MADE_LINK)
		archive_entry_set_symlink(entry, e->text);
	else if (e->kind == MADE_HARD_LINK)
		archive_entry_set_hardlink(entry, e->text);
	else
		archive_entry_set_size(entry, (la_int64_t)size);
	assert_int_equal(archive_write_header(a, entry), ARCHIVE_OK);
	if (e->kind != MADE_FILE)
		return;
	for (size_t done = 0; done < size;) {
		size_t part = size - done;

		if (e->zeroes && part > sizeof(zeroes))
			part = sizeof(zeroes);
		assert_int_equal(archive_write_data(a, e->zeroes ? zeroes : e->text, part), part);
		done += part;
	}
}

void made_archive(
	const char *path, const char *compression, const struct made_entry *entries, size_t nr)
{
	struct archive_entry *entry = archive_entry_new();
	struct archive *a = archive_write_new();

	assert_int_equal(archive_write_set_format_pax_restricted(a), ARCHIVE_OK);
	if (strcmp(compression, "none"))
		assert_int_equal(archive_write_add_filter_by_name(a, compression), ARCHIVE_OK);
	assert_int_equal(archive_write_open_filename(a, path), ARCHIVE_OK);
	for (size_t i = 0; i < nr; i++)
		write_entry(a, entry, &entries[i]);
	assert_int_equal(archive_write_close(a), ARCHIVE_OK);
	archive_write_free(a);
	archive_entry_free(entry);
}

struct tree *made_open(const char *where)
{
	const struct tree_sources from = { .where = where };
	struct tree *tree = NULL;
	struct error err;

	if (tree_open(&from, &tree, &err))
		fail_msg("%s", err.text);
	return tree;
}

void expect_text(struct tree *tree, const char *path, const char *text)
{
	char buf[4096] = "";
	int len = tree_read(tree, buf, sizeof(buf), "%s", path);

	if (len != (int)strlen(text) || strcmp(buf, text))
		fail_msg("%s: %d \"%s\", expected \"%s\"", path, len, buf, text);
}

void expect_error(struct tree *tree, const char *path, int code)
{
	char buf[4096] = "";
	int got = tree_read(tree, buf, sizeof(buf), "%s", path);

	if (got != code)
		fail_msg("%s: %d \"%s\", expected %d", path, got, buf, code);
}
