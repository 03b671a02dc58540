// SPDX-License-Identifier: GPL-2.0-or-later
/* Any events: what is built of them must hold together. See tests/trace/build_bytes.h. */
#include "build_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	build_bytes(data, size);
	return 0;
}
