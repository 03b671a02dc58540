// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.h"

#include <stdio.h>
#include <string.h>

static void one_line(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			*text = '?';
}

int error_set(struct error *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -code;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	one_line(err->text);
	return -code;
}

int error_prefix(struct error *err, int code, const char *fmt, ...)
{
	struct error prefix;
	va_list ap;
	size_t len;

	if (!err)
		return code;
	va_start(ap, fmt);
	vsnprintf(prefix.text, sizeof(prefix.text), fmt, ap);
	va_end(ap);
	len = strlen(prefix.text);
	snprintf(prefix.text + len, sizeof(prefix.text) - len, ": %s", err->text);
	*err = prefix;
	one_line(err->text);
	return code;
}
