// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A machine within an archive (libarchive; tar, plain or compressed). One pass, for an archive of
 * gigabytes may come: of each entry it is asked whether it is a file of paths.h below some folder,
 * and what belongs to one folder is kept together. The machine is the one that lies least deep;
 * two that lie equally deep are an error, for which one is meant is not known.
 */
#include "base/array.h"
#include "doctor/archive_name.h"
#include "doctor/paths.h"
#include "doctor/tree_internal.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MACHINES_MAX = 256, TEXTS_MAX = 1024, ENTRIES_MAX = 1 << 22 };

/* Unpacked bytes, and how many times the packed ones once there are many of them. */
#define UNPACKED_MAX (16LL << 30)
#define RATIO_FROM (256LL << 20)
#define RATIO_MAX 500

struct machine {
	char *prefix; /* "sosreport-1/" */
	struct files files;
};

/* A text that may lie beside a machine's root, by its name in the archive. */
struct text {
	char *name;
	struct beside content;
};

struct reader {
	struct tree *tree;
	struct archive *archive;
	long long packed;
	struct machine *machines;
	size_t nr_machines;
	struct text *texts;
	size_t nr_texts;
	size_t kept; /* bytes of all machines and texts */
	size_t refused;
};

static const char *const text_names[] = {
	"acpi.txt",
	"dmesg.txt",
	"errors.txt",
	"msr.txt",
	"msr/msr.txt",
	"sos_commands/kernel/dmesg",
	"sos_commands/kernel/dmesg_-T",
	"sys/inlinefiles.txt",
	"var/log/dmesg",
};

static struct machine *machine_of(struct reader *reader, const char *name, size_t prefix_len)
{
	struct machine *machines = reader->machines;

	for (size_t i = reader->nr_machines; i-- > 0;) {
		if (!strncmp(machines[i].prefix, name, prefix_len) &&
			!machines[i].prefix[prefix_len])
			return &machines[i];
	}
	if (reader->nr_machines >= MACHINES_MAX)
		return NULL;
	machines = array_grow(machines, reader->nr_machines, sizeof(*machines));
	if (!machines)
		return NULL;
	reader->machines = machines;
	machines[reader->nr_machines] = (struct machine){ .prefix = strndup(name, prefix_len) };
	return machines[reader->nr_machines].prefix ? &machines[reader->nr_machines++] : NULL;
}

/* The entry's content, NUL-terminated. 0, -EFBIG when longer than max, -EIO. */
static int read_content(struct reader *reader, size_t max, char **ret, size_t *ret_len)
{
	size_t size = 0, len = 0;
	char *buf = NULL;

	for (;;) {
		la_ssize_t n;

		if (len == size) {
			char *bigger = realloc(buf, (size = size ? 4 * size : 4096) + 1);

			if (!bigger) {
				free(buf);
				return -ENOMEM;
			}
			buf = bigger;
		}
		n = archive_read_data(reader->archive, buf + len, size - len);
		if (n == 0)
			break;
		if (n > 0)
			len += n;
		if (n < 0 || len > max) {
			free(buf);
			return n < 0 ? -EIO : -EFBIG;
		}
	}
	buf[len] = '\0';
	*ret = buf;
	*ret_len = len;
	return 0;
}

static int keep_bytes(struct reader *reader, size_t len)
{
	reader->kept += len;
	return reader->kept > FILES_BYTES_MAX ? -EFBIG : 0;
}

static int take_text(struct reader *reader, const char *name)
{
	struct text *texts;
	struct beside content;
	int code;

	if (reader->nr_texts >= TEXTS_MAX)
		return 0;
	code = read_content(reader, BESIDE_MAX, &content.text, &content.len);
	if (code == -EFBIG) {
		tree_note_text(reader->tree, name, NULL, code);
		return 0;
	}
	if (code)
		return code;
	texts = array_grow(reader->texts, reader->nr_texts, sizeof(*texts));
	if (texts) {
		reader->texts = texts;
		texts[reader->nr_texts] = (struct text){ strdup(name), content };
	}
	if (!texts || !texts[reader->nr_texts].name) {
		free(content.text);
		return -ENOMEM;
	}
	reader->nr_texts++;
	return keep_bytes(reader, content.len);
}

/* A second name of a file is kept as a link to the first, which lies in the same machine. */
static int take_hard_link(struct machine *machine, const char *path, const char *first)
{
	char clean[PATH_LEN_MAX], target[2 * PATH_LEN_MAX] = "";
	size_t prefix_len = strlen(machine->prefix);
	int code = archive_clean_name(first, clean, sizeof(clean)), n = 0;

	if (code || strncmp(clean, machine->prefix, prefix_len))
		return files_add_error(&machine->files, path, EXDEV);
	for (const char *at = path + 1; *at && n < PATH_LEN_MAX; at++) {
		if (*at == '/')
			n += snprintf(target + n, sizeof(target) - n, "../");
	}
	snprintf(target + n, sizeof(target) - n, "%s", clean + prefix_len);
	return files_add_link(&machine->files, path, target);
}

