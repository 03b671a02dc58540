// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/log_text.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int log_of(const char *path, const void *text, size_t size, struct log *ret, struct error *err)
{
	char *copy = malloc(size + 1);

	if (!copy)
		return error_set(err, ENOMEM, "%s: out of memory", path);
	if (size)
		memcpy(copy, text, size);
	copy[size] = 0;
	/* A line ends at a NUL too: no text has one. */
	for (size_t i = 0; i < size; i++)
		if (!copy[i])
			copy[i] = '\n';
	*ret = (struct log){ .path = path, .text = copy, .next = copy, .size = size, .err = err };
	return 0;
}

/* All of the one entry that a raw "archive" has. */
static int read_entry(struct archive *a, const char *path, struct log *ret, struct error *err)
{
	size_t size = 0, room = 1 << 16;
	char *text = malloc(room);
	int rc = 0;

	while (text && !rc) {
		la_ssize_t n = archive_read_data(a, text + size, room - size);

		if (n < 0)
			rc = error_set(err, EINVAL, "%s: %s", path, archive_error_string(a));
		if (n <= 0)
			break;
		size += (size_t)n;
		if (size == LOG_BYTES_MAX)
			rc = error_set(
				err, EFBIG, "%s: longer than %d MiB", path, LOG_BYTES_MAX >> 20);
		if (size == room) {
			char *grown = realloc(text, 2 * room);

			if (!grown)
				rc = error_set(err, ENOMEM, "%s: out of memory", path);
			else
				text = grown;
			room *= 2;
		}
	}
	if (!text)
		rc = error_set(err, ENOMEM, "%s: out of memory", path);
	rc = rc ? rc : log_of(path, text, size, ret, err);
	free(text);
	return rc;
}

int log_read(const char *path, struct log *ret, struct error *err)
{
	struct archive *a = archive_read_new();
	struct archive_entry *entry;
	int rc;

	if (!a)
		return error_set(err, ENOMEM, "%s: out of memory", path);
	archive_read_support_filter_all(a);
	archive_read_support_format_raw(a);
	archive_read_support_format_empty(a);
	rc = archive_read_open_filename(a, path, 1 << 16);
	if (!rc)
		rc = archive_read_next_header(a, &entry);
	if (rc == ARCHIVE_EOF)
		rc = log_of(path, "", 0, ret, err);
	else if (rc != ARCHIVE_OK)
		rc = archive_errno(a) == ENOENT
			     ? error_set(err, ENOENT, "%s: %s", path, strerror(ENOENT))
			     : error_set(err, archive_errno(a) > 0 ? archive_errno(a) : EIO,
				       "%s: %s", path, archive_error_string(a));
	else
		rc = read_entry(a, path, ret, err);
	archive_read_free(a);
	return rc;
}

void log_release(struct log *log)
{
	free(log->text);
	*log = (struct log){ 0 };
}

char *log_line(struct log *log)
{
	char *line = log->next, *end;

	if (!*line)
		return NULL;
	end = line + strcspn(line, "\n");
	log->next = end + (*end != 0);
	*end = 0;
	log->line++;
	for (; line < end; end--) /* blanks at the end, and DOS */
		if ((unsigned char)end[-1] > ' ')
			break;
	*end = 0;
	for (char *p = line; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = ' ';
	return line;
}

int log_words(char *line, char *words[LOG_WORDS_MAX])
{
	int nr = 0;

	for (char *p = line; nr < LOG_WORDS_MAX; nr++) {
		p += strspn(p, " ");
		if (!*p)
			break;
		words[nr] = p;
		p += strcspn(p, " ");
		if (*p)
			*p++ = 0;
	}
	return nr;
}

int log_wrong(const struct log *log, const char *field, const char *found, const char *expected)
{
	return error_set(log->err, EINVAL, "%s:%lu: %s: found '%.60s', expected %s", log->path,
		log->line, field, found, expected);
}

int log_number(const struct log *log, const char *field, const char *word, double *ret)
{
	char *end;
	double value = strtod(word, &end);

	if (end == word || *end || !isfinite(value) || strpbrk(word, "xX"))
		return log_wrong(log, field, word, "a number");
	*ret = value;
	return 0;
}
