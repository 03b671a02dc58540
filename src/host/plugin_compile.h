/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles a C file into a plug-in: a kernel's governor file against kernel-shim/, or a file
 * written against corepace/policy.h (it is told by that include). Order of calls: plugin_compile,
 * compile_report_release, whatever it returned.
 */
#pragma once

#include "base/error.h"

#include <stddef.h>

struct plugin_source {
	const char *path;	 /* of the C file */
	char *const *others;	 /* C files that go with it, up to a NULL; may be NULL */
	const char *shim_dir;	 /* kernel-shim/ */
	const char *include_dir; /* holds corepace/policy.h */
	char *const *arguments;	 /* further ones for the compiler, up to a NULL; may be NULL */
};

struct compile_report {
	char *messages;	   /* the compiler's own, may be empty; never NULL after plugin_compile */
	char missing[512]; /* names that the shim lacks, "a, b"; empty when nothing is missing */
};

/*
 * Writes the shared object to output with $CC, or cc. -ENOENT and the like: no source, no
 * compiler; -ENOEXEC: it does not compile (ret->messages says why). ret is filled in any case.
 */
int plugin_compile(const struct plugin_source *source, const char *output,
	struct compile_report *ret, struct error *err);

void compile_report_release(struct compile_report *report);

/* The kernel names that a compiler's or linker's messages (gcc, clang; LC_ALL=C) complain of. */
void compile_missing(const char *messages, char *buf, size_t size);
