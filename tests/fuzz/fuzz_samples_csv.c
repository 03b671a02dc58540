// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples that were read can be compared and printed; a refusal names the line. */
#include "report/comparison.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print(const struct samples *samples)
{
	struct comparisons c;
	struct error err;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f || compare_samples(samples, &c, &err))
		abort();
	if (comparisons_print(&c, NULL, true, f, &err))
		abort();
	if (json_write(comparisons_to_json(&c, NULL), f, &err))
		abort();
	fclose(f);
	free(text);
	comparisons_release(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct samples samples = { 0 };
	struct error err = { "" };
	FILE *f;

	if (!size)
		return 0;
	f = fmemopen((void *)data, size, "r");
	if (!f)
		abort();
	if (!samples_parse_csv(&samples, "input", f, &err))
		print(&samples);
	else if (strncmp(err.text, "input:", 6) || strchr(err.text, '\n'))
		abort();
	fclose(f);
	samples_release(&samples);
	return 0;
}
