// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as ftrace text. */
#include "trace_invariants.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	must_read(data, size);
	return 0;
}