static int take_file(struct reader *reader, struct machine *machine, const char *path)
{
	size_t max = path_rule_max(path_rule_of(path)), len;
	char *content;
	int code = read_content(reader, max, &content, &len);

	if (code == -EFBIG)
		return files_add_error(&machine->files, path, EFBIG);
	if (code)
		return code;
	code = files_add(&machine->files, path, content, len);
	free(content);
	return code ? code : keep_bytes(reader, len);
}

/* An entry that is a file of the machine at name's first bytes up to at. */
static int take_entry(
	struct reader *reader, struct archive_entry *entry, const char *name, const char *at)
{
	const char *target = archive_entry_symlink(entry), *first = archive_entry_hardlink(entry);
	struct machine *machine = machine_of(reader, name, (size_t)(at - name));
	char real[PATH_LEN_MAX], class_path[PATH_LEN_MAX];
	const char *path;

	if (!machine)
		return -EFBIG;
	snprintf(real, sizeof(real), "/%s", at);
	if (target)
		return files_add_link(&machine->files, real, target);
	path = path_class_name(real, class_path, sizeof(class_path));
	if (!path_rule_of(path))
		return 0;
	if (first)
		return take_hard_link(machine, path, first);
	if (archive_entry_filetype(entry) != AE_IFREG)
		return files_add_error(&machine->files, path, EINVAL);
	return take_file(reader, machine, path);
}

static int take(struct reader *reader, struct archive_entry *entry)
{
	const char *raw = archive_entry_pathname(entry), *at;
	char name[1024];
	int code;

	if (!raw || archive_entry_filetype(entry) == AE_IFDIR)
		return 0;
	code = archive_clean_name(raw, name, sizeof(name));
	if (code == -EXDEV)
		reader->refused++;
	if (code)
		return 0;
	for (size_t i = 0; i < sizeof(text_names) / sizeof(text_names[0]); i++) {
		if (archive_entry_filetype(entry) == AE_IFREG &&
			archive_ends_in(name, text_names[i]))
			return take_text(reader, name);
	}
	at = archive_find_path(name, archive_entry_symlink(entry) != NULL);
	return at ? take_entry(reader, entry, name, at) : 0;
}

static int check_size(struct reader *reader, struct error *err)
{
	long long unpacked = archive_filter_bytes(reader->archive, 0);

	if (unpacked > UNPACKED_MAX ||
		(unpacked > RATIO_FROM && unpacked / RATIO_MAX > reader->packed))
		return error_set(err, EFBIG, "%s: unpacks to more than anybody's report does",
			reader->tree->name);
	return 0;
}

static int failed(struct reader *reader, int code, struct error *err)
{
	const char *what = archive_error_string(reader->archive);
	const char *name = reader->tree->name;

	if (code == -EIO)
		return error_set(err, EIO, "%s: %s", name, what ? what : "damaged archive");
	if (code == -EFBIG)
		return error_set(err, EFBIG,
			"%s: holds more machines or files than can be one report", name);
	return error_set(err, -code, "%s: %s", name, strerror(-code));
}

/* Past what is left of the entry, by hand so that a bomb ends early. */
static int skip_content(struct reader *reader, struct error *err)
{
	const void *block;
	la_int64_t offset;
	size_t len;
	int code, status;

	do {
		code = check_size(reader, err);
		if (code)
			return code;
		status = archive_read_data_block(reader->archive, &block, &len, &offset);
	} while (status == ARCHIVE_OK || status == ARCHIVE_WARN);
	return status == ARCHIVE_EOF ? 0 : failed(reader, -EIO, err);
}

static int read_entries(struct reader *reader, struct error *err)
{
	struct archive_entry *entry;

	for (int nr = 0; nr < ENTRIES_MAX; nr++) {
		int status = archive_read_next_header(reader->archive, &entry), code;

		if (status == ARCHIVE_EOF)
			return 0;
		if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
			return failed(reader, -EIO, err);
		code = take(reader, entry);
		if (code)
			return failed(reader, code, err);
		code = skip_content(reader, err);
		if (code)
			return code;
	}
	return failed(reader, -EFBIG, err);
}

/* Lists of values become their machine's files. */
static int unfold_lists(struct reader *reader)
{
	static const char list[] = "sys/inlinefiles.txt";

	for (size_t i = 0; i < reader->nr_texts; i++) {
		struct text *text = &reader->texts[i];
		struct machine *machine;
		int code;

		if (!archive_ends_in(text->name, list))
			continue;
		machine = machine_of(reader, text->name, strlen(text->name) - strlen(list));
		if (!machine)
			return -EFBIG;
		code = tree_take_inline(&machine->files, text->content.text, text->content.len);
		if (code)
			return code;
	}
	return 0;
}

