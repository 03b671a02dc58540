// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/spec.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_key_char(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.';
}

/* A comma separates only when "key=" follows: values such as 0,2 or 1.5,x stay whole. */
static char *next_key(char *p)
{
	for (; (p = strchr(p, ',')); p++) {
		char *k = p + 1;

		while (is_key_char(*k))
			k++;
		if (k > p + 1 && *k == '=')
			return p;
	}
	return NULL;
}

int spec_parse(struct spec *spec, const char *text, struct error *err)
{
	char *p, *next;

	memset(spec, 0, sizeof(*spec));
	if (strlen(text) >= sizeof(spec->text))
		return error_set(
			err, EINVAL, "specification longer than %d characters", SPEC_TEXT_MAX - 1);
	strcpy(spec->text, text);
	strcpy(spec->buf, text);
	spec->name = spec->buf;
	p = strchr(spec->buf, ':');
	if (p == spec->buf || !*spec->buf)
		return error_set(err, EINVAL, "'%s': expected NAME[:key=value,...]", text);
	while (p) {
		char *eq;

		*p++ = 0;
		next = next_key(p);
		eq = strchr(p, '=');
		if (!eq || eq == p || (next && eq > next))
			return error_set(err, EINVAL, "'%s': expected key=value after '%s'", text,
				spec->name);
		if (spec->nr_keys == SPEC_KEYS_MAX)
			return error_set(
				err, EINVAL, "'%s': more than %d keys", text, SPEC_KEYS_MAX);
		*eq = 0;
		spec->keys[spec->nr_keys].key = p;
		spec->keys[spec->nr_keys++].value = eq + 1;
		p = next;
	}
	return 0;
}

const char *spec_get(const struct spec *spec, const char *key)
{
	for (int i = 0; i < spec->nr_keys; i++)
		if (!strcmp(spec->keys[i].key, key))
			return spec->keys[i].value;
	return NULL;
}

size_t spec_plugin_length(const char *value)
{
	const char *end = strstr(value, ".so:");
	size_t length = end ? (size_t)(end - value) + 3 : strlen(value);

	return length > 3 && !strncmp(value + length - 3, ".so", 3) ? length : 0;
}

int parse_u64(const char *text, unsigned long long min, unsigned long long max, const char *what,
	unsigned long long *ret, struct error *err)
{
	unsigned long long v;
	char *end;

	errno = 0;
	v = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno || v < min || v > max)
		return error_set(err, EINVAL, "%s: '%s', expected a number from %llu to %llu", what,
			text, min, max);
	*ret = v;
	return 0;
}
