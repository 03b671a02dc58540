// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/scratch.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OPEN_FOLDERS = 16, REMOVE_TRIES = 20, REMOVE_PAUSE_US = 100000 };

static const int interrupts[] = { SIGINT, SIGTERM, SIGHUP };
enum { INTERRUPTS = sizeof(interrupts) / sizeof(interrupts[0]) };

/* For the handler. */
static volatile sig_atomic_t worker, interrupted_by;

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	return remove(path) && errno != ENOENT ? -1 : 0;
}

void scratch_remove(const char *folder)
{
	/* A compiler that outlived who had called it may still be writing. */
	for (int i = 0; i < REMOVE_TRIES; i++) {
		if (!nftw(folder, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) ||
			errno == ENOENT)
			return;
		usleep(REMOVE_PAUSE_US);
	}
}

/*
 * The worker has nothing to clean up. It is not sent the same signal: it may ignore that one, as
 * whoever waits for a compiler does.
 */
static void on_interrupt(int number)
{
	interrupted_by = number;
	if (worker)
		kill(worker, SIGKILL);
}

static void watch_interrupts(struct sigaction *old)
{
	struct sigaction action = { .sa_handler = on_interrupt };

	sigemptyset(&action.sa_mask);
	for (int i = 0; i < INTERRUPTS; i++)
		sigaction(interrupts[i], NULL, &old[i]);
	for (int i = 0; i < INTERRUPTS; i++)
		if (old[i].sa_handler != SIG_IGN) /* nohup */
			sigaction(interrupts[i], &action, NULL);
}

static void restore_interrupts(const struct sigaction *old)
{
	for (int i = 0; i < INTERRUPTS; i++)
		sigaction(interrupts[i], &old[i], NULL);
}

static int make_folder(const char *name, char *folder, size_t size, struct error *err)
{
	const char *dir = getenv("TMPDIR");

	if (!dir || !*dir)
		dir = "/tmp";
	if (snprintf(folder, size, "%s/%s.XXXXXX", dir, name) >= (int)size)
		return error_set(err, ENAMETOOLONG, "TMPDIR: name too long");
	if (!mkdtemp(folder))
		return error_set(err, errno, "%s: %s", folder, strerror(errno));
	return 0;
}

static int wait_for_worker(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return status;
}

int scratch_run(const char *name, int (*work)(void *ctx, const char *folder), void *ctx, int failed,
	struct error *err)
{
	struct sigaction old[INTERRUPTS];
	char folder[PATH_MAX];
	int *result, rc;
	sigset_t all, mask;
	pid_t pid;

	result = mmap(
		NULL, sizeof(*result), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (result == MAP_FAILED)
		return error_set(err, ENOMEM, "out of memory");
	*result = failed;
	sigfillset(&all);
	/* Nothing may come between the folder, the fork and the handler's knowing of them. */
	sigprocmask(SIG_BLOCK, &all, &mask);
	rc = make_folder(name, folder, sizeof(folder), err);
	fflush(NULL);
	pid = rc ? -1 : fork();
	if (!pid) {
		sigprocmask(SIG_SETMASK, &mask, NULL);
		*result = work(ctx, folder);
		fflush(NULL);
		_exit(0);
	}
	if (!rc && pid < 0)
		rc = error_set(err, errno, "fork: %s", strerror(errno));
	worker = pid > 0 ? pid : 0;
	watch_interrupts(old);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (pid > 0) {
		wait_for_worker(pid);
		worker = 0;
		scratch_remove(folder);
		rc = *result;
	}
	restore_interrupts(old);
	munmap(result, sizeof(*result));
	if (interrupted_by)
		raise(interrupted_by);
	return rc;
}
