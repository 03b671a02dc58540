// SPDX-License-Identifier: GPL-2.0-or-later
/* Builds a plug-in: compiled in a folder beside the output, tried out, then renamed. */
#include "cmd/cmd.h"
#include "cmd/plugins.h"
#include "host/plugin.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

/* What the child that tries the plug-in tells. */
struct trial {
	int result;
	struct error err;
	char idle[64], governor[64];
	size_t state_size;
};

static void try_to_load(const char *file, struct trial *trial)
{
	const struct corepace_plugin *plugin;
	void *handle;

	trial->result = plugin_load(file, &plugin, &handle, &trial->err);
	if (trial->result)
		return;
	if (plugin->governor) {
		snprintf(trial->governor, sizeof(trial->governor), "%s", plugin->governor->name);
		trial->state_size = plugin->governor->state_size + plugin->governor->cpu_state_size;
	}
	if (plugin->idle) {
		snprintf(trial->idle, sizeof(trial->idle), "%s", plugin->idle->name);
		trial->state_size = plugin->idle->state_size;
	}
}

/* In a child: the constructors of a plug-in nobody has tried yet may do anything. */
static int try_in_child(const char *file, struct trial *trial, struct error *err)
{
	int fds[2], status = 0;
	ssize_t n = 0;
	pid_t pid;

	if (pipe(fds))
		return error_set(err, errno, "pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		close(fds[0]);
		for (int i = 1; i < 32; i++)
			signal(i, SIG_DFL);
		try_to_load(file, trial);
		_exit(write(fds[1], trial, sizeof(*trial)) != (ssize_t)sizeof(*trial));
	}
	close(fds[1]);
	if (pid > 0) {
		n = read(fds[0], trial, sizeof(*trial));
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	close(fds[0]);
	if (pid < 0)
		return error_set(err, errno, "fork: %s", strerror(errno));
	if (WIFSIGNALED(status))
		return error_set(err, ENOEXEC, "crashed in its constructors (SIG%s)",
			sigabbrev_np(WTERMSIG(status)));
	if (n != (ssize_t)sizeof(*trial))
		return error_set(err, ENOEXEC, "ended the program in its constructors");
	return 0;
}

/* The loader names the file in the folder, which nobody sees: the source instead. */
static int name_source(
	const char *file, const char *source, const struct trial *trial, struct error *err)
{
	size_t length = strlen(file);
	const char *tail = trial->err.text;

	if (!strncmp(tail, file, length))
		tail += length;
	return error_set(err, -trial->result, "%s%s", source, tail);
}

static int build_in(const char *folder, char *const *sources, const char *output,
	char *const *arguments, struct plugin_built *ret, struct error *err)
{
	char shim[PATH_SIZE], include[PATH_SIZE], file[PATH_SIZE + 16];
	struct plugin_source s = {
		.path = sources[0],
		.others = sources + 1,
		.shim_dir = data_dir("kernel-shim", shim, sizeof(shim)),
		.include_dir = data_dir("include", include, sizeof(include)),
		.arguments = arguments,
	};
	struct trial trial = { 0 };
	int r;

	snprintf(file, sizeof(file), "%s/plugin.so", folder);
	r = plugin_compile(&s, file, &ret->report, err);
	if (!r) {
		r = try_in_child(file, &trial, err);
		if (r)
			error_prefix(err, r, "%s", sources[0]);
		else if (trial.result)
			r = name_source(file, sources[0], &trial, err);
	}
	if (!r && rename(file, output))
		r = error_set(err, errno, "%s: %s", output, strerror(errno));
	if (r) {
		unlink(file);
		return r;
	}
	memcpy(ret->idle, trial.idle, sizeof(ret->idle));
	memcpy(ret->governor, trial.governor, sizeof(ret->governor));
	ret->state_size = trial.state_size;
	return 0;
}

int plugin_build(char *const *sources, const char *output, char *const *arguments,
	struct plugin_built *ret, struct error *err)
{
	char folder[PATH_SIZE];
	struct stat st;
	int r;

	memset(ret, 0, sizeof(*ret));
	if (!stat(output, &st) && !S_ISREG(st.st_mode))
		return error_set(err, EINVAL, "%s: is there and not a regular file", output);
	if (snprintf(folder, sizeof(folder), "%s.XXXXXX", output) >= (int)sizeof(folder))
		return error_set(err, ENAMETOOLONG, "%s: name too long", output);
	if (!mkdtemp(folder))
		return error_set(err, errno, "%s: cannot be written: %s", output, strerror(errno));
	r = build_in(folder, sources, output, arguments, ret, err);
	rmdir(folder);
	return r;
}
