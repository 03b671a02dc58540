// SPDX-License-Identifier: GPL-2.0-or-later
/* Built where libarchive is not. */
#include "doctor/capture.h"

#include <errno.h>

int capture_write(const struct capture *capture, int fd, struct error *err)
{
	return error_set(err, ENOTSUP, "this program was built without libarchive");
}
