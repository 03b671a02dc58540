// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/instance.h"
#include "host/dat_writer.h"
#include "host/readfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <tracefs.h>
#include <unistd.h>

#define NAME_PREFIX "corepace-"
#define DEFAULT_DIR "/sys/kernel/tracing"

enum { BUFFER_KB_MIN = 1408, BUFFER_KB_DEFAULT = 64 << 10, FILL_PERCENT = 50 };

/* ---- tracefs itself -------------------------------------------------------------------- */

/* Where it is mounted, wherever that is. */
static bool find_mount(char *dir, size_t size)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *entry;
	bool found = false;

	if (!mounts)
		return false;
	while (!found && (entry = getmntent(mounts))) {
		if (strcmp(entry->mnt_type, "tracefs") || strlen(entry->mnt_dir) >= size)
			continue;
		snprintf(dir, size, "%s", entry->mnt_dir);
		found = true;
	}
	endmntent(mounts);
	return found;
}

static int find_tracefs(struct instance *in, struct error *err)
{
	char path[PATH_MAX];
	int code;

	tracefs_set_loglevel(TEP_LOG_NONE);
	if (!find_mount(in->tracing_dir, sizeof(in->tracing_dir))) {
		if (geteuid())
			return error_set(err, EPERM,
				"not root: tracefs is not mounted and only root can mount it");
		if (mount("tracefs", DEFAULT_DIR, "tracefs", 0, NULL))
			return error_set(err, errno, "%s: tracefs cannot be mounted: %s",
				DEFAULT_DIR, strerror(errno));
		snprintf(in->tracing_dir, sizeof(in->tracing_dir), DEFAULT_DIR);
		in->mounted = true;
	}
	if (tracefs_set_tracing_dir(in->tracing_dir))
		return error_set(err, ENOMEM, "out of memory");
	snprintf(path, sizeof(path), "%s/instances", in->tracing_dir);
	if (!access(path, W_OK))
		return 0;
	code = errno;
	if (code == EACCES || code == EPERM)
		return error_set(err, code, "not root: %s is not writable", path);
	return error_set(err, code, "%s: %s", path, strerror(code));
}

/* ---- left-over instances --------------------------------------------------------------- */

/* The maker of an instance holds its lock, except for a moment after making it. */
static bool is_stale(const char *path, const char *pid_text)
{
	char comm_path[64], comm[32];
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool locked;

	if (fd < 0)
		return false;
	locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
	close(fd);
	if (!locked)
		return false;
	if (strtol(pid_text, NULL, 10) == getpid())
		return true;
	snprintf(comm_path, sizeof(comm_path), "/proc/%ld/comm", strtol(pid_text, NULL, 10));
	return host_read_text("", comm_path, comm, sizeof(comm)) < 0 || strcmp(comm, "corepace");
}

static int remove_stale(const char *tracing_dir)
{
	char dir[PATH_MAX], path[PATH_MAX];
	struct dirent *entry;
	int removed = 0;
	DIR *list;

	snprintf(dir, sizeof(dir), "%s/instances", tracing_dir);
	list = opendir(dir);
	if (!list)
		return 0;
	while ((entry = readdir(list))) {
		if (strncmp(entry->d_name, NAME_PREFIX, strlen(NAME_PREFIX)))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		if (is_stale(path, entry->d_name + strlen(NAME_PREFIX)) && !rmdir(path))
			removed++;
	}
	closedir(list);
	return removed;
}

/* ---- setting up ------------------------------------------------------------------------ */

uint64_t instance_default_kb(uint64_t available_kb, int nr_cpus)
{
	/* An eighth of what is free for all buffers together leaves the workload its memory. */
	uint64_t kb = available_kb / 8 / (nr_cpus > 0 ? nr_cpus : 1);

	if (kb > BUFFER_KB_DEFAULT)
		return BUFFER_KB_DEFAULT;
	return kb < BUFFER_KB_MIN ? BUFFER_KB_MIN : kb;
}

uint64_t instance_choose_kb(int nr_cpus)
{
	unsigned long long kb = 0;
	char text[4096], *line;

	if (host_read_text("", "/proc/meminfo", text, sizeof(text)) < 0)
		text[0] = '\0';
	line = strstr(text, "MemAvailable:");
	if (line)
		sscanf(line, "MemAvailable: %llu", &kb);
	return instance_default_kb(kb, nr_cpus);
}

