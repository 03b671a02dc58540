/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the verbs that simulate have in common on the command line. */
#pragma once

#include <signal.h>

/* Within min and max into *ret, else usage with what was expected. */
int option_number(const char *verb, const char *text, unsigned long long min,
	unsigned long long max, const char *what, unsigned long long *ret);

/* -n, -j and --seed. */
int option_iterations(const char *verb, const char *text, unsigned long long *ret);
int option_threads(const char *verb, const char *text, unsigned long long *ret);
int option_seed(const char *verb, const char *text, unsigned long long *ret);

/* -j when it is not given: one per CPU. */
unsigned long long threads_default(void);

/*
 * From now on non-zero once SIGINT or SIGTERM has come. The second time it ends the process:
 * nothing is lost but the runs that are not done.
 */
const volatile sig_atomic_t *watch_signals(void);
