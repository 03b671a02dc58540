/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens what lies under a folder and nothing else: links that lead out of it (absolute ones too)
 * are refused, and nothing but plain files and folders is opened, so that no fifo or device of a
 * tree that a stranger made can block or act.
 */
#pragma once

#include <stddef.h>

/*
 * path is relative to root_fd, a folder; flags are O_RDONLY and possibly O_DIRECTORY. A descriptor,
 * or -errno: -EXDEV when the way leads out of root_fd, -EINVAL when it is neither file nor folder.
 */
int host_open_beneath(int root_fd, const char *path, int flags);

/*
 * The folder of the file that was opened last, kept open so that many small files need no long walk
 * each. Zeroed at first.
 */
struct host_folder {
	char path[256]; /* "": none */
	int fd;		/* or -errno of opening it */
};

void host_folder_close(struct host_folder *folder);

/*
 * host_open_beneath for a plain file of a tree that nobody changes meanwhile; ret_size: its size,
 * or -1 where that is not known.
 */
int host_open_near(struct host_folder *last, int root_fd, const char *path, long long *ret_size);

/* The same for kernels without openat2(): the name is checked after it was found. Needs /proc. */
int host_open_beneath_by_name(int root_fd, const char *path, int flags);

/* 0 when path is a file or folder, readable or not; -errno as above. */
int host_exists_beneath(int root_fd, const char *path);

/* The target of the link that path is. Its length, or -errno (-EINVAL: no link). */
int host_read_link_beneath(int root_fd, const char *path, char *buf, size_t size);

/* A plain file wherever it is, links followed; never blocks. A descriptor or -errno. */
int host_open_plain(const char *path);
