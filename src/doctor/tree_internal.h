/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of tree.h share. */
#pragma once

#include "doctor/files.h"
#include "doctor/tree.h"
#include "host/beneath.h"

#include <stdarg.h>

/* One of the texts beside the root. */
struct beside {
	char *text; /* NULL: not there */
	size_t len;
};

enum { BESIDE_MAX = 32 << 20 };

struct tree {
	char *name;
	bool live;
	int root_fd;		 /* -1: there is only what files hold */
	struct host_folder last; /* beneath root_fd */
	struct files files;	 /* looked at before root_fd */
	struct beside dmesg, msr, acpi, errors;
	int dmesg_code; /* -errno when dmesg.text is NULL; live: 1, not asked yet */
	struct msr_value *msrs;
	size_t nr_msrs;
	int msr_fd, msr_cpu, msr_code; /* live: open for msr_cpu; -errno that holds for all */
	struct acpi_tables *tables;
	const char *acpi_option; /* name of the file that takes acpi.txt's place, or NULL */
	struct tree_failure *failures;
	size_t nr_failures, failures_left_out;
};

/* Folder at tree->name: sets root_fd, files and what is beside. 0 or -errno. */
int tree_open_folder(struct tree *tree, struct error *err);

/* The same for an archive; -ENOTSUP in a program without libarchive. */
int tree_open_archive(struct tree *tree, int fd, struct error *err);

/* "ro|PATH|VALUE" lines into files; lines that are not are skipped. 0 or -errno. */
int tree_take_inline(struct files *files, const char *text, size_t len);

/* "ERRNO path" lines of errors.txt into files; bad ones are failures. 0, -ENOMEM or -EFBIG. */
int tree_take_errors(struct tree *tree);

/* Registers of msr.txt, likewise. */
int tree_take_msrs(struct tree *tree);

/* Tables and what is told of them, into tree->tables. After files_sort. 0 or -errno. */
int tree_take_acpi(struct tree *tree, struct error *err);

/* A whole file beneath a folder into beside; -ENOENT leaves it as it is. */
int tree_load_beside(int folder_fd, const char *path, struct beside *ret, struct error *err);

/* path has PATH_LEN_MAX bytes. 0 or -ENAMETOOLONG. */
int tree_format_path(char *path, const char *fmt, va_list ap);

/*
 * Keeps why a read failed, unless there was nothing to read; tells as in paths.h. Returns code.
 */
int tree_note_text(struct tree *tree, const char *path, const char *tells, int code);

/* The same for a file with a rule. */
int tree_note(struct tree *tree, const char *path, int code);
