/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of a file goes into a capture: by lists of what is wanted, never of what is not, so that
 * names, serial numbers and addresses of a machine stay there.
 */
#pragma once

#include <stddef.h>

enum path_filter {
	FILTER_NONE,
	FILTER_CMDLINE,	 /* parameters about power management and CPUs */
	FILTER_CPUINFO,	 /* no serial numbers */
	FILTER_VERSION,	 /* not who built the kernel, and where */
	FILTER_SETTINGS, /* KEY=VALUE lines of power tools that matter */
	FILTER_MODPROBE, /* lines about modules of power management */
	FILTER_LOG,	 /* lines of the kernel log about power management */
	FILTER_CONFIG,	 /* options of a kernel about power management */
	FILTER_TABLES,	 /* nothing: told by other means */
};

/* NUL-terminated, to be freed; NULL: out of memory. */
char *filter_text(enum path_filter filter, const char *text, size_t len, size_t *ret_len);
