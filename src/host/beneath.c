// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { QUIET = O_CLOEXEC | O_NOCTTY | O_NONBLOCK };

/* 0 for what may be opened. */
static int check_kind(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	return S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) ? 0 : -EINVAL;
}

/* fd, or -errno with fd closed. */
static int keep_if(int fd, int code)
{
	if (!code)
		return fd;
	close(fd);
	return code;
}

static int openat2_beneath(int root_fd, const char *path, int flags)
{
	struct open_how how = {
		.flags = flags,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	int fd = syscall(SYS_openat2, root_fd, path, &how, sizeof(how));

	return fd < 0 ? -errno : fd;
}

static int name_of(int fd, char *buf, size_t size)
{
	char link[32];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, buf, size - 1);
	if (len < 0)
		return -errno;
	buf[len] = '\0';
	return len;
}

/* 0 when the open file fd lies under root_fd. */
static int check_name(int root_fd, int fd)
{
	char root[PATH_MAX], name[PATH_MAX];
	int len = name_of(root_fd, root, sizeof(root));

	if (len < 0)
		return len;
	if (name_of(fd, name, sizeof(name)) < 0)
		return -EXDEV;
	if (len == 1) /* "/": everything is */
		return 0;
	return strncmp(root, name, len) || (name[len] && name[len] != '/') ? -EXDEV : 0;
}

/* The file or folder as a place (O_PATH): nothing was opened yet. */
static int find_by_name(int root_fd, const char *path)
{
	int fd = openat(root_fd, path, O_PATH | O_CLOEXEC), code;

	if (fd < 0)
		return -errno;
	code = check_name(root_fd, fd);
	return keep_if(fd, code ? code : check_kind(fd));
}

int host_open_beneath_by_name(int root_fd, const char *path, int flags)
{
	int found = find_by_name(root_fd, path), fd;
	char name[32];

	if (found < 0)
		return found;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", found);
	fd = open(name, flags | QUIET);
	if (fd < 0)
		fd = -errno;
	close(found);
	return fd;
}

/* Before 5.6 there is no openat2; some containers refuse what they do not know. */
static bool is_missing(int code)
{
	return code == -ENOSYS || code == -EPERM;
}

int host_exists_beneath(int root_fd, const char *path)
{
	int fd = openat2_beneath(root_fd, path, O_PATH | O_CLOEXEC);

	if (is_missing(fd))
		fd = find_by_name(root_fd, path);
	else if (fd >= 0)
		fd = keep_if(fd, check_kind(fd));
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

int host_open_beneath(int root_fd, const char *path, int flags)
{
	int code = host_exists_beneath(root_fd, path), fd;

	if (code)
		return code;
	fd = openat2_beneath(root_fd, path, flags | QUIET);
	if (is_missing(fd))
		return host_open_beneath_by_name(root_fd, path, flags);
	return fd < 0 ? fd : keep_if(fd, check_kind(fd));
}

int host_read_link_beneath(int root_fd, const char *path, char *buf, size_t size)
{
	int fd = openat2_beneath(root_fd, path, O_PATH | O_NOFOLLOW | O_CLOEXEC), code;
	ssize_t len;

	if (is_missing(fd)) {
		fd = openat(root_fd, path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		code = fd < 0 ? -errno : check_name(root_fd, fd);
		if (fd >= 0)
			fd = keep_if(fd, code);
		else
			fd = code;
	}
	if (fd < 0)
		return fd;
	len = readlinkat(fd, "", buf, size);
	code = len < 0 ? (errno == ENOENT ? -EINVAL : -errno) : len;
	close(fd);
	if (code >= (int)size)
		return -ENAMETOOLONG;
	if (code >= 0)
		buf[code] = '\0';
	return code;
}

int host_open_plain(const char *path)
{
	int fd = open(path, O_RDONLY | QUIET), code;
	struct stat st;

	if (fd < 0)
		return -errno;
	code = fstat(fd, &st) ? -errno : S_ISREG(st.st_mode) ? 0 : -EINVAL;
	return keep_if(fd, code);
}

void host_folder_close(struct host_folder *folder)
{
	if (*folder->path && folder->fd >= 0)
		close(folder->fd);
	folder->path[0] = '\0';
}

/* The first len bytes of path as an open folder. A descriptor that the folder keeps, or -errno. */
static int enter(struct host_folder *last, int root_fd, const char *path, size_t len)
{
	if (!strncmp(last->path, path, len) && !last->path[len])
		return last->fd;
	host_folder_close(last);
	snprintf(last->path, sizeof(last->path), "%.*s", (int)len, path);
	last->fd = openat2_beneath(root_fd, last->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (is_missing(last->fd))
		last->fd = find_by_name(root_fd, last->path);
	return last->fd;
}

int host_open_near(struct host_folder *last, int root_fd, const char *path, long long *ret_size)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) : 0;
	struct stat st;
	int folder, fd;

	*ret_size = -1;
	if (!len || len >= sizeof(last->path))
		return host_open_beneath(root_fd, path, O_RDONLY);
	folder = enter(last, root_fd, path, len);
	if (folder < 0)
		return folder;
	if (fstatat(folder, slash + 1, &st, AT_SYMLINK_NOFOLLOW))
		return -errno;
	/* A link may lead anywhere. */
	if (!S_ISREG(st.st_mode))
		return host_open_beneath(root_fd, path, O_RDONLY);
	fd = openat(folder, slash + 1, O_RDONLY | O_NOFOLLOW | QUIET);
	if (fd < 0)
		return -errno;
	/* Files of the kernel's own have no size. */
	if (st.st_size)
		*ret_size = st.st_size;
	return fd;
}
