// SPDX-License-Identifier: GPL-2.0-or-later
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *file_text(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = malloc(1 << 20);
	size_t n;

	if (!f || !text) {
		perror(path);
		exit(1);
	}
	n = fread(text, 1, (1 << 20) - 1, f);
	text[n] = 0;
	fclose(f);
	return text;
}

char *text_with(const char *text, const char *old, const char *new)
{
	const char *at = strstr(text, old);
	size_t before = at ? (size_t)(at - text) : 0;
	char *ret = malloc(strlen(text) + strlen(new) + 1);

	if (!at || !ret) {
		fprintf(stderr, "'%s' is not in the file\n", old);
		exit(1);
	}
	memcpy(ret, text, before);
	sprintf(ret + before, "%s%s", new, at + strlen(old));
	return ret;
}
