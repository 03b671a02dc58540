/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `show` can show and `list` can list: one function per kind, in show_KIND.c and list_KIND.c,
 * each in the table of cmd_show.c or cmd_list.c. They print and return an exit status.
 */
#pragma once

#include <stdbool.h>

struct machine;

struct show_options {
	bool json;
	bool all;	     /* no limit on rows */
	const char *ops;     /* --ops TASK or NULL */
	const char *against; /* --against NAME or FILE, or NULL */
};

int show_driver(const char *name, const struct show_options *options);
int show_governor(const char *spec, const struct show_options *options);
int show_machine(const char *spec, const struct show_options *options);
int show_machine_against(const struct machine *m, const char *path, bool json);
int show_policy(const char *spec, const struct show_options *options);
int show_workload(const char *spec, const struct show_options *options);

int list_drivers(bool json);
int list_governors(bool json);
int list_machines(bool json);
int list_policies(bool json);
int list_workloads(bool json);
