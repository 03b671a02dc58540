/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the driver selection: one init function per driver, and the kernel command line. */
#pragma once

#include "policy/registry.h"
#include "policy/select/select.h"

#include <stddef.h>

enum { KERNEL_NEWEST = KERNEL(99, 0) };

/* A driver's init: registers by filling ret, or says why not. *certain is true on entry. */
typedef enum select_reason (*select_init)(
	const struct select_facts *facts, struct selection *ret, bool *certain);

enum select_reason select_intel_pstate(
	const struct select_facts *facts, struct selection *ret, bool *certain);
enum select_reason select_amd_pstate(
	const struct select_facts *facts, struct selection *ret, bool *certain);
enum select_reason select_acpi_cpufreq(
	const struct select_facts *facts, struct selection *ret, bool *certain);
enum select_reason select_pcc_cpufreq(
	const struct select_facts *facts, struct selection *ret, bool *certain);

/* The governor of new policies under ret's driver. */
void select_governor(const struct select_facts *facts, struct selection *ret);

/* The fact, or what is usual where it is not known (then *certain becomes false). */
bool select_assume(enum fact fact, bool usual, bool *certain);

void select_note(struct selection *ret, const char *note);

bool select_profile_server(enum pm_profile profile);

/*
 * The words of the command line that set key ("intel_pstate"): calls for each value in turn; NULL
 * at the end. - and _ are one. pos: start with NULL. len gets the value's length.
 */
const char *cmdline_next(const char *cmdline, const char *key, const char **pos, size_t *len);

/* Some word sets key to value. */
bool cmdline_has(const char *cmdline, const char *key, const char *value);

/* Some word sets key to a list with commas in which item is. */
bool cmdline_lists(const char *cmdline, const char *key, const char *item);
