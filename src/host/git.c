// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/git.h"

#include "base/array.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 32, OUTPUT_MAX = 64 << 20 };

/* What would make git look elsewhere than in the folder that was named. */
static const char *const elsewhere[] = { "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE",
	"GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE", "GIT_PREFIX", NULL };

struct output {
	char *text;
	size_t size;
};

static void run_child(const struct git *git, char *const *argv, int out, int messages)
{
	int nothing = open("/dev/null", O_RDONLY);

	for (const char *const *name = elsewhere; *name && !git->own_environment; name++)
		unsetenv(*name);
	setenv("LC_ALL", "C", 1);
	setenv("GIT_OPTIONAL_LOCKS", "0", 1);
	setenv("GIT_TERMINAL_PROMPT", "0", 1);
	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
		dup2(messages, STDERR_FILENO) < 0)
		_exit(127);
	execvp(argv[0], argv);
	_exit(127);
}

static int read_all(int fd, struct output *ret, struct error *err)
{
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) || st.st_size > OUTPUT_MAX)
		return error_set(err, EFBIG, "git: more than %d MB of output", OUTPUT_MAX >> 20);
	ret->text = malloc((size_t)st.st_size + 1);
	if (!ret->text)
		return error_set(err, ENOMEM, "out of memory");
	n = pread(fd, ret->text, (size_t)st.st_size, 0);
	if (n != st.st_size) {
		free(ret->text);
		return error_set(err, EIO, "git: its output cannot be read");
	}
	ret->text[n] = 0;
	ret->size = (size_t)n;
	return 0;
}

/* git's first complaint, without its "fatal: ". */
static int complain(int fd, const char *what, struct error *err)
{
	char text[2048], *line;
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = 0;
	text[strcspn(text, "\n")] = 0;
	line = strncmp(text, "fatal: ", 7) ? text : text + 7;
	return error_set(err, EIO, "git %s: %s", what, *line ? line : "failed");
}

static int wait_for(pid_t pid, int messages, const char *what, struct error *err)
{
	char first;
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return error_set(err, errno, "git: %s", strerror(errno));
	if (WIFSIGNALED(status))
		return error_set(err, EINTR, "git %s: ended by signal %d", what, WTERMSIG(status));
	if (WEXITSTATUS(status) == 127 && pread(messages, &first, 1, 0) == 0)
		return error_set(err, ENOENT, "no git here: install it");
	return WEXITSTATUS(status);
}

/*
 * Runs git with arguments up to a NULL, the first one being its command. Both outputs go to
 * nameless memory, so neither can block the other. allowed: an exit status beside 0 that is
 * returned, 0: none.
 */
static int run(const struct git *git, const char *const *arguments, int allowed, struct output *ret,
	struct error *err)
{
	const char *argv[ARGUMENTS_MAX + 8] = { "git", "--no-pager", "--literal-pathspecs" };
	int out = memfd_create("git-output", MFD_CLOEXEC);
	int messages = memfd_create("git-messages", MFD_CLOEXEC);
	int nr = 3, rc;
	pid_t pid;

	if (*git->top) {
		argv[nr++] = "-C";
		argv[nr++] = git->top;
	}
	for (int i = 0; i < ARGUMENTS_MAX && arguments[i]; i++)
		argv[nr++] = arguments[i];
	argv[nr] = NULL;
	pid = out < 0 || messages < 0 ? -1 : fork();
	if (!pid)
		run_child(git, (char *const *)argv, out, messages);
	rc = pid < 0 ? error_set(err, errno, "git: %s", strerror(errno))
		     : wait_for(pid, messages, arguments[0], err);
	if (rc > 0 && rc != allowed)
		rc = complain(messages, arguments[0], err);
	if (!rc)
		rc = read_all(out, ret, err);
	close(out);
	close(messages);
	return rc;
}

/* A command that prints one line. */
static int run_line(const struct git *git, const char *const *arguments, int allowed, char *ret,
	size_t size, struct error *err)
{
	struct output out;
	int rc = run(git, arguments, allowed, &out, err);

	if (rc)
		return rc;
	out.text[strcspn(out.text, "\n")] = 0;
	if (strlen(out.text) >= size)
		rc = error_set(err, ENAMETOOLONG, "git %s: line too long", arguments[0]);
	else
		strcpy(ret, out.text);
	free(out.text);
	return rc;
}

