// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/note.h"

#include <string.h>

void note_print(const char *text, FILE *out)
{
	enum { WIDTH = 98 };
	const char *prefix = "- ";

	while (*text) {
		size_t n = strlen(text);

		if (n > WIDTH) {
			for (n = WIDTH; n > 1 && text[n] != ' '; n--)
				;
			n = text[n] == ' ' ? n : WIDTH;
		}
		fprintf(out, "%s%.*s\n", prefix, (int)n, text);
		prefix = "  ";
		text += n;
		text += *text == ' ';
	}
}
