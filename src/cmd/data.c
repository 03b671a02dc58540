// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *data_dir(const char *kind, char *buf, size_t size)
{
	const char *roots[] = { getenv("COREPACE_DATA"), SOURCE_DIR, DATA_DIR };

	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		if (!roots[i])
			continue;
		snprintf(buf, size, "%s/%s", roots[i], kind);
		if (!access(buf, R_OK | X_OK))
			break;
	}
	return buf;
}
