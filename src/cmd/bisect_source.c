// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/bisect_source.h"

#include "cmd/plugins.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char name_characters[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

static int write_file(
	const char *folder, const char *name, const char *text, size_t size, struct error *err)
{
	char path[PATH_MAX];
	FILE *f;
	bool bad;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "we");
	if (!f)
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	bad = fwrite(text, 1, size, f) != size;
	bad |= fclose(f) != 0;
	return bad ? error_set(err, EIO, "%s: %s", path, strerror(errno)) : 0;
}

/* A header beside the source. One that is not there is the compiler's to complain of. */
static int copy_header(const struct git *git, const char *id, const char *path, const char *folder,
	const char *name, struct error *err)
{
	const char *slash = strrchr(path, '/');
	char header[PATH_MAX], *text;
	size_t size;
	int rc;

	snprintf(header, sizeof(header), "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
	rc = git_file(git, id, header, &text, &size, err);
	if (rc)
		return rc == -ENOENT ? 0 : rc;
	rc = write_file(folder, name, text, size, err);
	free(text);
	return rc;
}

/* Lines like: #include "gov.h". Only names without a folder stand beside the source. */
static int copy_headers(const struct git *git, const char *id, const char *path, const char *folder,
	const char *text, struct error *err)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		char name[64];
		int end = 0;

		line += *line == '\n';
		if (sscanf(line, " # include \"%63[^\"\n]\"%n", name, &end) != 1 || !end ||
			name[strspn(name, name_characters)] || *name == '.')
			continue;
		if (copy_header(git, id, path, folder, name, err) < 0)
			return -EIO;
	}
	return 0;
}

static int fetch(const struct git *git, const char *id, const char *path, const char *folder,
	const char *name, struct error *err)
{
	char *text;
	size_t size;
	int rc;

	if (mkdir(folder, 0700))
		return error_set(err, errno, "%s: %s", folder, strerror(errno));
	rc = git_file(git, id, path, &text, &size, err);
	if (rc)
		return rc;
	rc = write_file(folder, name, text, size, err);
	rc = rc ? rc : copy_headers(git, id, path, folder, text, err);
	free(text);
	return rc;
}

/* A text about a file in the folder, without the folder. */
static const char *inside(const char *text, const char *folder)
{
	size_t length = strlen(folder);

	return !strncmp(text, folder, length) && text[length] == '/' ? text + length + 1 : text;
}

/* The error and, unless it names what is missing, the compiler's first complaint. */
static void explain(const struct plugin_built *built, const struct error *err, const char *folder,
	char *why, size_t size)
{
	const char *at = built->report.messages ? strstr(built->report.messages, "error: ") : NULL;
	const char *text = inside(err->text, folder);

	if (!at || *built->report.missing)
		snprintf(why, size, "%s", text);
	else
		snprintf(why, size, "%s: %.*s", text, (int)strcspn(at, "\n"), at);
}

int bisect_build(const struct git *git, const char *id, const char *path, const char *folder,
	const char *plugin, char *why, size_t why_size, struct error *err)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct plugin_built built;
	char source[PATH_MAX], *sources[] = { source, NULL };
	int rc = fetch(git, id, path, folder, name, err);

	if (rc) {
		snprintf(why, why_size, "%s", err->text);
		return rc == -ENOENT ? 1 : rc;
	}
	snprintf(source, sizeof(source), "%s/%s", folder, name);
	rc = plugin_build(sources, plugin, NULL, &built, err);
	if (rc)
		explain(&built, err, folder, why, why_size);
	compile_report_release(&built.report);
	return rc == -ENOEXEC || rc == -EINVAL ? 1 : rc;
}
