// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as a trace.dat. An input that does not begin like one gets the magic, so that the
 * fuzzer does not end up in the reader of text.
 */
#include "trace_invariants.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	uint8_t *copy;

	if (size < sizeof(magic))
		return 0;
	copy = malloc(size);
	MUST(copy);
	memcpy(copy, data, size);
	memcpy(copy, magic, sizeof(magic));
	must_read(copy, size);
	free(copy);
	return 0;
}
