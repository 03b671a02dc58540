/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds one revision of a governor's source, taken out of a git tree, into a plug-in. */
#pragma once

#include "host/git.h"

/*
 * id: of a commit; NULL: the work tree. The source, and the headers beside it that it includes, go
 * into folder, which is made. 1: there is no plug-in of this revision, and why; a negative errno:
 * there would be none of any other either.
 */
int bisect_build(const struct git *git, const char *id, const char *path, const char *folder,
	const char *plugin, char *why, size_t why_size, struct error *err);
