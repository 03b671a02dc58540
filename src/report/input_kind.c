// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/others.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { HEAD_MAX = 1 << 16 };

static bool ends_with(const char *path, const char *suffix)
{
	size_t n = strlen(path), m = strlen(suffix);

	return n > m && !strcmp(path + n - m, suffix);
}

static int kind_of_text(const char *path, const char *text, struct error *err)
{
	const char *brace = text;

	/* A JSON document begins a line, perhaps below warnings. */
	while (brace && *brace != '{') {
		brace = strchr(brace, '\n');
		brace = brace ? brace + 1 : NULL;
	}
	if (brace) {
		if (strstr(brace, "\"fio version\""))
			return INPUT_FIO;
		brace++;
		while (isspace((unsigned char)*brace))
			brace++;
		return strncmp(brace, "\"results\"", 9) ? INPUT_RESULTS : INPUT_HYPERFINE;
	}
	if (strstr(text, "Avg_MHz") || strstr(text, "PkgWatt") || strstr(text, "Pkg_J") ||
		strstr(text, "Bzy_MHz"))
		return INPUT_TURBOSTAT;
	if (!*text)
		return error_set(
			err, EINVAL, "%s:1: expected results, but the file is empty", path);
	return error_set(err, EINVAL,
		"%s:1: expected JSON of corepace, fio or hyperfine, a .csv of samples, output of "
		"turbostat, or a directory of MMTests",
		path);
}

int input_kind(const char *path, struct error *err)
{
	struct stat st;
	struct log log;
	int rc;

	if (stat(path, &st))
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return INPUT_MMTESTS;
	if (!S_ISREG(st.st_mode))
		return error_set(err, EINVAL,
			"%s: expected a file or a directory, not a pipe: it is read twice", path);
	if (ends_with(path, ".csv"))
		return INPUT_CSV;
	rc = log_read(path, &log, err);
	if (rc)
		return rc;
	if (log.size > HEAD_MAX)
		log.text[HEAD_MAX] = 0;
	rc = kind_of_text(path, log.text, err);
	log_release(&log);
	return rc;
}
