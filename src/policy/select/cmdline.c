/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "policy/select/steps.h"

#include <string.h>

static char fold(char c)
{
	return c == '-' ? '_' : c;
}

static bool same(const char *a, const char *b, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (fold(a[i]) != fold(b[i]))
			return false;
	return true;
}

const char *cmdline_next(const char *cmdline, const char *key, const char **pos, size_t *len)
{
	size_t key_len = strlen(key);
	const char *s = *pos ? *pos : cmdline;

	while (s && *s) {
		s += strspn(s, " \t\n");
		size_t word = strcspn(s, " \t\n");
		const char *value = s + key_len + 1;

		*pos = s + word;
		if (word > key_len && s[key_len] == '=' && same(s, key, key_len)) {
			*len = word - key_len - 1;
			return value;
		}
		s = *pos;
	}
	return NULL;
}

bool cmdline_has(const char *cmdline, const char *key, const char *value)
{
	const char *pos = NULL, *v;
	size_t len;

	while ((v = cmdline_next(cmdline, key, &pos, &len)))
		if (len == strlen(value) && !strncmp(v, value, len))
			return true;
	return false;
}

bool cmdline_lists(const char *cmdline, const char *key, const char *item)
{
	const char *pos = NULL, *v;
	size_t len;

	while ((v = cmdline_next(cmdline, key, &pos, &len))) {
		for (const char *end = v + len; v < end; v++) {
			size_t n = strcspn(v, ", \t\n");

			if (n > (size_t)(end - v))
				n = (size_t)(end - v);
			if (n == strlen(item) && same(v, item, n))
				return true;
			v += n;
		}
	}
	return false;
}
