// SPDX-License-Identifier: GPL-2.0-or-later
/* Built where libarchive is not. */
#include "doctor/tree_internal.h"

#include <errno.h>

int tree_open_archive(struct tree *tree, int fd, struct error *err)
{
	return error_set(err, ENOTSUP, "%s: this program was built without libarchive", tree->name);
}