int git_open(const char *folder, struct git *ret, struct error *err)
{
	static const char *const top[] = { "rev-parse", "--show-toplevel", NULL };
	static const char *const bare[] = { "rev-parse", "--absolute-git-dir", NULL };
	struct git git = { .own_environment = !folder };
	char found[PATH_MAX];
	int rc;

	/* git -C "" would stay where it is. */
	if (folder && (!*folder || strlen(folder) >= sizeof(git.top)))
		return error_set(err, EINVAL, "'%s': expected a folder", folder);
	strcpy(git.top, folder ? folder : "");
	rc = run_line(&git, top, 0, found, sizeof(found), err);
	if (rc == -EIO)
		rc = run_line(&git, bare, 0, found, sizeof(found), err);
	if (rc)
		return rc;
	strcpy(git.top, found);
	*ret = git;
	return 0;
}

bool git_path_ok(const char *path)
{
	size_t length = strlen(path);

	return *path && *path != '/' && *path != '-' && strncmp(path, "./", 2) &&
	       strncmp(path, "../", 3) && !strstr(path, "/../") && !strstr(path, "//") &&
	       strcmp(path, "..") && strcmp(path, ".") && path[length - 1] != '/';
}

static void copy_clean(char *to, size_t size, const char *from)
{
	size_t cut = size - 1;

	snprintf(to, size, "%s", from);
	/* Not in the middle of a UTF-8 character. */
	if (strlen(from) > cut) {
		while (cut && ((unsigned char)from[cut] & 0xc0) == 0x80)
			cut--;
		to[cut] = 0;
	}
	for (; *to; to++)
		if ((unsigned char)*to < 0x20 || *to == 0x7f)
			*to = '?';
}

static int find(const struct git_log *log, int nr, const char *id)
{
	/* Parents are mostly near. */
	for (int i = nr - 1; i >= 0; i--)
		if (!strcmp(log->commits[i].id, id))
			return i;
	return -1;
}

/* "commit ID PARENT..."; parents outside the log do not count. */
static int parse_ids(struct git_log *log, char *line, struct git_commit *c)
{
	char *save = NULL, *word = strtok_r(line, " ", &save);

	word = strtok_r(NULL, " ", &save);
	if (!word || strlen(word) >= sizeof(c->id))
		return -EINVAL;
	strcpy(c->id, word);
	while ((word = strtok_r(NULL, " ", &save))) {
		int parent = find(log, log->nr, word);
		int *parents;

		if (parent < 0)
			continue;
		parents = array_grow(c->parents, (size_t)c->nr_parents, sizeof(*parents));
		if (!parents)
			return -ENOMEM;
		c->parents = parents;
		c->parents[c->nr_parents++] = parent;
	}
	return 0;
}

/* Two lines a commit: its ids, then date, tab, subject. */
static int parse_log(char *text, struct git_log *log)
{
	char *save = NULL;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		struct git_commit c = { .nr_parents = 0 }, *commits;
		char *facts, *tab;
		int rc = parse_ids(log, line, &c);

		facts = strtok_r(NULL, "\n", &save);
		tab = facts ? strchr(facts, '\t') : NULL;
		commits = array_grow(log->commits, (size_t)log->nr, sizeof(*commits));
		if (commits)
			log->commits = commits;
		if (rc || !tab || !commits) {
			free(c.parents);
			return rc ? rc : commits ? -EINVAL : -ENOMEM;
		}
		*tab = 0;
		copy_clean(c.date, sizeof(c.date), facts);
		copy_clean(c.subject, sizeof(c.subject), tab + 1);
		log->commits[log->nr++] = c;
	}
	return 0;
}

static int run_log(
	const struct git *git, const char *const *arguments, struct git_log *ret, struct error *err)
{
	struct git_log log = { 0 };
	struct output out;
	int rc = run(git, arguments, 0, &out, err);

	if (rc)
		return rc;
	rc = parse_log(out.text, &log);
	free(out.text);
	if (rc) {
		git_log_release(&log);
		return error_set(err, -rc, "git rev-list: %s",
			rc == -ENOMEM ? "out of memory" : "unexpected output");
	}
	*ret = log;
	return 0;
}

#define LOG_FORMAT "--encoding=UTF-8", "--date=iso", "--format=%ad%x09%s"

