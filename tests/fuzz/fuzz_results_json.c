// SPDX-License-Identifier: GPL-2.0-or-later
/* Results that were read are written and read again to the same text. */
#include "report/result_json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *to_text(const struct results *results)
{
	struct error err;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f || json_write(results_to_json(results->runs, results->nr), f, &err))
		abort();
	fclose(f);
	return text;
}

static int parse(const void *data, size_t size, struct results *ret)
{
	struct error err = { "" };
	FILE *f = fmemopen((void *)data, size, "r");
	int rc;

	if (!f)
		abort();
	rc = results_parse("input", f, ret, &err);
	fclose(f);
	/* A refusal says why, on one line that begins with the name of the input. */
	if (rc && (strncmp(err.text, "input:", 6) || strchr(err.text, '\n')))
		abort();
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct results first, second;
	char *text, *again;

	if (!size || parse(data, size, &first))
		return 0;
	text = to_text(&first);
	if (parse(text, strlen(text), &second))
		abort();
	again = to_text(&second);
	if (strcmp(text, again))
		abort();
	free(text);
	free(again);
	results_release(&first);
	results_release(&second);
	return 0;
}
