/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One machine as files, read only: the live one, a folder that looks like its root, or a capture
 * that somebody sent. Nothing is written, nothing blocks, nothing outside is reached, memory is
 * bounded. Only files that doctor/paths.h lists are read (asserted).
 *
 * Recognised, by what is there:
 *   (none)                         the live machine
 *   FOLDER with sys/ or proc/      a root; also one such folder within FOLDER
 *   FOLDER with root/              that root, with dmesg.txt, msr.txt, acpi.txt, errors.txt beside
 * it FOLDER with sys/inlinefiles.txt  "ro|PATH|VALUE" lines, msr/msr.txt a tar (plain, gz, xz, zst)
 * any of these at any depth, such as a sosreport
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tree;

struct tree_sources {
	const char *where; /* folder or archive; NULL: the live machine */
	/* Files that take the place of those beside the root, or NULL. */
	const char *dmesg, *msr, *acpi;
};

/* 0 or -errno with one line. */
int tree_open(const struct tree_sources *from, struct tree **ret, struct error *err);
struct tree *tree_free(struct tree *tree);

bool tree_is_live(const struct tree *tree);

/* How messages call it: "this machine", or the path given. */
const char *tree_name(const struct tree *tree);

/*
 * A file's text, trailing white space cut. Its length (0: there is nothing in the file), or -errno:
 * -ENOENT, -EACCES, -EBUSY ... as reading it failed, here or when it was captured; -EFBIG when it
 * does not fit; -EILSEQ when it is no text (it holds a NUL). Paths begin with a slash.
 */
int tree_read(struct tree *tree, char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* A file that holds one whole number, possibly signed. 0, -errno as above, -EINVAL: no number. */
int tree_read_number(struct tree *tree, int64_t *ret, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A long file, NUL-terminated, to be freed; bytes as they are (it may hold NULs). 0 or -errno. */
int tree_read_all(struct tree *tree, const char *path, char **ret, size_t *ret_len);

/* 0 when the file is there (it may still be unreadable), or -errno. */
int tree_exists(struct tree *tree, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Names in a folder, numbers in them in their order (cpu2 before cpu10), "." and ".." left out. */
struct tree_names {
	char **name;
	size_t nr;
};

int tree_list(struct tree *tree, struct tree_names *ret, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void tree_names_release(struct tree_names *names);

/* The target of a link as it is stored. Its length or -errno (-EINVAL: no link). */
int tree_read_link(struct tree *tree, char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Reads that failed for another reason than that there is no such file; each path once. */
struct tree_failure {
	char *path;
	int error;	   /* positive */
	const char *tells; /* what it would have told, or NULL */
};

const struct tree_failure *tree_failures(const struct tree *tree, size_t *ret_nr);

/* Failures beyond this many are counted only. */
enum { TREE_FAILURES_MAX = 1024 };
size_t tree_failures_left_out(const struct tree *tree);

/*
 * What is beside the files. The kernel log, NUL-terminated and owned by the tree: 0, -ENOENT: not
 * captured, -EPERM: not allowed (live).
 */
int tree_dmesg(struct tree *tree, const char **ret, size_t *ret_len);

/* The first line of it that holds needle. Its length, -ENODATA: no such line, or as above. */
int tree_dmesg_line(struct tree *tree, const char *needle, char *buf, size_t size);

/* A register of a CPU. 0; -ENOENT: not captured; -EACCES, -EPERM: no right; -EIO: not there. */
int tree_msr(struct tree *tree, int cpu, uint32_t reg, uint64_t *ret);

struct acpi_tables;

/* What its ACPI tables tell (doctor/acpi.h), owned by the tree. */
const struct acpi_tables *tree_acpi(const struct tree *tree);
