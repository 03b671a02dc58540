// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/shell.h"

#include <string.h>

void shell_quote(FILE *f, const char *text)
{
	fputc('\'', f);
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", f);
		else
			fputc(*text, f);
	fputc('\'', f);
}

void shell_word(FILE *f, const char *text)
{
	static const char plain[] = "_@%+=:,./-0123456789abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	if (*text && !text[strspn(text, plain)])
		fputs(text, f);
	else
		shell_quote(f, text);
}