/* A machine has something of sys or proc: a lone etc/ lies in many places. */
static bool is_machine(const struct machine *machine)
{
	return files_holds(&machine->files, "/sys/") || files_holds(&machine->files, "/proc/");
}

/* NULL: none, or which is not known. */
static struct machine *choose(struct reader *reader, struct error *err)
{
	struct machine *best = NULL, *other = NULL;

	for (size_t i = 0; i < reader->nr_machines; i++) {
		struct machine *machine = &reader->machines[i];

		if (!is_machine(machine))
			continue;
		if (!best || archive_depth_of(machine->prefix) < archive_depth_of(best->prefix)) {
			best = machine;
			other = NULL;
		} else if (archive_depth_of(machine->prefix) == archive_depth_of(best->prefix)) {
			other = machine;
		}
	}
	if (!best)
		error_set(err, EINVAL,
			"%s: holds no file of sys/ or proc/ that tells about power management",
			reader->tree->name);
	else if (other)
		error_set(err, EINVAL,
			"%s: holds several machines (%s, %s), unpack it and name one",
			reader->tree->name, best->prefix, other->prefix);
	return other ? NULL : best;
}

/* Gives away the text of that name beside the machine. */
static void give_text(struct reader *reader, const char *base, const char *name, struct beside *ret)
{
	for (size_t i = 0; i < reader->nr_texts && !ret->text; i++) {
		struct text *text = &reader->texts[i];
		size_t len = strlen(base);

		if (!text->content.text || strncmp(text->name, base, len) ||
			strcmp(text->name + len, name))
			continue;
		*ret = text->content;
		text->content = (struct beside){ 0 };
	}
}

static void give(struct reader *reader, struct machine *machine)
{
	struct tree *tree = reader->tree;
	char *base = machine->prefix;

	/* Beside "case/root/" is "case/". */
	if (archive_ends_in(base, "root/"))
		base[strlen(base) - strlen("root/")] = '\0';
	give_text(reader, base, "dmesg.txt", &tree->dmesg);
	give_text(reader, base, "sos_commands/kernel/dmesg", &tree->dmesg);
	give_text(reader, base, "sos_commands/kernel/dmesg_-T", &tree->dmesg);
	give_text(reader, base, "var/log/dmesg", &tree->dmesg);
	give_text(reader, base, "msr.txt", &tree->msr);
	give_text(reader, base, "msr/msr.txt", &tree->msr);
	give_text(reader, base, "acpi.txt", &tree->acpi);
	give_text(reader, base, "errors.txt", &tree->errors);
	tree->files = machine->files;
	machine->files = (struct files){ 0 };
}

static void release(struct reader *reader)
{
	for (size_t i = 0; i < reader->nr_machines; i++) {
		free(reader->machines[i].prefix);
		files_release(&reader->machines[i].files);
	}
	for (size_t i = 0; i < reader->nr_texts; i++) {
		free(reader->texts[i].name);
		free(reader->texts[i].content.text);
	}
	free(reader->machines);
	free(reader->texts);
	archive_read_free(reader->archive);
}

static int read_machine(struct reader *reader, struct error *err)
{
	struct machine *machine;
	int code = read_entries(reader, err);

	if (code)
		return code;
	code = unfold_lists(reader);
	if (code)
		return failed(reader, code, err);
	machine = choose(reader, err);
	if (!machine)
		return -EINVAL;
	give(reader, machine);
	return 0;
}

static int setup(struct archive *archive)
{
	return archive_read_support_format_tar(archive) |
	       archive_read_support_filter_gzip(archive) | archive_read_support_filter_xz(archive) |
	       archive_read_support_filter_zstd(archive);
}

int tree_open_archive(struct tree *tree, int fd, struct error *err)
{
	struct reader reader = { .tree = tree, .archive = archive_read_new() };
	struct stat st;
	int code;

	if (!reader.archive || setup(reader.archive) != ARCHIVE_OK) {
		archive_read_free(reader.archive);
		return error_set(err, ENOMEM, "%s: libarchive cannot be set up", tree->name);
	}
	reader.packed = fstat(fd, &st) ? 0 : st.st_size;
	if (archive_read_open_fd(reader.archive, fd, 65536) != ARCHIVE_OK)
		code = error_set(err, EINVAL, "%s: neither a folder nor a tar archive", tree->name);
	else
		code = read_machine(&reader, err);
	if (!code && reader.refused)
		tree_note_text(tree, "../", "entries of the archive that lead out of it", -EXDEV);
	release(&reader);
	return code;
}
