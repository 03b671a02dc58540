// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/archive_name.h"
#include "doctor/paths.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Name without "./", "//" and leading "/". -EXDEV for "..", -ENAMETOOLONG. */
int archive_clean_name(const char *name, char *buf, size_t size)
{
	size_t n = 0;

	while (*name) {
		size_t len = strcspn(name, "/");
		bool slash = name[len] == '/';

		if (len == 2 && !strncmp(name, "..", 2))
			return -EXDEV;
		if (len && !(len == 1 && *name == '.')) {
			if (n + len + 2 > size)
				return -ENAMETOOLONG;
			memcpy(buf + n, name, len);
			n += len;
			if (slash)
				buf[n++] = '/';
		}
		name += len + slash;
	}
	while (n && buf[n - 1] == '/')
		n--;
	buf[n] = '\0';
	return 0;
}

/* Whether name ends in suffix, as whole components. */
bool archive_ends_in(const char *name, const char *suffix)
{
	size_t len = strlen(name), tail = strlen(suffix);

	return len >= tail && !strcmp(name + len - tail, suffix) &&
	       (len == tail || name[len - tail - 1] == '/');
}

/* Where in name a path of the machine begins (at "sys/", "proc/" ...), or NULL. */
const char *archive_find_path(const char *name, bool link)
{
	static const char *const tops[] = { "sys/", "proc/", "etc/", "dev/", "boot/" };

	for (const char *at = name; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL) {
		char path[PATH_LEN_MAX], class_path[PATH_LEN_MAX];

		for (size_t i = 0; i < sizeof(tops) / sizeof(tops[0]); i++) {
			if (strncmp(at, tops[i], strlen(tops[i])) ||
				snprintf(path, sizeof(path), "/%s", at) >= (int)sizeof(path))
				continue;
			if (path_rule_of(path_class_name(path, class_path, sizeof(class_path))) ||
				(link && path_is_folder(path)))
				return at;
		}
	}
	return NULL;
}

int archive_depth_of(const char *prefix)
{
	int depth = 0;

	for (; *prefix; prefix++)
		depth += *prefix == '/';
	return depth;
}
