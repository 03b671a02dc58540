// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any file of decision vectors is either replayed, whatever its numbers, or refused with one line
 * that names the file. What the governors choose is a state of the driver.
 */
#include "vectors/vectors.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct vectors_options options = { .private_state = true };
	struct vectors_result result = { .rows = 12345 };
	struct error err = { "" };
	char path[64];
	int fd = memfd_create("vectors", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!vectors_check(path, &options, &result, &err)) {
		if (result.mismatches > result.rows)
			abort();
	} else if (strncmp(err.text, path, strlen(path)) || strchr(err.text, '\n')) {
		abort();
	}
	close(fd);
	return 0;
}