static int count_cpus(struct instance *in)
{
	char path[PATH_MAX];
	int n = 0;

	for (;; n++) {
		snprintf(path, sizeof(path), "%s/per_cpu/cpu%d", in->dir, n);
		if (access(path, F_OK))
			return n;
	}
}

static int write_file(struct instance *in, const char *file, const char *text, struct error *err)
{
	if (tracefs_instance_file_write(in->tracefs, file, text) >= 0)
		return 0;
	return error_set(err, errno ? errno : EIO, "%s/%s: cannot write '%s': %s", in->dir, file,
		text, strerror(errno ? errno : EIO));
}

/* Whether an event is enabled in the tracing directory, or in what looks like one. */
static bool is_tracing(const char *dir)
{
	char text[8];

	return host_read_text(dir, "/events/enable", text, sizeof(text)) < 0 || strcmp(text, "0");
}

static bool somebody_traces(const struct instance *in)
{
	bool found = is_tracing(in->tracing_dir);
	char dir[PATH_MAX];
	struct dirent *entry;
	DIR *list;

	snprintf(dir, sizeof(dir), "%s/instances", in->tracing_dir);
	list = opendir(dir);
	if (!list)
		return true;
	while (!found && (entry = readdir(list))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(dir, sizeof(dir), "%s/instances/%s", in->tracing_dir, entry->d_name);
		found = is_tracing(dir);
	}
	closedir(list);
	return found;
}

/*
 * The kernel remembers the names of the tasks that it traces, which costs as much as a quarter of
 * all tracing; the names are in the events as well. Switching that off reaches every instance
 * that traces at that moment, hence only when there is none.
 */
static void forget_names(struct instance *in)
{
	if (!somebody_traces(in))
		tracefs_instance_file_write(in->tracefs, "trace_options", "norecord-cmd");
}

/* An instance begins with the options of the main buffer, whatever somebody made of them. */
static int set_options(struct instance *in, struct error *err)
{
	int code = write_file(in, "trace_options", "overwrite", err);

	if (!code)
		code = write_file(in, "trace_options", "markers", err);
	if (!code)
		forget_names(in);
	return code;
}

static int size_buffers(struct instance *in, uint64_t kb, struct error *err)
{
	char text[32];
	int code;

	in->buffer_kb = kb ? kb : instance_choose_kb(sysconf(_SC_NPROCESSORS_ONLN));
	/* The pages' size stands once in the file, for the kernel's main buffer: follow that. */
	if (tracefs_file_exists(in->tracefs, "buffer_subbuf_size_kb")) {
		snprintf(text, sizeof(text), "%zu", in->page_size / 1024);
		code = write_file(in, "buffer_subbuf_size_kb", text, err);
		if (code)
			return code;
	}
	if (tracefs_instance_set_buffer_size(in->tracefs, in->buffer_kb, -1))
		return error_set(err, ENOMEM,
			"no memory for trace buffers of %llu KB per CPU: "
			"try a smaller -b",
			(unsigned long long)in->buffer_kb);
	in->waits_for_fill = tracefs_file_exists(in->tracefs, "buffer_percent");
	if (!in->waits_for_fill)
		return 0;
	snprintf(text, sizeof(text), "%d", FILL_PERCENT);
	return write_file(in, "buffer_percent", text, err);
}

static int enable_events(
	struct instance *in, const struct recorded_event *events, struct error *err)
{
	for (const struct recorded_event *ev = events; ev->system; ev++) {
		if (!tracefs_event_enable(in->tracefs, ev->system, ev->name)) {
			in->events[in->nr_events++] = ev;
			continue;
		}
		if (ev->required)
			return error_set(err, ENOENT,
				"the kernel has no event %s:%s, without "
				"which no recording is possible",
				ev->system, ev->name);
		in->missing[in->nr_missing++] = ev;
	}
	return 0;
}

