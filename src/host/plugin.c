// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

struct plugin_image {
	void *library;
	int fd; /* of a private copy, open as long as its /proc name must not be used again */
};

static int open_regular(const char *path, off_t *ret_size, struct error *err)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return error_set(err, ENOEXEC, "%s: not a regular file", path);
	}
	*ret_size = st.st_size;
	return fd;
}

/* The dynamic loader shares an image by name and by inode; a copy in memory has its own. */
static int copy_to_memory(const char *path, struct error *err)
{
	off_t size = 0;
	int from = open_regular(path, &size, err), to;

	if (from < 0)
		return from;
	to = memfd_create("corepace-plugin", MFD_CLOEXEC);
	while (to >= 0 && size > 0) {
		ssize_t n = sendfile(to, from, NULL, (size_t)size);

		if (n <= 0) {
			close(to);
			to = -1;
			if (!n)
				errno = EIO;
		}
		size -= n;
	}
	close(from);
	if (to < 0)
		return error_set(err, errno, "%s: cannot copy: %s", path, strerror(errno));
	return to;
}

/* A name without a slash would be looked for in the system's library folders. */
static void *open_library(const char *path, int flags)
{
	char name[4096];

	if (snprintf(name, sizeof(name), "%s%s", strchr(path, '/') ? "" : "./", path) >=
		(int)sizeof(name))
		return NULL;
	return dlopen(name, flags);
}

/* What dlerror says after the file name. */
static const char *loader_message(void)
{
	const char *text = dlerror(), *colon = text ? strstr(text, ": ") : NULL;

	return colon ? colon + 2 : text ? text : "cannot be loaded";
}

static int image_open(struct plugin_image *image, const char *path, struct error *err)
{
	off_t size = 0;
	int fd = open_regular(path, &size, err);
	char name[64];
	void *loaded;

	if (fd < 0)
		return fd;
	close(fd);
	loaded = open_library(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
	if (loaded) {
		dlclose(loaded);
		image->fd = copy_to_memory(path, err);
		if (image->fd < 0)
			return image->fd;
		snprintf(name, sizeof(name), "/proc/self/fd/%d", image->fd);
		image->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	} else {
		image->library = open_library(path, RTLD_NOW | RTLD_LOCAL);
	}
	if (!image->library)
		return error_set(err, ENOEXEC, "%s: cannot be loaded: %s", path, loader_message());
	return 0;
}

static int check_policy(const char *path, const char *kind, const char *name, size_t state_size,
	bool has_hook, const char *hooks, struct error *err)
{
	if (!name || !*name)
		return error_set(err, EINVAL, "%s: the %s has no name", path, kind);
	if (!has_hook)
		return error_set(
			err, EINVAL, "%s: %s '%s' lacks the hook '%s'", path, kind, name, hooks);
	if (state_size > PLUGIN_STATE_MAX)
		return error_set(err, EINVAL, "%s: %s '%s' wants %zu bytes of state, at most %d",
			path, kind, name, state_size, PLUGIN_STATE_MAX);
	return 0;
}

static int check(const char *path, const struct corepace_plugin *plugin, struct error *err)
{
	const struct idle_governor *idle;
	const struct freq_governor *governor;
	const struct boost *boost;
	int r = 0;

	/* Nothing else may be read from the struct of another version. */
	if (plugin->abi != COREPACE_ABI)
		return error_set(err, ENOEXEC,
			"%s: built for plug-in interface %u, this corepace has %d: build it again",
			path, plugin->abi, COREPACE_ABI);
	idle = plugin->idle;
	governor = plugin->governor;
	boost = plugin->boost;
	if (!idle && !governor && !boost)
		return error_set(err, EINVAL,
			"%s: offers no policy: neither an idle governor nor a governor nor a boost",
			path);
	if (idle)
		r = check_policy(path, "idle governor", idle->name, idle->state_size,
			idle->select != NULL, "select", err);
	if (!r && governor)
		r = check_policy(path, "governor", governor->name,
			governor->state_size > PLUGIN_STATE_MAX
				? governor->state_size
				: governor->state_size + governor->cpu_state_size,
			governor->start || governor->limits || governor->on_util || governor->work,
			"start, limits, on_util or work", err);
	if (!r && boost)
		r = check_policy(path, "boost", boost->name, boost->state_size,
			boost->on_util != NULL, "on_util", err);
	return r;
}

int plugin_load(
	const char *path, const struct corepace_plugin **ret, void **ret_handle, struct error *err)
{
	const struct corepace_plugin *plugin;
	struct plugin_image *image = calloc(1, sizeof(*image));
	int r;

	if (!image)
		return error_set(err, ENOMEM, "%s: out of memory", path);
	image->fd = -1;
	r = image_open(image, path, err);
	if (!r) {
		plugin = dlsym(image->library, "corepace_plugin");
		if (!plugin)
			r = error_set(err, ENOEXEC,
				"%s: not a plug-in: it does not export 'corepace_plugin'", path);
		else
			r = check(path, plugin, err);
	}
	if (r) {
		plugin_unload(image);
		return r;
	}
	*ret = plugin;
	*ret_handle = image;
	return 0;
}

void plugin_unload(void *handle)
{
	struct plugin_image *image = handle;

	if (!image)
		return;
	if (image->library)
		dlclose(image->library);
	if (image->fd >= 0)
		close(image->fd);
	free(image);
}
