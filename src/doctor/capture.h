/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine for somebody else to look at: exactly the files that are read (doctor/paths.h), and
 * the kernel log, registers, ACPI objects and failed reads as texts beside root/. A capture of a
 * capture is the same capture.
 */
#pragma once

#include "doctor/tree.h"

struct capture_file {
	char *path; /* "root/sys/devices/system/cpu/online", "dmesg.txt" */
	char *text; /* content, or the target of a link */
	size_t len;
	bool link;
};

struct capture {
	struct capture_file *files;
	size_t nr;
};

/* 0, -ENOMEM, or -ENODATA when the tree has nothing that matters. */
int capture_collect(struct tree *tree, struct capture *ret, struct error *err);
void capture_release(struct capture *capture);

/* A tar, compressed by zstd, into fd. 0 or -errno; -ENOTSUP without libarchive. */
int capture_write(const struct capture *capture, int fd, struct error *err);
