// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as a perf.data. An input that does not begin like one gets the magic, so that the
 * fuzzer does not end up in the reader of text.
 */
#include "trace_invariants.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy;

	if (size < 8)
		return 0;
	copy = malloc(size);
	MUST(copy);
	memcpy(copy, data, size);
	memcpy(copy, "PERFILE2", 8);
	must_read(copy, size);
	free(copy);
	return 0;
}
