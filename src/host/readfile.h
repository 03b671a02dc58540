/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small files under a root directory. "" is the live system; anything else is a tree that looks
 * like one, so that whatever reads /sys and /proc can be tested on made-up machines.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The file's text, at most size - 1 bytes of it, trailing white space cut. Its length or -errno. */
int host_read_text(const char *root, const char *path, char *buf, size_t size);

/* A file that holds one whole decimal number. 0, -errno, or -EINVAL when it holds something else.
 */
int host_read_u64(const char *root, const char *path, uint64_t *ret);

/* The whole file, NUL-terminated, to be freed by the caller. -EFBIG above max bytes. */
int host_read_all(const char *root, const char *path, size_t max, char **ret, size_t *ret_len);
