/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a git tree, any clone of it, also a bare one, through the git command. Nothing goes through
 * a shell, and what a user names is never taken for an option. Nothing is written to the tree.
 *
 * Order of calls: git_open, then the others in any order. All return -EINTR when git was ended by a
 * signal.
 */
#pragma once

#include "base/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum { GIT_ID_MAX = 65, GIT_SUBJECT_MAX = 160 };

struct git {
	char top[PATH_MAX];   /* of the work tree, or of the bare repository */
	bool own_environment; /* the caller named no folder: GIT_DIR and the like hold */
};

struct git_commit {
	char id[GIT_ID_MAX]; /* whole */
	char date[40];	     /* the author's */
	char subject[GIT_SUBJECT_MAX];
	int nr_parents; /* in the log */
	int *parents;	/* each before its children */
};

struct git_log {
	int nr;
	struct git_commit *commits; /* oldest first */
};

/* folder: any in the tree; NULL: where git itself looks. */
int git_open(const char *folder, struct git *ret, struct error *err);

/* The commit that a revision names. -ENOENT: none. */
int git_commit(
	const struct git *git, const char *revision, struct git_commit *ret, struct error *err);

/* The best common ancestor of two commits. -ENOENT: they have none. */
int git_merge_base(
	const struct git *git, const char *a, const char *b, char *ret_id, struct error *err);

/*
 * The commits of good..bad that change any of the paths (literal, from the top; NULL-terminated),
 * and the merges that tie them together.
 */
int git_log(const struct git *git, const char *good, const char *bad, const char *const *paths,
	struct git_log *ret, struct error *err);
void git_log_release(struct git_log *log);

/*
 * A file as it is in a commit, or with id NULL in the work tree; ends in a 0 that ret_size does not
 * count. -ENOENT: it is not there.
 */
int git_file(const struct git *git, const char *id, const char *path, char **ret, size_t *ret_size,
	struct error *err);

/* What may stand for a file of the tree: not absolute, without "..", not like an option. */
bool git_path_ok(const char *path);