int git_log(const struct git *git, const char *good, const char *bad, const char *const *paths,
	struct git_log *ret, struct error *err)
{
	const char *arguments[ARGUMENTS_MAX + 1] = { "rev-list", "--parents", "--topo-order",
		"--reverse", LOG_FORMAT };
	char range[2 * GIT_ID_MAX + 4];
	int nr = 7;

	snprintf(range, sizeof(range), "%s..%s", good, bad);
	arguments[nr++] = "--end-of-options";
	arguments[nr++] = range;
	arguments[nr++] = "--";
	for (; *paths; paths++) {
		if (nr == ARGUMENTS_MAX)
			return error_set(err, E2BIG, "git rev-list: too many paths");
		arguments[nr++] = *paths;
	}
	return run_log(git, arguments, ret, err);
}

void git_log_release(struct git_log *log)
{
	for (int i = 0; i < log->nr; i++)
		free(log->commits[i].parents);
	free(log->commits);
	*log = (struct git_log){ 0 };
}

int git_commit(
	const struct git *git, const char *revision, struct git_commit *ret, struct error *err)
{
	char name[512], id[GIT_ID_MAX];
	const char *const verify[] = { "rev-parse", "--verify", "--quiet", "--end-of-options", name,
		NULL };
	const char *const show[] = { "rev-list", "--max-count=1", LOG_FORMAT, "--end-of-options",
		id, "--", NULL };
	struct git_log log;
	int rc;

	if (*revision == '-' || !*revision ||
		snprintf(name, sizeof(name), "%s^{commit}", revision) >= (int)sizeof(name))
		return error_set(err, EINVAL, "'%s': expected a revision", revision);
	rc = run_line(git, verify, 1, id, sizeof(id), err);
	if (rc > 0)
		return error_set(err, ENOENT, "'%s': no such revision in %s", revision, git->top);
	rc = rc ? rc : run_log(git, show, &log, err);
	if (rc)
		return rc;
	if (log.nr != 1)
		rc = error_set(err, EIO, "git rev-list: unexpected output for %s", id);
	else
		*ret = log.commits[0];
	free(log.commits);
	return rc;
}

int git_merge_base(
	const struct git *git, const char *a, const char *b, char *ret_id, struct error *err)
{
	const char *const arguments[] = { "merge-base", "--end-of-options", a, b, NULL };
	int rc = run_line(git, arguments, 1, ret_id, GIT_ID_MAX, err);

	return rc > 0 ? error_set(err, ENOENT, "%s and %s have no common ancestor", a, b) : rc;
}

/* Fails like git_file, so that a file that a commit does not have is told from a broken tree. */
static int blob(
	const struct git *git, const char *id, const char *path, char *ret_blob, struct error *err)
{
	char *name = NULL;
	int rc;

	if (asprintf(&name, "%s:%s", id, path) < 0)
		return error_set(err, ENOMEM, "out of memory");
	rc = run_line(git,
		(const char *const[]){
			"rev-parse", "--verify", "--quiet", "--end-of-options", name, NULL },
		1, ret_blob, GIT_ID_MAX, err);
	free(name);
	return rc > 0 ? error_set(err, ENOENT, "no %s in %.12s", path, id) : rc;
}

static int work_tree_file(
	const struct git *git, const char *path, struct output *out, struct error *err)
{
	char *name = NULL;
	int fd, rc;

	if (asprintf(&name, "%s/%s", git->top, path) < 0)
		return error_set(err, ENOMEM, "out of memory");
	fd = open(name, O_RDONLY | O_CLOEXEC);
	rc = fd < 0 ? error_set(err, errno, "%s: %s", name, strerror(errno))
		    : read_all(fd, out, err);
	if (fd >= 0)
		close(fd);
	free(name);
	return rc;
}

int git_file(const struct git *git, const char *id, const char *path, char **ret, size_t *ret_size,
	struct error *err)
{
	char object[GIT_ID_MAX];
	struct output out;
	int rc;

	if (!id) {
		rc = work_tree_file(git, path, &out, err);
	} else {
		rc = blob(git, id, path, object, err);
		if (!rc)
			rc = run(git, (const char *const[]){ "cat-file", "blob", object, NULL }, 0,
				&out, err);
	}
	if (rc)
		return rc;
	*ret = out.text;
	*ret_size = out.size;
	return 0;
}
