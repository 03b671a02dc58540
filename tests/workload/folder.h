/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A temporary folder for one test program, and the workload file in it. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/corepace-cpw-XXXXXX", path[64];

static inline int make_folder(void **state)
{
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/sample.cpw", folder);
	return 0;
}

static inline int remove_folder(void **state)
{
	unlink(path);
	return rmdir(folder);
}
