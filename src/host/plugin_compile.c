// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/plugin_compile.h"

#include "base/units.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 128, MESSAGES_MAX = 256 << 10, SOURCE_MAX = 8 << 20, PATH_SIZE = 4096 };

/* As the kernel is compiled, as far as it bears on what the code computes. */
static const char *const kernel_flags[] = { "-std=gnu11", "-O2", "-g", "-fPIC", "-shared",
	"-nostdinc", "-ffreestanding", "-fno-strict-aliasing", "-fno-strict-overflow",
	"-fno-delete-null-pointer-checks", "-fvisibility=hidden",
	"-Werror=implicit-function-declaration", "-Werror=implicit-int", "-Wl,-z,defs", NULL };

static const char *const own_flags[] = { "-std=gnu11", "-O2", "-g", "-fPIC", "-shared", "-Wall",
	"-Werror=implicit-function-declaration", "-Wl,-z,defs", NULL };

struct command {
	int nr;
	char *argv[ARGUMENTS_MAX + 1];
	char compiler[1024]; /* cut up; argv points here */
	char include[3][PATH_SIZE + 16];
	char glue[PATH_SIZE + 16];
};

/* What a file is, by what it names. */
enum source_kind {
	SOURCE_OWN,	  /* written for corepace/policy.h */
	SOURCE_IDLE,	  /* a kernel's idle governor */
	SOURCE_FREQ,	  /* a kernel's frequency governor */
	SOURCE_FREQ_PART, /* the same, without includes: the kernel compiles it inside another */
};

static void add(struct command *c, const char *argument)
{
	if (c->nr < ARGUMENTS_MAX)
		c->argv[c->nr++] = (char *)argument;
}

/* $CC may hold arguments, as make takes it: "ccache gcc -m64". */
static void add_compiler(struct command *c)
{
	const char *cc = getenv("CC");
	char *save = NULL;

	snprintf(c->compiler, sizeof(c->compiler), "%s", cc && *cc ? cc : "cc");
	for (char *word = strtok_r(c->compiler, " \t", &save); word;
		word = strtok_r(NULL, " \t", &save))
		add(c, word);
	if (!c->nr)
		add(c, "cc");
}

static void add_shim(struct command *c, const struct plugin_source *source, enum source_kind kind)
{
	bool freq = kind != SOURCE_IDLE;

	snprintf(c->include[0], sizeof(c->include[0]), "-I%s/freq/include", source->shim_dir);
	snprintf(c->include[1], sizeof(c->include[1]), "-I%s/include", source->shim_dir);
	snprintf(c->glue, sizeof(c->glue), "%s/%sglue.c", source->shim_dir, freq ? "freq/" : "");
	if (freq)
		add(c, c->include[0]);
	add(c, c->include[1]);
	if (kind == SOURCE_FREQ_PART) {
		add(c, "-include");
		add(c, "shim/scheduler.h");
	}
}

static int build_command(struct command *c, const struct plugin_source *source,
	enum source_kind kind, const char *output, struct error *err)
{
	bool kernel = kind != SOURCE_OWN;

	add_compiler(c);
	for (const char *const *flag = kernel ? kernel_flags : own_flags; *flag; flag++)
		add(c, *flag);
	if (kernel)
		add_shim(c, source, kind);
	snprintf(c->include[2], sizeof(c->include[2]), "-I%s", source->include_dir);
	add(c, c->include[2]);
	for (char *const *a = source->arguments; a && *a; a++)
		add(c, *a);
	add(c, "-o");
	add(c, output);
	add(c, source->path);
	for (char *const *other = source->others; other && *other; other++)
		add(c, *other);
	if (kernel)
		add(c, c->glue);
	if (c->nr == ARGUMENTS_MAX)
		return error_set(
			err, E2BIG, "more than %d arguments for the compiler", ARGUMENTS_MAX);
	return 0;
}