static int set_up(struct instance *in, const struct instance_options *o, struct error *err)
{
	int code = trace_page_size(in->tracing_dir, &in->page_size, err);

	if (code)
		return code;
	in->nr_cpus = count_cpus(in);
	if (!in->nr_cpus)
		return error_set(err, ENOENT, "%s/per_cpu: no CPU", in->dir);
	code = instance_off(in, err);
	if (!code)
		code = write_file(in, "trace_clock", o->clock, err);
	if (!code)
		code = size_buffers(in, o->buffer_kb, err);
	if (!code)
		code = set_options(in, err);
	if (code)
		return code;
	code = enable_events(in, o->events ? o->events : recorded_events, err);
	if (code)
		return code;
	in->marker_fd =
		tracefs_instance_file_open(in->tracefs, "trace_marker", O_WRONLY | O_CLOEXEC);
	if (in->marker_fd < 0)
		return error_set(err, errno, "%s/trace_marker: %s", in->dir, strerror(errno));
	return 0;
}

int instance_open(struct instance *in, const struct instance_options *options, struct error *err)
{
	char name[32];
	int code;

	*in = (struct instance){ .lock_fd = -1, .marker_fd = -1 };
	code = find_tracefs(in, err);
	if (code)
		goto fail;
	in->nr_stale = remove_stale(in->tracing_dir);
	snprintf(name, sizeof(name), NAME_PREFIX "%d", (int)getpid());
	snprintf(in->dir, sizeof(in->dir), "%s/instances/%s", in->tracing_dir, name);
	in->tracefs = tracefs_instance_create(name);
	if (!in->tracefs) {
		code = error_set(
			err, errno ? errno : EIO, "%s: %s", in->dir, strerror(errno ? errno : EIO));
		goto fail;
	}
	in->lock_fd = open(in->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (in->lock_fd >= 0)
		flock(in->lock_fd, LOCK_EX | LOCK_NB);
	code = set_up(in, options, err);
	if (code)
		goto fail;
	return 0;
fail:
	instance_close(in);
	return code;
}

/* ---- while it is open ------------------------------------------------------------------ */

int instance_on(struct instance *in, struct error *err)
{
	return write_file(in, "tracing_on", "1", err);
}

int instance_off(struct instance *in, struct error *err)
{
	return write_file(in, "tracing_on", "0", err);
}

void instance_mark(struct instance *in, const char *text)
{
	/* A marker that does not get in costs the start and end of the command, no event. */
	if (write(in->marker_fd, text, strlen(text)) < 0)
		return;
}

void instance_parse_stats(const char *text, struct instance_stats *ret)
{
	static const struct {
		const char *key;
		size_t offset;
	} fields[] = {
		{ "entries: ", offsetof(struct instance_stats, entries) },
		{ "read events: ", offsetof(struct instance_stats, read) },
		{ "overrun: ", offsetof(struct instance_stats, lost) },
		{ "commit overrun: ", offsetof(struct instance_stats, lost) },
		{ "dropped events: ", offsetof(struct instance_stats, lost) },
	};

	*ret = (struct instance_stats){ 0 };
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
			size_t len = strlen(fields[i].key);

			if (!strncmp(line, fields[i].key, len))
				*(uint64_t *)((char *)ret + fields[i].offset) +=
					strtoull(line + len, NULL, 10);
		}
	}
}

int instance_stats(
	struct instance *in, int cpu, struct instance_stats *ret, char *text, size_t size)
{
	char path[64], buf[1024];
	int code;

	if (!text) {
		text = buf;
		size = sizeof(buf);
	}
	snprintf(path, sizeof(path), "/per_cpu/cpu%d/stats", cpu);
	code = host_read_text(in->dir, path, text, size);
	if (code < 0)
		return code;
	instance_parse_stats(text, ret);
	return 0;
}

void instance_close(struct instance *in)
{
	if (in->marker_fd >= 0)
		close(in->marker_fd);
	if (in->tracefs) {
		tracefs_trace_off(in->tracefs);
		tracefs_instance_destroy(in->tracefs);
		tracefs_instance_free(in->tracefs);
	}
	if (in->lock_fd >= 0)
		close(in->lock_fd);
	if (in->mounted)
		umount(in->tracing_dir);
	*in = (struct instance){ .lock_fd = -1, .marker_fd = -1 };
}