static enum source_kind kind_of(const char *text)
{
	if (strstr(text, "corepace/policy.h"))
		return SOURCE_OWN;
	if (!strstr(text, "struct cpufreq_governor"))
		return SOURCE_IDLE;
	return strstr(text, "#include") ? SOURCE_FREQ : SOURCE_FREQ_PART;
}

static int read_kind(const char *path, enum source_kind *ret, struct error *err)
{
	FILE *f = fopen(path, "re");
	char *text;
	size_t n;

	if (!f)
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	text = malloc(SOURCE_MAX + 1);
	n = text ? fread(text, 1, SOURCE_MAX, f) : 0;
	if (!text || ferror(f)) {
		int code = text ? errno : ENOMEM;

		free(text);
		fclose(f);
		return error_set(err, code, "%s: %s", path, strerror(code));
	}
	fclose(f);
	text[n] = 0;
	*ret = kind_of(text);
	free(text);
	return 0;
}

static void child(const struct command *c, int out)
{
	setenv("LC_ALL", "C", 1);
	if (dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0)
		_exit(127);
	execvp(c->argv[0], c->argv);
	_exit(127);
}

/* Reads to the end, and keeps what fits. */
static void read_messages(int fd, char *messages)
{
	size_t used = 0;
	char chunk[4096];

	for (;;) {
		ssize_t n = read(fd, chunk, sizeof(chunk));
		size_t keep;

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		keep = (size_t)n < MESSAGES_MAX - used ? (size_t)n : MESSAGES_MAX - used;
		memcpy(messages + used, chunk, keep);
		used += keep;
	}
	messages[used] = 0;
}

/*
 * Runs the compiler. While it runs an interrupt from the keyboard is for it, so that what it was
 * writing gets cleaned up here.
 */
static int run(const struct command *c, char *messages, struct error *err)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old_int, old_quit;
	int fds[2], status = 0;
	pid_t pid;

	if (pipe(fds))
		return error_set(err, errno, "pipe: %s", strerror(errno));
	sigaction(SIGINT, &ignore, &old_int);
	sigaction(SIGQUIT, &ignore, &old_quit);
	pid = fork();
	if (!pid) {
		sigaction(SIGINT, &old_int, NULL);
		sigaction(SIGQUIT, &old_quit, NULL);
		close(fds[0]);
		child(c, fds[1]);
	}
	close(fds[1]);
	if (pid > 0) {
		read_messages(fds[0], messages);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	close(fds[0]);
	sigaction(SIGINT, &old_int, NULL);
	sigaction(SIGQUIT, &old_quit, NULL);
	if (pid < 0)
		return error_set(err, errno, "fork: %s", strerror(errno));
	if (WIFSIGNALED(status))
		return error_set(err, EINTR, "%s was ended by signal %d (%s)", c->argv[0],
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status) == 127 && !*messages)
		return error_set(err, ENOENT, "no C compiler '%s' (set CC to one)", c->argv[0]);
	return WEXITSTATUS(status);
}

int plugin_compile(const struct plugin_source *source, const char *output,
	struct compile_report *ret, struct error *err)
{
	struct command *c = calloc(1, sizeof(*c));
	enum source_kind kind = SOURCE_OWN;
	int r;

	memset(ret, 0, sizeof(*ret));
	ret->messages = calloc(1, MESSAGES_MAX + 1);
	if (!c || !ret->messages)
		r = error_set(err, ENOMEM, "out of memory");
	else
		r = read_kind(source->path, &kind, err);
	if (!r)
		r = build_command(c, source, kind, output, err);
	if (!r)
		r = run(c, ret->messages, err);
	free(c);
	if (r <= 0)
		return r;
	if (kind != SOURCE_OWN)
		compile_missing(ret->messages, ret->missing, sizeof(ret->missing));
	if (ret->missing[0])
		return error_set(err, ENOEXEC, "%s: does not compile; missing in the shim: %s",
			source->path, ret->missing);
	return error_set(err, ENOEXEC, "%s: does not compile", source->path);
}

void compile_report_release(struct compile_report *report)
{
	free(report->messages);
	report->messages = NULL;
}
